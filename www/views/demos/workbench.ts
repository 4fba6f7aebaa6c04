import { css, html, nothing, type TemplateResult } from "lit";
import type { Operations, Overflow, Projections } from "../../data/index.js";
import { theLab } from "../../headscope.js";
import { formatFixed, formatNumber, message } from "../../i18n/index.js";
import type { Place } from "../../elements/shared/grid-navigation.js";
import { shapeOf, type Rows } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import {
  arithmeticLine,
  overflowedAt,
  SHARED,
  shownOf,
  SYMBOLS,
  WORKED,
  type Answered,
  type WorkedName,
} from "../bench/numbers/arithmetic.js";
import { matrixButtons, numberText, symbols } from "../bench/numbers/matrix-text.js";
import { measure, type ProjectionSize, type ProjectionTimes } from "../bench/numbers/stopwatch.js";
import "../bench/numbers/number-grid.js";
import "../parts/embed-buttons.js";
import type { Pointed } from "./figures.js";
import { table } from "./figures.js";
import { demo, type OnPage } from "./demo.js";
import type { Working } from "./study.js";

const OF_WORDS: ReadonlySet<WorkedName> = new Set(["raw", "scores", "masked", "weights"]);
const WIDE = css`
  .flow {
    align-items: start;
    gap: 16px 28px;
  }
  figure {
    max-width: 100%;
  }
  figcaption.inline {
    align-items: baseline;
    gap: 0 12px;
    margin-bottom: 4px;
  }
  figcaption button {
    min-width: 24px;
  }
`;

/** All that is computed of the inputs for one head, and the arithmetic of the hovered cell. */
export const worked = demo("worked", {
  title: "numbers.worked.title",
  reads: ({ workbench }) => workbench ?? null,
  ask: (_, __, answered) => Promise.resolve(answered),
  summary: ({ worked: found, head, choose }) => html`<div class="flow head inline">
      ${found.heads.length > 1 ? headChoice(found.heads.length, head, choose) : nothing}
      <span class="small muted">${message("numbers.worked.count", { multiplications: formatNumber(found.attention.multiplications), additions: formatNumber(found.attention.additions), divisions: formatNumber(found.attention.divisions), exponentials: formatNumber(found.attention.exponentials) })}</span>
    </div>`,
  views: (answered, { digits }) => {
    const shown = shownOf(answered.worked, answered.head);
    return [
      {
        figure: (pointed) =>
          html`<div class="flow inline">${WORKED.map((name) => matrixOf(name, shown[name], answered, digits, pointed))}</div>`,
      },
    ];
  },
  foot: (answered, { digits }, { pointed: { cell, at } }) => {
    const matrix = WORKED.find((name) => name === at);
    const place = cell && matrix ? { matrix, row: cell.query, column: cell.key } : null;
    return html`<div class="made" role="status">${arithmeticLine(answered, place, digits)}</div>`;
  },
  styles: css`
    ${WIDE} .head {
      align-items: center;
      margin-bottom: 12px;
    }
    /* Stays in sight while one goes through the matrices; it is a few lines high, so that nothing moves. */
    .made {
      position: sticky;
      bottom: 0;
      z-index: 1;
      min-height: 52px;
      max-height: 120px;
      margin-top: 12px;
      padding: 8px 0;
      overflow-y: auto;
      background: var(--_paper);
      border-top: 1px solid var(--_line);
    }
    .term {
      white-space: nowrap;
    }
  `,
});

function headChoice(count: number, head: number, choose: (head: number) => void): TemplateResult {
  const label = message("numbers.head");
  const row = choice({
    label,
    look: "segments",
    values: Array.from({ length: count }, (_, at) => String(at)),
    value: String(head),
    show: (at) => String(Number(at) + 1),
    choose: (at) => choose(Number(at)),
  });
  return html`<label class="choice">${label} ${row}</label>`;
}

function matrixOf(
  name: WorkedName,
  rows: Rows | undefined,
  { inputs: { words }, worked: found, head }: Answered,
  digits: 3 | 8,
  { cell, at, put }: Pointed,
): TemplateResult | typeof nothing {
  if (!rows) return nothing;
  const file = found.heads.length > 1 && !SHARED.has(name) ? `${name}_head-${head + 1}` : name;
  const label = message(`numbers.worked.${name}`);
  const formula = message(`numbers.formula.${name}`, { divisor: numberText(found.divisor, 3) });
  // The cell stays when the pointer has left, so that its arithmetic can be read in peace.
  const point = ({ detail }: CustomEvent<Place | null>): void => {
    if (detail) put({ cell: { query: detail.row, key: detail.column }, at: name });
  };
  return html`<figure>
    <figcaption class="inline"><b>${symbols(formula)}</b> <span class="small muted">${label} · ${shapeOf(rows).join(" × ")}</span>
      ${matrixButtons(SYMBOLS[name], file, rows, words)}
    </figcaption>
    <headscope-number-grid
      ?weights=${name === "weights"}
      .rows=${rows}
      .rowNames=${words}
      .columnNames=${OF_WORDS.has(name) ? words : null}
      .label=${label}
      .digits=${digits}
      .highlighted=${at === name && cell ? { row: cell.query, column: cell.key } : null}
      @headscope-grid-cell=${point}
    ></headscope-number-grid>
  </figure>`;
}

const WAYS = ["plainSingle", "shiftedSingle", "plainDouble", "shiftedDouble"] as const;

