"""The script of the figures, which the wheel has beside this file."""

from pathlib import Path

from .errors import HeadscopeError

SCRIPT = Path(__file__).with_name("anywidget.js")


def script() -> str:
    """The text of the script."""
    try:
        return SCRIPT.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise HeadscopeError(
            "figure/script",
            f"{SCRIPT} is missing: install the package again with "
            "`pip install --force-reinstall headscope`; from a checkout of its sources, "
            "`npm run build:npm` and `npm run build:python` write a wheel to dist/python.",
        ) from error
