"""The figure: a widget of a notebook, and a file."""

from __future__ import annotations

import warnings
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import anywidget
import numpy as np
import traitlets

from .arrays import layers_of
from .errors import HeadscopeError
from .numbers import PRECISIONS, packed
from .page import page
from .script import WIDGET, script
from .tokens import labels_of
from .weights import checked, notes_of

STACKS = ("encoder", "decoder", "cross")
VIEWS = ("heatmap", "lines")
LANGUAGES = ("en", "zh-CN")


MOST_WEIGHTS = 50_000_000
"""The most weights of a figure: 100 MB that are sent, 200 MB in the browser."""


class Stack(NamedTuple):
    """The heads of one stack with their tokens."""

    stack: str
    weights: np.ndarray
    queries: list[str]
    keys: list[str]
    notes: list[str]


def attention(
    attentions: Any,
    tokens: Any,
    keys: Any = None,
    *,
    tokenizer: Any = None,
    stack: str | None = None,
    layer: int = 0,
    head: int = 0,
    pair: tuple[int, int] | None = None,
    view: str = "heatmap",
    title: str = "",
    precision: str = "short",
) -> AttentionFigure:
    """Draws attention weights: a grid of all heads, and one of them as a heatmap or as lines.

    Args:
        attentions: Weights of shape ``[query, key]``, ``[head, query, key]`` or
            ``[layer, head, query, key]``, as an array of PyTorch, NumPy or JAX or as lists; or the
            tuple that a model of transformers gives, with a batch of one.
        tokens: The tokens of the queries, and of the keys unless ``keys`` are given: strings, or
            ids or a text with a ``tokenizer``.
        keys: The tokens of the keys, for cross-attention: those of the encoder.
        tokenizer: A tokenizer of transformers or of tokenizers, which names ids.
        stack: ``"encoder"``, ``"decoder"`` or ``"cross"``, how the figure names the heads; by
            default cross with ``keys``, decoder where no query has weight on a later key, else
            encoder.
        layer, head: The head that is shown first. They count from 0 in Python, from 1 on the
            screen.
        pair: The query and the key that are pinned first, counted from 0.
        view: ``"heatmap"`` or ``"lines"``.
        title: A title, which is also that of a saved page.
        precision: ``"short"`` sends 16 bits of a weight and is shown as the weight itself;
            ``"float32"`` sends all bits, twice as many bytes.

    Raises:
        HeadscopeError: If the numbers are no attention weights, or the tokens are not theirs.
    """
    weights = checked(layers_of(attentions))
    _, _, rows, columns = weights.numbers.shape
    queries = labels_of(tokens, tokenizer, "tokens")
    columns_of = queries if keys is None else labels_of(keys, tokenizer, "keys")
    _check_counts((rows, columns), queries, columns_of, has_keys=keys is not None)
    if stack is None:
        stack = "cross" if keys is not None else "decoder" if weights.is_causal else "encoder"
    if stack not in STACKS:
        raise _option("stack", stack, STACKS)
    shown = Stack(stack, weights.numbers, queries, columns_of, notes_of(weights))
    return AttentionFigure(
        [shown],
        title=title,
        precision=precision,
        layer=layer,
        head=head,
        pair=pair,
        view=view,
    )


def _check_counts(
    shape: tuple[int, int], queries: list[str], keys: list[str], *, has_keys: bool
) -> None:
    if (len(queries), len(keys)) == shape:
        return
    rows, columns = shape
    given = f"{len(queries)} tokens" + (f" and {len(keys)} keys" if has_keys else "")
    advice = "Pass the tokens of the run itself, special ones among them."
    if not has_keys and rows != columns:
        advice = (
            "Pass the tokens of the queries as `tokens` and those of the keys as `keys`: for "
            "cross-attention those of the encoder, for a step of generation all so far."
        )
    raise HeadscopeError(
        "tokens/count",
        f"The weights have {rows} queries and {columns} keys, but there are {given}. {advice}",
    )


def _check_size(stacks: list[Stack]) -> None:
    total = sum(one.weights.size for one in stacks)
    if total <= MOST_WEIGHTS:
        return
    shapes = ", ".join(str(list(one.weights.shape)) for one in stacks)
    raise HeadscopeError(
        "attention/size",
        f"There are {total:,} weights ({shapes}), more than the {MOST_WEIGHTS:,} that a page can "
        "hold: pass fewer layers, such as `attentions[:4]`, or a shorter text.",
    )


