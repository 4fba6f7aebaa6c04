// The cells of a matrix in an SVG: a rectangle each while they can be counted, else one image with a pixel each.
import type { CellPixels } from "../../draw/matrix.js";
import type { Rect } from "../../draw/layout.js";
import { base64 } from "../base64.js";
import { encodePng } from "../png.js";
import { element, short, type Attributes } from "./markup.js";

/** Beyond this a file of rectangles is slow to open. */
const MOST_RECTANGLES = 10_000;
const CHANNELS = 4;
const OPAQUE = 255;

/** A cell that shows nothing has no rectangle. */
export function cellsMarkup(
  pixels: CellPixels,
  place: Rect,
  smooth: boolean,
  attributes: Attributes,
): string | Promise<string> {
  if (pixels.columns * pixels.rows > MOST_RECTANGLES || pixels.amongMany || smooth)
    return imageMarkup(pixels, place, smooth, attributes);
  const [width, height] = [place.width / pixels.columns, place.height / pixels.rows].map(short);
  const cells: string[] = [];
  for (let index = 0; index < pixels.columns * pixels.rows; index++) {
    if (pixels.data[index * CHANNELS + CHANNELS - 1] !== OPAQUE) continue;
    const x = short(place.x + ((index % pixels.columns) * place.width) / pixels.columns);
    const y = short(place.y + (Math.floor(index / pixels.columns) * place.height) / pixels.rows);
    cells.push(
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${hexOf(pixels.data, index * CHANNELS)}"/>`,
    );
  }
  // Edges that are smoothed would leave hairlines between neighbours.
  return element(
    "g",
    { class: "cells", "shape-rendering": "crispEdges", ...attributes },
    cells.join(""),
  );
}

async function imageMarkup(
  pixels: CellPixels,
  place: Rect,
  smooth: boolean,
  attributes: Attributes,
): Promise<string> {
  const png = await encodePng(pixels.data, pixels.columns, pixels.rows);
  return element("image", {
    class: "cells",
    x: place.x,
    y: place.y,
    width: place.width,
    height: place.height,
    preserveAspectRatio: "none",
    "image-rendering": smooth ? undefined : "optimizeSpeed",
    style: smooth ? undefined : "image-rendering:pixelated",
    ...attributes,
    href: `data:image/png;base64,${base64(png)}`,
  });
}

function hexOf(data: Uint8ClampedArray, at: number): string {
  return `#${Array.from(data.subarray(at, at + 3), (channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
