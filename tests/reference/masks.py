"""Who may look at whom under edits, cell by cell in plain Python.

Written from the definition of the presets and of how edits are joined, not from Headscope's code. A rule is a
function of a query, a key and the number of keys; a mask is a boolean array [query, key].
"""

import numpy

WORD = 2**64 - 1


def _mix(x: int) -> int:
    """One step of SplitMix64."""
    z = (x + 0x9E3779B97F4A7C15) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def _jump(key: int, buckets: int) -> int:
    """Lamping and Veach's consistent hash."""
    place, following = -1, 0
    while following < buckets:
        place = following
        key = (key * 2862933555777941757 + 1) & WORD
        following = int((place + 1) * (2**31 / ((key >> 33) + 1)))
    return place


def _drawn(seed: int, query: int, count: int, others: list[int]) -> set[int]:
    if len(others) <= count:
        return set(others)
    drawn, attempt = set(), 0
    while len(drawn) < count:
        drawn.add(others[_jump(_mix(_mix(_mix(seed) ^ query) ^ attempt), len(others))])
        attempt += 1
    return drawn


def _in_window(query: int, key: int, width: int, dilation: int = 1, one_sided: bool = False) -> bool:
    steps, rest = divmod(key - query, dilation)
    return rest == 0 and -width <= steps <= (0 if one_sided else width)


def _row(preset: dict, query: int, keys: int) -> list[bool]:
    """Whether `query` may look at each key under a preset."""
    own = {name: value for name, value in preset.items() if name not in ("kind", "oneSided")}
    one_sided = preset.get("oneSided", False)
    match preset["kind"]:
        case "none":
            return [True] * keys
        case "causal":
            return [key <= query for key in range(keys)]
        case "padding":
            return [key < own["length"] for key in range(keys)]
        case "prefix":
            return [key < own["length"] or key <= query for key in range(keys)]
        case "block":
            return [key // own["size"] == query // own["size"] for key in range(keys)]
        case "strided":
            near_or_far = [abs(query - key) <= own["stride"] or (query - key) % own["stride"] == 0 for key in range(keys)]
            return [allowed and (key <= query or not one_sided) for key, allowed in enumerate(near_or_far)]
        case "window" | "dilated":
            return [_in_window(query, key, one_sided=one_sided, **own) for key in range(keys)]
        case "global" | "random":
            tokens = own.get("tokens", [])
            if query in tokens:
                return [True] * keys
            near = [
                key in tokens or ("width" in own and _in_window(query, key, own["width"], one_sided=one_sided))
                for key in range(keys)
            ]
            if preset["kind"] == "global":
                return near
            more = _drawn(own["seed"], query, own["keys"], [key for key in range(keys) if not near[key]])
            return [near[key] or key in more for key in range(keys)]
    raise ValueError(preset["kind"])


def allowed(edits: list[dict], causal: bool, hidden: set[int], queries: int, keys: int) -> numpy.ndarray:
    """The cells that stay open after some edits of masks, [query, key]. `hidden` keys are padding of the text itself."""
    open_ = numpy.array([[key <= query or not causal for key in range(keys)] for query in range(queries)])
    for edit in edits:
        if "preset" in edit:
            rule = numpy.array([_row(edit["preset"], query, keys) for query in range(queries)]) ^ edit.get("invert", False)
            match edit.get("mode", "and"):
                case "and":
                    open_ = open_ & rule
                case "or":
                    open_ = open_ | rule
                case "replace":
                    open_ = rule
        for cells, to in ((edit.get("block", []), False), (edit.get("allow", []), True)):
            for query, key in cells:
                # While a target is being written, it is still shorter than an edit may reach.
                if query < queries and key < keys:
                    open_[query, key] = to
    for key in hidden:
        open_[:, key] = False
    return open_


def fill_of(edits: list[dict]) -> str:
    """What a forbidden cell adds to its score: the last word counts."""
    return next((edit["fill"] for edit in reversed(edits) if "fill" in edit), "-inf")
