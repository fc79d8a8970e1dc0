"""The settings: the paper's values, changes by name, contradictions refused."""

import dataclasses

import pytest

from tutor.config import TransformerConfig


def test_presets_are_table_3_of_the_paper():
    base = TransformerConfig.paper_base(vocabulary=37_000)
    big = TransformerConfig.paper_big(vocabulary=37_000)
    row = ("layers", "d_model", "d_ff", "heads", "dropout")
    assert [getattr(base, name) for name in row] == [6, 512, 2048, 8, 0.1]
    assert [getattr(big, name) for name in row] == [6, 1024, 4096, 16, 0.3]
    for config in (base, big):
        assert (config.norm, config.activation, config.positions) == ("post", "relu", "sinusoidal")
        assert config.tie
        assert config.scale_embedding


@pytest.mark.parametrize("preset", ["paper_base", "paper_big", "tiny"])
def test_any_setting_can_be_changed_by_name_and_the_rest_stays(preset):
    make = getattr(TransformerConfig, preset)
    changed = make(vocabulary=10, dropout=0.5, norm="pre")
    before = dataclasses.asdict(make(vocabulary=10))
    assert dataclasses.asdict(changed) == before | {"dropout": 0.5, "norm": "pre"}


def test_settings_survive_as_plain_data():
    config = TransformerConfig.tiny(vocabulary=10, d_k=7)
    assert TransformerConfig(**dataclasses.asdict(config)) == config


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"stacks": "none"}, "stacks='none'"),
        ({"positions": "integers"}, "positions='integers'"),
        ({"norm": "both"}, "norm='both'; expected one of .*'post', 'pre'"),
        ({"activation": "bend"}, "activation='bend'"),
        ({"positions": "rotary", "d_k": 5}, "d_k must be even"),
        ({"norm_kind": "batch"}, "norm_kind='batch'"),
        ({"heads": 0}, "heads must be a whole number from 1 on; it is 0"),
        ({"heads": -4}, "heads must be a whole number from 1 on; it is -4"),
        ({"layers": -1}, "layers must be a whole number from 1 on; it is -1"),
        ({"d_ff": 2.5}, "d_ff must be a whole number from 1 on; it is 2.5"),
        ({"d_v": 0}, "d_v must be a whole number from 1 on; it is 0"),
        ({"heads": 3}, "d_model=128 cannot be cut into heads=3"),
        ({"key_value_heads": 3}, "heads=4 cannot share key_value_heads=3"),
        ({"dropout": 1.0}, "dropout=1.0; expected a share from 0 to below 1"),
        ({"stacks": "encoder", "source_vocabulary": 5}, "source_vocabulary needs stacks='both'"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_contradictions_are_refused_by_name(settings, says):
    with pytest.raises(ValueError, match=says):
        TransformerConfig.tiny(vocabulary=10, **settings)


@pytest.mark.parametrize(("pad_id", "sizes"), [(9, {}), (7, {"source_vocabulary": 7}), (-2, {})])
def test_padding_outside_the_vocabulary_is_refused(pad_id, sizes):
    with pytest.raises(ValueError, match="pad_id"):
        TransformerConfig.tiny(vocabulary=9, pad_id=pad_id, **sizes)
