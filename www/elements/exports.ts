// Pictures for files of what the page shows as HTML, or in one picture with much else: heads,
// tokens, singular values.
import { HELD, type PairNumbers, type Palette, type Tensor, type Token } from "../data/index.js";
import { scaleOf, type ColourScale } from "../draw/colours.js";
import type { Rect } from "../draw/layout.js";
import { paintLegend } from "../draw/legend.js";
import { imagePixels, cellImage } from "../draw/matrix.js";
import { fitLabel, formatValue, measurer, writeLabel } from "../draw/text.js";
import { hatch, labelFont, Pen, type Brush, type Inks, type Print } from "../draw/theme.js";
import { formatFixed, formatNumber, message, formatPercent } from "../i18n/index.js";
import { wordsOf } from "../reduce/index.js";
import type { HeadDetail } from "./events.js";
import type { HeadscopeGrid } from "./grid/element.js";
import { FAINT, headsOf, isSameHead, thumbnailScale, type PlacedHead } from "./grid/thumbnail.js";
import { isMasked, chipLabel } from "./shared/templates.js";
import { barWidth, type SingularList } from "./spectrum.js";

/** The heads of a stack: all by layer and head, or some in another order. */
export type PrintedHeads = Pick<
  HeadscopeGrid,
  "order" | "roles" | "basis" | "selected" | "colours"
> & {
  /** The thumbnails, shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  ablated: readonly HeadDetail[];
  /** The numbers of the thumbnails, by default weights. */
  numbers?: PairNumbers;
};

const SIDE = 72;
const BETWEEN = 10;
const TEXT = { size: 11, line: 14 };
const NUMBERS = 28;
const LISTED = 8;
const LEGEND = { width: 160, height: 8, row: 40 };
const LEAST_WIDTH = 420;

/**
 * The picture of a grid of heads; null if the browser cannot draw, or if there is nothing to show.
 */
export function printGrid(
  {
    thumbnails,
    order,
    roles,
    basis,
    ablated,
    selected,
    colours,
    numbers = "weights",
  }: PrintedHeads,
  inks: Inks,
): Print | null {
  const title = message(`stage.${numbers}`);
  const [layers = 0, heads = 0, rows = 0, columns = 0] = thumbnails.shape;
  const cells = rows * columns;
  const across = order ? LISTED : heads;
  const [left, top] = order ? [0, 0] : [NUMBERS, NUMBERS];
  const picture = (at: PlacedHead) => {
    const { layer, head, note = "" } = at;
    const index = layer * heads + head;
    const data = thumbnails.data.subarray(index * cells, (index + 1) * cells);
    const scale = thumbnailScale(data, colours, inks.ground);
    const { role, score = null, second = null } = roles?.[layer]?.[head] ?? {};
    const words = [
      order ? message("grid.place", { layer: layer + 1, head: head + 1 }) : "",
      role ? message(`role.${role}.short`) : "",
      score === null ? "" : formatFixed(score, 2),
      second ? message(`role.${second.role}.short`) : "",
      note,
    ].filter((word) => word !== "");
    return {
      words,
      kind: scale.kind,
      image: cellImage({ data, shape: [rows, columns] }, scale),
      isAblated: ablated.some((one) => isSameHead(one, at)),
      isSelected: isSameHead(selected, at),
    };
  };
  const pictures = headsOf(thumbnails.shape, order).map(picture);
  if (pictures.length === 0 || pictures.some(({ image }) => image === null)) return null;
  const lines = Math.max(...pictures.map(({ words }) => words.length));
  const pitch = { x: SIDE + BETWEEN, y: SIDE + lines * TEXT.line + BETWEEN + 4 };
  const kinds = [...new Set(pictures.map(({ kind }) => kind))].sort().reverse();
  const end = top + Math.ceil(pictures.length / across) * pitch.y;
  const notes = [
    message(order ? "export.listed" : "export.ownScales"),
    ...(roles ? [message(`grid.roles.${basis}`)] : []),
    ...(pictures.some(({ isAblated }) => isAblated) ? [message("export.faint")] : []),
  ];
  const measure = measurer(labelFont(inks, "normal", TEXT.size));
  const legends = end + 4 + notes.length * (TEXT.line + 4) + 8;
  const paint = (brush: Brush): void => {
    const pen = new Pen(brush, inks);
    brush.save();
    pen.words(TEXT.size, inks.muted, "center");
    for (let head = 0; !order && head < heads; head++)
      brush.fillText(formatNumber(head + 1), left + head * pitch.x + SIDE / 2, top / 2);
    brush.textAlign = "left";
    for (let layer = 0; !order && layer < layers; layer++)
      brush.fillText(formatNumber(layer + 1), 0, top + layer * pitch.y + SIDE / 2);
    brush.textAlign = "center";
    pictures.forEach(({ image, words, isAblated, isSelected }, at) => {
      const x = left + (at % across) * pitch.x;
      const y = top + Math.floor(at / across) * pitch.y;
      const pixels = image && imagePixels.get(image);
      if (!image || !pixels) return;
      imagePixels.set(image, { ...pixels, amongMany: true });
      brush.save();
      brush.imageSmoothingEnabled = false;
      if (isAblated) brush.globalAlpha = FAINT;
      brush.drawImage(image, x, y, SIDE, SIDE);
      brush.restore();
      pen.line(isSelected ? inks.accent : inks.line, isSelected ? 2 : 1);
      pen.frame({ x, y, width: SIDE, height: SIDE }, 1);
      words.forEach((word, line) => {
        brush.fillStyle = line === 0 ? inks.ink : inks.muted;
        const below = y + SIDE + 5 + (line + 0.5) * TEXT.line;
        brush.fillText(fitLabel(word, pitch.x - 4, measure), x + SIDE / 2, below);
      });
    });
    pen.words(TEXT.size, inks.muted);
    for (const [at, note] of notes.entries())
      brush.fillText(note, 0, end + 4 + (at + 0.5) * (TEXT.line + 4));
    brush.restore();
    kinds.forEach((kind, index) => {
      const place = { ...LEGEND, x: 1, y: legends + index * LEGEND.row, upright: false };
      paintLegend(pen, place, legendScale(kind, colours, inks), title);
    });
  };
  const width = left + Math.min(across, pictures.length) * pitch.x - BETWEEN + 2;
  return {
    width: Math.max(LEAST_WIDTH, width, ...notes.map((note) => Math.ceil(measure(note)))),
    height: legends + kinds.length * LEGEND.row,
    paint,
  };
}

