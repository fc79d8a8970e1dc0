"""Training against torch's own pieces; stopped and killed runs against one left alone."""

import copy
import os
import pickle
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from tests import tiny_training
from tutor.data.batches import collate, endless_batches
from tutor.embedding import Vocabulary
from tutor.schedule import noam_rate
from tutor.training import checkpoint
from tutor.training.config import TrainingConfig, rate_at
from tutor.training.train import CHECKPOINT

# A bias of the keys adds the same to all scores of a query, which softmax does not see: its
# gradient is rounding noise, which Adam turns into steps of full size.
WITHOUT_GRADIENT = {
    "encoder.layers.0.self_attention.W_k.bias",
    "decoder.layers.0.self_attention.W_k.bias",
    "decoder.layers.0.cross_attention.W_k.bias",
}


def test_noam_rate_is_the_papers():
    rates = noam_rate([1, 2, 4000, 16000], d_model=512, warmup=4000)
    by_hand = torch.tensor([1.746928e-7, 3.493856e-7, 6.987712e-4, 3.493856e-4])
    torch.testing.assert_close(rates, by_hand, rtol=1e-6, atol=0)
    assert noam_rate(range(1, 9000), 512, 4000).argmax() == 4000 - 1
    wider = noam_rate([7.0], d_model=2048, warmup=4000)
    torch.testing.assert_close(wider * 2, noam_rate([7.0], d_model=512, warmup=4000))


@pytest.mark.parametrize("steps", [[1, 2, 3], torch.tensor([1, 2, 3])])
def test_noam_rate_takes_lists_and_tensors(steps):
    expected = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    assert noam_rate(steps, 64, 100).dtype == torch.float32
    assert noam_rate(expected, 64, 100).dtype == torch.float64
    torch.testing.assert_close(noam_rate(steps, 64, 100).double(), noam_rate(expected, 64, 100))


@pytest.mark.parametrize("wrong", [([0], 8, 4), ([1], 0, 4), ([1], 8, 0)])
def test_noam_rate_names_what_is_out_of_range(wrong):
    with pytest.raises(ValueError, match=r"smallest step .*d_model .*warmup"):
        noam_rate(*wrong)


def test_schedules_share_the_peak_and_differ_elsewhere():
    rates = {
        schedule: [
            rate_at(step, TrainingConfig(steps=9, warmup=100, scale=2.0, schedule=schedule), 64)
            for step in (1, 100, 400)
        ]
        for schedule in ("noam", "constant", "no warm-up")
    }
    peak = 2 * 64**-0.5 * 100**-0.5
    assert rates["noam"] == pytest.approx([peak / 100, peak, peak / 2])
    assert rates["constant"] == pytest.approx([peak, peak, peak])
    assert rates["no warm-up"] == pytest.approx([peak, peak, peak / 2])


def test_steps_are_those_of_torchs_own_loss_and_adam():
    trainer = tiny_training.trainer(dropout=0.0)
    model = copy.deepcopy(trainer.model)
    optimiser = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    pairs = tiny_training.examples()
    for number, places in enumerate(islice(endless_batches(pairs, 40, seed=5), 4), start=1):
        batch = collate([pairs[place] for place in places])
        logits = model(batch.source, batch.decoder_input).flatten(0, 1)
        loss = F.cross_entropy(
            logits, batch.labels.flatten(), ignore_index=Vocabulary.pad_id, label_smoothing=0.1
        )
        optimiser.param_groups[0]["lr"] = float(noam_rate([number], 16, 6))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        trainer.losses.append(trainer.step(batch))
        assert trainer.losses[-1] == pytest.approx(loss.item(), abs=1e-5)
    for (name, ours), torchs in zip(trainer.model.named_parameters(), model.parameters()):
        if name not in WITHOUT_GRADIENT:
            torch.testing.assert_close(ours, torchs, rtol=0, atol=1e-5)


def test_what_is_kept_is_the_mean_of_the_weights():
    trainer = tiny_training.trainer(config=replace(tiny_training.CONFIG, average=1.0))
    learn, seen = trainer.step, []

    def watched_step(batch):
        loss = learn(batch)
        seen.append(trainer.model.embedding.table.detach().clone())
        return loss

    trainer.step = watched_step
    trainer.run(progress=False)
    kept = trainer.model.embedding.table.detach()
    torch.testing.assert_close(kept, torch.stack(seen).mean(0), rtol=0, atol=1e-6)
    assert not torch.allclose(kept, seen[-1], atol=1e-3)


def test_training_changes_no_global_randomness():
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    tiny_training.trainer().run(progress=False)
    assert torch.equal(torch.rand(2), expected)


def test_dropout_is_at_work_and_follows_the_seed():
    one, same = tiny_training.trainer(), tiny_training.trainer()
    other = tiny_training.trainer(config=replace(tiny_training.CONFIG, seed=6))
    batch = collate(tiny_training.examples()[:7])
    assert one.step(batch) == same.step(batch)
    assert other.step(batch) != same.step(batch)


@pytest.fixture(scope="module")
def whole_run():
    """Train without a stop: what every other run is held against."""
    trainer = tiny_training.trainer()
    trainer.run(progress=False)
    return trainer


def assert_same_run(trainer, whole):
    assert trainer.losses == whole.losses
    assert len(whole.losses) == tiny_training.CONFIG.steps
    for ours, theirs in zip(trainer.model.parameters(), whole.model.parameters()):
        assert torch.equal(ours, theirs)


