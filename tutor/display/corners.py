"""Where a part of a picture stands in it just now: its corners, in shares of the figure."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.transforms import Transform

from tutor.display.parts import Part
from tutor.display.shapes import Words

Corners = tuple[float, float, float, float]  # left, top, right, bottom in shares of the figure


def corners_of(part: Part) -> Corners | None:
    """Return the corners of a part of a diagram; None while it does not show."""
    if not part.artists or not any(artist.get_visible() for artist in part.artists):
        return None
    x, y = part.at
    if isinstance(part, Words):  # a line may begin or end at its place
        x += {"left": 0.5, "right": -0.5}.get(part.text.get_horizontalalignment(), 0) * part.width
    low = (x - part.width / 2, y + part.height / 2)
    high = (x + part.width / 2, y - part.height / 2)
    return _in_data(figure_of(part.sheet), part.sheet.transData, low, high)


def corners_of_map(image: AxesImage) -> Corners | None:
    """Return the corners of a map drawn by imshow; None while it does not show."""
    axes = image.axes
    if axes is None or not (image.get_visible() and axes.get_visible()):
        return None
    left, right, bottom, top = image.get_extent()
    if image.origin == "lower":
        bottom, top = top, bottom
    return _in_data(figure_of(axes), axes.transData, (left, top), (right, bottom))


def corners_of_axes(ax: Axes) -> Corners | None:
    """Return the corners of a plot's axes; None while they do not show."""
    if not ax.get_visible():
        return None
    box = ax.bbox
    return corners_of_pixels(figure_of(ax), (box.x0, box.y1), (box.x1, box.y0))


def _in_data(
    figure: Figure, transform: Transform, start: tuple[float, float], end: tuple[float, float]
) -> Corners:
    first, last = transform.transform([start, end])
    return corners_of_pixels(figure, tuple(first), tuple(last))


def corners_of_pixels(figure: Figure, start: tuple[float, ...], end: tuple[float, ...]) -> Corners:
    """Return pixels, counted from the lower left, as shares of the figure from its upper left."""
    width, height = figure.bbox.size
    return (
        float(start[0] / width),
        float(1 - start[1] / height),
        float(end[0] / width),
        float(1 - end[1] / height),
    )


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes stand in, however deep."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure
