// The heads of a stack apart from the page: all of them in their places, or some in another order, at a size of their own.
import type { Palette, Tensor } from "../../data/index.js";
import { fitLabel } from "../../draw/labels.js";
import { paintLegend } from "../../draw/legend.js";
import { pixelsOf, rememberPixels } from "../../draw/pixels.js";
import type { Print } from "../../draw/print.js";
import { divergingRamp, sequentialRamp } from "../../draw/ramp.js";
import type { ColourScale } from "../../draw/scale.js";
import { labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { formatFixed, formatNumber, message } from "../../i18n/index.js";
import type { HeadDetail } from "../events.js";
import { cellImage, measurer } from "../matrix/canvas.js";
import type { RankedHead } from "./element.js";
import { FAINT, thumbnailScale } from "./thumbnail.js";
import type { WornScore } from "./worn.js";

export interface PrintedHeads {
  /** Shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  /** Null for all heads in their places. */
  order: readonly RankedHead[] | null;
  worn: readonly (readonly WornScore[])[] | null;
  silenced: readonly HeadDetail[];
  selected: HeadDetail | null;
  colours: Palette;
}

/** A head in the picture, and what stands below it. */
interface PlacedHead extends HeadDetail {
  x: number;
  y: number;
  words: readonly string[];
}

const SIDE = 72;
const BETWEEN = 10;
const TEXT = { size: 11, line: 14 };
/** Beside the rows and above the columns. */
const NUMBERS = 28;
const LISTED = 8;
const LEGEND = { width: 160, height: 8, row: 40 };
const SCORE_DIGITS = 2;
const LEAST_WIDTH = 420;

/** Null where the browser cannot draw, or where there is nothing to show. */
export function printGrid(
  { thumbnails, order, worn, silenced, selected, colours }: PrintedHeads,
  inks: Inks,
): Print | null {
  const [layers = 0, heads = 0, rows = 0, columns = 0] = thumbnails.shape;
  const cells = rows * columns;
  const placed = order
    ? listed(
        order.filter(({ layer, head }) => layer < layers && head < heads),
        worn,
      )
    : inPlaces(layers, heads, worn);
  const lines = placed.reduce((most, { words }) => Math.max(most, words.length), 0);
  const pitch = { x: SIDE + BETWEEN, y: SIDE + lines * TEXT.line + BETWEEN + 4 };
  const [left, top] = order ? [0, 0] : [NUMBERS, NUMBERS];
  const images = placed.map(({ layer, head }) => {
    const index = layer * heads + head;
    const data = thumbnails.data.subarray(index * cells, (index + 1) * cells);
    const scale = thumbnailScale(data, colours, inks.ground);
    return { scale, image: cellImage(data, scale, rows, columns) };
  });
  if (images.length === 0 || images.some(({ image }) => image === null)) return null;
  const kinds = [...new Set(images.map(({ scale }) => scale.kind))].sort().reverse();
  const across = placed.reduce((most, { x }) => Math.max(most, x + 1), 0);
  const down = placed.reduce((most, { y }) => Math.max(most, y + 1), 0);
  const end = top + down * pitch.y;
  const notes = [
    message(order ? "export.listed" : "export.ownScales"),
    ...(worn ? [message("grid.worn")] : []),
    ...(placed.some((one) =>
      silenced.some((other) => other.layer === one.layer && other.head === one.head),
    )
      ? [message("export.faint")]
      : []),
  ];
  const font = labelFont(inks, "normal", TEXT.size);
  const measure = measurer(font, TEXT.size);
  const legends = end + 4 + notes.length * (TEXT.line + 4) + 8;

  const paint = (brush: Brush): void => {
    brush.save();
    brush.direction = "ltr";
    brush.textBaseline = "middle";
    brush.font = font;
    if (!order) paintNumbers(brush);
    placed.forEach((one, index) => paintHead(brush, one, images[index]?.image ?? null));
    brush.textAlign = "left";
    brush.fillStyle = inks.muted;
    notes.forEach((note, index) =>
      brush.fillText(note, 0, end + 4 + (index + 0.5) * (TEXT.line + 4)),
    );
    brush.restore();
    kinds.forEach((kind, index) =>
      paintLegend(
        brush,
        {
          x: 1,
          y: legends + index * LEGEND.row,
          width: LEGEND.width,
          height: LEGEND.height,
          upright: false,
        },
        legendScale(kind, colours, inks),
        message("stage.weights"),
        inks,
      ),
    );
  };

  function paintNumbers(brush: Brush): void {
    brush.fillStyle = inks.muted;
    brush.textAlign = "center";
    for (let head = 0; head < heads; head++)
      brush.fillText(formatNumber(head + 1), left + head * pitch.x + SIDE / 2, top / 2);
    brush.textAlign = "left";
    for (let layer = 0; layer < layers; layer++)
      brush.fillText(formatNumber(layer + 1), 0, top + layer * pitch.y + SIDE / 2);
  }

  function paintHead(
    brush: Brush,
    { layer, head, x: column, y: row, words }: PlacedHead,
    image: OffscreenCanvas | null,
  ): void {
    const own = (one: HeadDetail | null): boolean => one?.layer === layer && one.head === head;
    const [x, y] = [left + column * pitch.x, top + row * pitch.y];
    const pixels = image && pixelsOf(image);
    if (!image || !pixels) return;
    rememberPixels(image, { ...pixels, amongMany: true });
    brush.save();
    brush.imageSmoothingEnabled = false;
    if (silenced.some(own)) brush.globalAlpha = FAINT;
    brush.drawImage(image, x, y, SIDE, SIDE);
    brush.restore();
    const chosen = own(selected);
    brush.strokeStyle = chosen ? inks.accent : inks.line;
    brush.lineWidth = chosen ? 2 : 1;
    brush.strokeRect(x - 1, y - 1, SIDE + 2, SIDE + 2);
    brush.textAlign = "center";
    words.forEach((word, line) => {
      brush.fillStyle = line === 0 ? inks.ink : inks.muted;
      brush.fillText(
        fitLabel(word, pitch.x - 4, measure),
        x + SIDE / 2,
        y + SIDE + 5 + (line + 0.5) * TEXT.line,
      );
    });
  }

  return {
    width: Math.max(
      LEAST_WIDTH,
      left + across * pitch.x - BETWEEN + 2,
      ...notes.map((note) => Math.ceil(measure(note))),
    ),
    height: legends + kinds.length * LEGEND.row,
    paint,
  };
}

function inPlaces(layers: number, heads: number, worn: PrintedHeads["worn"]): PlacedHead[] {
  return Array.from({ length: layers * heads }, (_, at) => {
    const [layer, head] = [Math.floor(at / heads), at % heads];
    return { layer, head, x: head, y: layer, words: wornWords(worn?.[layer]?.[head]) };
  });
}

function listed(order: readonly RankedHead[], worn: PrintedHeads["worn"]): PlacedHead[] {
  return order.map(({ layer, head, note }, at) => {
    const place = message("grid.place", { layer: layer + 1, head: head + 1 });
    return {
      layer,
      head,
      x: at % LISTED,
      y: Math.floor(at / LISTED),
      words: [place, ...wornWords(worn?.[layer]?.[head]), ...(note === "" ? [] : [note])],
    };
  });
}

/** The role that a head wears, and its score. */
function wornWords(worn: WornScore | undefined): string[] {
  if (!worn) return [];
  const { role, score } = worn;
  return [
    message(`role.${role}.short`),
    ...(score === null ? [] : [formatFixed(score, SCORE_DIGITS)]),
  ];
}

/** From nothing to whatever is the most in a head. */
function legendScale(kind: ColourScale["kind"], colours: Palette, { ground }: Inks): ColourScale {
  const low = kind === "diverging" ? -1 : 0;
  const ramp = kind === "diverging" ? divergingRamp(ground) : sequentialRamp(colours, ground);
  const words = (value: number): string =>
    value === 0 ? "0" : `${value < 0 ? "−" : ""}${message("export.itsMost")}`;
  return { kind, low, high: 1, extent: { min: low, max: 1, masked: 0 }, ramp, words };
}
