"""The course's figure in a learner's colour: filled where their own function runs."""

from collections.abc import Collection, Mapping

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from tutor.display.course_map import SIZE, draw_head, draw_model
from tutor.display.diagram import Diagram
from tutor.display.palette import NEUTRAL, PAPER, STATUS, mixed
from tutor.display.plots import Picture
from tutor.display.shapes import Box
from tutor.display.speaker_map import draw_speaker
from tutor.display.style import SMALL
from tutor.say import later, say

_INSIDE = ("query and key", "value", "score", "scale", "softmax", "average", "mask")
_STACKS = ("self-attention", "masked", "cross-attention", "add and norm", "feed-forward")
_ATTENTION = ("scaled_dot_product_attention",)
_GROUPED = ("grouped_query_attention",)

# What runs in each part of the figure, model by model. What is missing does not run there.
BOXES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "plain": {
        "embedding": ("embed_with_positions",),
        "position": ("sinusoidal_encoding", "embed_with_positions"),
        **dict.fromkeys((*_STACKS, *_INSIDE), ("encoder_decoder",)),
        "linear": ("tied_logits",),
        "labels": ("shift_targets",),
        "loss": ("sequence_cross_entropy",),
        "rate": ("noam_rate",),
    },
    "translator": {
        "embedding": ("embed",),
        "position": ("sinusoidal_encoding", "add_positions"),
        "self-attention": ("encoder_layer", "multi_head_attention"),
        "masked": ("decoder_mask", *_ATTENTION),
        "cross-attention": ("cross_attention",),
        "add and norm": ("layer_norm",),
        "feed-forward": ("feed_forward",),
        "linear": ("tied_logits",),
        "output": ("temperature_softmax",),
        **dict.fromkeys(("query and key", "value"), ("split_heads",)),
        **dict.fromkeys(("score", "scale", "softmax", "average"), _ATTENTION),
        "mask": ("decoder_mask",),
        "join": ("merge_heads",),
    },
    "speaker": {
        "embedding": ("embed",),
        "norm": ("rms_norm",),
        "attention": ("split_heads", "rotate_by_position", *_GROUPED, "merge_heads"),
        "feed-forward": ("swiglu",),
        "linear": ("tied_logits",),
        "temperature": ("temperature_softmax",),
        "cut": ("top_p_probabilities",),
        "split": ("split_heads",),
        "turn": ("rotate_by_position",),
        **dict.fromkeys(("score", "scale", "softmax", "average"), _GROUPED),
        "merge": ("merge_heads",),
    },
}

_LAYERS: Mapping[str, int] = {"plain": 1, "translator": 2, "speaker": 30}

_BARE = (
    *("embedding", "position", "linear", "output", "temperature", "cut"),
    *("labels", "loss", "rate"),
)
_MANY = 3  # parts of a box whose inside is drawn, with their numbers

_MINE = STATUS["right"]
_TRAINING = (
    ("labels", later("labels"), 2.0),
    ("loss", later("loss"), 2.9),
    ("rate", later("learning rate"), 3.8),
)


def own_map(
    model: str,
    own: Collection[str],
    caption: str = "",
    numbers: Mapping[str, str] | None = None,
) -> Picture:
    """Show which parts of a model are the learner's own.

    Args:
        model: "plain", "translator" or "speaker".
        own: the exercises whose functions are theirs.
        caption: a line below.
        numbers: exercise -> the number that stands beside the boxes it fills; none if not given.

    Example:
        >>> own_map("translator", ["layer_norm"], "1 of 14 parts are yours.").caption
        '1 of 14 parts are yours.'
    """
    boxes = BOXES[model]
    empty = "no exercise" if model == "speaker" else "not in it"

    def draw_map(fig: Figure) -> str:
        d = Diagram(fig)
        _draw_model(d, model)
        if numbers:
            _draw_numbers(d, boxes, numbers)
        seen = set()
        for patch in fig.findobj(_is_part):
            seen.add(_colour(patch, boxes.get(str(patch.get_gid()), ()), own) or empty)
        _draw_legend(d, seen)
        return caption

    names = {name for several in boxes.values() for name in several}
    alt = _described(model, ", ".join(sorted(names & {*own})) or say("none"))
    if numbers:
        alt = f"{alt} {say('Beside the boxes stand the exercises that fill them.')}"
    return Picture(draw_map, alt=alt, size=SIZE)


def _described(model: str, yours: str) -> str:
    """Say what the map shows, in words."""
    if model == "speaker":
        return say(
            "A decoder of today, and beside it the inside of its attention. "
            "Filled, and yours: {yours}.",
            yours=yours,
        )
    return say(
        "The Transformer, encoder and decoder side by side. Filled, and yours: {yours}.",
        yours=yours,
    )


def _draw_model(d: Diagram, model: str) -> None:
    """Draw a model's boxes, with what only its training needs."""
    if model == "speaker":
        draw_speaker(d, _LAYERS[model])
        return
    draw_model(d, layers=_LAYERS[model])
    draw_head(d)
    if "loss" in BOXES[model]:
        _draw_training(d)


def _draw_training(d: Diagram) -> None:
    """Draw what only a training needs, at the left."""
    for part, label, y in _TRAINING:
        d.box(say(label), (1.65, y), width=2.0, height=0.46, size=SMALL).patch.set_gid(part)
    d.words(say("training:"), (1.65, 4.4), size=SMALL)


def _draw_numbers(
    d: Diagram, boxes: Mapping[str, tuple[str, ...]], numbers: Mapping[str, str]
) -> None:
    """Write each exercise's number left of the first of the boxes in a row that it fills."""
    before: tuple[str, ...] = ()
    for box in [shape for shape in d.sheet.parts if isinstance(shape, Box)]:
        gid = str(box.patch.get_gid())
        fillers = boxes.get(gid, ())
        if fillers and fillers != before and len(fillers) < _MANY:
            listed = ", ".join(numbers[exercise] for exercise in fillers)
            gap = 0.1 if gid in _BARE else 0.48  # the others have a frame or an arrow beside them
            d.words(listed, (box.left[0] - gap, box.at[1]), size=SMALL, align="right")
        before = fillers or before


def _is_part(artist: Artist) -> bool:
    return isinstance(artist, Patch) and artist.get_gid() not in (None, "stack")


def _colour(patch: Artist, names: Collection[str], own: Collection[str]) -> str:
    """Fill a box that is the learner's own; dash one that is lent; fade one that does not run.

    Returns:
        The words of `_LEGEND` that it now looks like; none if nothing runs there.
    """
    mine = [name for name in names if name in own]
    whole = bool(names) and len(mine) == len(names)
    patch.set(
        facecolor=mixed(_MINE, 0.4 if whole else 0.15) if mine else PAPER,
        edgecolor=_MINE if names else mixed(NEUTRAL, 0.4),
        linewidth=2.2 if whole else 1.2,
        linestyle="-" if whole or not names else (0, (3, 2)),
    )
    return "yours" if whole else "partly yours" if mine else "lent" if names else ""


def _draw_legend(d: Diagram, seen: Collection[str]) -> None:
    """Say what the looks that occur mean, at the top left."""
    y = 8.4
    for words, names, own in _LEGEND:
        if words in seen:
            box = d.box(say(words), (1.6, y), width=2.3, height=0.46, size=SMALL)
            _colour(box.patch, names, own)
            y -= 0.65


_LEGEND = (
    (later("yours"), "1", "1"),
    (later("partly yours"), "12", "1"),
    (later("lent"), "1", ""),
    (later("not in it"), "", ""),
    (later("no exercise"), "", ""),
)
