"""What a learner calls: check, hint, question, progress."""

import json
import random

import pytest
import torch

import tutor
from tutor.attention import scaled_dot_product_attention as reference
from tutor.checking.examine import key
from tutor.checking.seeds import seed_of
from tutor.exercises import find
from tutor.learner import hint, question
from tutor.learner.progress_file import load


@pytest.fixture(autouse=True)
def _in_a_workspace(tmp_path, monkeypatch):
    (tmp_path / ".tutor-workspace").touch()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    monkeypatch.setattr(hint, "_opened", {})
    monkeypatch.setattr(question, "_learner", {"name": "self-study", "class_seed": ""})


def wrong(q, k, v):
    weights = torch.softmax(q @ k.transpose(1, 2), -1)
    return weights @ v, weights


def right(a, b, c):
    return reference(a, b, c)


def test_contract_for_other_programs():
    report = tutor.check(wrong, name="scaled_dot_product_attention")
    assert report.passed is False
    assert report.mistake == "attn-no-scale"
    assert (report.points, report.max_points) == (0, 3)
    assert report.function is reference
    assert str(report).startswith("scaled_dot_product_attention: not yet (0 of 3 points)")


def test_right_function_is_handed_on():
    report = tutor.check(right, name="scaled_dot_product_attention")
    assert report.passed
    assert report.points == 3
    assert report.function is right


def test_exercise_is_found_by_the_functions_name():
    def project_by_hand(x, W):
        return x @ W.T

    assert tutor.check(project_by_hand).mistake == "project-matrix-transposed"


def test_unknown_name_says_what_is_close():
    with pytest.raises(ValueError, match="Close names: scaled_dot_product_attention"):
        tutor.check(right, name="scaled_dot_product")
    with pytest.raises(ValueError, match="Which exercise"):
        tutor.check(3)


@pytest.mark.parametrize("answer", [3, "text", None, torch.ones(1), [right], object()])
def test_an_answer_that_is_no_function_never_raises(answer):
    report = tutor.check(answer, name="additive_attention")
    assert not report.passed
    assert str(report)


def test_variables_and_random_state_of_the_learner_stay():
    torch.manual_seed(3)
    random.seed(3)
    before, python_before = torch.get_rng_state(), random.getstate()

    def noisy(q, k, v):
        torch.manual_seed(0)
        random.seed(0)
        return reference(q, k, v)

    report = tutor.check(noisy, name="scaled_dot_product_attention")
    assert torch.equal(before, torch.get_rng_state())
    assert python_before == random.getstate()
    assert report.passed
    assert "random generator" in str(report)


def test_hints_open_one_by_one(capsys):
    tutor.hint("project_by_hand")
    first = capsys.readouterr().out
    assert first.startswith("Hint 1 of 3")
    assert "Hint 2" not in first
    tutor.hint("project_by_hand")
    assert "Hint 2 of 3" in capsys.readouterr().out
    tutor.hint("project_by_hand")
    tutor.hint("project_by_hand")
    assert "no more hints" in capsys.readouterr().out


def test_predictions_differ_by_learner(capsys):
    tutor.question("predict_score")
    first = capsys.readouterr().out
    tutor.set_learner("Ada")
    tutor.question("predict_score")
    second = capsys.readouterr().out
    tutor.set_learner("Ada", class_seed="autumn")
    tutor.question("predict_score")
    assert len({first, second, capsys.readouterr().out}) == 3


def test_prediction_is_checked_for_the_learner_who_was_asked():
    tutor.set_learner("Ada")
    seed = seed_of("", "Ada", "predict_score")
    answer = key(find("predict_score"), seed).results["yours"].item()
    assert tutor.check(round(answer, 2), name="predict_score").passed
    assert tutor.check(int(answer), name="predict_score").passed == (int(answer) == answer)
    assert tutor.check(answer * 2, name="predict_score").mistake == "predict-no-scale"
    tutor.set_learner("Grace")
    assert not tutor.check(answer, name="predict_score").passed


def test_question_is_only_for_predictions():
    with pytest.raises(ValueError, match="no prediction"):
        tutor.question("project_by_hand")


def test_progress_is_kept_in_the_workspace_and_only_grows(tmp_path):
    assert "○ scaled_dot_product_attention" in str(tutor.progress())
    tutor.check(right, name="scaled_dot_product_attention")
    tutor.check(wrong, name="scaled_dot_product_attention")
    assert "● scaled_dot_product_attention" in str(tutor.progress())
    assert json.loads((tmp_path / "progress.json").read_text()) == {
        "scaled_dot_product_attention": 3.0
    }


def test_nothing_is_written_outside_a_workspace(tmp_path, monkeypatch):
    (tmp_path / ".tutor-workspace").unlink()
    tutor.check(right, name="scaled_dot_product_attention")
    assert [path.name for path in tmp_path.iterdir()] == ["exercises"]
    assert list((tmp_path / "exercises").iterdir()) == []
    assert load() == {}


def test_damaged_record_is_started_again(tmp_path):
    (tmp_path / "progress.json").write_text("{")
    tutor.check(right, name="scaled_dot_product_attention")
    assert load() == {"scaled_dot_product_attention": 3.0}


@pytest.mark.parametrize("name", ["Ada Lovelace", "ada  lovelace ", "ADA LOVELACE"])
def test_spaces_and_capitals_in_a_name_change_no_number(capsys, name):
    tutor.set_learner("Ada Lovelace")
    capsys.readouterr()
    tutor.question("predict_score")
    asked = capsys.readouterr().out
    tutor.set_learner("Grace")
    tutor.set_learner(name)
    assert f"the numbers of {name.strip()!r}" in capsys.readouterr().out
    tutor.question("predict_score")
    assert capsys.readouterr().out == asked


def test_an_empty_name_is_said_to_be_self_study(capsys):
    tutor.set_learner("self-study")
    assert capsys.readouterr().out == ""
    tutor.set_learner(" ")
    assert "'self-study'" in capsys.readouterr().out


def test_a_hint_for_nothing_lists_the_lesson():
    tutor.check(..., name="causal_mask")
    for nothing in ((), (...,), (3,)):
        with pytest.raises(ValueError, match=r"hint.*decoder_mask") as raised:
            tutor.hint(*nothing)
        assert raised.value._render_traceback_() == [str(raised.value)]


def test_a_renamed_answer_is_told_to_keep_its_name():
    def my_project(x, W):
        return x @ W

    for called in (tutor.hint, tutor.check):
        with pytest.raises(ValueError, match=r"project_by_hand.* keeps the exercise's name"):
            called(my_project)


def test_a_prediction_has_no_function():
    report = tutor.check(3, name="predict_score")
    with pytest.raises(ValueError, match="predict_score, a prediction"):
        report.function(torch.ones(1))
