"""Models put together from functions: equal to the course's, and told where they are not."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from tests.tiers import every_quick, first_quick
from tutor.checking.exercise import Mistake
from tutor.display.course_map import SIZE
from tutor.display.own_map import own_map
from tutor.exercises import find
from tutor.learner.own_parts import MODELS, MyParts, short_number
from tutor.models import from_parts, plain_from_parts, translator_from_parts
from tutor.models.from_parts import at_speed, first_that_matters, is_close
from tutor.models.plain_from_parts import PlainFromParts, learn
from tutor.models.translator_from_parts import MOST, TranslatorFromParts, translator_of
from tutor.say import PlainError
from tutor.training.experiment import load_trained

PHRASE = "May 3, 2024"

# Listed mistakes that leave the translator's numbers as they are, by the reason why they may.
REASONS: Mapping[str, str] = {
    "what stands at padding is hidden from everybody, whatever it is": """
        embed-padding-kept embed-padding-from-length embed-padding-unscaled embed-padding-ones
        """,
    "here padding has the id 0": "embed-pad-id-zero build-pad-id-zero",
    "here D is even": """
        pe-exponent-half-width odd-d-model-crash odd-d-model-frequency odd-d-model-last-zero
        odd-d-model-last-cosine
        """,
    "here d_k and d_v are equal": "mh-scale-d-v attn-scale-value-dim",
    "here a sentence looks at itself": """
        mh-looks-at-itself mh-others-ask mh-roles-exchanged mh-value-from-queries
        """,
    "here eps is 1e-5": "ln-eps-fixed",
    "one sentence at a time": """
        ffn-mixes-batch split-heads-first build-of-first-sentence cross-of-first-sentence
        """,
    "a target that is being written has no padding": """
        build-wrong-axis build-causal-only build-both-axes build-from-length build-axes-exchanged
        """,
    "padding stands at the end": "cross-from-length",
    "one row of scores at a time, and its output alone is used": """
        attn-returns-scores attn-softmax-over-all
        """,
    "here scores are small": "attn-powers-overflow",
    "at T = 1": """
        temp-multiplied temp-ignored temp-added temp-after-and-renormalised temp-power
        temp-after-softmax temp-power-not-renormalised temp-squared temp-rooted
        temp-never-below-one temp-never-above-one
        """,
}
HARMLESS = {mistake: why for why, several in REASONS.items() for mistake in several.split()}


def other_style(name: str) -> Any:
    """The same function in a learner's hands: not the reference itself."""
    reference = find(name).reference
    return lambda *arguments: reference(*arguments)


def parts_of(model: str, own: list[str] | None = None) -> MyParts:
    names = MODELS[model]
    return MyParts(model, names, {name: other_style(name) for name in own or []})


@pytest.fixture(scope="module")
def trained() -> Any:
    torch.set_num_threads(1)
    return load_trained("phrasebook-ko")


def subsets_of(model: str, drawn: int = 20) -> Iterator[list[str]]:
    names = MODELS[model]
    yield []
    yield [*names]
    for seed in range(drawn):
        yield [name for name in names if random.Random(f"{seed}{name}").random() < 0.5]


@pytest.mark.parametrize("own", first_quick(subsets_of("translator"), 3), ids=len)
def test_the_translator_has_the_courses_numbers_whoevers_parts_it_has(trained: Any, own: list[str]):
    model, task = trained
    said = translator_of(parts_of("translator", own), model, task)(PHRASE).splitlines()
    assert said[0] == "May 3, 2024 → 2024년 5월 3일"
    assert float(said[1].split()[-1].rstrip(".")) < 2e-5
    assert len(said) == 2


def test_a_text_longer_than_its_places_is_refused_in_a_sentence(trained: Any):
    model, task = trained
    translated = translator_of(parts_of("translator"), model, task)
    assert "→ nothing" not in translated("May " * 62)
    with pytest.raises(PlainError, match="at most 62 words at a time, and this text has 63"):
        translated("May " * 63)


MISTAKES = [
    pytest.param(name, mistake, id=f"{name}-{mistake.id}")
    for name in MODELS["translator"]
    for mistake in find(name).mistakes
]


@pytest.mark.parametrize(("name", "mistake"), every_quick(MISTAKES, 40))
def test_every_listed_mistake_moves_the_numbers_or_has_its_reason(
    trained: Any, name: str, mistake: Mistake
):
    model, task = trained
    parts = parts_of("translator")
    broken = replace(parts, own={name: mistake.function})
    said = translator_of(broken, model, task)(PHRASE)
    if mistake.id in HARMLESS:
        assert "It " not in said.split("\n", 1)[1], "it does move them: take it from HARMLESS"
    else:
        assert f"at your {name}" in said


