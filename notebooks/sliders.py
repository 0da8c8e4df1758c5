"""A picture with sliders for notebooks; each setting of the sliders is drawn once.

It has no Output widget, unlike ``ipywidgets.interact``. nbclient, which runs notebooks without a browser, answers an
Output widget's messages on the socket on which it waits for the cell to end. The answer consumes the wake-up of a reply
that has arrived in the meantime, and the run stalls until the cell's time limit (jupyter/nbclient, issue 312).

With solvers loaded, a full garbage collection takes longer than a picture. Earlier figures are therefore excluded while
a picture is drawn; its own garbage is collected afterwards.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from inspect import signature
from io import BytesIO

from schedproof.core.base.untyped import Figure, Value, Widget

DPI = 90
Layouts = dict[tuple[float, ...], list[Value]]  # size and number of axes -> positions of the axes


def sliders(draw: Callable[..., Figure], **values: Iterable[Value]) -> Widget:
    """Show a function's figure with a control for each of its arguments.

    Parameters
    ----------
    draw
        Returns a matplotlib figure. It is called once for each setting of the controls, which start at its defaults.
    values
        Argument -> its values. Texts become buttons, everything else a slider.

    Returns
    -------
    ipywidgets.VBox
        The controls, a line of progress, and the picture.
    """
    from ipywidgets import HTML, Image, Layout, VBox

    start = {name: parameter.default for name, parameter in signature(draw).parameters.items()}
    controls = {name: _control(name, list(options), start[name]) for name, options in values.items()}
    busy = HTML(layout=Layout(height="1.6em"))
    picture = Image(format="png", layout=Layout(max_width="100%", align_self="flex-start"))
    drawn: dict[tuple[Value, ...], bytes] = {}
    layouts: Layouts = {}

    def show(_change: object = None) -> None:
        place = {name: control.value for name, control in controls.items()}
        key = tuple(place.values())
        if key not in drawn:
            busy.value = "drawing …"
            gc.freeze()
            try:
                drawn[key] = _png(draw(**place), layouts)
            finally:
                busy.value = ""
                gc.collect()
                gc.unfreeze()
        picture.value = drawn[key]

    for control in controls.values():
        control.observe(show, names="value")
    show()
    return VBox([*controls.values(), busy, picture], layout=Layout(overflow="hidden"))


def _control(name: str, options: list[Value], start: Value) -> Widget:
    """Return buttons for texts, a slider for other values."""
    from ipywidgets import SelectionSlider, ToggleButtons

    words = {"description": name.replace("_", " "), "value": start}
    if all(isinstance(option, str) for option in options):
        return ToggleButtons(options=options, style={"description_width": "7em", "button_width": "auto"}, **words)
    labelled = [(f"{option:g}" if isinstance(option, float) else str(option), option) for option in options]
    return SelectionSlider(options=labelled, style={"description_width": "7em"}, continuous_update=False, **words)


def _png(figure: Figure, layouts: Layouts) -> bytes:
    """Return the figure as PNG, drawn once (``savefig`` draws twice), and close it in pyplot.

    Axes take their positions from the first such figure: they keep still, and a layout takes as long as a drawing.
    """
    from matplotlib import pyplot
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave

    shape, file = (*figure.get_size_inches(), len(figure.axes)), BytesIO()
    if shape in layouts:
        figure.set_layout_engine("none")
        for ax, place in zip(figure.axes, layouts[shape], strict=True):
            ax.set_position(place)
    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    layouts.setdefault(shape, [ax.get_position(original=True) for ax in figure.axes])
    imsave(file, canvas.buffer_rgba(), format="png", pil_kwargs={"compress_level": 1})  # half the time of the default 6
    pyplot.close(figure)
    return file.getvalue()
