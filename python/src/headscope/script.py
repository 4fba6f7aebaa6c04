"""The scripts that the wheel has: of a widget, and of pages with figures."""

from pathlib import Path

from .errors import HeadscopeError

_PACKAGE = Path(__file__).parent

WIDGET = _PACKAGE / "anywidget.js"
"""The script of a notebook's widget and of a saved page."""

FIGURES = _PACKAGE / "static" / "headscope-figures.js"
"""The script of pages with figures, alone in a folder that a tool can copy."""


def script(path: Path) -> str:
    """The text of one of the scripts."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise HeadscopeError(
            "figure/script",
            f"{path} is missing: install the package again with "
            "`pip install --force-reinstall headscope`; from a checkout of its sources, "
            "`npm run build:npm` and `npm run build:python` write a wheel to dist/python.",
        ) from error
