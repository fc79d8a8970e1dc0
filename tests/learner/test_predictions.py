"""Predictions: kept, shown below the result that comes next, and none where nothing was said."""

import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from tutor import predict
from tutor.learner import predictions
from tutor.learner.progress_file import MARKER


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is displayed below cells; nothing that an earlier test asked for."""
    lines: list[str] = []
    monkeypatch.setattr(predictions, "_show", lines.append)
    monkeypatch.setattr(predictions, "_listening", predictions._Listening())
    return lines


def ran(cell: str, success: bool = True) -> None:
    """Tell of a cell that ended, as IPython does."""
    info = SimpleNamespace(cell_id=cell)
    predictions._listening.ran(SimpleNamespace(info=info, success=success))


def test_the_cell_that_runs_next_shows_what_was_predicted(shown):
    predict("score", float).widget.value = "12"
    ran("asks")
    assert shown == []
    ran("result")
    assert shown == ["You predicted: 12"]
    ran("later")
    assert len(shown) == 1
    ran("result")
    assert len(shown) == 2  # run again, it shows it again


def test_what_is_said_late_is_shown_when_the_result_runs_again(shown):
    asked = predict("score", float)
    ran("asks")
    ran("result")
    assert shown == []
    asked.widget.value = " 12 "
    ran("result")
    assert shown == ["You predicted: 12"]


def test_two_predictions_of_one_cell_and_a_result_that_fails(shown):
    predict("first", str).widget.value = "the left"
    predict("second", ["more", "less"]).widget.value = "more"
    ran("asks")
    ran("result", success=False)
    assert shown == []
    ran("result")
    assert shown == ["You predicted: the left", "You predicted: more"]


def test_where_cells_have_no_ids_it_is_shown_once(shown):
    predict("score", float).widget.value = "12"
    ran("")
    ran("")
    ran("")
    assert shown == ["You predicted: 12"]


def test_it_is_kept_in_the_workspace_beside_the_points(tmp_path, monkeypatch, shown):
    (tmp_path / MARKER).write_text("{}")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    predict("score", float).widget.value = "12"
    predict("which", ["more", "less"]).widget.value = "less"
    kept = json.loads((tmp_path / "predictions.json").read_text())
    assert kept == {"score": "12", "which": "choice-2-of-2"}
    assert predict("score", float).answer == "12"
    assert predict("which", ["more", "less"]).answer == "less"
    assert predict("which", ["더 많이", "더 적게"]).answer == "더 적게"  # in another language
    assert predict("which", ["more", "as many", "less"]).answer == ""  # there are others now
    assert not (tmp_path / "progress.json").exists()


def test_of_an_older_file_a_choice_is_known_by_its_words(tmp_path, monkeypatch, shown):
    (tmp_path / MARKER).write_text("{}")
    (tmp_path / "predictions.json").write_text('{"which": "less"}')
    monkeypatch.chdir(tmp_path)
    assert predict("which", ["more", "less"]).answer == "less"
    assert predict("which", ["larger", "smaller"]).answer == ""


def test_nothing_is_written_outside_a_workspace(tmp_path, monkeypatch, shown):
    monkeypatch.chdir(tmp_path)
    predict("score", float).widget.value = "12"
    assert list(tmp_path.iterdir()) == []


def test_a_page_finds_all_it_needs_to_offer_an_input(shown):
    data, _ = predict("which", ['"more"', "<less>"])._repr_mimebundle_()
    mark = BeautifulSoup(data["text/html"], "html.parser").div
    assert (mark["class"], mark["data-name"], mark["data-kind"]) == (
        ["prediction"],
        "which",
        "choice",
    )
    assert json.loads(mark["data-choices"]) == ['"more"', "<less>"]
    assert mark.text == data["text/plain"] == 'Your prediction: "more" | <less>'


@pytest.mark.parametrize("answer", [int, [], ["only one"]])
def test_another_kind_of_answer_is_refused(answer):
    with pytest.raises(ValueError, match="expected float, str or a list"):
        predict("score", answer)
