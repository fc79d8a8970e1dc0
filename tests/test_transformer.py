"""The whole model: against torch's with copied weights, the paper's Table 3, and by property."""

from itertools import product

import pytest
import torch
from torch import Tensor, nn

from tests.conftest import seeded
from tests.torch_twin import torchs_twin
from tutor.mask import causal_keep, combine_keeps, keep_to_mha_key_padding_mask, padding_keep
from tutor.transformer import Transformer, TransformerConfig

SOURCE = torch.tensor([[5, 6, 7, 8, 3], [5, 9, 3, 0, 0], [10, 4, 6, 3, 0]])
TARGET = torch.tensor([[2, 4, 5, 6], [2, 7, 0, 0], [2, 8, 9, 0]])


def close(actual: Tensor, expected: Tensor, atol: float = 1e-5) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def small(**changes) -> Transformer:
    """A small model in evaluation, all its weights, biases and norms too, away from the start."""
    settings = {"layers": 2, "d_model": 24, "d_ff": 40, "heads": 3} | changes
    model = Transformer(TransformerConfig(vocabulary=11, **settings)).eval()
    with torch.no_grad():
        for seed, (_, parameter) in enumerate(sorted(model.named_parameters())):
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=seeded(seed)))
    return model


MASKS = list(product([False, True], repeat=3))  # source padding, target padding, causal


@pytest.mark.parametrize(("source_padded", "target_padded", "causal"), MASKS)
@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_equals_torch_forward_and_backward(activation, norm, source_padded, target_padded, causal):
    model = small(norm=norm, activation=activation)
    theirs = torchs_twin(model)
    real_source, real_target = padding_keep(SOURCE, 0), padding_keep(TARGET, 0)
    everywhere = torch.ones(1, 1, 1, 1, dtype=torch.bool)
    source_keep = real_source if source_padded else everywhere.expand(3, 1, 1, 5)
    target_keep = real_target if target_padded else everywhere.expand(3, 1, 1, 4)
    over = causal_keep(4) if causal else torch.ones(4, 4, dtype=torch.bool)

    memory = model.encode(SOURCE, source_keep)
    states = model.decode(TARGET, memory, combine_keeps(target_keep, over), source_keep)
    expected = theirs(
        model.source_input(model.embedding(SOURCE)),
        model.target_input(model.embedding(TARGET)),
        tgt_mask=~over,
        src_key_padding_mask=keep_to_mha_key_padding_mask(source_keep),
        memory_key_padding_mask=keep_to_mha_key_padding_mask(source_keep),
        tgt_key_padding_mask=keep_to_mha_key_padding_mask(target_keep),
    )
    close(states, expected)

    upstream = torch.randn(states.shape, generator=seeded(1)) / states.numel()
    watched = [model.embedding.table]
    for mine, its in zip(
        torch.autograd.grad(states, [*watched, *watched_parameters(model)], upstream),
        torch.autograd.grad(expected, [*watched, *twin_parameters(theirs)], upstream),
        strict=True,
    ):
        close(mine, its)


def watched_parameters(model: Transformer) -> list[Tensor]:
    """Parameters that have the same shape in both: W_o, feed-forward, norms, bottom and top."""
    first, last = model.encoder.layers[0], model.decoder.layers[-1]
    return [
        first.self_attention.W_o.weight,
        first.feed_forward.W_1.weight,
        first.norm_self.gamma,
        last.cross_attention.W_o.weight,
        last.norm_cross.beta,
        last.feed_forward.W_2.weight,
    ]


def twin_parameters(theirs: nn.Transformer) -> list[Tensor]:
    first, last = theirs.encoder.layers[0], theirs.decoder.layers[-1]
    return [
        first.self_attn.out_proj.weight,
        first.linear1.weight,
        first.norm1.weight,
        last.multihead_attn.out_proj.weight,
        last.norm2.bias,
        last.linear2.weight,
    ]


# The paper's Table 3, in millions of parameters


TABLE_3 = [
    ({}, 65),
    ({"d_k": 16, "d_v": 64}, 58),
    ({"d_k": 32, "d_v": 64}, 60),
    ({"layers": 2}, 36),
    ({"layers": 4}, 50),
    ({"layers": 8}, 80),
    ({"d_model": 256, "d_k": 32, "d_v": 32}, 28),
    ({"d_model": 1024, "d_k": 128, "d_v": 128}, 168),
    ({"d_ff": 1024}, 53),
    ({"d_ff": 4096}, 90),
]