def test_the_first_part_that_matters_is_named_among_several(trained: Any):
    model, task = trained
    wrong = {name: find(name).mistakes[0].function for name in ("split_heads", "tied_logits")}
    parts = parts_of("translator", ["embed", "layer_norm"])
    parts = replace(parts, own={**parts.own, **wrong})
    said = translator_of(parts, model, task)(PHRASE)
    assert "It begins to differ at your split_heads, by" in said
    assert "Run check(split_heads), number 1 of exercises/05_multi_head_attention.ipynb." in said


def test_a_part_that_raises_is_named(trained: Any):
    model, task = trained

    def feed_forward(*_: Any) -> None:
        raise RuntimeError("Am I needed?")

    parts = replace(parts_of("translator"), own={"feed_forward": feed_forward})
    said = translator_of(parts, model, task)(PHRASE)
    assert said.startswith("May 3, 2024 → nothing: RuntimeError")
    assert "It stops at your feed_forward: RuntimeError: Am I needed?. Run check" in said


def test_batches_with_padding_come_out_as_one_by_one(trained: Any):
    model, task = trained
    mine = TranslatorFromParts(parts_of("translator"), model)
    source = task.read(PHRASE, "3 days ago")
    together = mine.encode(source)
    for row, text in enumerate((PHRASE, "3 days ago")):
        alone = mine.encode(task.read(text))[0]
        torch.testing.assert_close(together[row, : len(alone)], alone, rtol=0, atol=1e-5)


@pytest.mark.parametrize("seed", first_quick((1, 2, 3)))
def test_the_plain_model_learns_from_nothing(seed: int):
    own = learn(parts_of("plain", [*MODELS["plain"]]), seed=seed, progress=False)
    lent = learn(parts_of("plain"), seed=seed, progress=False)
    assert own.losses == lent.losses
    assert own.right >= 85
    assert own.translate("I love her") == "나는 그녀를 사랑한다"
    assert "Never seen: I love her → 나는 그녀를 사랑한다" in str(own)


def test_the_plain_model_says_which_part_is_not_the_courses():
    exchanged = replace(
        parts_of("plain", ["tied_logits"]),
        own={"shift_targets": lambda y: (y[:, 1:], y[:, :-1])},
    )
    assert "It begins to differ at your shift_targets, by" in str(learn(exchanged, steps=3))
    right = parts_of("plain", [*MODELS["plain"]])
    assert learn(right, steps=3, progress=False).broken == ""

    def tied_logits(*_: Any) -> None:
        raise RuntimeError("No table.")

    with pytest.raises(PlainError, match=r"It stops at your tied_logits: RuntimeError: No table"):
        learn(replace(right, own={"tied_logits": tied_logits}), steps=3)


