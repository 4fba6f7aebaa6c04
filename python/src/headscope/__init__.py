"""Attention of Transformers in notebooks: every head, from the arrays that you have.

``attention`` draws the weights that a model gave; ``explore`` runs a model of transformers once
and draws its weights, or gives the model to the whole explorer; ``open`` opens one from the disk.
All return a figure, which a notebook shows and which can be saved as a page of its own.
"""

from importlib.metadata import version as _version

from .errors import CODES, HeadscopeError
from .explore import explore
from .explorer import ExplorerFigure, open  # noqa: F401
from .figure import AttentionFigure, attention

__version__ = _version("headscope")
# Without `open`, so that `import *` leaves that of Python.
__all__ = [
    "CODES",
    "AttentionFigure",
    "ExplorerFigure",
    "HeadscopeError",
    "attention",
    "explore",
]