def parameters(config: TransformerConfig) -> int:
    with torch.device("meta"):  # shapes without numbers: counting costs no memory
        return sum(parameter.numel() for parameter in Transformer(config).parameters())


@pytest.mark.parametrize(("changes", "millions"), TABLE_3)
def test_parameter_counts_of_table_3(changes, millions):
    count = parameters(TransformerConfig.paper_base(vocabulary=41_100, **changes))
    assert round(count / 1e6) == millions


def test_where_the_printed_counts_and_the_text_disagree():
    assert parameters(TransformerConfig.paper_base(vocabulary=37_000)) == 63_082_496
    assert round(parameters(TransformerConfig.paper_big(vocabulary=36_000)) / 1e6) == 213
    assert round(parameters(TransformerConfig.paper_big(vocabulary=41_100)) / 1e6) == 218


# What each switch does


SWITCHES = {
    "paper": {},
    "pre-norm": {"norm": "pre"},
    "own tables": {"tie": False},
    "two vocabularies": {"source_vocabulary": 13},
    "free widths": {"d_k": 5, "d_v": 4},
    "grouped queries": {"key_value_heads": 1},
    "swiglu": {"activation": "swiglu"},
    "learned positions": {"positions": "learned", "embedding_norm": True},
    "unscaled": {"scale_embedding": False},
    "rotary positions": {"positions": "rotary"},
    "no positions": {"positions": "none"},
    "rms norms": {"norm_kind": "rms", "norm": "pre"},
    "no biases": {"bias": False},
}
EVERY_SWITCH = pytest.mark.parametrize("changes", SWITCHES.values(), ids=SWITCHES)


def test_tables_are_shared_as_asked():
    def tables(**changes) -> set[str]:
        names = [name for name, _ in small(**changes).named_parameters()]
        return {name for name in names if "table" in name or name == "output.weight"}

    assert tables() == {"embedding.table"}
    assert tables(source_vocabulary=13) == {"embedding.table", "source_embedding.table"}
    assert tables(tie=False) == {"embedding.table", "source_embedding.table", "output.weight"}
    assert tables(stacks="encoder") == tables(stacks="decoder") == {"embedding.table"}
    assert tables(stacks="decoder", tie=False) == {"embedding.table", "output.weight"}


@EVERY_SWITCH
def test_future_never_changes_the_past(changes):
    model = small(**changes)
    other = TARGET.clone()
    other[:, 2:] = 10
    before, after = model(SOURCE, TARGET), model(SOURCE, other)
    close(before[:, :2], after[:, :2])
    assert not torch.allclose(before[:, 2:], after[:, 2:])


@EVERY_SWITCH
def test_padding_changes_no_real_output(changes):
    model = small(**changes)
    together = model(SOURCE, TARGET)
    alone = model(SOURCE[1:2, :3], TARGET[1:2, :2])
    close(together[1:2, :2], alone)
    changed = SOURCE.clone()
    changed[1, 3:] = 4  # real words where padding was
    assert not torch.allclose(model(changed, TARGET)[1, :2], together[1, :2])


def test_nothing_depends_on_what_the_padding_word_means():
    model = small()
    target = torch.tensor([[2, 0, 5, 6]])  # a hole: the causal mask alone would show it
    before = model(SOURCE[1:2], target)
    with torch.no_grad():
        model.embedding.table[0] = torch.randn(24, generator=seeded(0))
    after = model(SOURCE[1:2], target)
    real = [0, 2, 3]
    close(before[:, real, 1:], after[:, real, 1:])  # all words but the padding itself
    assert not torch.allclose(before[:, 1, 1:], after[:, 1, 1:])


@EVERY_SWITCH
def test_sentences_of_a_batch_ignore_each_other(changes):
    model = small(**changes)
    order = torch.tensor([2, 0, 1])
    close(model(SOURCE[order], TARGET[order]), model(SOURCE, TARGET)[order])


@EVERY_SWITCH
def test_cached_decoding_equals_one_pass(changes):
    model = small(**changes)
    keep = padding_keep(SOURCE, 0)
    memory = model.encode(SOURCE, keep)
    expected = model.decode(TARGET, memory, memory_keep=keep)
    cache = model.new_cache()
    spans = (TARGET[:, :2], TARGET[:, 2:3], TARGET[:, 3:])
    steps = [model.decode(span, memory, memory_keep=keep, cache=cache) for span in spans]
    close(torch.cat(steps, dim=1), expected)
    assert cache.length == 4


