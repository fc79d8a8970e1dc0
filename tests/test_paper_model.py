"""The model on one page is the course's model: same weights, same scores, same gradients."""

import ast
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.conftest import seeded
from tutor import paper_model
from tutor.paper_model import PaperTransformer
from tutor.transformer import Transformer, TransformerConfig

SOURCE_CODE = Path(paper_model.__file__).read_text(encoding="utf-8")


def size(low: int, high: int, seed: int) -> int:
    return int(torch.randint(low, high + 1, (), generator=seeded(seed)))


def pair(seed: int) -> tuple[PaperTransformer, Transformer]:
    """Both models with the same random sizes, each with weights of its own, in float64."""
    V, N, h = size(5, 30, seed), size(1, 3, seed + 1), size(1, 4, seed + 2)
    D, d_ff = h * 2 * size(1, 5, seed + 3), size(1, 50, seed + 4)
    torch.manual_seed(seed)
    page = PaperTransformer(V, N, D, d_ff, h).double().eval()
    settings = {"layers": N, "d_model": D, "d_ff": d_ff, "heads": h}
    course = Transformer(TransformerConfig(vocabulary=V, **settings)).double().eval()
    with torch.no_grad():
        for parameter in (*page.parameters(), *course.parameters()):
            parameter.add_(0.1 * torch.randn_like(parameter))  # norms and biases too
    return page, course


def sentences(rows: int, length: int, V: int, seed: int) -> Tensor:
    """Ids of sentences of several lengths, padded with 0, the first one full."""
    ids = torch.randint(1, V, (rows, length), generator=seeded(seed))
    lengths = torch.randint(1, length + 1, (rows, 1), generator=seeded(seed + 1))
    lengths[0] = length
    return ids.masked_fill(torch.arange(length) >= lengths, 0)


def batch(V: int, seed: int) -> tuple[Tensor, Tensor]:
    S, T = size(2, 9, seed + 5), size(2, 9, seed + 6)
    return sentences(3, S, V, seed + 7), sentences(3, T, V, seed + 8)


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(0, 120, 10))
def test_scores_and_gradients_are_those_of_the_course(seed):
    page, course = pair(seed)
    source, target = batch(len(page.embedding.table), seed)
    assert not torch.allclose(page(source, target), course(source, target))  # weights differ so far
    course.load_state_dict(page.state_dict())
    scores = page(source, target), course(source, target)
    close(*scores)
    upstream = torch.randn(scores[0].shape, generator=seeded(seed), dtype=torch.float64)
    for result in scores:
        result.backward(upstream / upstream.numel())
    theirs = dict(course.named_parameters())
    for name, parameter in page.named_parameters():
        close(parameter.grad, theirs[name].grad)
        assert parameter.grad.abs().max() > 0 or name.endswith("W_k.bias"), name


def test_the_course_s_weights_load_into_the_page():
    page, course = pair(3)
    source, target = batch(len(page.embedding.table), 3)
    page.load_state_dict(course.state_dict())
    close(page(source, target), course(source, target))


def test_padding_and_later_words_change_nothing_before_them():
    page, _ = pair(5)
    source, target = torch.tensor([[1, 2, 3]]), torch.tensor([[4, 1, 2, 3]])
    more = page(torch.tensor([[1, 2, 3, 0, 0]]), torch.tensor([[4, 1, 2, 1]]))
    scores = page(source, target)
    close(more[:, :3], scores[:, :3])
    assert not torch.allclose(more[:, 3], scores[:, 3])


def test_a_source_of_padding_alone_gives_the_course_s_numbers():
    page, course = pair(7)
    source, target = batch(len(page.embedding.table), 7)
    source[1] = 0
    course.load_state_dict(page.state_dict())
    scores = page(source, target), course(source, target)
    assert scores[0].isfinite().all()
    close(*scores)
    for result in scores:
        result.square().mean().backward()
    theirs = dict(course.named_parameters())
    for name, parameter in page.named_parameters():
        close(parameter.grad, theirs[name].grad)


def test_in_training_it_drops_as_the_paper_does():
    assert {m.p for m in PaperTransformer(9).modules() if isinstance(m, torch.nn.Dropout)} == {0.1}


def test_its_own_sizes_are_those_of_the_paper_s_base_model():
    with torch.device("meta"):
        count = sum(parameter.numel() for parameter in PaperTransformer(37_000).parameters())
    assert count == 63_082_496  # tests/test_transformer.py has the same of the course's


def test_it_is_one_page_on_torch_alone():
    assert len(SOURCE_CODE.splitlines()) <= 165
    imports = [node for node in ast.walk(ast.parse(SOURCE_CODE)) if isinstance(node, ast.Import)]
    froms = [node for node in ast.walk(ast.parse(SOURCE_CODE)) if isinstance(node, ast.ImportFrom)]
    assert {alias.name for node in imports for alias in node.names} == {"math", "torch"}
    assert {node.module for node in froms} == {"torch"}
    assert "nn.Transformer" not in SOURCE_CODE
    assert "scaled_dot_product_attention" not in SOURCE_CODE
