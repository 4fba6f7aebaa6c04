"""The plug-in of MkDocs: ``plugins: [headscope]`` in mkdocs.yml is all that a site needs."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from .errors import HeadscopeError
from .script import FIGURES, script
from .tags import Found, is_elsewhere, markup, replaced, script_tag

ADDRESS = f"headscope/{FIGURES.name}"
"""The script in the built site."""


class Settings(Config):
    """The settings of the plug-in in mkdocs.yml."""

    script = config_options.Optional(config_options.Type(str))
    """The address of a script that runs models, from the root of the site or elsewhere."""


class HeadscopePlugin(BasePlugin[Settings]):
    """Checks the figures of pages, puts their pictures inside, and adds the script."""

    def on_files(self, files: Files, config: Any) -> Files:
        """Adds the script to the files of the site."""
        if self.config.script is None:
            files.append(File.generated(config, ADDRESS, content=script(FIGURES)))
        return files

    def on_page_content(self, html: str, page: Page, config: Any, files: Files) -> str:
        """Writes the figures of a page. In HTML, a tag within code is no tag any more."""

        def find(file: str) -> Found | None:
            folder = posixpath.dirname(page.file.src_uri)
            found = files.get_file_from_path(
                posixpath.normpath(posixpath.join(folder, unquote(file)))
            )
            if found is None or found.abs_src_path is None:
                return None
            return Found(Path(found.abs_src_path), found.url_relative_to(page.file))

        own = self.config.script
        try:
            written = replaced(
                html,
                page.file.src_uri,
                find,
                lambda one: markup(one, find),
                live=own is not None,
            )
        except HeadscopeError as error:
            raise PluginError(f"headscope: {error}") from None
        if written is None:
            return html
        address = own or ADDRESS
        from_here = address if is_elsewhere(address) else get_relative_url(address, page.url)
        return f"{written}\n{script_tag(from_here)}"