def test_a_stopped_run_goes_on_with_the_same_curve(tmp_path, whole_run):
    trainer = tiny_training.trainer()
    learn = trainer.step

    def stopped_step(batch):
        if len(trainer.losses) == 13:
            raise KeyboardInterrupt
        return learn(batch)

    trainer.step = stopped_step
    with pytest.raises(KeyboardInterrupt):
        trainer.run(tmp_path, every=5, progress=False)
    resumed = tiny_training.trainer()
    resumed.load(tmp_path)
    assert resumed.losses == whole_run.losses[:10]  # the checkpoint before the stop
    resumed.run(tmp_path, every=5, progress=False)
    assert_same_run(resumed, whole_run)


def test_a_finished_run_is_not_run_again(tmp_path, whole_run):
    tiny_training.trainer().run(tmp_path, progress=False)
    again = tiny_training.trainer()
    again.step = None  # a step would fail
    again.run(tmp_path, progress=False)
    assert_same_run(again, whole_run)


def test_a_checkpoint_of_another_config_is_refused(tmp_path):
    tiny_training.trainer().run(tmp_path, progress=False)
    other = tiny_training.trainer(config=replace(tiny_training.CONFIG, warmup=7))
    with pytest.raises(ValueError, match="take another folder"):
        other.run(tmp_path, progress=False)


@pytest.mark.long
def test_kill_9_loses_at_most_one_interval(tmp_path, whole_run):
    process = subprocess.Popen([sys.executable, "-m", "tests.tiny_training", str(tmp_path)])
    steps = tmp_path / "steps.txt"
    while not (steps.exists() and len(steps.read_text().split()) >= 12):
        if process.poll() is not None:
            break
        time.sleep(0.005)
    process.kill()
    process.wait()
    done = len(steps.read_text().split())
    assert done >= 12
    resumed = tiny_training.trainer()
    resumed.load(tmp_path)
    assert done - len(resumed.losses) <= tiny_training.EVERY
    resumed.run(tmp_path, every=tiny_training.EVERY, progress=False)
    assert_same_run(resumed, whole_run)


def test_a_loss_that_is_no_number_stops_the_run():
    trainer = tiny_training.trainer()
    with torch.no_grad():
        trainer.model.embedding.table.fill_(float("nan"))
    with pytest.raises(ValueError, match="the loss is nan at step 1"):
        trainer.run(progress=False)


def test_killed_while_it_writes_the_old_checkpoint_is_whole(tmp_path, monkeypatch):
    trainer = tiny_training.trainer()
    trainer.save(tmp_path)
    trainer.losses.append(1.0)

    def half(path, content):
        path.open("wb").write(content[: len(content) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(KeyboardInterrupt):
        trainer.save(tmp_path)
    resumed = tiny_training.trainer()
    resumed.load(tmp_path)
    assert resumed.losses == []
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]


@pytest.mark.parametrize("content", [b"", b"PK half a file", pickle.dumps(print)])
def test_a_damaged_or_hostile_checkpoint_is_refused_in_a_sentence(tmp_path, content):
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(ValueError, match=r"checkpoint\.pt cannot be read; take another folder"):
        tiny_training.trainer().run(tmp_path, progress=False)


def test_a_byte_changed_on_the_disk_is_noticed_or_changes_nothing(tmp_path):
    trainer = tiny_training.trainer()
    trainer.save(tmp_path)
    content = (tmp_path / CHECKPOINT).read_bytes()
    tried = range(3, len(content), len(content) // 60)
    noticed = 0
    for byte in tried:
        damaged, resumed = bytearray(content), tiny_training.trainer()
        damaged[byte] ^= 0x40
        (tmp_path / CHECKPOINT).write_bytes(damaged)
        try:
            resumed.load(tmp_path)
        except ValueError:
            noticed += 1
        for name, weight in trainer.model.state_dict().items():
            assert torch.equal(resumed.model.state_dict()[name], weight)
    assert noticed > len(tried) / 2  # the others fill gaps between weights


@pytest.mark.parametrize(
    "other",
    [torch.ones(3), [1, 2], None, {}, {"config": 1}, {"model": {"weight": torch.ones(2)}}],
)
def test_a_file_of_another_program_is_refused_in_a_sentence(tmp_path, other):
    torch.save(other, tmp_path / CHECKPOINT)
    with pytest.raises(ValueError, match=r"no checkpoint of such a model; take another folder"):
        tiny_training.trainer().run(tmp_path, progress=False)


@pytest.mark.parametrize("part", ["model", "mean", "losses", "seconds", "optimiser"])
def test_a_checkpoint_with_a_part_of_another_is_refused_in_a_sentence(tmp_path, part):
    tiny_training.trainer().save(tmp_path)
    state = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    for strange in ({"weight": torch.ones(2)}, None, [1]):
        torch.save({**state, part: strange}, tmp_path / CHECKPOINT)
        if part == "losses" and strange == [1]:
            continue
        with pytest.raises(ValueError, match=r"no checkpoint of such a model; take another"):
            tiny_training.trainer().load(tmp_path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has such a device")
def test_a_full_disk_is_the_systems_own_error(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "replacing", lambda *_, **__: nullcontext(Path("/dev/full")))
    with pytest.raises(OSError, match="No space left"):
        tiny_training.trainer().save(tmp_path)