function legendScale(kind: ColourScale["kind"], colours: Palette, { ground }: Inks): ColourScale {
  const words = (value: number): string =>
    value === 0 ? "0" : `${value < 0 ? "−" : ""}${message("export.itsMost")}`;
  const signed = kind === "diverging";
  const data = Float32Array.of(signed ? -1 : 0, 1);
  return { ...scaleOf(data, signed ? "signed" : colours, ground), words };
}

// The picture of a text as its tokens: as wide as a page, and as high as the text needs.

const TOKENS_WIDTH = 640;
const SIZE = 13.5;
const CHIP = { height: 28, padding: 7, gap: 5, least: 20 };
const NAME = { size: 12, line: 22 };
const BETWEEN_ROWS = 16;
const GROUND_ALPHA = 0.45;
const SEAM = [1, 2];
const EDGE = [3, 3];

interface PlacedToken extends Rect {
  token: Token;
  label: string;
  joined: boolean;
}

type PrintedText = Readonly<{ name: string; tokens: readonly Token[] }>;

export function printTokens(texts: readonly PrintedText[], inks: Inks): Print | null {
  const measure = measurer(labelFont(inks, "normal", SIZE));
  let height = 0;
  const strips = texts.flatMap(({ name, tokens }) => {
    if (tokens.length === 0) return [];
    const chips = placeTokens(tokens, measure);
    const top = height;
    height += NAME.line + Math.max(...chips.map(({ y }) => y)) + CHIP.height + BETWEEN_ROWS;
    return [{ name, chips, top }];
  });
  const paint = (brush: Brush): void => {
    const pen = new Pen(brush, inks);
    for (const { name, chips, top } of strips) {
      brush.save();
      pen.words(NAME.size, inks.muted);
      brush.fillText(name, 0, top + NAME.size / 2);
      brush.translate(0, top + NAME.line);
      pen.words(SIZE, inks.ink, "center");
      for (const chip of chips) paintChip(pen, chip);
      brush.restore();
    }
  };
  return height === 0 ? null : { width: TOKENS_WIDTH, height: height - BETWEEN_ROWS, paint };
}

