"""Odd names: shown whole, kept apart, never a path."""

import unicodedata

import pytest

from tutor.checking.seeds import same_name, seed_of
from tutor.grading.names import file_names, fits, look_alikes, shown, skeleton

ODD = [
    "../../etc/passwd",
    "..",
    ".",
    "",
    "-rf",
    "a/b\\c",
    "nul\0byte",
    "line\nbreak",
    "Ada\u202eecalevoL",
    "half\ud800",
    "김철수",
    "Zoë",
    unicodedata.normalize("NFD", "Zoë"),
    "x" * 300,
    "가" * 200,
    "=cmd|' /C calc'!A0",
    "con.",
    "%2E%2E",
]


def test_file_names_are_safe_and_distinct() -> None:
    names = file_names(ODD)
    assert len({name.casefold() for name in names.values()}) == len(ODD)
    for name in names.values():
        assert 0 < len(name.encode()) < 130
        assert not set(name) & set('/\\\0\n:*?"<>|')
        assert name[0] not in ".-"
        assert not name.endswith(".")
        assert all(unicodedata.category(character)[0] != "C" for character in name)


def test_ordinary_names_stay() -> None:
    for name in ("ada", "Ada Lovelace", "김철수", "s123456", "o'neil", "müller_anna-2"):
        assert file_names([name])[name] == name.replace("'", "%27")


def test_names_that_are_one_on_some_disks_are_kept_apart() -> None:
    names = file_names(["Ada", "ada", "Grace"])
    assert names["Ada"].casefold() != names["ada"].casefold()
    assert names["Grace"] == "Grace"
    assert names == file_names(["Grace", "ada", "Ada"])  # whatever the order


def test_invisible_characters_are_shown() -> None:
    assert shown("a\u200bb") == "a\\u200bb"
    assert shown("a\nb") == "a\\nb"
    assert shown("half\ud800") == "half\\ud800"
    assert shown("김철수 Zoë =1") == "김철수 Zoë =1"
    assert shown("a\\nb") != shown("a\nb")
    for name in ODD:
        shown(name).encode()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Zoë", unicodedata.normalize("NFD", "Zoë")),
        ("anna", "аnnа"),  # Cyrillic а
        ("ann_lee", "ann lee"),
        ("ann", "a\u200bnn"),
        ("Ａｎｎ", "Ann"),
    ],
)
def test_look_alikes(one: str, other: str) -> None:
    assert one != other
    assert set(look_alikes([one, other, "Grace"])) == {one, other}


def test_mixed_alphabets_are_told() -> None:
    assert "mixes alphabets" in look_alikes(["grаce"])["grаce"]
    assert look_alikes(["Анна", "Anna", "김철수", "Ελένη"]) == {}


@pytest.mark.parametrize(
    ("declared", "folder", "fit"),
    [
        ("Ada Lovelace", "lovelace_ada", True),
        ("Zoë", "zoe_smith", True),
        ("김철수", "김철수_20240101", True),
        ("김철수", unicodedata.normalize("NFD", "김철수"), True),
        ("김 철수", "김철수", True),
        ("Ada Lovelace", "lovelaceada_4711", True),
        ("Ada\u00a0Lovelace", "Ａｄａ", True),
        ("Ada", "grace", False),
        ("Ada", "s123456", False),
        ("", "", False),
    ],
)
def test_fits(declared: str, folder: str, fit: bool) -> None:
    assert fits(declared, folder) is fit


def test_one_form_of_a_name_for_numbers_and_flags() -> None:
    """Whoever writes a name with other blanks or letters gets the numbers of that name."""
    name = "김 철수 Kim"
    for same in (
        unicodedata.normalize("NFD", name),
        *(
            name.replace(" ", blank)
            for blank in ("  ", "\u00a0", "\u2003", "\u3000", "\t", "\u3164")
        ),
        f"\ufeff{name}\u200b",
        "김 철수 ＫＩＭ",
    ):
        assert seed_of("s", same, "predict_score") == seed_of("s", name, "predict_score"), same
        assert skeleton(same) == skeleton(name)
    assert same_name("Ada") != same_name("Ida")
