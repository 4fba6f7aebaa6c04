import { css, html, type TemplateResult } from "lit";
import {
  type At,
  type Cell,
  type ModelInfo,
  type PatchReceiver,
  type Stack,
  type Tensor,
} from "../../../data/index.js";
import { sendingLayers } from "../../../data/paths.js";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../draw/number-words.js";
import { tokenLabel } from "../../../elements/shared/templates.js";
import type { PatchCell, PatchGridOptions } from "../../../headscope.js";
import { message } from "../../../i18n/index.js";
import { NO_HEAD } from "../../../export/provenance.js";
import { named } from "../../../kit/fields.js";
import { placeNames, tensorOf } from "../../../kit/figure-data.js";
import type { ShownOf } from "../../../kit/save-figure.js";
import { nameOfReceiver } from "../../../session/edit-labels.js";
import { stacksOf } from "../../../session/run/selection.js";
import { receiverIn } from "../../patching/receiver.js";
import type { PatchTask } from "../../patching/text-pair.js";
import { demo, headList, matrix } from "../demo.js";

/*
 * Activation patching as a picture (Meng et al. 2022, section 2; Wang et al. 2022, section 3): of
 * each head, or of each position in each layer, the effect that its patch recovers of a target
 * (Zhang & Nanda 2024, section 2), cell by cell as `patchGrid` computes them; beside it the effects
 * that attribution patching estimates.
 */

