import { css, html } from "lit";
import type { DropoutMean, HeadCost, HeadRef } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { tokenLabels } from "../../elements/shared/templates.js";
import type { Run } from "../../headscope.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import { dropsOf } from "../../state/index.js";
import { demo, matrix, table, tensorOf, type View } from "./demo.js";

/** Draws whose mean is shown. */
const DRAWS = 1000;
/** A mean of more cells would take seconds. */
const MOST_CELLS = 60_000;
/** Below this a number is what f32 leaves of sums in another order. */
const ROUNDING = 1e-6;
const HEIGHT = 220;

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
    const { cost, head, dropped } = found;
    const { kind, pattern, output, untrained, implied } = cost;
    const place = { layer: head.layer + 1, head: head.head + 1 };
    const title = message("kindReport.title", { ...place, kind: message(`kind.${kind}`) });
    const columns = ["", message("kindReport.here"), message("kindReport.exact")];
    const counts = [
      ["operations", cost.operations, cost.exactOperations],
      ["bytes", cost.bytes, cost.exactBytes],
    ] as const;
    // It is exact attention itself.
    const isExact = [pattern, output].every(({ largest }) => largest < ROUNDING);
    const apart =
      kind === "softmax" && isExact
        ? null
        : html`<p class="small" role="status">${message("kindReport.pattern", departure(pattern))} ${message("kindReport.output", departure(output))}</p>`;
    return [
      {
        title,
        notes: [
          ...(untrained ? [message("kindReport.untrained")] : []),
          ...(implied ? [message(`kindReport.implied.${IMPLIED[kind] ?? "features"}`)] : []),
        ],
        name: "cost-of-kind",
        of: head,
        csv: {
          columns,
          rows: [
            ...counts.map(([what, ...both]) => [message(`kindReport.${what}`), ...both]),
            [message("saving.weightsApart"), pattern.largest, 0],
            [message("saving.outputApart"), output.largest, 0],
          ],
        },
        figure: table(
          title,
          counts.map(([key, here, exact]) => ({
            key,
            head: message(`kindReport.${key}`),
            cells: [
              formatNumber(here),
              formatNumber(exact),
              exact > 0 ? formatPercent(here / exact) : "–",
            ],
          })),
          [...columns, message("kindReport.ratio")],
        ),
        foot: html`${apart}
          <p class="small muted">${message("kindReport.counted")} ${apart && message("kindReport.inAll")}</p>`,
      },
      ...(dropped ? [droppedView(dropped, found)] : drops ? tooLong(found) : []),
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

function droppedView({ undropped, mean, kept, draws }: DropoutMean, found: Found): View {
  const [queries, keys] = found.shape;
  const own = undropped.map((weight, at) => (kept[at] === 0 ? NaN : weight * (kept[at] ?? 1)));
  const apart = mean.map((value, at) => Math.abs(value - (undropped[at] ?? 0)));
  // What was dropped adds nothing.
  const sumsOf = (values: readonly number[]): number[] =>
    Array.from({ length: queries }, (_, row) =>
      values
        .slice(row * keys, (row + 1) * keys)
        .reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0),
    );
  const pictures = [
    [own, message("kindReport.thisDraw")],
    [mean, message("kindReport.meanOf", { draws: formatNumber(draws) })],
    [undropped, message("kindReport.undropped")],
  ] as const;
  const counts = {
    draws: formatNumber(draws),
    furthest: formatValue(apart.reduce((most, one) => Math.max(most, one), 0)),
    least: formatValue(Math.min(...sumsOf(own))),
    most: formatValue(Math.max(...sumsOf(own))),
  };
  return {
    title: message("kindReport.dropout"),
    notes: [message("kindReport.dropoutHint"), message("kindReport.mean", counts)],
    name: "dropout",
    of: found.head,
    figure: html`<div class="three columns">${pictures.map(([numbers, values]) => {
      const tensor = tensorOf(numbers, keys);
      // The sum first: a long token gives way to it.
      const names = sumsOf(numbers).map(
        (sum, at) => `${formatValue(sum)} · ${found.rows[at] ?? ""}`,
      );
      const rows = { title: message("kindReport.rows"), names };
      const columns = { title: message("kindReport.columns"), names: found.columns };
      return html`<figure>${matrix({ tensor, values, height: HEIGHT, rows, columns })}</figure>`;
    })}</div>`,
  };
}

function tooLong({ shape: [queries, keys] }: Found): View[] {
  if (queries * keys <= MOST_CELLS) return [];
  const [draws, most, cells] = [DRAWS, MOST_CELLS, queries * keys].map((one) => formatNumber(one));
  const words = message("kindReport.tooLong", {
    draws: draws ?? "",
    most: most ?? "",
    cells: cells ?? "",
  });
  return [
    {
      title: message("kindReport.dropout"),
      figure: html`<p class="small muted" role="status">${words}</p>`,
    },
  ];
}

async function readReport(run: Run, head: HeadRef): Promise<Found> {
  const source = tokenLabels(run.tokens);
  const target = run.targetTokens.length > 0 ? tokenLabels(run.targetTokens) : source;
  const [cost, mask] = await Promise.all([run.headCost(head), run.mask(head)]);
  const [queries = 0, keys = 0] = mask.shape;
  const isLong = queries * keys > MOST_CELLS;
  const dropped = isLong ? null : await run.dropoutMean({ ...head, draws: DRAWS });
  return {
    head,
    cost,
    dropped: dropped && dropped.draws > 0 ? dropped : null,
    rows: head.stack === "encoder" ? source : target,
    columns: head.stack === "decoder" ? target : source,
    shape: [queries, keys],
  };
}

function departure({ largest, relative }: HeadCost["pattern"]) {
  return {
    largest: largest < ROUNDING ? message("kindReport.rounding") : formatValue(largest),
    relative: relative === null ? "–" : formatPercent(relative),
  };
}
