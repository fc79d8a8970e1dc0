"""How a verdict reads as text and as HTML."""

from tutor.checking.verdict import Comparison, Verdict
from tutor.display.palette import ABOVE
from tutor.display.reports import html, rows, text

WRONG = Verdict(
    exercise="layer_norm",
    status="wrong",
    points=0,
    max_points=2,
    headline="The numbers differ.",
    details=("Shape and type are right.",),
    mistake="ln-unbiased-std",
    title="unbiased std",
    hint="By how many values does the variance divide?",
    comparison=Comparison("", (0, 0), [-1.342, -0.447], [-1.162, -0.387]),
    notes=("Your function prints.",),
)


def test_text_shows_all_there_is():
    assert text(WRONG) == (
        "layer_norm: not yet (0 of 2 points)\n"
        "  The numbers differ.\n"
        "  Shape and type are right.\n"
        "      yours       -1.162  -0.387\n"
        "      expected    -1.342  -0.447\n"
        '  This looks like a known mistake, "unbiased std":\n'
        "  By how many values does the variance divide?\n"
        "  Your function prints.\n"
        "  hint(layer_norm) opens another hint. Until yours is right, cells below use the course's "
        "own function."
    )


def test_open_prediction_says_what_to_do():
    open_ = Verdict("predict_score", "open", 0, 1, "There is no answer yet.")
    assert text(open_).endswith('run its cell, then this one. hint("predict_score") opens a hint.')


def test_half_points():
    assert "(1.5 of 3 points)" in text(Verdict("x", "wrong", 1.5, 3, "…"))


def test_rows_get_as_many_decimals_as_tell_them_apart():
    yours, expected = rows(Comparison("", (0,), [1.00001], [1.00002]))
    assert yours.split()[1] != expected.split()[1]


def test_html_escapes_what_learners_wrote():
    hostile = "<script>alert('x')</script>"
    page = html(Verdict(hostile, "wrong", 0, 1, hostile, (hostile,), notes=(hostile,)))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4  # the title, three sentences and the next step


def test_html_draws_small_maps_with_nan_striped():
    nan = float("nan")
    comparison = Comparison("", (0, 0), [1.0], [nan], [[1.0]], [[nan]])
    page = html(Verdict("x", "wrong", 0, 1, "…", comparison=comparison))
    assert page.count("<td") == 2
    assert "repeating-linear-gradient" in page
    assert f"background:{ABOVE}ff" in page
