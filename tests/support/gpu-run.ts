// A run on a GPU that is not there, and what a page reads of its heads.
import { cellPixels } from "../../www/draw/pixels.js";
import { divergingScale, sequentialScale, type ColourScale } from "../../www/draw/scale.js";
import type { HeadRef, Painted, Stage, Tensor } from "../../www/data/index.js";
import type { Run } from "../../www/headscope.js";
import { joinWeights, pickCells } from "../../www/reduce/index.js";
import { DEFAULT_STATE, type State } from "../../www/state/index.js";
import { tokensOf, type HeadFigures, type PaintingWish } from "../../www/views/run/figures.js";
import { lensOf } from "../../www/views/run/looked.js";
import { readPaintedHead } from "../../www/views/run/painted-head.js";
import type { RowByRow } from "../../www/views/run/row-by-row.js";
import { FakeModel, FakeRun, marginalsOf } from "./fake-model.js";

type Asked = Parameters<Run["painted"]>[0];

export function scaleOf(stage: Stage, { data }: Tensor): ColourScale {
  return stage === "weights"
    ? sequentialScale(data, "blue", "light")
    : divergingScale(data, "light");
}

/** Paints as a GPU does: groups are joined first, and of several cells under a pixel the one farthest from 0 counts. */
export async function paintedOf(
  run: FakeRun,
  { ramp, region = null, stage = "weights", most, groups = null, ...which }: Asked,
): Promise<Painted> {
  const all = await run.attention({ ...which, stage });
  const join = stage === "weights" ? joinWeights : pickCells;
  const whole = groups ? join(all, groups.rows, groups.columns, groups.without) : all;
  const marginals = groups ? marginalsOf(whole) : await run.marginals({ ...which, stage });
  const [rows = 0, columns = 0] = whole.shape;
  const part = region ?? { query: 0, key: 0, rows, columns };
  const size = { rows: Math.min(part.rows, most), columns: Math.min(part.columns, most) };
  const under = (at: number, cells: number, pixels: number): number[] => {
    const from = Math.floor((at * cells) / pixels);
    return Array.from(
      { length: Math.floor(((at + 1) * cells) / pixels) - from },
      (_, more) => from + more,
    );
  };
  const cut = Float32Array.from({ length: size.rows * size.columns }, (_, at) => {
    const down = under(Math.floor(at / size.columns), part.rows, size.rows);
    const across = under(at % size.columns, part.columns, size.columns);
    const cells = down.flatMap((row) =>
      across.map((column) => whole.data[(part.query + row) * columns + part.key + column] ?? NaN),
    );
    return cells.reduce(
      (farthest, cell) =>
        Math.abs(cell) > Math.abs(farthest) || !Number.isFinite(farthest) ? cell : farthest,
      NaN,
    );
  });
  return { data: cellPixels(cut, { ...scaleOf(stage, whole), ramp }), ...size, marginals };
}

/** A run of which a first look has so few pixels on a side, as of a text with more tokens. */
export function longRun(run: FakeRun, pixels: number): FakeRun {
  run.painted = ({ most, ...asked }) =>
    paintedOf(run, { ...asked, most: most === 256 ? pixels : most });
  return run;
}

export function gpuRun(
  words = ["le", "chien", "mord", "un", "chat"],
  model = new FakeModel(),
): FakeRun {
  const text = "the old dog bites a man";
  const run = new FakeRun(model, model.tokenize(text), { text });
  run.write(words);
  run.painted = (asked) => paintedOf(run, asked);
  return run;
}

/** What a page wants painted that shows a stage, by token unless its State says otherwise. */
export function wishOf(stage: Stage, state: Partial<State> = {}, grows = false): PaintingWish {
  return {
    stage,
    lens: lensOf({
      ...DEFAULT_STATE,
      picture: "heatmap",
      unit: "token",
      specials: "shown",
      sink: "kept",
      ...state,
      stage,
    }),
    grows,
  };
}

export const never = (): void => {
  throw new Error("nothing was lost");
};

export function around(
  run: FakeRun,
  { stack }: HeadRef,
  lost: () => void = never,
  changed: () => void = () => undefined,
): Parameters<typeof readPaintedHead>[3] {
  return { tokens: () => tokensOf(run, stack), lost, changed };
}

export async function readPainted(
  run: FakeRun,
  head: HeadRef,
  wish = wishOf("weights"),
  lost?: () => void,
  changed?: () => void,
): Promise<HeadFigures & { painted: RowByRow }> {
  const figures = await readPaintedHead(run, head, wish, around(run, head, lost, changed));
  if (!figures?.painted) throw new Error("not painted");
  return { ...figures, painted: figures.painted };
}

/** A picture as a whole. */
export const asWhole = {
  colours: "blue",
  ground: "light",
  region: null,
  changed: () => undefined,
} as const;
