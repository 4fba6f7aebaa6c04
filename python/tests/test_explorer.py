"""The explorer: its server, the model that it serves, what it refuses, and the page that it
saves."""

import gc
import html
import http.client
import json
import re
import weakref
from urllib.parse import unquote, urlsplit

import pytest

import headscope
from headscope import HeadscopeError


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like a model's, with a file of the user beside its own."""
    place = tmp_path / "my model"
    place.mkdir()
    (place / "config.json").write_text('{"model_type": "gpt2"}')
    (place / "tokenizer.json").write_text("{}")
    (place / "model.safetensors").write_bytes(bytes(range(256)))
    (place / "pytorch_model.bin").write_bytes(b"the same once more")
    (place / "diary.md").write_text("private")
    return place


def asked(figure, path, method="GET", **headers):
    """The answer of a figure's server to a request for a path, from `/`."""
    at = urlsplit(figure.address)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def below(figure, name):
    return urlsplit(figure.address).path + name


def test_a_folder_is_served_under_an_address_that_nobody_can_guess(folder):
    figure = headscope.open(folder, "Ein Satz & mehr", layer=1, head=2)
    at = urlsplit(figure.address)
    assert at.hostname == "127.0.0.1"
    assert len(at.path) > 30
    assert unquote(at.fragment) == ("model=./model/my-model/&text=Ein Satz & mehr&layer=2&head=3")
    status, headers, body = asked(figure, at.path)
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b'id="headscope-packed"' in body
    status, headers, body = asked(figure, below(figure, "model/my-model/model.safetensors"))
    assert (status, body) == (200, bytes(range(256)))
    assert "Access-Control-Allow-Origin" not in headers
    for name in ("diary.md", "pytorch_model.bin", "../diary.md", "%2e%2e/diary.md"):
        assert asked(figure, below(figure, f"model/my-model/{name}"))[0] == 404
    assert asked(figure, "/")[0] == asked(figure, "/x/model/my-model/config.json")[0] == 404


def test_only_reading_and_only_this_machine_are_answered(folder):
    figure = headscope.open(folder)
    path = urlsplit(figure.address).path
    assert asked(figure, path, Host="example.org:80")[0] == 403
    assert asked(figure, path, "POST")[0] == 501
    status, headers, body = asked(figure, path, "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 10_000


@pytest.mark.parametrize(
    ("wanted", "status", "said", "body"),
    [
        ("bytes=3-6", 206, "bytes 3-6/256", bytes([3, 4, 5, 6])),
        ("bytes=250-999", 206, "bytes 250-255/256", bytes(range(250, 256))),
        ("bytes=-2", 206, "bytes 254-255/256", bytes([254, 255])),
        ("bytes=256-", 416, "bytes */256", b""),
        ("bytes=1-2,4-5", 200, None, bytes(range(256))),
    ],
)
def test_a_part_of_a_file_is_answered(folder, wanted, status, said, body):
    figure = headscope.open(folder)
    path = below(figure, "model/my-model/model.safetensors")
    found, headers, content = asked(figure, path, Range=wanted)
    assert (found, headers["Content-Range"], content) == (status, said, body)


def test_a_gguf_file_is_a_model_by_itself(tmp_path):
    file = tmp_path / "a b.gguf"
    file.write_bytes(b"GGUF")
    for given in (file, tmp_path):
        figure = headscope.open(given)
        assert urlsplit(figure.address).fragment == "model=./model/a%20b.gguf"
        assert asked(figure, below(figure, "model/a%20b.gguf"))[2] == b"GGUF"


def test_a_folder_of_the_cache_is_its_snapshot(folder, tmp_path):
    cached = tmp_path / "models--org--small"
    (cached / "snapshots").mkdir(parents=True)
    (cached / "refs").mkdir()
    folder.rename(cached / "snapshots" / "1f")
    (cached / "refs" / "main").write_text("1f\n")
    assert "./model/small/" in unquote(headscope.open(cached).address)


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (lambda place: headscope.open(place / "none"), "model/not-found", "none"),
        (lambda place: headscope.open("org/name"), "model/not-found", "snapshot_download"),
        (lambda _place: headscope.open(None), "model/not-found", "path is None"),
        (lambda place: headscope.open(place.parent), "model/files", "no file of a model"),
        (lambda place: headscope.open(place, layer=-1), "figure/option", "layer is -1"),
        (lambda place: headscope.open(place, head=0.5), "figure/option", "head is 0.5"),
    ],
)
def test_what_is_no_model_is_refused_with_a_sentence(folder, make, code, words):
    with pytest.raises(HeadscopeError, match=re.escape(words)) as refused:
        make(folder)
    assert refused.value.code == code


class Model:
    """A model that is saved as transformers saves one."""

    config = object()
    saved = None

    def set_attn_implementation(self, _kind):
        raise AssertionError("a live model is not run")

    def save_pretrained(self, folder, max_shard_size):
        assert max_shard_size
        Model.saved = folder
        (folder / "config.json").write_text("{}")
        (folder / "model.safetensors").write_bytes(b"weights of now")


class Tokenizer:
    def save_pretrained(self, folder):
        (folder / "tokenizer.json").write_text("{}")


def test_a_live_model_gives_its_weights_for_as_long_as_the_figure_lives():
    figure = headscope.explore(Model(), Tokenizer(), "A cat", live=True)
    assert urlsplit(figure.address).fragment == "model=./model/Model/&text=A%20cat"
    weights = below(figure, "model/Model/model.safetensors")
    assert asked(figure, weights)[2] == b"weights of now"
    assert Model.saved.is_dir()
    gone = weakref.ref(figure)
    address = figure.address
    del figure
    gc.collect()
    assert gone() is None
    assert not Model.saved.exists()
    with pytest.raises(OSError):
        http.client.HTTPConnection("127.0.0.1", urlsplit(address).port, timeout=2).request(
            "GET", "/"
        )


def test_a_figure_that_a_notebook_shows_lives_until_it_is_closed(folder):
    figure = headscope.open(folder, "A cat")
    figure._repr_html_()
    gone = weakref.ref(figure)
    address = figure.address
    del figure
    gc.collect()
    shown = gone()
    assert asked(shown, urlsplit(address).path)[0] == 200
    shown.close()
    del shown
    gc.collect()
    assert gone() is None


def test_a_tokenizer_that_cannot_be_saved_is_refused():
    with pytest.raises(HeadscopeError) as refused:
        headscope.explore(Model(), object(), "A cat", live=True)
    assert refused.value.code == "tokens/tokenizer"


def test_a_notebook_gets_a_frame_that_speaks_where_the_server_is_not_reached(folder):
    figure = headscope.open(folder)
    (inner,) = re.findall(r'srcdoc="([^"]*)"', figure._repr_html_())
    inner = html.unescape(inner)
    assert json.dumps(figure.address) in inner
    assert "not reachable from this browser" in inner
    assert asked(figure, below(figure, "here.svg"))[1]["Content-Type"] == "image/svg+xml"


def test_a_saved_page_carries_the_model(folder, tmp_path, monkeypatch):
    figure = headscope.open(folder, "A <b>cat")
    text = figure.save(tmp_path / "page.html").read_text()
    assert re.findall(r'data-file="([^"]+)"', text) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]
    assert '{"name": "my model", "address": "text=A%20%3Cb%3Ecat"}' in text
    monkeypatch.setattr("headscope.explorer.MOST_BYTES", 10)
    with pytest.raises(HeadscopeError) as refused:
        figure.save(tmp_path / "large.html")
    assert refused.value.code == "model/size"
