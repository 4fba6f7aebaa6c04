import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import headscope

    tokens = ["The", "little", "dog", "ran", "."]
    # Three heads of a causal model, whose rows sum to 1.
    weights = np.tril(np.random.default_rng(1).random((3, 5, 5)))
    weights /= weights.sum(axis=-1, keepdims=True)
    figure = mo.ui.anywidget(headscope.attention(weights, tokens))
    figure
    return figure, headscope, mo


@app.cell
def _(figure, mo):
    mo.md(f"Chosen: head {figure.value['head']}, pair {figure.value['pair']}")
    return


@app.cell
def _(headscope):
    headscope.open("models/tiny-gpt", "The little dog ran.")
    return


if __name__ == "__main__":
    app.run()
