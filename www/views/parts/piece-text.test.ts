import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pieceText } from "../../elements/shared/token-label.js";
import { ModelTokenizer } from "../../engine/tokenizer/tokenizer.js";

/** What each token of a text would be called as a possible one after the token before it. */
function called(
  kind: string,
  text: string,
): { text: string; continues: boolean; called: string }[] {
  const tokenizer = new ModelTokenizer(
    readFileSync(
      new URL(`../../../tests/reference/tokenizers/${kind}/tokenizer.json`, import.meta.url),
      "utf8",
    ),
  );
  const { tokens } = tokenizer.encode(text, null);
  const plain = tokens.filter(({ special }) => !special);
  return plain.slice(1).map((token, at) => {
    const continues = tokenizer.continuesWord(token.id);
    const before = plain[at] ?? token;
    const prediction = {
      id: token.id,
      text: token.text,
      logit: 0,
      probability: 1,
      ...(continues && { continuesWord: true as const }),
    };
    return { text: token.text, continues, called: pieceText(prediction, before) };
  });
}

it.each(["metaspace-bpe", "bytelevel-bpe"])(
  "of a %s tokenizer no piece goes on with a word after an apostrophe, where there is none, as in c'est",
  (kind) => {
    const pieces = called(kind, "c'est");
    const after = pieces[pieces.findIndex(({ text }) => text.endsWith("'")) + 1];
    expect(after).toEqual({ text: after?.text, continues: true, called: after?.text });
  },
);