def _option(name: str, found: Any, choices: tuple[str, ...]) -> HeadscopeError:
    listed = " or ".join(repr(one) for one in choices)
    return HeadscopeError("figure/option", f"{name} is {found!r}: {listed} expected.")


class _Refusing:
    """A trait that refuses values of other types as this package does."""

    expected = ""

    def error(self, _object: Any, value: Any, *_more: Any) -> NoReturn:
        """Raises the exception, where traitlets would raise its own."""
        raise HeadscopeError(
            "figure/option", f"{self.name} is {value!r}: {self.expected} expected."
        )


class _Number(_Refusing, traitlets.Int):
    expected = "a whole number from 0"


class _Word(_Refusing, traitlets.Unicode):
    expected = "a string"


class AttentionFigure(anywidget.AnyWidget):
    """A figure of attention weights.

    A notebook shows it where it is the last value of a cell. ``stack``, ``layer``, ``head``,
    ``pair`` and ``view`` are what the figure shows: a cell reads what the user chose, and sets it.
    Layers, heads and tokens count from 0.
    """

    _esm = script(WIDGET)
    stack = _Word().tag(sync=True)
    layer = _Number(0).tag(sync=True)
    head = _Number(0).tag(sync=True)
    pair = traitlets.Any(None, allow_none=True).tag(sync=True)
    view = _Word("heatmap").tag(sync=True)
    _description = traitlets.Dict().tag(sync=True)
    _numbers = traitlets.Bytes().tag(sync=True)

    def __init__(
        self, stacks: list[Stack], *, title: str = "", precision: str = "short", **shown: Any
    ) -> None:
        if precision not in PRECISIONS:
            raise _option("precision", precision, PRECISIONS)
        if not isinstance(title, str):
            raise HeadscopeError("figure/option", f"title is {title!r}: a string expected.")
        _check_size(stacks)
        packing, numbers = packed([one.weights for one in stacks], precision)
        self._stacks = {one.stack: one for one in stacks}
        self._asked: dict[int, tuple[str, Path]] = {}
        self._ids = count()
        self._is_shown = False
        description = {
            "title": title,
            "numbers": packing,
            "stacks": [
                {
                    "stack": one.stack,
                    "layers": one.weights.shape[0],
                    "heads": one.weights.shape[1],
                    "queries": one.queries,
                    "keys": one.keys,
                    "notes": one.notes,
                }
                for one in stacks
            ],
        }
        super().__init__(
            **{"stack": stacks[0].stack, **shown},
            _description=description,
            _numbers=numbers,
        )
        self.on_msg(self._answered)

    @property
    def weights(self) -> np.ndarray:
        """The weights of the shown head, shape ``[query, key]``, as they were given."""
        return self._stacks[self.stack].weights[self.layer, self.head]

    @traitlets.validate("stack")
    def _check_stack(self, proposal: Any) -> str:
        if proposal["value"] not in self._stacks:
            raise _option("stack", proposal["value"], tuple(self._stacks))
        return proposal["value"]

    @traitlets.validate("view")
    def _check_view(self, proposal: Any) -> str:
        if proposal["value"] not in VIEWS:
            raise _option("view", proposal["value"], VIEWS)
        return proposal["value"]

    @traitlets.validate("layer", "head")
    def _check_place(self, proposal: Any) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        most = self._stacks[self.stack].weights.shape[("layer", "head").index(name)]
        if not 0 <= value < most:
            raise HeadscopeError(
                "figure/option",
                f"{name} is {value}: a number from 0 to {most - 1} expected, since there are "
                f"{most} {name}s.",
            )
        return value

    @traitlets.validate("pair")
    def _check_pair(self, proposal: Any) -> tuple[int, int] | None:
        pair = proposal["value"]
        if pair is None:
            return None
        _, _, queries, keys = self._stacks[self.stack].weights.shape
        is_pair = (
            isinstance(pair, (tuple, list))
            and len(pair) == 2
            and all(isinstance(one, (int, np.integer)) for one in pair)
        )
        if not is_pair or not (0 <= pair[0] < queries and 0 <= pair[1] < keys):
            raise HeadscopeError(
                "figure/option",
                f"pair is {pair!r}: None, or (query, key) from (0, 0) to "
                f"({queries - 1}, {keys - 1}) expected.",
            )
        return (int(pair[0]), int(pair[1]))

    @traitlets.observe("stack")
    def _forget_place(self, _change: Any) -> None:
        """Shows the first head of another stack where it has no such head or pair."""
        layers, heads, queries, keys = self._stacks[self.stack].weights.shape
        if self.layer >= layers:
            self.layer = 0
        if self.head >= heads:
            self.head = 0
        if self.pair and (self.pair[0] >= queries or self.pair[1] >= keys):
            self.pair = None

    def html(self, *, language: str = "en") -> str:
        """The figure as a page of its own, which fetches nothing."""
        if language not in LANGUAGES:
            raise _option("language", language, LANGUAGES)
        selection = {
            "stack": self.stack,
            "layer": self.layer,
            "head": self.head,
            "pair": self.pair,
            "view": self.view,
        }
        return page(self._description, self._numbers, selection, language)

    def frame(self, *, height: int = 640, language: str = "en") -> Frame:
        """The figure as a frame that stays in the output of a cell.

        A widget needs a running notebook. A frame is still there where the notebook is exported
        as HTML, or opened without Python; it costs the bytes of a page, and traits do not follow.
        """
        return Frame(self.html(language=language), height)

    def save(self, path: str | Path, *, language: str = "en") -> Path:
        """Writes the figure as one HTML file, which opens from a disk without a network."""
        path = Path(path)
        # A title may have half a character, which no file can hold.
        path.write_text(self.html(language=language), encoding="utf-8", errors="replace")
        return path

    def svg(self, path: str | Path) -> None:
        """Writes the picture of the shown head as SVG, once a notebook shows the figure.

        The browser draws the file. So the file is there shortly after the cell has ended, not when
        this method returns.
        """
        self._ask("svg", path)

    def png(self, path: str | Path) -> None:
        """Writes the picture of the shown head as PNG, as :meth:`svg` does."""
        self._ask("png", path)

    def pdf(self, path: str | Path) -> None:
        """Writes the picture of the shown head as PDF, as :meth:`svg` does, texts as pictures."""
        self._ask("pdf", path)

    def _ask(self, kind: str, path: str | Path) -> None:
        if not self._is_shown and not _in_notebook():
            raise HeadscopeError(
                "figure/no-notebook",
                f"A browser draws the {kind.upper()}, and no notebook runs here. Save a page with "
                '`save("figure.html")`, open it, and press '
                f"{kind.upper()} there.",
            )
        name = next(self._ids)
        # From now on, so that a cell may change the working folder.
        self._asked[name] = (kind, Path(path).absolute())
        if self._is_shown:
            self.send({"save": kind, "id": name})

    def _answered(self, _widget: Any, content: Any, buffers: list[Any]) -> None:
        """Receives what the script sends: that it shows the figure, or a file."""
        if content.get("shown"):
            self._is_shown = True
            for name, (kind, _) in self._asked.items():
                self.send({"save": kind, "id": name})
            return
        # A figure that is shown twice answers twice.
        kind, path = self._asked.pop(content.get("id"), (None, None))
        if path is None:
            return
        if buffers:
            path.write_bytes(bytes(buffers[0]))
        else:
            reason = content.get("failed")
            warnings.warn(f"{path} was not written: {reason}", RuntimeWarning, stacklevel=1)


class Frame:
    """A page of its own within the output of a cell."""

    def __init__(self, content: str, height: int) -> None:
        self._content, self._height = content, height

    def _repr_html_(self) -> str:
        """What a notebook shows, and keeps."""
        return (
            f'<iframe srcdoc="{escape(self._content, quote=True)}" height="{self._height}" '
            'style="width: 100%; border: 0"></iframe>'
        )


def _in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook."""
    try:
        from IPython import get_ipython
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if shell is not None and hasattr(shell, "kernel"):
        return True
    try:
        from marimo import running_in_notebook
    except ImportError:
        return False
    return bool(running_in_notebook())