/**
 * Places the tokens in lines: the pieces of a word touch each other; a word that does not fit
 * begins a line, and one that is wider than a line is divided.
 */
function placeTokens(tokens: readonly Token[], measure: (text: string) => number): PlacedToken[] {
  const placed: PlacedToken[] = [];
  const { height, padding, gap, least } = CHIP;
  let x = 0;
  let y = 0;
  const makeRoom = (width: number): void => {
    if (x === 0 || x + width <= TOKENS_WIDTH) return;
    x = 0;
    y += height + gap;
  };
  for (const { indices } of wordsOf(tokens)) {
    const pieces = indices.flatMap((index) => {
      const token = tokens[index];
      if (!token) return [];
      const label = fitLabel(chipLabel(token), TOKENS_WIDTH - 2 * padding, measure);
      return [{ token, label, width: Math.max(least, Math.ceil(measure(label)) + 2 * padding) }];
    });
    makeRoom(pieces.reduce((sum, { width }) => sum + width, 0));
    pieces.forEach((piece, at) => {
      makeRoom(piece.width);
      placed.push({ ...piece, x, y, height, joined: at > 0 && x > 0 });
      x += piece.width;
    });
    x += gap;
  }
  return placed;
}

function paintChip(pen: Pen, { token, label, joined, ...chip }: PlacedToken): void {
  const { brush, inks } = pen;
  const { x, y, width, height } = chip;
  const { special, role } = token;
  const masked = isMasked(token);
  brush.globalAlpha = GROUND_ALPHA;
  if (!special) pen.fill(chip, inks.line);
  brush.globalAlpha = 1;
  if (masked) hatch(brush, [chip], inks.line);
  brush.save();
  if (special || role === "unknown") {
    brush.setLineDash(special ? EDGE : SEAM);
    pen.line(special ? inks.line : inks.muted, 1);
    pen.frame(chip, -0.5);
  }
  if (joined) {
    brush.setLineDash(SEAM);
    pen.line(inks.muted, 1);
    pen.segments([x, y, x, y + height]);
  }
  brush.restore();
  const middle = y + height / 2;
  brush.fillStyle = special ? inks.muted : inks.ink;
  writeLabel(brush, label, x + width / 2, middle);
  if (masked) brush.fillRect(x + CHIP.padding, middle, width - 2 * CHIP.padding, 1);
}

const SPECTRUM_WIDTH = 360;
const PLOT = { top: 18, height: 140 };
const SPECTRUM_TEXT = { size: 12, line: 18 };
/** The opacity of the bars beyond the rank, the same as on the page. */
const LEFT_ALPHA = 0.38;
type PrintedSpectrum = Pick<SingularList, "values" | "rank">;

export function printSpectrum({ values, rank }: PrintedSpectrum, inks: Inks): Print | null {
  const [largest = 0] = values;
  const count = values.length;
  if (count === 0) return null;
  const base = PLOT.top + PLOT.height;
  const { size, line } = SPECTRUM_TEXT;
  const width = SPECTRUM_WIDTH;
  const paint = (brush: Brush): void => {
    const pen = new Pen(brush, inks);
    brush.save();
    brush.fillStyle = inks.ink;
    values.forEach((value, at) => {
      const height = value > 0 && largest > 0 ? (value / largest) * PLOT.height : 0;
      brush.globalAlpha = at < rank ? 1 : LEFT_ALPHA;
      const x = (at / count) * width;
      brush.fillRect(x, base - height, (barWidth(count) / count) * width, height);
    });
    brush.globalAlpha = 1;
    pen.fill({ x: 0, y: base, width, height: 1 }, inks.muted);
    const below = base + line / 2 + 2;
    pen.words(size, inks.muted, "right");
    brush.fillText(formatValue(largest), width, size / 2);
    brush.textAlign = "left";
    brush.fillText("1", 0, below);
    brush.textAlign = "right";
    if (count > 1) brush.fillText(formatNumber(count), width, below);
    pen.words(size, inks.ink);
    const holds = message("spectrum.holds", { count, rank, share: formatPercent(HELD, 0) });
    brush.fillText(holds, 0, base + 1.5 * line + 4);
    brush.restore();
  };
  return { width, height: base + 2 * line + 6, paint };
}
