"""What exercises are worth stands in one place; all else is written from there."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.authoring.worth import HEAD, write_worth

POINTS = {"layer_norm": 2, "feed_forward": 1}


def check_of(name, points):
    graded = {"grade": True, "solution": False, "grade_id": f"check-{name}", "points": points}
    return new_code_cell("report.points", metadata={"nbgrader": graded})


def test_points_are_written_from_the_exercises():
    cells = [
        new_markdown_cell(f"Do these.\n\n{HEAD}| 1 | `gone` | 7 | ●○○ | 9 |\n\nOne more line."),
        new_markdown_cell("## 1\n\n`layer_norm` · ●●○ · 10 minutes\n\nWrite `layer_norm`."),
        check_of("layer_norm", 0),
        new_markdown_cell("## 2\n\n`feed_forward` · 5 points · ●○○ · 8 minutes · extra"),
        check_of("feed_forward", 5),
        check_of("of_another_lesson", 4),
    ]
    notebook = new_notebook(cells=cells)
    write_worth(notebook, POINTS)
    assert [cell.source for cell in cells if cell.cell_type == "markdown"] == [
        f"Do these.\n\n{HEAD}| 1 | `layer_norm` | 2 | ●●○ | 10 |\n"
        "| 2 | `feed_forward` | 1 | ●○○ | 8 extra |\n\nOne more line.",
        "## 1\n\n`layer_norm` · 2 points · ●●○ · 10 minutes\n\nWrite `layer_norm`.",
        "## 2\n\n`feed_forward` · 1 point · ●○○ · 8 minutes · extra",
    ]
    checks = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.metadata.nbgrader.points for cell in checks] == [2, 1, 4]
    again = [dict(cell) for cell in cells]
    write_worth(notebook, POINTS)
    assert [dict(cell) for cell in cells] == again
