import { css, html } from "lit";
import { isolated, type Cell, type HeadRef, type Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { formatSigned } from "../../elements/matrices.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import type { Model, Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { sentEdits } from "../../state/index.js";
import { patch } from "../parts/events.js";
import { stacksOf } from "../run/selection.js";
import {
  askable,
  effectOf,
  headsToMeasure,
  logShare,
  ofText,
  ranked,
  type AskedWord,
  type Effect,
} from "./effects.js";
import { headList, matrix, placeNames } from "./figures.js";
import { demo } from "./demo.js";
import type { Working } from "./study.js";

const LISTED = 12;
const MAP_HEIGHT = 220;

interface Ranked {
  asked: AskedWord;
  effects: readonly Effect[];
}

/** All heads by their importance for a chosen token: the text is run again without each of them. */
export const ranking = demo("effect", {
  // What is still being written has no last word yet.
  fit: ({ model, run, growing }) => {
    if (!model || !run || growing) return null;
    const options = askable(run, model.info).map(({ token }, at) => ({
      value: at,
      label: `${at + 1} · ${isolated(tokenLabel(token))}`,
    }));
    return { word: { options } };
  },
  reads: ({ model, run, revision, edits }, { word }) => {
    if (!model || !run || !edits) return null;
    return wordIn(run, model, word)
      ? { model, run, revision, edits, word }
      : message("ranking.noWord");
  },
  failed: "ranking.failed",
  work: {
    words: "ranking",
    about: (on, { word }) => ofText(on, word),
    names: (_, { model }) => headsToMeasure(model.info).map(nameOf),
    all: (_, { model }) => headsToMeasure(model.info).length,
    run: async (_, { model, run, edits, word }, { step, show }: Working<Ranked>) => {
      const asked = wordIn(run, model, word);
      if (!asked) return;
      const of = { model, run, edits: sentEdits(edits) };
      const before = await step("before", () =>
        asked.kind === "share" ? logShare(run, asked) : Promise.resolve(0),
      );
      const effects: Effect[] = [];
      for (const head of headsToMeasure(model.info)) {
        const value = await step(nameOf(head), (signal) =>
          effectOf(of, asked, head, { before, signal }),
        );
        effects.push({ head, value });
        show({ asked, effects: [...effects] }, effects.length);
      }
    },
  },
  summary: ({ asked }) =>
    html`<p class="small muted note">${message(asked.kind === "share" ? "ranking.shareHint" : "ranking.stateHint")}</p>`,
  views: ({ asked, effects }, _, { model }) => {
    const signed = asked.kind === "share";
    const list = ranked(effects).slice(0, LISTED);
    const most = Math.abs(list[0]?.value ?? 0);
    const values = message(signed ? "ranking.share" : "ranking.moved");
    const { rows, tensor } = mapOf(effects, model);
    const open = (event: CustomEvent<Cell | null>): void => {
      event.stopPropagation();
      const { query = -1, key = -1 } = event.detail ?? {};
      const row = rows[query];
      if (row && event.target && key < (model.info.stacks[row.stack]?.heads ?? 0))
        patch(event.target, { ...row, head: key });
    };
    const map = matrix({
      tensor,
      values,
      signed,
      height: MAP_HEIGHT,
      rows: {
        title: message("ranking.layer"),
        names: rows.map(({ stack, layer }) =>
          message("ranking.row", { stack: message(`stack.${stack}`), layer: layer + 1 }),
        ),
      },
      columns: { title: message("ranking.head"), names: placeNames(tensor.shape[1] ?? 0) },
    });
    return [
      {
        heading: message("ranking.list"),
        name: `heads-by-effect ${asked.position + 1} ${asked.token.text}`,
        lines: [`${message(signed ? "ranking.word" : "ranking.state")}: ${asked.token.text}`],
        of: {},
        csv: {
          columns: [
            ...(["stack", "layer", "head"] as const).map((one) => message(`ranking.${one}`)),
            values,
          ],
          rows: ranked(effects).map(({ head: { stack, layer, head }, value }) => [
            message(`stack.${stack}`),
            layer + 1,
            head + 1,
            value,
          ]),
        },
        figure: (pointed) => html`<div class="results columns" @headscope-cell-lock=${open}>
          ${headList(
            message("ranking.list"),
            list.map(({ head, value }) => ({
              head,
              name: nameOf(head),
              value: signed ? formatSigned(value) : formatValue(value),
              raw: value,
              share: most > 0 ? Math.abs(value) / most : 0,
            })),
          )}
          ${map(pointed)}
        </div>`,
      },
    ];
  },
  styles: css`
    .results {
      --_least: 360px;
    }
  `,
});

/** The layers of all stacks one below the other, `[layer of a stack, head]`; NaN where there is no head, or nothing was measured yet. */
function mapOf(
  effects: readonly Effect[],
  { info }: Model,
): { rows: Pick<HeadRef, "stack" | "layer">[]; tensor: Tensor } {
  const stacks = stacksOf(info);
  const rows = stacks.flatMap((stack) =>
    Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) => ({ stack, layer })),
  );
  const heads = Math.max(...stacks.map((stack) => info.stacks[stack]?.heads ?? 0));
  const data = new Float32Array(rows.length * heads).fill(NaN);
  for (const { head, value } of effects) {
    const row = rows.findIndex(({ stack, layer }) => stack === head.stack && layer === head.layer);
    data[row * heads + head.head] = value;
  }
  return { rows, tensor: { data, shape: [rows.length, heads], axes: ["layer", "head"] } };
}

function wordIn(run: Run, { info }: Model, word: number): AskedWord | undefined {
  const words = askable(run, info);
  return words[Math.min(word, words.length - 1)];
}

function nameOf({ stack, layer, head }: HeadRef): string {
  return message("edits.head", {
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
  });
}
