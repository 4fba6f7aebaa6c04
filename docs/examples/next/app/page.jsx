"use client";

import { loadModel } from "headscope";
import "headscope/elements.js";
import { useEffect, useState } from "react";

/** A figure of numbers, and the tokens of a model that runs in the page. */
export default function Page() {
  const [tokens, setTokens] = useState([]);
  useEffect(() => {
    const loading = loadModel("/models/tiny-gpt");
    void loading.then(async (model) => {
      const run = await model.run({ text: "A cat and a dog." });
      setTokens(run.tokens.map(({ text }) => text));
    });
    return () => void loading.then((model) => model.dispose());
  }, []);
  return (
    <main>
      <headscope-heatmap src="/figure.json">
        <img src="/figure.svg" alt="Each word has most weight on the word before it" />
      </headscope-heatmap>
      <p id="tokens">{tokens.join("|")}</p>
    </main>
  );
}
