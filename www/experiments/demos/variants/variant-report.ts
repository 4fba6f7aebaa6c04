import { html } from "lit";
import { type DropoutMean, type HeadCost, VARIANT_PARTS } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import { formatNumber, formatPercent, message } from "../../../i18n/index.js";
import { dropsOf } from "../../../state/experiment-edits.js";
import { tokensOf } from "../../../session/run/selection.js";
import { demo, matrix, table } from "../demo.js";
import { tensorOf } from "../../../kit/figure-data.js";
import { largest } from "../../../kit/study.js";

/** The number of draws whose mean is shown. */
const DRAWS = 1000;
/** The most cells of a mean: more would take seconds. */
const MOST_CELLS = 60_000;
/** The largest rounding error of sums in another order in f32. */
const ROUNDING = 1e-6;

/**
 * The demo of a variant: the cost of the chosen head beside exact attention, and the differences of
 * its pattern and output.
 */
export const variantReport = demo("variant", {
  // A thousand draws are too slow while the text is generated.
  waits: true,
  reads: ({ run, revision, head, edits }) =>
    run && head && edits ? { run, revision, ...head, drops: dropsOf(edits, head) } : null,
  failed: "variantReport.notRead",
  // The answers may be about the previously chosen head until the next are read.
  ask: async (_, __, { run, stack, layer, head: at }) => {
    const head = { stack, layer, head: at };
    const tokens = tokensOf(run, stack);
    const labels = [tokenLabels(tokens.queries), tokenLabels(tokens.keys)];
    const [cost, mask] = await Promise.all([run.headCost(head), run.mask(head)]);
    const [rows = [], columns = []] = mask.shape.map((length, axis) =>
      Array.from({ length }, (_one, at) => labels[axis]?.[at] ?? ""),
    );
    const isLong = rows.length * columns.length > MOST_CELLS;
    const dropped = isLong ? null : await run.dropoutMean({ ...head, draws: DRAWS });
    return { head, cost, dropped, rows, columns };
  },
  brief: ({ cost: { pattern, output, operations, exactOperations } }) => {
    const apart = { pattern, output };
    const errors = (["pattern", "output"] as const).flatMap((of) => {
      const { relative } = apart[of];
      const label = message(`variantReport.brief.${of}`);
      return relative === null
        ? []
        : [{ label, value: formatPercent(relative, 0), numbers: { [of]: relative } }];
    });
    if (exactOperations === 0) return errors;
    const label = message("variantReport.operations");
    const ratio = operations / exactOperations;
    return [...errors, { label, value: formatPercent(ratio, 0), numbers: { operations: ratio } }];
  },
  views: ({ head, cost, dropped, rows, columns }, _, { drops }) => {
    const { variant, pattern, output, untrained } = cost;
    const { weights } = VARIANT_PARTS[variant];
    const place = { layer: head.layer + 1, head: head.head + 1 };
    const title = message("variantReport.title", { ...place, kind: message(`variant.${variant}`) });
    const names = ["", message("variantReport.here"), message("variantReport.exact")];
    const counts = [
      ["operations", cost.operations, cost.exactOperations],
      ["bytes", cost.bytes, cost.exactBytes],
    ] as const;
    const share = (here: number, exact: number): string =>
      exact > 0 ? formatPercent(here / exact) : "–";
    // The variant is exact attention itself.
    const isExact = [pattern, output].every((one) => one.largest < ROUNDING);
    const apart =
      variant === "softmax" && isExact
        ? null
        : html`<p class="small" role="status">
            ${message("variantReport.pattern", departure(pattern))}
            ${message("variantReport.output", departure(output))}
          </p>`;
    const report = {
      title,
      notes: [
        ...(untrained ? [message("variantReport.untrained")] : []),
        ...(weights === "softmax" ? [] : [message(`variantReport.implied.${weights}`)]),
      ],
      name: "cost-of-variant",
      of: head,
      csv: {
        columns: names,
        rows: [
          ...counts.map(([what, ...both]) => [message(`variantReport.${what}`), ...both]),
          [message("saving.weightsApart"), pattern.largest, 0],
          [message("saving.outputApart"), output.largest, 0],
        ],
      },
      figure: table(
        title,
        counts.map(([key, here, exact]) => ({
          key,
          head: message(`variantReport.${key}`),
          cells: [formatNumber(here), formatNumber(exact), share(here, exact)],
        })),
        [...names, message("variantReport.ratio")],
      ),
      foot: html`${apart}
        <p class="small muted">
          ${message("variantReport.counted")} ${apart && message("variantReport.inAll")}
        </p>`,
    };
    if (dropped?.draws) return [[report, { ...droppedView(dropped, rows, columns), of: head }]];
    if (!drops || dropped) return [report];
    const draws = formatNumber(DRAWS);
    const most = formatNumber(MOST_CELLS);
    const words = { draws, most, cells: formatNumber(rows.length * columns.length) };
    const figure = html`<p class="small muted" role="status">
      ${message("variantReport.tooLong", words)}
    </p>`;
    return [[report, { title: message("variantReport.dropout"), figure }]];
  },
});

function droppedView(dropout: DropoutMean, queries: readonly string[], keys: readonly string[]) {
  const { undropped, mean, kept, draws } = dropout;
  const own = undropped.map((weight, at) => (kept[at] === 0 ? NaN : weight * (kept[at] ?? 1)));
  const apart = mean.map((value, at) => Math.abs(value - (undropped[at] ?? 0)));
  // A dropped weight adds nothing.
  const sumsOf = (values: readonly number[]): number[] =>
    queries.map((_, row) => {
      const weights = values.slice(row * keys.length, (row + 1) * keys.length);
      return weights.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0);
    });
  const count = formatNumber(draws);
  const pictures = [
    [own, message("variantReport.thisDraw")],
    [mean, message("variantReport.meanOf", { draws: count })],
    [undropped, message("variantReport.undropped")],
  ] as const;
  const counts = {
    draws: count,
    furthest: formatValue(largest(apart)),
    least: formatValue(Math.min(...sumsOf(own))),
    most: formatValue(Math.max(...sumsOf(own))),
  };
  return {
    title: message("variantReport.dropout"),
    notes: [message("variantReport.dropoutHint"), message("variantReport.mean", counts)],
    name: "dropout",
    figure: html`<div class="columns apart">
      ${pictures.map(([numbers, values]) => {
        const tensor = tensorOf(numbers, keys.length);
        // The sum comes first, so that a long token is cut instead.
        const names = sumsOf(numbers).map(
          (sum, at) => `${formatValue(sum)} · ${queries[at] ?? ""}`,
        );
        const rows = { title: message("variantReport.rows"), names };
        const columns = { title: message("variantReport.columns"), names: keys };
        return html`<figure>${matrix({ tensor, values, height: 220, rows, columns })}</figure>`;
      })}
    </div>`,
  };
}

function departure({ largest: most, relative }: HeadCost["pattern"]) {
  return {
    largest: most < ROUNDING ? message("variantReport.rounding") : formatValue(most),
    relative: relative === null ? "–" : formatPercent(relative),
  };
}
