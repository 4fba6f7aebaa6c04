import { css, html, type TemplateResult } from "lit";
import type { At, Cell, ModelInfo, Stack } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../elements/matrices.js";
import { tokenLabel } from "../../../elements/shared/templates.js";
import type { PatchCell, PatchGridOptions } from "../../../headscope.js";
import { message } from "../../../i18n/index.js";
import { NO_HEAD } from "../../../export/provenance.js";
import { named } from "../../../kit/fields.js";
import { placeNames, tensorOf } from "../../../kit/figure-data.js";
import type { ShownOf } from "../../../kit/save-figure.js";
import { stacksOf } from "../../../session/run/selection.js";
import type { PatchTask } from "../../patching/text-pair.js";
import { demo, headList, matrix } from "../demo.js";

/*
 * Activation patching as a picture (Meng et al. 2022, section 2; Wang et al. 2022, section 3): of
 * each head, or of each position in each layer, the effect that its patch recovers of a target
 * (Zhang & Nanda 2024, section 2), cell by cell as `patchGrid` computes them.
 */

/** A cell of the grid that the user chose, and the run that its patch belongs to. */
export interface ChosenPatch {
  at: At;
  direction: "denoise" | "noise";
}

declare global {
  interface HTMLElementEventMap {
    "headscope-patch-choose": CustomEvent<ChosenPatch>;
  }
}

type What = PatchGridOptions["what"];

/** The cells that are listed beside the grid. */
const LISTED = 8;

const KINDS = ["head", "pattern", "values", "feed-forward", "residual"] as const;

const isOfHeads = (what: What): boolean => !["feed-forward", "residual"].includes(what);

/** The stacks of which a kind of patch has cells. */
function stacksFor(info: ModelInfo, what: What): Stack[] {
  return stacksOf(info).filter((stack) => isOfHeads(what) || stack !== "cross");
}

/** The names of the columns of a grid: heads, or the tokens of the stack's text. */
function columnsOf(
  { model: { info }, tokens, targetTokens }: PatchTask,
  what: What,
  stack: Stack,
): string[] {
  if (isOfHeads(what)) return placeNames(info.stacks[stack]?.heads ?? 0);
  return (stack === "encoder" ? tokens : targetTokens).map(tokenLabel);
}

/** A cell's row and column in the picture. */
function placeOf({ layer, head, positions }: At): { row: number; column: number } {
  return { row: layer, column: head ?? positions?.[0] ?? 0 };
}

