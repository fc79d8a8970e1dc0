"""The translator's tool: texts into catalogues, translations kept, faults seen."""

from pathlib import Path

import pytest
from babel.messages.catalog import Message

from tools.authoring.translation import catalogues
from tools.authoring.translation.catalogues import (
    key_of,
    merged,
    path_of,
    read,
    translation_of,
    write,
)
from tools.authoring.translation.complaints import complaints, wrong
from tools.authoring.translation.extract import Catalogues, Found, everything
from tools.authoring.translation.package_text import ERROR, Text, texts_of_module
from tools.authoring.translation.still import MEND, still_to_do
from tutor.learner.language import CATALOGUES, ENGLISH, languages, read_catalogue

FILES = sorted(CATALOGUES.glob("*/*.po"))


@pytest.fixture(scope="module")
def found() -> Catalogues:
    return everything()


def test_each_text_stands_in_one_catalogue(found: Catalogues):
    keys = [key for texts in found.values() for key in {one.key for one in texts}]
    assert len(keys) == len({*keys}) > 5000
    assert {"lesson04", "exercises04", "hints04", "explorers04", "site", "shared"} <= {*found}


def test_of_a_module_is_taken_what_is_said_and_what_stands_in_known_places():
    source = (
        'say("It is {n}.", n=1)\nsay_count("a row", "rows", 2)\nsay_as("verdict", "right")\n'
        'later("in a table")\nprint("not read")\nx = "nor this"\n'
        'Mistake("attn-no-scale", f, "Look at it.")\n'
        'live(draw, alt=say("A map."), d_k=4, hidden_word=3)\n'
    )
    assert [*texts_of_module(source)] == [
        Text("It is {n}.", "sentence"),
        Text("a row", "sentence", many="rows"),
        Text("right", "sentence", context="verdict"),
        Text("in a table", "sentence"),
        Text("Look at it.", "mistake hint"),
        Text("no scale", "mistake title", context="mistake"),
        Text("hidden word", "label of a control"),
        Text("A map.", "sentence"),
    ]


def catalogue_of(tmp_path: Path, texts: dict[str, str], old: list[Message]) -> dict[str, Message]:
    """Bring a catalogue up to date with some texts, write it, and read what it has by English."""
    here = [Found(Text(text, "text"), "a.ipynb", place) for text, place in texts.items()]
    write(merged(here, "ko", {key_of(one): one for one in old}), tmp_path / "a.po")
    return {key_of(one)[1]: one for one in read(tmp_path / "a.po", "ko")}


def test_the_texts_of_tables_have_an_order_that_no_run_changes():
    """Else bringing a catalogue up to date moves its entries about, and hides what is new."""
    words = [f"Table {number}." for number in range(12)]
    tables = "".join(f"T{place} = [{word!r}]\n" for place, word in enumerate(words))
    source = tables + "".join(f"say(T{place}[k])\n" for place in range(len(words)))
    assert [text.text for text in texts_of_module(source)] == words


def test_a_translation_is_kept_and_one_of_changed_english_is_fuzzy(tmp_path: Path):
    first = [Message("A row of four numbers.", "숫자 네 개."), Message("All else.", "나머지.")]
    new = {"A row of five numbers.": "a", "All else.": "b", "Something new entirely": "c"}
    entries = catalogue_of(tmp_path, new, first)
    changed = entries["A row of five numbers."]
    assert changed.fuzzy
    assert (translation_of(changed), changed.user_comments) == (
        "숫자 네 개.",
        ["was: A row of four numbers."],
    )
    assert (translation_of(entries["All else."]), entries["All else."].fuzzy) == ("나머지.", False)
    assert translation_of(entries["Something new entirely"]) == ""
    spoken = read_catalogue((tmp_path / "a.po").read_text("utf-8"))
    assert spoken == {("", "All else."): "나머지."}