/** Softmax with the maximum subtracted and without, in f32 and f64, on scores that are multiplied until something breaks. */
export const overflow = demo("overflow", {
  title: "numbers.overflow.title",
  absent: ({ workbench }) =>
    workbench && overflowedAt(maskedOf(workbench), workbench.inputs.mask)
      ? message("numbers.overflow.unusable")
      : null,
  reads: ({ workbench }) =>
    workbench ? { scores: maskedOf(workbench), words: workbench.inputs.words } : null,
  ask: ({ times }, { lab, signal }, { scores }) =>
    lab.ask(
      "overflow",
      { scores: scores.map((row) => [...row]), times: factorAt(times) },
      { signal },
    ),
  summary: ({ largestSingle, largestDouble, fromSingle, fromDouble }) => {
    const [single, double] = [largestSingle, largestDouble].map((one) => formatFixed(one, 2));
    return html`<p class="small muted note">${message("numbers.overflow.note", { single: single ?? "", double: double ?? "" })}</p>
      <p class="note" role="status">${fromSingle === null || fromDouble === null ? message("numbers.overflow.never") : message("numbers.overflow.from", { single: factorText(fromSingle), double: factorText(fromDouble) })}</p>`;
  },
  views: (found, _, { words }) => [
    {
      figure: () =>
        html`<div class="flow inline">${WAYS.map((way) => wayOf(way, found[way], words))}</div>`,
    },
  ],
  styles: WIDE,
});

function maskedOf({ worked: { heads }, head }: Answered): Rows {
  return heads[head]?.masked ?? [];
}

/** What scores are multiplied by at a place of the slider, in few digits. */
export function factorAt(place: number): number {
  return Number((10 ** (place / 100)).toPrecision(3));
}

function wayOf(
  way: (typeof WAYS)[number],
  { weights, infinite, infiniteSums, notNumbers }: Overflow[typeof way],
  words: readonly string[],
): TemplateResult {
  const label = message(`numbers.overflow.${way}`);
  const fine = infinite + infiniteSums + notNumbers === 0;
  const counted = { infinite, sums: infiniteSums, nan: notNumbers };
  return html`<figure data-way=${way}>
    <figcaption class="inline"><b>${label}</b> <span class="small muted">${message(fine ? "numbers.overflow.fine" : "numbers.overflow.broken", counted)}</span> <headscope-embed-buttons class="figure" .heading=${label}></headscope-embed-buttons></figcaption>
    <headscope-number-grid weights .rows=${weights} .rowNames=${words} .columnNames=${words} .label=${label}></headscope-number-grid>
  </figure>`;
}

/** In four digits at least, so that 0.9958 is not said to be 1. */
function factorText(factor: number): string {
  return formatNumber(factor, Math.min(20, Math.max(2, 3 - Math.floor(Math.log10(factor)))));
}

/** The sizes of the first Transformer: 64 words of 512 numbers, 8 heads of 64. */
const PAPER: ProjectionSize = { words: 64, modelDim: 512, width: 512, nHeads: 8 };

/** h small projections beside one wide one that is dealt out: the same numbers, the same operations, and the time of both. */
export const projection = demo("projection", {
  title: "numbers.projection.title",
  intro: ({ workbench }, { at }) => {
    const { words, modelDim, width, nHeads } = sizeOf(workbench, at);
    const shape = { words, inner: modelDim, width, heads: nHeads, own: width / nHeads };
    return html`${message("numbers.projection.note", shape)} ${workbench && at === "own" ? html`<br>${sameOf(workbench.worked.projections)}` : nothing}`;
  },
  reads: ({ workbench }, { at }) => sizeOf(workbench, at),
  work: {
    words: "measure",
    about: ({ workbench }, { at }) => Object.values(sizeOf(workbench, at)),
    names: () => ["times"],
    run: async (_, size, { step, show }: Working<ProjectionTimes>) =>
      show(
        await step("times", async (signal) => measure(await theLab(), size, undefined, signal)),
        1,
      ),
  },
  views: ({ ways, repeats, rounds, overlap }, _, size) => [
    {
      figure: table(
        message("numbers.projection.title"),
        (["split", "wide"] as const).map((way) => ({
          key: way,
          head: message(`numbers.projection.${way}`, { heads: size.nHeads }),
          cells: [
            formatNumber(ways[way].operations.multiplications),
            formatNumber(ways[way].operations.additions),
            timeText(ways[way].micros),
          ],
        })),
        [
          "",
          message("numbers.projection.multiplications"),
          message("numbers.projection.additions"),
          message("numbers.projection.time"),
        ],
      ),
      foot: html`<p class="small muted">${message("numbers.projection.measured", { rounds, repeats })} ${message(ways.wide.check === ways.split.check ? "numbers.projection.checked" : "numbers.projection.unchecked")} ${overlap ? message("numbers.projection.overlap") : nothing}</p>`,
    },
  ],
});

function sizeOf(workbench: OnPage["workbench"], at: "own" | "paper"): ProjectionSize {
  if (!workbench || at === "paper") return PAPER;
  const { x, query, heads } = workbench.inputs;
  return { words: x.length, modelDim: shapeOf(x)[1], width: shapeOf(query)[1], nHeads: heads };
}

function sameOf({ different, compared, wide, split }: Projections): string {
  const total = ({ multiplications, additions }: Operations): string =>
    formatNumber(multiplications + additions);
  const same = different === 0 ? "numbers.projection.same" : "numbers.projection.different";
  return `${message(same, { count: compared, different })} ${message("numbers.projection.operations", { wide: total(wide), split: total(split) })}`;
}

/** In so many digits that no time is said to be none; a clock that does not show it says nothing. */
function timeText(micros: number): string {
  if (micros === 0) return "–";
  const digits = micros < 10 ? Math.min(8, Math.max(2, Math.ceil(-Math.log10(micros)) + 1)) : 0;
  return `${formatFixed(micros, digits)} µs`;
}
