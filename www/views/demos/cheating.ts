import { html, nothing, type TemplateResult } from "lit";
import {
  MOST_PRESETS,
  type MaskEdit,
  type ModelInfo,
  type Prediction,
  type Token,
} from "../../data/index.js";
import { pieceText, predictionLabel, tokenLabel } from "../../elements/shared/templates.js";
import type { Model, Run, RunOptions } from "../../headscope.js";
import { formatPercent, message } from "../../i18n/index.js";
import { hasEdits, rulesOf, withRule } from "../../state/index.js";
import { patch } from "../parts/events.js";
import { originalInput } from "../run/computation.js";
import { demo, table, type OnPage } from "./demo.js";
import { mean, withRun } from "./study.js";

/** Places that are asked about at once: in between the engine answers others. */
const AT_ONCE = 32;

interface NextWord {
  best: Prediction;
  /** The share of the token that really comes. */
  truth: number;
}

/** One place of a text: what comes there, and what the model expects with the edits and without. */
interface Guess {
  after: Token;
  comes: Token;
  original: NextWord;
  edited: NextWord;
}

/** What a decoder expects after each word, with the rules and without: one that sees the words that are to come copies them. */
export const cheating = demo("cheat", {
  absent: ({ model }) => (model && !predictsNext(model.info) ? message("cheat.encoder") : null),
  intro: (on) => html`${message("cheat.intro")} ${removal(on)}`,
  reads: ({ model, run, revision, edits }) =>
    model && run && edits ? { model, run, revision, edited: hasEdits(edits) } : null,
  // A text that is still being written has no next words yet.
  waits: true,
  failed: "lab.failed",
  ask: (_, { signal }, { model, run }) => readGuesses(model, run, { signal }),
  summary: (list, _, { edited }, { stale }) => {
    if (list.length === 0) return html`<p class="muted">${message("lab.waiting")}</p>`;
    const right = (of: "original" | "edited"): number =>
      list.filter((guess) => guess[of].best.id === guess.comes.id).length;
    const shareOf = (of: "original" | "edited"): string =>
      formatPercent(mean(list.map((guess) => guess[of].truth)));
    const sums = {
      before: right("original"),
      after: right("edited"),
      all: list.length,
      meanBefore: shareOf("original"),
      meanAfter: shareOf("edited"),
    };
    return html`<p class="note" id="sum" role="status" aria-busy=${stale}>${message(edited ? "cheat.sum" : "cheat.sumPlain", sums)}</p>`;
  },
  views: (list, _, { model, edited }) => {
    if (list.length === 0) return [];
    const sides = edited ? (["original", "edited"] as const) : (["original"] as const);
    const sideName = (side: (typeof sides)[number]): string =>
      message(side === "original" ? "cheat.before" : "cheat.after");
    const cells = ({ after, comes, ...guess }: Guess): (string | TemplateResult)[] =>
      sides.flatMap((side) => {
        const { best, truth } = guess[side];
        const right = best.id === comes.id;
        const label = right ? tokenLabel(comes) : predictionLabel(best, after, model.info);
        return [
          html`<span class=${right ? "right" : ""}>${right ? "✓ " : ""}<bdi>${label}</bdi> ${formatPercent(best.probability)}</span>`,
          formatPercent(truth),
        ];
      });
    const [comesName, truthName] = [message("cheat.comes"), message("cheat.truth")];
    return [
      {
        heading: message("cheat.title"),
        name: "next-words",
        of: {},
        csv: {
          columns: [
            "",
            comesName,
            ...sides.map(sideName).flatMap((side) => [side, `${side} p`, `${side} ${truthName}`]),
          ],
          rows: list.map(({ after, comes, ...guess }) => [
            after.text,
            comes.text,
            ...sides.flatMap((side) => {
              const { best, truth } = guess[side];
              return [pieceText(best, after), best.probability, truth];
            }),
          ]),
        },
        figure: table(
          message("cheat.table"),
          list.map((guess, at) => ({
            key: String(at),
            head: html`<bdi>${tokenLabel(guess.after)}</bdi> → <b><bdi>${tokenLabel(guess.comes)}</bdi></b>`,
            cells: cells(guess),
          })),
          [comesName, ...sides.flatMap((side) => [sideName(side), truthName])],
        ),
      },
    ];
  },
});

/** A button that takes the decoder's mask away, as long as no rule does. */
function removal({ model, edits }: OnPage): TemplateResult | typeof nothing {
  if (!model || !edits || !predictsNext(model.info) || edits.masks.some(opensDecoder))
    return nothing;
  const rule = { stack: "decoder", mode: "replace", preset: { kind: "none" } } as const;
  return html`<button class="press" id="remove" ?disabled=${rulesOf(edits).length >= MOST_PRESETS} @click=${({ currentTarget }: Event) => currentTarget && patch(currentTarget, { edits: withRule(edits, rule) })}>${message("cheat.remove")}</button>`;
}

function opensDecoder(edit: MaskEdit): boolean {
  const { preset, mode, invert, stack = "decoder", layers, heads } = edit;
  const isWhole = mode === "replace" && !invert && !layers && !heads;
  return preset?.kind === "none" && stack === "decoder" && isWhole;
}

function predictsNext({ architecture, predicts }: ModelInfo): boolean {
  return predicts && architecture !== "encoder";
}

/** What a decoder expects after every token but the last, beside the same without edits. */
async function readGuesses(model: Model, run: Run, options: RunOptions): Promise<Guess[]> {
  const tokens = [...run.targetTokens];
  if (tokens.length < 2) return [];
  const [originals, all] = await withRun(
    model,
    originalInput(model, run),
    (plain) => Promise.all([nextWords(plain, tokens), nextWords(run, tokens)]),
    options,
  );
  return tokens.slice(1).flatMap((comes, at) => {
    const [after, original, edited] = [tokens[at], originals[at], all[at]];
    return after && original && edited ? [{ after, comes, original, edited }] : [];
  });
}

async function nextWords(run: Run, tokens: readonly Token[]): Promise<NextWord[]> {
  const words: NextWord[] = [];
  for (let from = 0; from < tokens.length - 1; from += AT_ONCE) {
    const ids = tokens.slice(from + 1, from + 1 + AT_ONCE).map(({ id }) => id);
    const positions = ids.map((_, at) => from + at);
    const [best, truths] = await Promise.all([
      run.predictions({ positions, topK: 1 }),
      run.probabilities({ positions, ids }),
    ]);
    truths.forEach(({ probability }, at) => {
      const [first] = best[at] ?? [];
      if (first) words.push({ best: first, truth: probability });
    });
  }
  return words;
}
