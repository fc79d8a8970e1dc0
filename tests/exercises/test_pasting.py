"""Write, then mend something else: nothing that is given earns points in another exercise."""

from itertools import product

import pytest

from tests.allowances import hold
from tests.exercises.pasting import Edit, earns, edited, given_functions
from tools.authoring.files import LESSONS, notebooks_in
from tutor.exercises import find, lessons

NAMES = [path.stem for path in notebooks_in(LESSONS)]

# Edits that were found to earn points. One that no longer fits its cell is no fault any more;
# it stays, so that the cell does not come back.
EDITS = [
    Edit(
        "01_rnn_limits",
        "mend_leaky_rnn",
        "rnn_forward",
        [
            ("mend_leaky_rnn(x, h0, W_ih, W_hh, b, a)", "rnn_forward(x, h0, W_ih, W_hh, b, b_hh)"),
            ("W_hh.T + b)", "W_hh.T + b + b_hh)"),
            ("h = (1 - a) * h + a * new", "h = new"),
            ("return torch.stack(outputs, dim=1)", "return torch.stack(outputs, dim=1), h"),
        ],
    ),
    Edit(
        "02_embeddings",
        "mend_chat_batch",
        "encode_batch",
        [
            ("mend_chat_batch(texts, max_length, bos_id", "encode_batch(texts, max_length, bos_id"),
            ("bos_id, pad_id)", "bos_id, eos_id, pad_id)"),
            ("*ids[-(max_length - 1) :]]", "*ids[: max_length - 2], eos_id]"),
            ("[pad_id] * (longest - len(row)) + row", "row + [pad_id] * (longest - len(row))"),
        ],
    ),
    Edit(
        "03_positional_encoding",
        "by-hand",
        "sinusoidal_encoding",
        [
            ("d, pos = 8, 7\nrow = []\n", "def sinusoidal_encoding(T, d):\n    rows = []\n"),
            (
                "for column in range(d):\n",
                "    for pos in range(T):\n     for column in range(d):\n",
            ),
            ("    angle = ", "      angle = "),
            ("    row.append(", "      rows.append("),
            ("print([round(number, 2) for number in row])\n", "    return torch.tensor(rows"),
            ('print("equal', ').reshape(T, d)\nprint("equal'),
        ],
    ),
    Edit(
        "04_self_attention",
        "mend_attention",
        "scaled_dot_product_attention",
        [
            ("mend_attention(", "scaled_dot_product_attention("),
            ("k.T", "k.mT"),
            ("dim=1", "dim=-1"),
        ],
    ),
    Edit(
        "05_multi_head_attention",
        "mend_multi_head",
        "multi_head_attention",
        [("mend_multi_head(", "multi_head_attention(")],
    ),
    Edit(
        "08_full_transformer",
        "mend_decoder_layer",
        "decoder_layer",
        [
            ("mend_decoder_layer(", "decoder_layer("),
            ("read = normalise(x)", "read = x"),
            (
                "x = x + look(read, read, W_self, causal=True)",
                "x = normalise(x + look(x, x, W_self, True))",
            ),
            ("x = x + look(normalise(x), memory", "x = normalise(x + look(x, memory"),
            ("W_cross, causal=False)", "W_cross, causal=False))"),
            (
                "return x + torch.relu(normalise(x) @ W1.T + b1) @ W2.T + b2",
                "return normalise(x + torch.relu(x @ W1.T + b1) @ W2.T + b2)",
            ),
        ],
    ),
]


def pasted(source: str, target: str) -> list[str]:
    """What one lesson hands out and another's exercise takes, with no more than a new name."""
    asked = [one for one in lessons()[target] if one.kind != "predict"]
    return [
        f"{where} -> {exercise.name}"
        for (where, function), exercise in product(given_functions(source), asked)
        if not where.endswith(f": {exercise.name}") and earns(exercise, function)
    ]


@pytest.mark.parametrize("lesson", NAMES)
def test_what_a_lesson_hands_out_earns_nothing_by_another_name(lesson: str):
    hold("pasted by name", lesson, pasted(lesson, lesson))


@pytest.mark.long
@pytest.mark.parametrize("lesson", NAMES)
def test_nor_does_it_in_another_lesson(lesson: str):
    others = [name for name in NAMES if name != lesson]
    assert [found for other in others for found in pasted(lesson, other)] == []


@pytest.mark.parametrize("lesson", NAMES)
def test_nor_with_an_edit_that_everybody_sees(lesson: str):
    mine = [edit for edit in EDITS if edit.lesson == lesson]
    found = [
        f"{edit.cell} -> {edit.exercise}"
        for edit in mine
        if (answer := edited(edit)) and earns(find(edit.exercise), answer)
    ]
    hold("pasted with an edit", lesson, found)


def test_an_edit_that_does_not_fit_gives_nothing():
    """A cell that was rewritten, or is gone."""
    changes = [("these words", "stand nowhere")]
    assert edited(Edit("02_embeddings", "mend_chat_batch", "encode_batch", changes)) is None
    assert edited(Edit("02_embeddings", "no-such-cell", "encode_batch", [])) is None


def test_what_is_handed_out_is_found_in_lesson_and_mendings():
    found = [where for where, _ in given_functions("03_positional_encoding")]
    assert "equivariance: attend" in found
    mendings = [where for where, _ in given_functions("04_self_attention")]
    assert {where.split(": ")[1] for where in mendings} >= {"mend_attention"}