def test_a_part_that_only_training_finds_wrong_is_named():
    def written_over(h: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        return (h @ table.T).exp_().log_()

    def cut_off(h: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        return h.detach() @ table.T

    right = parts_of("plain")
    with pytest.raises(PlainError, match=r"It stops at your tied_logits: RuntimeError"):
        learn(replace(right, own={"tied_logits": written_over}), steps=3, progress=False)
    learned = learn(replace(right, own={"tied_logits": cut_off}), steps=3, progress=False)
    assert "at your tied_logits" in learned.broken


def test_a_mistake_of_the_courses_is_not_laid_at_ones_own_functions_door():
    def encoder_decoder(*_: Any) -> None:
        raise RuntimeError("Mine.")

    mine = replace(parts_of("plain"), own={"encoder_decoder": encoder_decoder})
    broken = mine.with_mistake("encoder_decoder", "model-decoder-not-causal")
    assert learn(broken, steps=3, progress=False).broken == ""


def test_an_edited_part_can_be_brought_back(trained: Any):
    model, task = trained
    wrong = find("split_heads").mistakes[-1].function
    parts = replace(parts_of("translator"), own={"split_heads": wrong}, edited=["split_heads"])
    said = translator_of(parts, model, task)(PHRASE)
    assert "It begins to differ" in said or "It stops" in said
    assert said.endswith("tutor mine --restore split_heads")
    assert "check(" not in said


@pytest.mark.parametrize(("model", "seen"), [("translator", "lent"), ("plain", "not in it")])
def test_the_map_says_what_its_looks_mean(monkeypatch: pytest.MonkeyPatch, model: str, seen: str):
    figure = Figure(figsize=SIZE)
    monkeypatch.setattr("tutor.display.own_map.Picture", lambda draw, **_: draw(figure))
    own_map(model, ["layer_norm"])
    words = {text.get_text() for text in figure.findobj(Text)}
    assert {"encoder", seen, {"plain": "1 ×", "translator": "2 ×"}[model]} <= words


def test_the_map_of_the_plain_model_says_which_exercise_fills_a_box(
    monkeypatch: pytest.MonkeyPatch,
):
    figure = Figure(figsize=SIZE)
    monkeypatch.setattr("tutor.display.own_map.Picture", lambda draw, **_: draw(figure))
    own_map("plain", [], numbers={name: short_number(name) for name in MODELS["plain"]})
    words = [text.get_text() for text in figure.findobj(Text)]
    found = [word for word in words if re.fullmatch(r"\d\.\d(, \d\.\d)*", word)]
    n = {name: short_number(name) for name in MODELS["plain"]}
    seen = Counter(n[name] for name in MODELS["plain"] if name != "sinusoidal_encoding")
    both = f"{n['sinusoidal_encoding']}, {n['embed_with_positions']}"
    more = {both: 2, n["embed_with_positions"]: 1, n["encoder_decoder"]: 2}  # one a frame
    assert Counter(found) == seen + Counter(more)


@pytest.mark.long
def test_without_its_mask_the_loss_falls_and_the_sentences_are_lost():
    parts = parts_of("plain", ["encoder_decoder"])
    broken = parts.with_mistake("encoder_decoder", "model-decoder-not-causal")
    assert "Lent with a mistake: encoder_decoder, decoder not causal." in str(broken)
    assert broken.own == {n: f for n, f in parts.own.items() if n != "encoder_decoder"}
    learned = learn(broken, progress=False)
    assert learned.losses[-1] < 0.01
    assert learned.right < 60
    with pytest.raises(ValueError, match="model-no-such"):
        parts.with_mistake("encoder_decoder", "model-no-such")


def test_a_part_that_is_far_too_slow_is_lent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(from_parts, "_NOTICED", 0.005)

    def slow(h: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        for _ in range(3000):
            h @ table.T
        return h @ table.T

    parts = replace(parts_of("plain"), own={"tied_logits": slow})

    def run(some: MyParts) -> None:
        some["tied_logits"](torch.ones(95, 4, 32), torch.ones(17, 32))

    lent = at_speed(parts, run)
    assert lent["tied_logits"] is find("tied_logits").reference
    assert "The course lends tied_logits; yours takes" in str(lent)
    quick = parts_of("plain", ["tied_logits"])
    assert at_speed(quick, run) is quick


def test_numbers_that_are_none_are_no_match():
    assert not is_close(float("nan"), 1.0)
    assert not is_close("RuntimeError: no", 1.0)
    assert is_close(0.5, 1.0)


def test_none_matters_where_all_are_right():
    parts = parts_of("plain", ["tied_logits"])

    def scores(some: MyParts) -> torch.Tensor:
        return some["tied_logits"](torch.ones(2, 3), torch.eye(3))

    assert first_that_matters(parts, scores, torch.ones(2, 3), MOST) is None


def test_every_part_of_a_model_is_an_exercise_and_runs_in_it():
    for names in MODELS.values():
        assert len(set(names)) == len(names)
        assert all(find(name).kind == "write" for name in names)
    used: set[str] = set()

    class Noting(dict):
        own: dict[str, Any] = {}  # noqa: RUF012

        def __getitem__(self, name: str) -> Any:
            used.add(name)
            return find(name).reference

    learn(Noting(dict.fromkeys(MODELS["plain"])), steps=3, progress=False)
    assert used == set(plain_from_parts.PARTS)
    assert isinstance(PlainFromParts, type)
    assert MODELS["translator"] == translator_from_parts.PARTS


def test_the_page_says_which_exercise_is_a_part_of_which_model():
    text = (Path(__file__).parents[2] / "docs" / "your_own_transformer.md").read_text("utf-8")
    rows = [line.split("|")[2:-1] for line in text.splitlines() if line.startswith("| ")]
    told = {name.strip(" `"): [cell.strip() == "yes" for cell in row] for name, *row in rows[1:]}
    parts = {name for names in MODELS.values() for name in names}
    assert told == {name: [name in names for names in MODELS.values()] for name in parts}
