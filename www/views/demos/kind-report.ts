import { css, html, type TemplateResult } from "lit";
import type { DropoutMean, HeadCost, HeadRef } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { tokenLabels } from "../../elements/shared/templates.js";
import type { Run } from "../../headscope.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import { dropsOf } from "../../state/index.js";
import { matrix, table, tensorOf, UNLINKED } from "./figures.js";
import { demo, type View } from "./demo.js";

/** Draws whose mean is shown. */
const DRAWS = 1000;
/** A mean of more cells would take seconds. */
const MOST_CELLS = 60_000;
/** Below this a number is what f32 leaves of sums in another order. */
const ROUNDING = 1e-6;

/** What a pattern comes from that is no softmax over the keys. */
const IMPLIED: Partial<Record<HeadCost["kind"], "rank" | "segments">> = {
  "low-rank": "rank",
  linformer: "segments",
};

/** The answers about a head, which may be another than the chosen one until the next are read. */
interface Found {
  head: HeadRef;
  cost: HeadCost;
  /** Null where nothing is dropped, or where the text is too long. */
  dropped: DropoutMean | null;
  /** Labels of the queries and of the keys. */
  rows: readonly string[];
  columns: readonly string[];
  shape: readonly [number, number];
}

/** The cost of the chosen head beside exact attention, and how far its pattern and output are from that. */
export const kindReport = demo("kind", {
  // A thousand draws are too slow while the text is generated.
  waits: true,
  reads: ({ run, revision, head, edits }) =>
    run && head && edits ? { run, revision, ...head, drops: dropsOf(edits, head) } : null,
  failed: "kindReport.notRead",
  ask: (_, __, { run, stack, layer, head }) => readReport(run, { stack, layer, head }),
  views: (found, _, { drops }) => {
    const { cost, head } = found;
    const place = { layer: head.layer + 1, head: head.head + 1 };
    const title = message("kindReport.title", { ...place, kind: message(`kind.${cost.kind}`) });
    const exact = isExact(cost);
    const apart = [
      message("kindReport.pattern", departure(cost.pattern)),
      message("kindReport.output", departure(cost.output)),
    ];
    const count = (what: "operations" | "bytes", here: number, other: number) => ({
      key: what,
      head: message(`kindReport.${what}`),
      cells: [
        formatNumber(here),
        formatNumber(other),
        other > 0 ? formatPercent(here / other) : "–",
      ],
    });
    return [
      {
        title,
        notes: [
          ...(cost.untrained ? [message("kindReport.untrained")] : []),
          ...(cost.implied
            ? [message(`kindReport.implied.${IMPLIED[cost.kind] ?? "features"}`)]
            : []),
        ],
        name: "cost-of-kind",
        of: head,
        csv: {
          columns: ["", message("kindReport.here"), message("kindReport.exact")],
          rows: [
            [message("kindReport.operations"), cost.operations, cost.exactOperations],
            [message("kindReport.bytes"), cost.bytes, cost.exactBytes],
            [message("saving.weightsApart"), cost.pattern.largest, 0],
            [message("saving.outputApart"), cost.output.largest, 0],
          ],
        },
        figure: table(
          title,
          [
            count("operations", cost.operations, cost.exactOperations),
            count("bytes", cost.bytes, cost.exactBytes),
          ],
          [
            "",
            message("kindReport.here"),
            message("kindReport.exact"),
            message("kindReport.ratio"),
          ],
        ),
        foot: html`${exact ? "" : html`<p class="small" role="status">${apart.join(" ")}</p>`}
          <p class="small muted">${message("kindReport.counted")} ${exact ? "" : message("kindReport.inAll")}</p>`,
      },
      ...(found.dropped ? [droppedView(found.dropped, found)] : drops ? tooLong(found) : []),
    ];
  },
  styles: css`
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    .three {
      --_least: 240px;
      margin-top: 12px;
    }
  `,
});

function droppedView(dropped: DropoutMean, found: Found): View {
  const [queries, keys] = found.shape;
  const { undropped, mean, kept, draws } = dropped;
  const own = undropped.map((weight, at) => (kept[at] === 0 ? NaN : weight * (kept[at] ?? 1)));
  const furthest = mean.reduce(
    (largest, value, at) => Math.max(largest, Math.abs(value - (undropped[at] ?? 0))),
    0,
  );
  const sums = rowSums(own, queries);
  const picture = (values: readonly number[], title: string): TemplateResult =>
    html`<figure>${matrix({
      tensor: tensorOf(values, keys, ["query", "key"]),
      values: title,
      height: 220,
      rows: {
        title: message("kindReport.rows"),
        // The sum first: a long token gives way to it.
        names: rowSums(values, queries).map(
          (sum, query) => `${formatValue(sum)} · ${found.rows[query] ?? ""}`,
        ),
      },
      columns: { title: message("kindReport.columns"), names: found.columns },
    })(UNLINKED)}</figure>`;
  const pictures = html`<div class="three columns">
    ${picture(own, message("kindReport.thisDraw"))} ${picture(mean, message("kindReport.meanOf", { draws: formatNumber(draws) }))} ${picture(undropped, message("kindReport.undropped"))}
  </div>`;
  const counts = {
    draws: formatNumber(draws),
    furthest: formatValue(furthest),
    least: formatValue(Math.min(...sums)),
    most: formatValue(Math.max(...sums)),
  };
  return {
    title: message("kindReport.dropout"),
    notes: [message("kindReport.dropoutHint"), message("kindReport.mean", counts)],
    name: "dropout",
    of: found.head,
    figure: () => pictures,
  };
}

/** What a row adds up to; what was dropped adds nothing. */
function rowSums(values: readonly number[], rows: number): number[] {
  const keys = values.length / rows;
  return Array.from({ length: rows }, (_, row) =>
    values
      .slice(row * keys, (row + 1) * keys)
      .reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0),
  );
}

function tooLong({ shape: [queries, keys] }: Found): View[] {
  const cells = queries * keys;
  if (cells <= MOST_CELLS) return [];
  const counts = {
    draws: formatNumber(DRAWS),
    most: formatNumber(MOST_CELLS),
    cells: formatNumber(cells),
  };
  return [
    {
      title: message("kindReport.dropout"),
      figure: () =>
        html`<p class="small muted" role="status">${message("kindReport.tooLong", counts)}</p>`,
    },
  ];
}

/** Whether there is nothing to be compared with exact attention: it is that. */
function isExact({ kind, pattern, output }: HeadCost): boolean {
  return kind === "softmax" && pattern.largest < ROUNDING && output.largest < ROUNDING;
}

async function readReport(run: Run, head: HeadRef): Promise<Found> {
  const target = tokenLabels(run.targetTokens.length > 0 ? run.targetTokens : run.tokens);
  const source = tokenLabels(run.tokens);
  const [cost, { shape }] = await Promise.all([run.headCost(head), run.mask(head)]);
  const [queries = 0, keys = 0] = shape;
  const dropped =
    queries * keys <= MOST_CELLS ? await run.dropoutMean({ ...head, draws: DRAWS }) : null;
  return {
    head,
    cost,
    dropped: dropped && dropped.draws > 0 ? dropped : null,
    rows: head.stack === "encoder" ? source : target,
    columns: head.stack === "decoder" ? target : source,
    shape: [queries, keys],
  };
}

function departure({ largest, relative }: HeadCost["pattern"]): {
  largest: string;
  relative: string;
} {
  return {
    largest: largest < ROUNDING ? message("kindReport.rounding") : formatValue(largest),
    relative: relative === null ? "–" : formatPercent(relative),
  };
}
