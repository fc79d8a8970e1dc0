"""The pictures of the lessons: a folder a lesson, a file a picture, called like what shows it.

An explorer is a function without arguments (or with defaults) that returns the object `tutor.live`
makes; a lesson shows it in one line, here with what stands in
`lesson04_self_attention/step_by_step.py`::

    from tutor.explorers import lesson04_self_attention as explore

    explore.step_by_step()

How to write one:

- The folder's `__init__.py` hands on what the notebook calls, and `EXPLORERS` there names the live
  pictures in the order of the lesson. Tests find them there and need no word about a new one: they
  move every control through its range, and hold the quick picture against the whole one, the
  caption against the picture, the texts against the edges.
- What several pictures of a lesson need has a file beside them, called what it holds; what several
  lessons need has one beside the folders (`worked_example.py`).
- `draw(fig, **values)` makes everything that ever appears; `update`, which it returns, changes
  only what is there (`set_data`, `set_text`, `set_visible`), and depends on its arguments alone.
  Limits that change are allowed but slow: better choose limits that hold every setting. The layout
  stays as the first picture needs it: a text that comes later must have its room from the start.
- Numbers come from the components (`tutor.attention` and so on), never typed in. What is heavy is
  computed once, before `live` is called, from a seed; `update` takes a few milliseconds.
- `update` runs in torch's inference mode. Where it must differentiate, compute the gradients
  before, or open `torch.inference_mode(False)` and `torch.enable_grad()` inside.
- Only the first picture is drawn in the course's style. What is made there keeps it, and further
  ticks copy the first one's looks; any other artist made in `update` would not have it.
- What a control chooses and the picture shows can be touched: `touch(tile, word=3)`,
  `touch_cells(matrix, rows=("query", values))`, `touch_along(ax, x=("place", values))`, beside what
  is drawn (`tutor.display.regions`). The control stays, and is the way by keyboard.
- The caption is one line, at most 120 characters, of values `update` computed, rounded so that
  every machine prints the same: lessons store it and tests compare it.
- The alt text says in a sentence or two what is to be seen, true at every setting.
- Colours come from `tutor.display.palette`: `QUERY`, `KEY`, `VALUE`, `ATTENTION`, each for its
  thing alone. A matrix small enough to read is a `Matrix` with its numbers (`Diagram.matrix`).
- Pictures are 8 inches wide and at most 4 high (800 by 400 pixels), so that a slide holds picture,
  sliders and caption.
"""