export const patching = demo("patching", {
  fields: {
    what: named("patching.what", "patching.kind", KINDS, "head", { list: true }),
    direction: named("patching.direction", "patching.direction", ["denoise", "noise"], "denoise", {
      list: true,
    }),
    stack: named("stack", "patching.stack", ["encoder", "decoder", "cross"], "encoder", {
      list: true,
    }),
    /** Which of both texts the sentence of the page is. */
    sentence: { control: "choice", opens: "clean", options: ["clean", "corrupted"], asks: false },
    /** Whether the target is a difference of two logits or one log-probability. */
    measure: {
      control: "choice",
      opens: "difference",
      options: ["difference", "probability"],
      asks: false,
    },
  },
  reads: ({ patches }) => patches ?? null,
  fit: ({ model }, { what }) => {
    if (!model) return null;
    const stacks = stacksFor(model.info, what);
    const options = stacks.map((stack) => ({ value: stack, label: message(`stack.${stack}`) }));
    return { stack: { options, hidden: stacks.length < 2 } };
  },
  work: {
    words: "patching",
    names: ({ what, stack }, task) => {
      const { layers = 0 } = task.model.info.stacks[stack] ?? {};
      return cellNames(layers * columnsOf(task, what, stack).length);
    },
  },
  ask: async ({ what, direction, stack }, { step, show, signal }, task: PatchTask) => {
    const { model, inputs, position, id, minus } = task;
    const { layers = 0 } = model.info.stacks[stack] ?? {};
    const target = { id, position, ...(minus !== null && { minus }) };
    const names = cellNames(layers * columnsOf(task, what, stack).length);
    const cells: PatchCell[] = [];
    let rest: AsyncIterator<PatchCell> | null = null;
    // After a stop or a crash, the grid goes on behind the cells that are known.
    const next = async (start: number): Promise<PatchCell> => {
      const options = { ...inputs, target, what, direction, stack, start, signal };
      rest ??= model.patchGrid(options)[Symbol.asyncIterator]();
      const found = await rest.next();
      if (found.done === true) throw new Error("A grid has as many cells as its picture.");
      return found.value;
    };
    try {
      for (const [index, name] of names.entries()) {
        cells.push(await step(name, () => next(index)));
        show([...cells], cells.length);
      }
    } finally {
      await (rest as AsyncIterator<PatchCell> | null)?.return?.();
    }
    return cells;
  },
  brief: (cells, { what }) =>
    strongest(cells)
      .slice(0, 3)
      .map(({ at, recovered }) => ({
        label: nameOfCell(at, what),
        value: formatSigned(recovered ?? NaN),
      })),
  views: (cells, { what, direction, stack }, task, { update }) => {
    const { layers = 0 } = task.model.info.stacks[stack] ?? {};
    const columns = columnsOf(task, what, stack);
    const numbers = Array.from({ length: layers * columns.length }, () => NaN);
    for (const { at, recovered } of cells) {
      const { row, column } = placeOf(at);
      numbers[row * columns.length + column] = recovered ?? NaN;
    }
    const values = message("patching.recovered");
    const ofHeads = isOfHeads(what);
    const grid = matrix({
      tensor: tensorOf(numbers, columns.length, ["layer", ofHeads ? "head" : "position"]),
      values,
      signed: true,
      height: 130,
      rows: { title: message("ranking.layer"), names: placeNames(layers) },
      columns: {
        title: message(ofHeads ? "ranking.head" : "figure.position"),
        names: columns,
      },
    });
    const choose = (event: CustomEvent<Cell | null>): void => {
      event.stopPropagation();
      const { query = -1, key = -1 } = event.detail ?? {};
      const cell = cells.find(({ at }) => {
        const { row, column } = placeOf(at);
        return row === query && column === key;
      });
      if (!cell) return;
      const detail: ChosenPatch = { at: cell.at, direction };
      event.currentTarget?.dispatchEvent(
        new CustomEvent("headscope-patch-choose", { detail, bubbles: true, composed: true }),
      );
    };
    const listed = ofHeads ? strongest(cells).slice(0, LISTED) : [];
    const most = Math.max(0, ...listed.map(({ recovered }) => Math.abs(recovered ?? 0)));
    const list = listed.flatMap(({ at, recovered }) => {
      const { layer, head } = at;
      if (head === undefined || recovered === null) return [];
      const share = most > 0 ? recovered / most : 0;
      const value = formatSigned(recovered);
      return [
        { head: { stack, layer, head }, name: nameOfCell(at, what), value, raw: recovered, share },
      ];
    });
    const { texts, target } = task;
    return [
      {
        heading: message("patching.title", { what: message(`patching.what.${what}`) }),
        name: `patches ${what} ${direction} ${target}`,
        lines: [
          message("patching.line.target", { target }),
          message("patching.line.clean", { text: texts.clean }),
          message("patching.line.corrupted", { text: texts.corrupted }),
          message(`patching.direction.${direction}.hint`),
        ],
        of: originOf(task),
        csv: {
          columns: [
            message("ranking.stack"),
            message("ranking.layer"),
            message(ofHeads ? "ranking.head" : "figure.position"),
            target,
            values,
          ],
          rows: cells.map(({ at, value, recovered }) => {
            const { row, column } = placeOf(at);
            return [message(`stack.${stack}`), row + 1, column + 1, value, recovered ?? NaN];
          }),
        },
        figure: html`<div class="results" @headscope-cell-lock=${choose}>
          ${grid} ${describe(cells, target)}
          ${list.length > 0 ? headList(message("patching.strongest"), list, update) : ""}
        </div>`,
      },
    ];
  },
  styles: css`
    .results > * + * {
      margin-top: 8px;
    }
  `,
});

/** The target in both texts, and what the numbers of the grid mean. */
function describe([cell]: readonly PatchCell[], target: string): TemplateResult | "" {
  if (!cell) return "";
  const ends = { clean: formatValue(cell.clean), corrupted: formatValue(cell.corrupted) };
  const words =
    cell.reason === null
      ? message("patching.ends", { target, ...ends })
      : message("patching.undefined", { target, value: ends.clean });
  return html`<p class="small muted">${words}</p>`;
}

/** Where the numbers come from: both texts with their edits, without the patches of the page. */
function originOf({ folder, inputs, texts, masked, translation }: PatchTask): ShownOf {
  const { edits = {} } = inputs.clean;
  const reading = { target: translation, masked, edits };
  return {
    text: texts.clean,
    ...reading,
    compared: { ...NO_HEAD, model: folder, text: texts.corrupted, ...reading },
    aligned: "positions",
  };
}

/** The names of the steps of a grid, in the order in which they are computed. */
function cellNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `cell ${index}`);
}

/** The cells that recover most, whatever the sign. */
function strongest(cells: readonly PatchCell[]): PatchCell[] {
  const size = ({ recovered }: PatchCell): number => Math.abs(recovered ?? 0);
  return cells
    .filter(({ recovered }) => recovered !== null)
    .sort((one, other) => size(other) - size(one));
}

function nameOfCell({ layer, head, positions }: At, what: What): string {
  if (isOfHeads(what)) return `${layer + 1}.${(head ?? 0) + 1}`;
  return message("patching.place", { layer: layer + 1, position: (positions?.[0] ?? 0) + 1 });
}