@EVERY_SWITCH
def test_gradient_reaches_every_parameter(changes):
    model = small(**changes).train()
    model(SOURCE, TARGET).log_softmax(-1)[..., 3].sum().backward()
    for name, parameter in model.named_parameters():
        # A key's bias adds the same to all scores of a row, which softmax ignores; turned by the
        # position of each key it does not.
        turned = model.config.positions == "rotary" and "self_attention" in name
        if name.endswith("W_k.bias") and not turned:
            assert parameter.grad.abs().max() < 1e-4, name
        else:
            assert parameter.grad.abs().max() > 1e-6, name


def test_every_switch_makes_a_difference():
    plain = small().state_dict()
    for name in ("norm", "scale_embedding", "activation"):
        value = {"norm": "pre", "scale_embedding": False, "activation": "gelu"}[name]
        other = small(**{name: value})
        other.load_state_dict(plain, strict=False)
        assert not torch.allclose(other(SOURCE, TARGET), small()(SOURCE, TARGET), atol=1e-3), name


def test_word_order_matters_because_of_positions_alone():
    model = small(stacks="encoder")
    order = torch.tensor([3, 0, 4, 2, 1])
    model_without = small(stacks="encoder")
    model_without.source_input.positions.encoding.zero_()
    assert not torch.allclose(model(SOURCE[:1, order]), model(SOURCE[:1])[:, order], atol=1e-2)
    close(model_without(SOURCE[:1, order]), model_without(SOURCE[:1])[:, order])


def test_a_decoder_alone_is_a_language_model():
    model = small(stacks="decoder")
    logits = model(TARGET)
    assert logits.shape == (3, 4, 11)
    other = TARGET.clone()
    other[:, 3] = 10
    close(model(other)[:, :3], logits[:, :3])
    assert not torch.allclose(model(other)[:, 3], logits[:, 3])
    cache = model.new_cache()
    steps = [model.decode(TARGET[:, t : t + 1], cache=cache) for t in range(4)]
    close(model.logits(torch.cat(steps, dim=1))[0], logits[0])


def test_an_encoder_alone_lets_every_word_see_both_sides():
    model = small(stacks="encoder")
    states = model(SOURCE)
    assert states.shape == (3, 5, 24)
    other = SOURCE.clone()
    other[0, 4] = 10
    assert not torch.allclose(model(other)[0, 0], states[0, 0])
    close(states, model.encode(SOURCE, padding_keep(SOURCE, 0)))


def test_dropout_acts_in_training_only():
    model = small(dropout=0.5)
    assert torch.equal(model(SOURCE, TARGET), model(SOURCE, TARGET))
    model.train()
    torch.manual_seed(0)
    assert not torch.allclose(model(SOURCE, TARGET), model(SOURCE, TARGET))


def test_the_same_seed_gives_the_same_model():
    models = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        models.append(Transformer(TransformerConfig.tiny(vocabulary=11)).state_dict())
    assert all(torch.equal(models[0][name], models[1][name]) for name in models[0])
    assert not torch.equal(models[0]["embedding.table"], models[2]["embedding.table"])


@pytest.mark.parametrize(
    ("stacks", "call", "says"),
    [
        ("decoder", lambda m: m.encode(SOURCE), "needs an encoder; .* stacks='decoder'"),
        ("encoder", lambda m: m.decode(TARGET), "needs a decoder; .* stacks='encoder'"),
        ("both", lambda m: m.decode(TARGET), "memory if, and only if"),
        ("both", lambda m: m.decoder.layers[0](torch.ones(3, 4, 24)), r"needs memory, \(B, S, D\)"),
        ("decoder", lambda m: m.decode(TARGET, torch.zeros(3, 5, 24)), "memory if, and only if"),
        ("both", lambda m: m(SOURCE), "a target if, and only if"),
        ("encoder", lambda m: m(SOURCE, TARGET), "a target if, and only if"),
        ("encoder", lambda m: m(torch.ones(1, 600).long()), r"0 … 599 .* 512 positions"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_what_a_model_cannot_do_is_refused_by_name(stacks, call, says):
    with pytest.raises(ValueError, match=says):
        call(small(stacks=stacks))
