// Colours and fonts of a canvas as the attributes of SVG, in the forms that every program reads.
import { color } from "d3-color";
import type { Attributes } from "./markup.js";

/** A colour, with its transparency in an attribute of its own. */
export function paintOf(property: "fill" | "stroke", style: unknown, alpha: number): Attributes {
  const named = typeof style === "string" ? style : "black";
  const known = color(named)?.rgb();
  const opacity = (known?.opacity ?? 1) * alpha;
  return {
    [property]: known ? known.copy({ opacity: 1 }).formatHex() : named,
    [`${property}-opacity`]: opacity === 1 ? undefined : String(Number(opacity.toFixed(3))),
  };
}

export interface Font {
  size: number;
  weight: string | undefined;
  style: string | undefined;
  family: string;
}

/** The parts of a canvas font such as `600 12.5px "Noto Sans", sans-serif`. */
export function fontOf(font: string): Font {
  const [, before = "", size = "10", family = "sans-serif"] =
    /^(.*?)([\d.]+)px\s+(.+)$/.exec(font) ?? [];
  return {
    size: Number(size),
    weight: /\b(bold|\d00)\b/.exec(before)?.[1],
    style: /\b(italic|oblique)\b/.exec(before)?.[1],
    family,
  };
}

/** Where a text hangs, as SVG names it: by the text's own direction, where a canvas means left and right. */
export function anchorOf(
  align: CanvasTextAlign,
  direction: CanvasDirection,
): "start" | "middle" | "end" {
  if (align === "center") return "middle";
  if (align === "start" || align === "end") return align;
  return (align === "left") === (direction === "rtl") ? "end" : "start";
}

/** How far below a canvas's baseline SVG's one lies in Noto Sans, in parts of the size: not every program knows the others. */
const DROP: Readonly<Record<CanvasTextBaseline, number>> = {
  alphabetic: 0,
  middle: 0.285,
  top: 0.785,
  hanging: 0.855,
  bottom: -0.215,
  ideographic: -0.12,
};

export function dropOf(baseline: CanvasTextBaseline, size: number): number {
  return DROP[baseline] * size;
}
