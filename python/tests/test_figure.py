"""The widget: its traits, its page, and the files that a browser draws."""

import base64
import html
import json
import re
import sys
import types

import numpy as np
import pytest

import headscope.figure
from attentions import softmax, words
from headscope import HeadscopeError, attention
from headscope.figure import AttentionFigure, Stack


@pytest.fixture
def figure():
    return attention(softmax(2, 3, 4, 4, causal=True), words(4), title="Two & <three>")


def two_stacks():
    stacks = [
        Stack("encoder", softmax(2, 3, 4, 4), words(4), words(4), []),
        Stack("cross", softmax(1, 2, 3, 4), words(3), words(4), []),
    ]
    return AttentionFigure(stacks, layer=1, head=2, pair=(3, 3))


@pytest.mark.parametrize(
    ("trait", "value", "says"),
    [
        ("layer", 2, "from 0 to 1 expected, since there are 2 layers"),
        ("head", -1, "from 0 to 2"),
        ("pair", (4, 0), "to (3, 3) expected"),
        ("pair", "ab", "None, or (query, key)"),
        ("pair", 3, "None, or (query, key)"),
        ("view", "graph", "'heatmap' or 'lines'"),
        ("stack", "encoder", "'decoder' expected"),
        ("layer", "1", "layer is '1': a whole number from 0 expected"),
        ("head", 1.5, "head is 1.5: a whole number from 0 expected"),
        ("pair", ("a", "b"), "None, or (query, key)"),
        ("pair", (0.5, 1), "None, or (query, key)"),
        ("view", None, "view is None: a string expected"),
    ],
)
def test_a_trait_keeps_to_what_there_is(figure, trait, value, says):
    before = getattr(figure, trait)
    with pytest.raises(HeadscopeError, match="figure/option") as caught:
        setattr(figure, trait, value)
    assert says in str(caught.value)
    assert getattr(figure, trait) == before
    if trait != "stack":
        with pytest.raises(HeadscopeError, match="figure/option"):
            attention(softmax(2, 3, 4, 4), words(4), **{trait: value})


def test_a_cell_reads_and_sets_what_is_shown(figure):
    figure.layer, figure.head, figure.pair = 1, 2, [3, 1]
    assert figure.pair == (3, 1)
    state = figure.get_state()
    assert (state["layer"], state["head"], state["view"]) == (1, 2, "heatmap")
    # What the browser sends at a click.
    figure.set_state({"stack": "decoder", "layer": 0, "head": 1, "pair": None, "view": "lines"})
    assert (figure.layer, figure.head, figure.pair, figure.view) == (0, 1, None, "lines")
    np.testing.assert_array_equal(figure.weights, softmax(2, 3, 4, 4, causal=True)[0, 1])


def test_another_stack_shows_a_head_that_it_has():
    figure = two_stacks()
    figure.stack = "cross"
    assert (figure.layer, figure.head, figure.pair) == (0, 0, None)
    figure = two_stacks()
    figure.set_state({"stack": "cross", "layer": 0, "head": 1, "pair": [2, 3]})
    assert (figure.stack, figure.head, figure.pair) == ("cross", 1, (2, 3))


def test_a_page_holds_everything_and_asks_for_nothing(figure, tmp_path):
    figure.layer, figure.pair = 1, (2, 0)
    path = figure.save(tmp_path / "figure.html", language="zh-CN")
    text = path.read_text(encoding="utf-8")
    assert '<html lang="zh-CN">' in text
    assert "<title>Two &amp; &lt;three&gt;</title>" in text
    assert not re.search(r"(?:src|href)=|@import|https?://(?!www\.w3\.org)", text)
    (json_text,) = re.findall(r'<script type="application/json">(.+?)</script>', text)
    saved = json.loads(json_text)
    assert saved["title"] == "Two & <three>"
    assert saved["selection"] == {
        "stack": "decoder",
        "layer": 1,
        "head": 0,
        "pair": [2, 0],
        "view": "heatmap",
    }
    assert base64.b64decode(saved["data"]) == figure._numbers


def test_half_a_character_in_a_title_is_no_hindrance(tmp_path):
    figure = attention(softmax(4, 4), ["\ud800", *words(3)], title="\ud800")
    assert "<title>?</title>" in figure.save(tmp_path / "figure.html").read_text(encoding="utf-8")


def test_a_frame_holds_the_page(figure):
    shown = figure.frame(height=500, language="zh-CN")._repr_html_()
    (content,) = re.findall(r'^<iframe srcdoc="([^"]+)" height="500" ', shown)
    assert html.unescape(content) == figure.html(language="zh-CN")


@pytest.mark.parametrize(
    ("option", "value"),
    [("precision", "int8"), ("stack", "self"), ("view", ""), ("title", 3), ("title", None)],
)
def test_options_have_names(option, value):
    with pytest.raises(HeadscopeError, match=f"{option} is {value!r}"):
        attention(softmax(4, 4), words(4), **{option: value})


def test_more_weights_than_a_page_holds_are_refused(monkeypatch):
    monkeypatch.setattr(headscope.figure, "MOST_WEIGHTS", 16)
    assert attention(softmax(4, 4), words(4))
    with pytest.raises(HeadscopeError, match="attention/size") as caught:
        attention(softmax(2, 4, 4), words(4))
    assert "There are 32 weights ([1, 2, 4, 4]), more than the 16" in str(caught.value)


def test_a_page_has_a_language_of_the_figures(figure):
    with pytest.raises(HeadscopeError, match="'en' or 'zh-CN'"):
        figure.html(language="fr")


def test_without_a_notebook_no_browser_draws(figure):
    with pytest.raises(HeadscopeError, match="figure/no-notebook") as caught:
        figure.svg("figure.svg")
    assert "press SVG there" in str(caught.value)


@pytest.fixture
def sent(figure, monkeypatch):
    """What the figure sends to a notebook that shows it."""
    messages = []
    shell = types.SimpleNamespace(kernel=True)
    ipython = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(figure, "send", lambda content: messages.append(content))
    return messages


def test_a_file_is_written_once_the_figure_is_shown(figure, sent, tmp_path, monkeypatch):
    path = tmp_path / "figure.svg"
    figure.svg(path)
    assert sent == [], "nothing shows the figure yet"
    figure._answered(figure, {"shown": True}, [])
    assert sent == [{"save": "svg", "id": 0}]
    figure._answered(figure, {"id": 0, "failed": None}, [memoryview(b"<svg/>")])
    assert path.read_bytes() == b"<svg/>"
    # A second view of the figure answers as well.
    figure._answered(figure, {"id": 0, "failed": None}, [memoryview(b"")])
    assert path.read_bytes() == b"<svg/>"
    figure.png("relative.png")
    monkeypatch.chdir(tmp_path)
    assert sent[-1] == {"save": "png", "id": 1}


def test_a_file_that_cannot_be_drawn_is_said(figure, sent, tmp_path):
    figure._answered(figure, {"shown": True}, [])
    figure.pdf(tmp_path / "figure.pdf")
    with pytest.warns(RuntimeWarning, match=r"figure\.pdf was not written: no canvas"):
        figure._answered(figure, {"id": 0, "failed": "no canvas"}, [])
    assert not (tmp_path / "figure.pdf").exists()
