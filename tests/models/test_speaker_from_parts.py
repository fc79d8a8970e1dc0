"""SmolLM2 put together from functions: equal to the course's, and told where it is not."""

import pytest

from tests.models.test_from_parts import parts_of, subsets_of
from tutor.exercises import find
from tutor.learner.own_parts import MODELS, MyParts
from tutor.models.smollm import SmolLM
from tutor.models.speaker_from_parts import speaker_of

PROMPT = "The capital of France is"
# One process loads its gigabyte.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("smollm")]


@pytest.mark.parametrize("own", [*subsets_of("speaker", 4)], ids=len)
def test_it_has_the_courses_numbers_whoevers_parts_it_has(smollm: SmolLM, own: list[str]):
    said = speaker_of(parts_of("speaker", own), smollm)(PROMPT, tokens=2).splitlines()
    assert said[0] == f"{PROMPT} → Paris."
    assert float(said[1].split()[-1].rstrip(".")) < 2e-4
    assert len(said) == 2


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("rms_norm", "rms-centred"),
        ("rotate_by_position", "rotate-backwards"),
        ("grouped_query_attention", "gqa-tiled"),
    ],
)
def test_the_part_with_a_mistake_is_named(smollm: SmolLM, name: str, mistake: str):
    wrong = next(one for one in find(name).mistakes if one.id == mistake)
    own = parts_of("speaker", [*MODELS["speaker"]]).own | {name: wrong.function}
    said = speaker_of(MyParts("speaker", MODELS["speaker"], own), smollm)(PROMPT, tokens=1)
    assert f"your {name}" in said
