// @vitest-environment happy-dom
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Token } from "../../data/index.js";
import type { Print } from "../../draw/theme.js";
import { printGrid, printTokens } from "../../elements/exports.js";
import { stubCanvas } from "../../elements/testing/mount.js";
import { PAPER_INKS, sheetOf } from "../../export/sheet.js";
import { svgFile } from "../../export/svg.js";
import { loadSentences } from "../../i18n/index.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: text.startsWith("<"), role: null }));

/** Of heads that attend to themselves, to the token before, to one place, and to everything. */
const thumbnail = (head: number): number[] =>
  Array.from(
    { length: 16 },
    (_, at) => [at % 5 === 0 ? 1 : 0, at % 5 === 4 ? 1 : 0, at % 4 === 0 ? 1 : 0, 0.25][head] ?? 0,
  );
const heads = (): Print | null =>
  printGrid(
    {
      thumbnails: {
        data: Float32Array.from([0, 1, 2, 3].flatMap(thumbnail)),
        shape: [2, 2, 4, 4],
        axes: ["layer", "head", "query", "key"],
      },
      order: [
        { layer: 1, head: 1, note: "1.386" },
        { layer: 0, head: 0, note: "0.000" },
        // What has no picture is left out.
        { layer: 7, head: 0, note: "gone" },
      ],
      roles: [
        [{ role: "self", score: 1 }],
        [
          { role: "first", score: 1 },
          { role: "none", score: null },
        ],
      ],
      silenced: [{ layer: 1, head: 0 }],
      selected: { layer: 0, head: 1 },
      colours: "cividis",
    },
    PAPER_INKS,
  );
const text: Token[] = [
  ...tokens("<s>", "the", "dark"),
  { id: 4, text: "ness", word: 2, special: false, role: null },
  { id: 5, text: "[MASK]", word: 3, special: true, role: "mask", hiddenText: "fell" },
  { id: 6, text: "?", word: 4, special: false, role: "unknown" },
];
const texts = (): Print | null =>
  printTokens(
    [
      { name: "Tokens of your sentence", tokens: text },
      { name: "Tokens of the translation", tokens: tokens("le", "chat", "<eos>") },
    ],
    PAPER_INKS,
  );

beforeAll(async () => {
  // Text is then measured by rule, on every machine alike.
  stubCanvas();
  await loadSentences("export");
});
afterAll(() => vi.unstubAllGlobals());

/** What no golden file of the page has. When a picture is meant to change: `npm run unit -- www/views/export/snapshots.test.ts --update`, and look at the files. */
it.each([
  ["grid-listed", heads],
  ["tokens", texts],
])("the SVG of %s is the committed one", async (name, draw) => {
  const print = draw();
  if (!print) throw new Error(`${name} draws nothing`);
  const words = { title: name, lines: ["A model that is not there"], maker: "Headscope" };
  const description = `The ${name} of a test`;
  const about = { title: name, description, record: JSON.stringify({ picture: name }) };
  const sheet = sheetOf(print, words, PAPER_INKS);
  const file = await svgFile(sheet, about, PAPER_INKS.font, []);
  await expect(file).toMatchFileSnapshot(`snapshots/${name}.svg`);
});