/** A cell of the grid that the user chose, and the run that its patch belongs to. */
export interface ChosenPatch {
  at: At;
  direction: "denoise" | "noise";
  /** The end of a path; absent where the patch reaches all that follows. */
  to?: PatchReceiver;
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

/** The receiver of the paths of a grid; null where a patch reaches all that follows. */
function receiverOf(what: What, receiver: string): PatchReceiver | null {
  return what === "head" ? receiverIn(receiver) : null;
}

/** The number of layers of a grid: of a grid of paths those with a path to the receiver. */
function layersOf({ model: { info } }: PatchTask, stack: Stack, to: PatchReceiver | null): number {
  return to ? sendingLayers(info.stacks, stack, to) : (info.stacks[stack]?.layers ?? 0);
}

/** Whether a model has the head of a receiver, and heads of a stack a direct path to it. */
function isReached({ stacks }: ModelInfo, stack: Stack, to: PatchReceiver): boolean {
  const size = to === "logits" ? null : stacks[to.stack];
  const isThere = to === "logits" || (size && to.layer < size.layers && to.head < size.heads);
  return Boolean(isThere) && sendingLayers(stacks, stack, to) > 0;
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
    /** The end of paths, as `receiverIn` reads it; empty where a patch reaches all that follows. */
    receiver: { control: "text", opens: "", label: "patching.receiver", inView: true },
    estimated: { control: "flag", opens: false, label: "patching.estimated" },
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
  reads: ({ patches }, { what, stack, receiver }) => {
    if (!patches || what !== "head" || receiver === "") return patches ?? null;
    const to = receiverIn(receiver);
    if (to && isReached(patches.model.info, stack, to)) return patches;
    return message("patching.noPath", { receiver: to ? nameOfReceiver(to) : receiver });
  },
  fit: ({ model }, { what, receiver }) => {
    if (!model) return null;
    const stacks = stacksFor(model.info, what);
    const options = stacks.map((stack) => ({ value: stack, label: message(`stack.${stack}`) }));
    return {
      stack: { options, hidden: stacks.length < 2 },
      // Of paths there are no estimates.
      estimated: { hidden: receiverOf(what, receiver) !== null },
    };
  },
  work: {
    words: "patching",
    names: ({ what, stack, receiver }, task) => {
      const layers = layersOf(task, stack, receiverOf(what, receiver));
      return cellNames(layers * columnsOf(task, what, stack).length);
    },
  },
  ask: async (values, { step, show, signal }, task: PatchTask) => {
    const { what, direction, stack } = values;
    const { model, inputs, position, id, minus } = task;
    const receiver = receiverOf(what, values.receiver);
    const layers = layersOf(task, stack, receiver);
    const target = { id, position, ...(minus !== null && { minus }) };
    const names = cellNames(layers * columnsOf(task, what, stack).length);
    const cells: PatchCell[] = [];
    let rest: AsyncIterator<PatchCell> | null = null;
    // After a stop or a crash, the grid goes on behind the cells that are known.
    const next = async (start: number): Promise<PatchCell> => {
      const asked = { ...inputs, target, what, direction, stack, start, signal };
      const estimated = values.estimated && { estimated: true };
      const options = { ...asked, ...(receiver ? { receiver } : estimated) };
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
  views: (cells, values, task, { update }) => {
    const { what, direction, stack } = values;
    const receiver = receiverOf(what, values.receiver);
    const layers = layersOf(task, stack, receiver);
    const columns = columnsOf(task, what, stack);
    const recovered = message("patching.recovered");
    const estimated = message("patching.estimates");
    const ofHeads = isOfHeads(what);
    const isEstimated = cells.some((cell) => cell.estimated !== undefined);
    const numbersOf = (of: "recovered" | "estimated"): Tensor => {
      const numbers = Array.from({ length: layers * columns.length }, () => NaN);
      for (const cell of cells) {
        const { row, column } = placeOf(cell.at);
        numbers[row * columns.length + column] = cell[of] ?? NaN;
      }
      return tensorOf(numbers, columns.length, ["layer", ofHeads ? "head" : "position"]);
    };
    const [found, expected] = [numbersOf("recovered"), numbersOf("estimated")];
    const gridOf = (tensor: Tensor, values: string, beside: Tensor | null): TemplateResult =>
      matrix({
        tensor,
        values,
        signed: true,
        height: 130,
        beside,
        rows: { title: message("ranking.layer"), names: placeNames(layers) },
        columns: {
          title: message(ofHeads ? "ranking.head" : "figure.position"),
          names: columns,
        },
      });
    const grid = gridOf(found, recovered, isEstimated ? expected : null);
    const estimates = isEstimated
      ? html`<h3>${estimated}</h3>
          ${gridOf(expected, estimated, found)}
          <p class="small muted">${message("patching.estimates.hint")}</p>`
      : "";
    const choose = (event: CustomEvent<Cell | null>): void => {
      event.stopPropagation();
      const { query = -1, key = -1 } = event.detail ?? {};
      const cell = cells.find(({ at }) => {
        const { row, column } = placeOf(at);
        return row === query && column === key;
      });
      if (!cell) return;
      const detail: ChosenPatch = { at: cell.at, direction, ...(receiver && { to: receiver }) };
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
    const to = receiver && nameOfReceiver(receiver);
    const about = describe(cells, target, to);
    const hasEffect = cells.some(({ reason }) => reason === null);
    return [
      {
        heading: message("patching.title", { what: message(`patching.what.${what}`) }),
        name: `${receiver ? "paths" : "patches"} ${what} ${direction} ${target}`,
        lines: [
          message("patching.line.target", { target }),
          message("patching.line.clean", { text: texts.clean }),
          message("patching.line.corrupted", { text: texts.corrupted }),
          message(`patching.direction.${direction}.hint`),
          ...(to ? [message("patching.line.receiver", { receiver: to })] : []),
        ],
        of: originOf(task),
        csv: {
          columns: [
            message("ranking.stack"),
            message("ranking.layer"),
            message(ofHeads ? "ranking.head" : "figure.position"),
            target,
            recovered,
            ...(isEstimated ? [estimated] : []),
          ],
          rows: cells.map(({ at, value, recovered, estimated }) => {
            const { row, column } = placeOf(at);
            const place = [message(`stack.${stack}`), row + 1, column + 1];
            const estimate = isEstimated ? [estimated ?? NaN] : [];
            return [...place, value, recovered ?? NaN, ...estimate];
          }),
        },
        figure: html`<div class="results" @headscope-cell-lock=${choose}>
          ${hasEffect ? html`${grid} ${about}` : html`${about} ${grid}`} ${estimates}
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

/** The target in both texts, and what the numbers of the grid mean; `to` names a receiver. */
function describe(
  [cell]: readonly PatchCell[],
  target: string,
  to: string | null,
): TemplateResult | "" {
  if (!cell) return "";
  const ends = { clean: formatValue(cell.clean), corrupted: formatValue(cell.corrupted) };
  const words =
    cell.reason === null
      ? message(to === null ? "patching.ends" : "patching.ends.path", { target, ...ends })
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
