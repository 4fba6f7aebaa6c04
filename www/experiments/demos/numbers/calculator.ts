import { css, html, nothing, type TemplateResult } from "lit";
import { formatFixed, formatNumber, message } from "../../../i18n/index.js";
import type { Place } from "../../../elements/shared/grid-navigation.js";
import { shapeOf, type Rows } from "../../../state/index.js";
import { choice } from "../../../ui/choice.js";
import {
  arithmeticLine,
  overflowedAt,
  SHARED,
  shownOf,
  SYMBOLS,
  WORKED,
  type Answered,
  type WorkedName,
} from "../../calculator/arithmetic.js";
import { matrixButtons, numberText, symbols } from "../../calculator/matrix-text.js";
import "../../calculator/number-grid.js";
import "../../../kit/embed-buttons.js";
import { demo, type Pointed } from "../demo.js";
import { choice as choiceOf, number } from "../../../kit/fields.js";

const OF_WORDS: ReadonlySet<WorkedName> = new Set(["raw", "scores", "masked", "weights"]);
const WIDE = css`
  figcaption.inline {
    gap: 0 12px;
    margin-bottom: 4px;
  }
`;

/**
 * The demo of the worked example: all computed matrices of one head, and the arithmetic of the
 * hovered cell.
 */
export const worked = demo("worked", {
  fields: { digits: choiceOf("numbers.digits", [3, 8], 3, { asks: false }) },
  title: "numbers.worked.title",
  reads: ({ calculator }) => calculator ?? null,
  ask: (_, __, answered) => Promise.resolve(answered),
  summary: ({ worked: { heads, attention }, head, choose }) => {
    const label = message("numbers.head");
    const written = ([name, n]: [string, number]) => [name, formatNumber(n)] as const;
    const counts = Object.entries(attention).map(written);
    const places = heads.map((_, at) => String(at));
    const show = (at: string): string => String(Number(at) + 1);
    const row = choice(label, places, `${head}`, show, (at) => choose(Number(at)), "segments");
    return html`<div class="flow head inline">
      ${heads.length > 1 ? html`<label class="choice">${label} ${row}</label>` : nothing}
      <span class="small muted"
        >${message("numbers.worked.count", Object.fromEntries(counts))}</span
      >
    </div>`;
  },
  views: (answered, { digits }) => {
    const {
      inputs: { words },
      worked: found,
      head,
    } = answered;
    const figure = ({ cell, at, put }: Pointed): TemplateResult => {
      const matrix = WORKED.find((name) => name === at);
      const place = cell && matrix ? { matrix, row: cell.query, column: cell.key } : null;
      return html`<div class="flow inline">
          ${WORKED.map((name) => {
            const rows = shownOf(found, head)[name];
            if (!rows) return nothing;
            const isOfHead = found.heads.length > 1 && !SHARED.has(name);
            const file = isOfHead ? `${name}_head-${head + 1}` : name;
            const label = message(`numbers.worked.${name}`);
            const divisor = numberText(found.divisor, 3);
            // The cell stays when the pointer has left, so that its arithmetic can be read.
            const point = ({ detail }: CustomEvent<Place | null>): void => {
              if (detail) put({ cell: { query: detail.row, key: detail.column }, at: name });
            };
            return html`<figure>
              <figcaption class="inline baseline">
                <b>${symbols(message(`numbers.formula.${name}`, { divisor }))}</b>
                <span class="small muted">${label} · ${shapeOf(rows).join(" × ")}</span>
                ${matrixButtons(SYMBOLS[name], file, rows, words)}
              </figcaption>
              <headscope-number-grid
                ?weights=${name === "weights"}
                .rows=${rows}
                .rowNames=${words}
                .columnNames=${OF_WORDS.has(name) ? words : null}
                .label=${label}
                .digits=${digits}
                .highlighted=${name === matrix ? place : null}
                @headscope-grid-cell=${point}
              ></headscope-number-grid>
            </figure>`;
          })}
        </div>
        <div class="made apart" role="status">${arithmeticLine(answered, place, digits)}</div>`;
    };
    return [{ figure }];
  },
  styles: css`
    ${WIDE} .head {
      align-items: center;
      margin-bottom: 12px;
    }
    /*
     * Stays in sight while one goes through the matrices; it is a few lines high, so that nothing
     * moves.
     */
    .made {
      position: sticky;
      bottom: 0;
      z-index: 1;
      min-height: 52px;
      max-height: 120px;
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

const WAYS = ["plainSingle", "shiftedSingle", "plainDouble", "shiftedDouble"] as const;

/**
 * The demo of overflow: softmax with the maximum subtracted and without, in f32 and f64, on scores
 * with a growing factor.
 */
export const overflow = demo("overflow", {
  fields: {
    times: number(0, "numbers.overflow.times", {
      least: 0,
      most: 300,
      words: (place) => `× ${timesAt(place)}`,
    }),
  },
  title: "numbers.overflow.title",
  absent: ({ calculator }) =>
    calculator && overflowedAt(maskedOf(calculator), calculator.inputs.mask)
      ? message("numbers.overflow.unusable")
      : null,
  reads: ({ calculator }) =>
    calculator ? { scores: maskedOf(calculator), words: calculator.inputs.words } : null,
  ask: ({ times: place }, { core, signal }, { scores }) => {
    const times = timesAt(place);
    return core.ask("overflow", { scores: scores.map((row) => [...row]), times }, { signal });
  },
  summary: ({ largestSingle, largestDouble, fromSingle, fromDouble }) => {
    const largest = {
      single: formatFixed(largestSingle, 2),
      double: formatFixed(largestDouble, 2),
    };
    const from =
      fromSingle === null || fromDouble === null
        ? message("numbers.overflow.never")
        : message("numbers.overflow.from", {
            single: factorText(fromSingle),
            double: factorText(fromDouble),
          });
    return html`<p class="small muted note">${message("numbers.overflow.note", largest)}</p>
      <p class="note" role="status">${from}</p>`;
  },
  views: (found, _, { words }) => {
    const figure = WAYS.map((way) => {
      const { weights, infinite, infiniteSums: sums, notNumbers: nan } = found[way];
      const label = message(`numbers.overflow.${way}`);
      const key = infinite + sums + nan === 0 ? "fine" : "broken";
      return html`<figure data-way=${way}>
        <figcaption class="inline baseline">
          <b>${label}</b>
          <span class="small muted"
            >${message(`numbers.overflow.${key}`, { infinite, sums, nan })}</span
          >
          <headscope-embed-buttons class="figure" .heading=${label}></headscope-embed-buttons>
        </figcaption>
        <headscope-number-grid
          weights
          .rows=${weights}
          .rowNames=${words}
          .columnNames=${words}
          .label=${label}
        ></headscope-number-grid>
      </figure>`;
    });
    return [{ figure: html`<div class="flow inline">${figure}</div>` }];
  },
  styles: WIDE,
});

/** The factor of scores: a power of ten, in hundredths, in few digits. */
function timesAt(place: number): number {
  return Number((10 ** (place / 100)).toPrecision(3));
}

function maskedOf({ worked: { heads }, head }: Answered): Rows {
  return heads[head]?.masked ?? [];
}

/** The factor in at least four digits, so that 0.9958 is not shown as 1. */
function factorText(factor: number): string {
  return formatNumber(factor, Math.min(20, Math.max(2, 3 - Math.floor(Math.log10(factor)))));
}
