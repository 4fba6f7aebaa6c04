project = "Heads"
extensions = ["myst_parser", "headscope.sphinx", "sphinxcontrib.cairosvgconverter"]