def test_bringing_up_to_date_twice_changes_nothing(tmp_path: Path):
    first = [Message("A row of four numbers.", "숫자 네 개.")]
    entries = catalogue_of(tmp_path, {"A row of five numbers.": "a"}, first)
    content = (tmp_path / "a.po").read_bytes()
    catalogue_of(tmp_path, {"A row of five numbers.": "a"}, list(entries.values()))
    assert (tmp_path / "a.po").read_bytes() == content


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_catalogue_has_nothing_to_complain_about(file: Path):
    assert complaints(read(file, file.parent.name)) == []


@pytest.mark.parametrize("language", [one for one in languages() if one != ENGLISH])
def test_what_is_whole_in_a_language_stays_whole(language: str, found: Catalogues):
    behind = still_to_do(language, found)
    assert behind == [], "\n".join([*behind, MEND.format(language=language)])


def test_what_falls_behind_is_seen(
    found: Catalogues, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One text of each kind is new; one that was translated is gone."""
    before = Found(Text("It was here before.", "text"), "notebooks/04_self_attention.ipynb", "a")
    old = {before.key: Message(before.text.text, "전에 있었습니다.")}
    monkeypatch.setattr(catalogues, "CATALOGUES", tmp_path)
    write(merged([before], "ko", old), path_of("ko", "lesson04"))
    assert still_to_do("ko", {"lesson04": [before]}) == []
    changed = before._replace(text=Text("It was here long before.", "text"))
    shared = Found(Text("In two.", "text"), "exercises/04_self_attention.ipynb", "b")
    other = Found(Text("Not whole.", "text"), "notebooks/05_multi_head_attention.ipynb", "c")
    raised = Found(Text("k is wrong", ERROR), "tutor/output.py")
    new = {"lesson04": [changed], "lesson05": [other], "shared": [shared], "package": [raised]}
    told = still_to_do("ko", new)
    assert [line.partition(":")[0] for line in told] == [
        "not translated",
        "not translated",
        "not in the course any more",
    ]
    write(merged([changed], "ko", old), path_of("ko", "lesson04"))
    assert [line.partition(":")[0] for line in still_to_do("ko", {"lesson04": [changed]})] == [
        "to be read again"
    ]


def test_every_language_has_catalogues():
    assert {file.parent.name for file in FILES} == {*languages()} - {ENGLISH}


@pytest.mark.parametrize(
    ("english", "korean", "what"),
    [
        ("Divide by $d_k$.", "나눕니다.", "formulas"),
        ("Call `check`.", "부릅니다.", "formulas"),
        ("[here](a.md#b)", "[여기](a.md)", "formulas"),
        ("It has {n} rows.", "행: {m}.", "gaps"),
        ("All 40 of 384.", "40개 모두.", "numbers"),
        ("In at least half of them.", "절반에서.", "bound"),
        ("It is not so.", "그렇습니다.", "negation"),
        (" of them", "그중", "space"),
        ("**Predict.** How many?", "몇 개일까요?", "heading"),
        ("One.", "하나.\n\n둘.", "two"),
        ("The name.", "이름을(를) 적으세요.", "brackets"),
        ("{name} is wrong.", "{name}은 틀립니다.", "gap"),
        ("**Keys (many)** go.", "**키(많음)**는 갑니다.", "emphasis"),
        ("With *scores ×* at 0.", "*스코어 ×*가 0이면.", "emphasis"),
        ("Press **Run ▶** now.", "지금 **실행 ▶**을 누르세요.", "emphasis"),
        ("From 1 to 2, 3 to 4.", "1~2, 3~4.", "~"),
    ],
)
def test_a_fault_is_seen(english: str, korean: str, what: str):
    assert any(what in line for line in wrong(english, korean)), wrong(english, korean)


def test_a_good_translation_is_no_fault():
    english = "**Predict.** At least 3 of {count} words have `x` at $2$, not more than 1 ([a](b))."
    korean = (
        "**예측.** 단어 {count}개 가운데 3개 이상에 $2$의 `x`가 있고, 1개를 넘지 않습니다([a](b))."
    )
    assert wrong(english, korean) == []
    assert complaints([Message(english, korean), Message("It is not so.", "")]) == []
