"""Figures of documentation: what is checked while a page is built, and what is written."""

import io
import json
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

import headscope.mdbook
from headscope import HeadscopeError
from headscope.tags import Found, figure, markup, replaced


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Files beside a page; their addresses are one folder up."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "figure.json": '{"format":"headscope-tensor"}',
        "lines.json": '{"format":"headscope-figure","figure":"lines"}',
        "other.json": "[1]",
        "figure.svg": "",
        "b c.svg": "",
    }.items():
        Path(name).write_text(text)


def find(file):
    path = Path(file)
    return Found(path, f"../{quote(file)}") if path.is_file() else None


def written(text, live=False):
    return replaced(text, "page.md", find, lambda one: markup(one, find), live=live)


def heatmap(attributes, inside=""):
    return f"<headscope-heatmap {attributes}>{inside}</headscope-heatmap>"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (
            heatmap('src="figure.json" alt="A &quot;cat&quot;"'),
            '<headscope-heatmap src="../figure.json"><img src="../figure.svg" '
            'alt="A &quot;cat&quot;"></headscope-heatmap>',
        ),
        (
            heatmap("src=figure.json alt='b' picture='b c.svg' caption height=\"300\""),
            '<headscope-heatmap src="../figure.json" caption="" height="300">'
            '<img src="../b%20c.svg" alt="b"></headscope-heatmap>',
        ),
        (
            heatmap('src="figure.json"', "<p>Words</p>"),
            '<headscope-heatmap src="../figure.json"><p>Words</p></headscope-heatmap>',
        ),
        (
            heatmap('src="https://example.org/figure.json" alt="a > b"'),
            '<headscope-heatmap src="https://example.org/figure.json">a &gt; b</headscope-heatmap>',
        ),
        (
            '<headscope-lines\n  src="figure.json"\n  alt="a"\n/>',
            '<headscope-lines src="../figure.json"><img src="../figure.svg" alt="a">'
            "</headscope-lines>",
        ),
    ],
)
def test_a_figure_has_its_picture_inside(given, made):
    assert written(f"before {given} after {given}") == f"before {made} after {made}"


def test_a_figure_of_a_model_needs_a_script():
    given = heatmap('model="models/tiny-gpt" text="A &amp; B" layer="1" alt="a"')
    assert written(given, live=True) == given.replace(' alt="a">', ">a")
    assert written("<head-scope alt='a' model='m'></head-scope>", live=True) is not None
    with pytest.raises(HeadscopeError, match=r"page\.md: <headscope-heatmap>.*docs/no-script"):
        written(given)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (heatmap('src="figure.json"'), "no-alt"),
        (heatmap('src="figure.json" alt=" "'), "no-alt"),
        (heatmap('src="none.json" alt="a"'), "no-file"),
        (heatmap('src="figure.svg" alt="a"'), "not-saved"),
        (heatmap('src="other.json" alt="a"'), "not-saved"),
        (heatmap('src="lines.json" alt="a"'), "other"),
        (heatmap('src="figure.json" alt="a" picture="none.svg"'), "no-file"),
        (heatmap('alt="a" layer="1"'), "no-numbers"),
        (heatmap('src="figure.json" alt="a" lyer="1"'), "attribute"),
        ('<headscope-heatmp src="figure.json" alt="a"></headscope-heatmp>', "tag"),
        ('<headscope-heatmap src="figure.json" alt="a">', "unclosed"),
        ('<headscope-heatmap src="figure.json alt="a"></headscope-heatmap>', "unclosed"),
    ],
)
def test_a_page_that_could_not_show_its_figure_is_refused(given, code):
    with pytest.raises(HeadscopeError, match=f"docs/{code}"):
        written(f"a page {given}")


def test_a_page_without_figures_stays_as_it_is():
    assert written("<p>headscope-heatmap &lt;headscope-heatmap&gt;</p>") is None


def test_html_attributes_are_kept():
    given = {"src": "figure.json", "alt": "a", "class": "wide", "data-x": "1", "aria-label": "b"}
    one = figure("headscope-grid", given, "page", find, live=False)
    assert one.attributes == {name: given[name] for name in given if name != "alt"}


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Runs the preprocessor on chapters of a book."""
    monkeypatch.setattr(headscope.mdbook, "script", lambda path: "the script")
    for name in ("figure.json", "figure.svg"):
        folder = tmp_path / "src" / "part"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"format":"headscope-tensor"}')

    def run(chapters, renderer="html", **settings):
        def item(path, text, below=()):
            return {"Chapter": {"path": path, "content": text, "sub_items": list(below)}}

        items = ["Separator", item(None, "a draft")]
        items.append(item("part/README.md", "no figure", [item(*one) for one in chapters]))
        context = {
            "root": str(tmp_path),
            "renderer": renderer,
            "config": {"book": {"src": "src"}, "preprocessor": {"headscope": settings}},
        }
        given = json.dumps([context, {"items": items}]).encode()
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
        monkeypatch.setattr(sys, "argv", ["mdbook-headscope"])
        headscope.mdbook.main()
        below = json.loads(out.getvalue())["items"][2]["Chapter"]["sub_items"]
        return [one["Chapter"]["content"] for one in below]

    run.root = tmp_path
    return run


FIGURE = heatmap('src="figure.json" alt="a"')
DONE = heatmap('src="figure.json"', '<img src="figure.svg" alt="a">')


def test_a_book_has_figures_and_a_script_in_its_sources(book):
    (text,) = book([("part/one.md", f"# One\n\n{FIGURE}\n")])
    start, loading = text.split("\n\n\n")
    assert start == f"# One\n\n{DONE}"
    assert 'import("./../headscope/headscope-figures.js")' in loading
    script = book.root / "src/headscope/headscope-figures.js"
    assert script.read_text() == "the script"
    before = script.stat().st_mtime_ns
    book([("part/one.md", FIGURE)])
    assert script.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "code",
    [
        f"`{FIGURE}`",
        f"```html\n{FIGURE}\n```\n",
        f"~~~~\n~~~\n{FIGURE}\n~~~~\n",
        f"```\n{FIGURE}\n",
        f"`` ` {FIGURE} ``",
    ],
)
def test_code_of_a_chapter_is_no_figure(book, code):
    assert book([("part/one.md", code)]) == [code]
    assert not (book.root / "src/headscope").exists()
    (text,) = book([("part/one.md", f"{FIGURE}\n\n{code}")])
    assert text.startswith(f"{DONE}\n\n{code}")


def test_a_book_may_name_a_script_and_another_renderer_gets_pictures(book):
    live = heatmap('model="m" alt="a"')
    (text,) = book([("part/one.md", live)], script="https://example.org/embed.js")
    assert 'import("https://example.org/embed.js")' in text
    assert not (book.root / "src/headscope").exists()
    assert book([("part/one.md", f"{FIGURE} {live}")], "latex", script="x") == [
        "![a](figure.svg) a"
    ]


def test_a_book_that_could_not_show_its_figure_is_refused(book):
    with pytest.raises(SystemExit, match=r"part/one\.md: .*docs/no-alt"):
        book([("part/one.md", heatmap('src="figure.json"'))])
