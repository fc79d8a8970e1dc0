"""Every lesson in JupyterLab: it runs, and each of its explorers follows every slider."""

import pytest

from tests.browser.driver import ROOT

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", LESSONS)
def test_explorers_follow_their_sliders(lab, server, name):
    with lab.notebook(f"notebooks/{name}.ipynb") as notebook:
        assert notebook.run_all() == []
        pictures = notebook.pictures()
        assert len(pictures) >= 2, "a lesson has at least two explorers"
        for picture in pictures:
            start = picture.settle()
            with picture.watched() as height:
                for slider in picture.sliders:
                    picture.move(slider, "key")
                    assert picture.settle() != start, "the slider moved nothing"
                if picture.sliders:
                    picture.move(picture.sliders[0], "drag")
                picture.use_other_controls()
                picture.settle()
            assert height["least"] >= 0.98 * height["start"]
    assert lab.complaints == []
    assert server.complaints() == []
