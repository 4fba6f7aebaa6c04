import { html, nothing, type TemplateResult } from "lit";
import {
  MOST_PRESETS,
  type MaskEdit,
  type ModelInfo,
  type Prediction,
  type Token,
} from "../../../data/index.js";
import { pieceText, predictionLabel, tokenLabel } from "../../../elements/shared/templates.js";
import type { Run } from "../../../headscope.js";
import { formatPercent, message } from "../../../i18n/index.js";
import { hasEdits } from "../../../state/index.js";
import { rulesOf, withRule } from "../../../state/experiment-edits.js";
import { originalInput } from "../../../session/run/original-input.js";
import { demo, table, type Around, type OnPage } from "../demo.js";
import { mean, withRun } from "../../../kit/study.js";

/**
 * The number of positions that are asked about at once: in between the engine answers other
 * queries.
 */
const AT_ONCE = 32;

/**
 * The demo of cheating: a decoder's predictions after each token, with the rules and without: a
 * decoder that sees the next tokens copies them.
 */
export const cheating = demo("cheat", {
  listed: { title: "cheat.title", place: 3 },
  absent: ({ model }) => (model && !predictsNext(model.info) ? message("cheat.encoder") : null),
  intro: (on, _, update) => html`${message("cheat.intro")} ${removal(on, update)}`,
  reads: ({ model, run, revision, edits }) =>
    model && run && edits ? { model, run, revision, edited: hasEdits(edits) } : null,
  // A text that is still being generated has no next tokens yet.
  waits: true,
  failed: "demo.failed",
  /**
   * For each token but the last, the next token, and the model's predictions with the edits and
   * without.
   */
  ask: async (_, { signal }, { model, run }) => {
    const tokens = [...run.targetTokens];
    if (tokens.length < 2) return [];
    const [originals, all] = await withRun(
      model,
      originalInput(model, run),
      (plain) => Promise.all([nextWords(plain, tokens), nextWords(run, tokens)]),
      { signal },
    );
    return tokens.slice(1).flatMap((comes, at) => {
      const after = tokens[at];
      const original = originals[at];
      const edited = all[at];
      return after && original && edited ? [{ after, comes, original, edited }] : [];
    });
  },
  summary: (list, _, { edited }, { stale }) => {
    if (list.length === 0) return html`<p class="muted">${message("demo.waiting")}</p>`;
    const right = (of: "original" | "edited"): number =>
      list.filter((guess) => guess[of].best.id === guess.comes.id).length;
    const shareOf = (of: "original" | "edited"): string =>
      formatPercent(mean(list.map((guess) => guess[of].truth)));
    const counts = { before: right("original"), after: right("edited"), all: list.length };
    const means = { meanBefore: shareOf("original"), meanAfter: shareOf("edited") };
    const sums = { ...counts, ...means };
    return html`<p class="note" id="sum" role="status" aria-busy=${stale}>
      ${message(edited ? "cheat.sum" : "cheat.sumPlain", sums)}
    </p>`;
  },
  brief: (list, _, { edited }) =>
    (edited ? (["original", "edited"] as const) : (["original"] as const)).map((side) => {
      const right = list.filter((guess) => guess[side].best.id === guess.comes.id).length;
      const share = mean(list.map((guess) => guess[side].truth));
      const counts = { right, all: list.length, share: formatPercent(share) };
      return { label: sideName(side), value: message("cheat.brief", counts), share };
    }),
  views: (list, _, { model, edited }) => {
    if (list.length === 0) return [];
    const sides = edited ? (["original", "edited"] as const) : (["original"] as const);
    const comesName = message("cheat.comes");
    const truthName = message("cheat.truth");
    const columns = sides
      .map(sideName)
      .flatMap((side) => [side, `${side} p`, `${side} ${truthName}`]);
    const rows = list.map(({ after, comes, ...guess }, at) => ({
      key: String(at),
      head: html`<bdi>${tokenLabel(after)}</bdi> → <b><bdi>${tokenLabel(comes)}</bdi></b>`,
      cells: sides.flatMap((side) => {
        const { best, truth } = guess[side];
        const right = best.id === comes.id;
        const label = right ? tokenLabel(comes) : predictionLabel(best, after, model.info);
        const word = html`<span class=${right ? "act strong" : ""}
          >${right ? "✓ " : ""}<bdi>${label}</bdi> ${formatPercent(best.probability)}</span
        >`;
        return [word, formatPercent(truth)];
      }),
    }));
    return [
      {
        name: "next-words",
        of: {},
        csv: {
          columns: ["", comesName, ...columns],
          rows: list.map(({ after, comes, ...guess }) => {
            const own = sides.map((side) => guess[side]);
            const cells = own.map(({ best, truth }) => {
              return [pieceText(best, after), best.probability, truth];
            });
            return [after.text, comes.text, ...cells.flat()];
          }),
        },
        figure: table(message("cheat.table"), rows, [
          comesName,
          ...sides.flatMap((side) => [sideName(side), truthName]),
        ]),
      },
    ];
  },
});

function sideName(side: "original" | "edited"): string {
  return message(side === "original" ? "cheat.before" : "cheat.after");
}

/** A button that removes the decoder's mask, as long as no rule does. */
function removal(
  { model, edits }: OnPage,
  update: Around["update"],
): TemplateResult | typeof nothing {
  if (!model || !edits || !predictsNext(model.info) || edits.masks.some(opensDecoder))
    return nothing;
  const rule = { stack: "decoder", mode: "replace", preset: { kind: "none" } } as const;
  return html`<button
    class="boxed"
    id="remove"
    ?disabled=${rulesOf(edits).length >= MOST_PRESETS}
    @click=${() => update({ edits: withRule(edits, rule) })}
  >
    ${message("cheat.remove")}
  </button>`;
}

function opensDecoder(edit: MaskEdit): boolean {
  const { preset, mode, invert, stack = "decoder", layers, heads } = edit;
  const isWhole = mode === "replace" && !invert && !layers && !heads;
  return preset?.kind === "none" && stack === "decoder" && isWhole;
}

function predictsNext({ architecture, predicts }: ModelInfo): boolean {
  return predicts && architecture !== "encoder";
}

/** The most probable next token at each position, and the probability of the actual one. */
async function nextWords(run: Run, tokens: readonly Token[]) {
  const words: { best: Prediction; truth: number }[] = [];
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
