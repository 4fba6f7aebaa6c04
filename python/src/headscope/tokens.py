"""Tokens as readable labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import HeadscopeError

WORD_START = "\u2581"
"""The mark before a word in SentencePiece."""


def _letters() -> dict[str, int]:
    """The byte of each letter of a byte-level vocabulary (GPT-2)."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {
        **{chr(byte): byte for byte in plain},
        **{chr(256 + at): byte for at, byte in enumerate(others)},
    }


BYTE_OF_LETTER = _letters()
BYTE_LEVEL_SPACES = ("\u0120", "\u010a")
"""A space and a line break in a byte-level vocabulary."""


def labels_of(given: Any, tokenizer: Any, name: str) -> list[str]:
    """The labels of tokens: strings, or ids or a text with a tokenizer.

    What a tokenizer gave stands for its ids.
    """
    if hasattr(given, "keys") and "input_ids" in given:
        given = given["input_ids"]
    if isinstance(given, str):
        if tokenizer is None:
            raise HeadscopeError(
                "tokens/type",
                f"{name} is one string: pass a list with a string for each token, such as "
                "`tokenizer.convert_ids_to_tokens(ids)`, or a tokenizer as well.",
            )
        given = _encoded(given, tokenizer)
    items = _items(given, name)
    if all(isinstance(item, str) for item in items):
        return readable(items)
    if all(isinstance(item, bytes) for item in items):
        return [item.decode("utf-8", "replace") for item in items]
    if not all(isinstance(item, (int, np.integer)) for item in items):
        kinds = sorted({type(item).__name__ for item in items})
        raise HeadscopeError(
            "tokens/type",
            f"{name} has items of the type {', '.join(kinds)}: strings or ids expected.",
        )
    if tokenizer is None:
        raise HeadscopeError(
            "tokens/tokenizer",
            f"{name} are ids: pass `tokenizer=…` too, or "
            "`tokenizer.convert_ids_to_tokens(ids)` in their place.",
        )
    return readable(_named([int(item) for item in items], tokenizer, name))


def _items(given: Any, name: str) -> list[Any]:
    if given is not None and hasattr(given, "detach"):
        given = given.detach().to("cpu").numpy()
    if hasattr(given, "shape"):
        array = np.asarray(given)
        if array.ndim == 2 and array.shape[0] == 1:
            array = array[0]
        if array.ndim != 1:
            raise HeadscopeError(
                "tokens/type",
                f"{name} has shape {list(array.shape)}: the tokens of one text expected.",
            )
        return array.tolist()
    try:
        items = list(given)
    except TypeError as error:
        raise HeadscopeError(
            "tokens/type", f"{name} is {type(given).__name__}: a list of tokens expected."
        ) from error
    # The ids of a batch of one, as tokenizers give them.
    if len(items) == 1 and isinstance(items[0], (list, tuple)):
        return list(items[0])
    return items


def _encoded(text: str, tokenizer: Any) -> Any:
    if callable(tokenizer):
        return tokenizer(text)["input_ids"]
    return tokenizer.encode(text).ids


def _named(ids: list[int], tokenizer: Any, name: str) -> list[str]:
    if hasattr(tokenizer, "convert_ids_to_tokens"):
        pieces = tokenizer.convert_ids_to_tokens(ids)
    elif hasattr(tokenizer, "id_to_token"):
        pieces = [tokenizer.id_to_token(one) for one in ids]
    else:
        raise HeadscopeError(
            "tokens/tokenizer",
            f"tokenizer is {type(tokenizer).__name__}: one of transformers or of tokenizers "
            "expected. Or pass the tokens as strings.",
        )
    unknown = [one for one, piece in zip(ids, pieces) if piece is None]
    if unknown:
        raise HeadscopeError(
            "tokens/tokenizer",
            f"{name} has the id {unknown[0]}, which the tokenizer does not have: pass the "
            "tokenizer of the model.",
        )
    return [
        piece.decode("utf-8", "replace") if isinstance(piece, bytes) else piece for piece in pieces
    ]


def readable(pieces: list[str]) -> list[str]:
    """Pieces of a vocabulary as text: without the marks of spaces, and letters for bytes."""
    is_byte_level = any(mark in piece for piece in pieces for mark in BYTE_LEVEL_SPACES)
    labels = []
    for piece in pieces:
        label = _from_bytes(piece) if is_byte_level else piece.replace(WORD_START, " ")
        # A space before a word says only that it is one; a token of spaces is shown as such.
        labels.append(label.strip(" ") or label)
    return labels


def _from_bytes(piece: str) -> str:
    """The text of a byte-level piece; the piece itself where its bytes are no whole letters."""
    if not all(letter in BYTE_OF_LETTER for letter in piece):
        return piece
    try:
        return bytes(BYTE_OF_LETTER[letter] for letter in piece).decode()
    except UnicodeDecodeError:
        return piece
