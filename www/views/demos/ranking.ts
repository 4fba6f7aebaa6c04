import { css, html, type TemplateResult } from "lit";
import { isolated, type Cell, type HeadRef, type Tensor, type Token } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { formatSigned } from "../../elements/matrices.js";
import { styled, tokenLabel } from "../../elements/shared/templates.js";
import type { Model } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { fittingEdits } from "../../state/index.js";
import type { Table } from "../../export/provenance.js";
import { patch } from "../parts/events.js";
import { limitsOf, stacksOf } from "../run/selection.js";
import {
  askable,
  effectOf,
  headsInTurn,
  logShare,
  ranked,
  type AskedWord,
  type Effect,
} from "./effects.js";
import { matrix, placeNames } from "./figures.js";
import { demo, type OnPage } from "./demo.js";
import type { Working } from "./study.js";

const LISTED = 12;
const MAP_HEIGHT = 220;

/** The heads that were measured for a word. */
interface Ranked {
  asked: AskedWord;
  effects: readonly Effect[];
}

/** All heads by what they do for a chosen word: the sentence is run once more without each of them. */
export const ranking = demo("effect", {
  // What is still being written has no last word yet.
  fit: ({ model, run, growing }) =>
    model && run && !growing ? { word: { options: wordsOf(askable(run, model.info)) } } : null,
  reads: ({ model, run, revision, edits }, { word }) => {
    if (!model || !run || !edits) return null;
    const words = askable(run, model.info);
    const asked = words[Math.min(word, words.length - 1)];
    return asked ? { model, run, revision, edits, word } : message("ranking.noWord");
  },
  failed: "ranking.failed",
  work: {
    words: "ranking",
    about: (on, { word }) => ofText(on, word),
    names: (_, { model }) => headsInTurn(model.info).map(nameOf),
    all: (_, { model }) => headsInTurn(model.info).length,
    run: async (_, { model, run, edits, word }, { step, tell }: Working<Ranked>) => {
      const asked = wordAt(askable(run, model.info), word);
      const limits = limitsOf(model.info, run.tokens.length, run.targetTokens.length);
      const of = { model, run, edits: fittingEdits(edits, limits) };
      const before = await step("before", () =>
        asked.kind === "share" ? logShare(run, asked) : Promise.resolve(0),
      );
      const effects: Effect[] = [];
      for (const head of headsInTurn(model.info)) {
        const value = await step(nameOf(head), (signal) =>
          effectOf(of, asked, head, { before, signal }),
        );
        effects.push({ head, value });
        tell({ asked, effects: [...effects] }, effects.length);
      }
    },
  },
  summary: ({ asked }) =>
    html`<p class="small muted said">${message(asked.kind === "share" ? "ranking.shareHint" : "ranking.stateHint")}</p>`,
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
        said: [`${message(signed ? "ranking.word" : "ranking.state")}: ${asked.token.text}`],
        of: {},
        csv: tableOf(effects, values),
        figure: (pointed) => html`<div class="results" @headscope-cell-lock=${open}>
          <ol aria-label=${message("ranking.list")}>
            ${list.map((effect) => renderHead(effect, most, signed))}
          </ol>
          ${map(pointed)}
        </div>`,
      },
    ];
  },
  styles: css`
    .pictures {
      grid-template-columns: minmax(0, 1fr);
    }

    .results {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr));
      gap: 12px 40px;
    }

    ol {
      display: grid;
      grid-template-columns: max-content minmax(40px, 1fr) max-content;
      align-content: start;
      gap: 2px 12px;
      margin: 0;
      padding: 0;
      list-style: none;
      font-variant-numeric: tabular-nums;
    }

    li,
    li button {
      display: grid;
      grid-column: 1 / -1;
      grid-template-columns: subgrid;
      align-items: center;
      text-align: left;
    }

    .track i {
      display: block;
      height: 8px;
      min-width: 1px;
      border-radius: 1px;
      background: var(--headscope-bar);
    }
  `,
});

/** What work on a text is about, whichever run of it is on the page; null while it is still being written. */
export function ofText(
  { model, run, edits, growing }: OnPage,
  ...others: unknown[]
): readonly unknown[] | null {
  if (!model || !run || growing) return null;
  const ids = (tokens: readonly Token[]): string => tokens.map(({ id }) => id).join();
  return [model, edits, ids(run.tokens), ids(run.targetTokens), ...others];
}

function wordAt(words: readonly AskedWord[], word: number): AskedWord {
  const found = words[Math.min(word, words.length - 1)];
  if (!found) throw new Error("no word");
  return found;
}

function wordsOf(words: readonly AskedWord[]): { value: number; label: string }[] {
  return words.map(({ token }, at) => ({
    value: at,
    label: `${at + 1} · ${isolated(tokenLabel(token))}`,
  }));
}

function renderHead({ head, value }: Effect, most: number, signed: boolean): TemplateResult {
  const open = ({ currentTarget }: Event): void => {
    if (currentTarget) patch(currentTarget, head);
  };
  return html`<li>
    <button @click=${open}>
      <span>${nameOf(head)}</span>
      <span class="track" aria-hidden="true"><i style=${styled({ width: `${most > 0 ? (Math.abs(value) / most) * 100 : 0}%` })}></i></span>
      <span>${signed ? formatSigned(value) : formatValue(value)}</span>
    </button>
  </li>`;
}

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

/** Every head that was measured, the one that counts most first. */
function tableOf(effects: readonly Effect[], values: string): Table {
  return {
    columns: [message("ranking.stack"), message("ranking.layer"), message("ranking.head"), values],
    rows: ranked(effects).map(({ head: { stack, layer, head }, value }) => [
      message(`stack.${stack}`),
      layer + 1,
      head + 1,
      value,
    ]),
  };
}

function nameOf({ stack, layer, head }: HeadRef): string {
  return message("edits.head", {
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
  });
}
