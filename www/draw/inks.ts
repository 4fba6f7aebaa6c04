/** Colours of single heads, and of words over a cell. */
import { bytesOf } from "./lab.js";
import { type Ground, CHANNELS, written } from "./colours.js";

/** The luminance with the same contrast to black and white (WCAG 2.2, "contrast ratio"). */
const MIDDLE_LUMINANCE = 0.179;

/** The text colour, black or white, for an entry of a ramp: the contrast is at least 4.5 to 1. */
export function rampInk(ramp: Uint8ClampedArray, step: number): "#000000" | "#ffffff" {
  const light = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const channels = ramp.subarray(step * CHANNELS, step * CHANNELS + 3);
  const [red = 0, green = 0, blue = 0] = Array.from(channels, light);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE_LUMINANCE ? "#000000" : "#ffffff";
}

const LIGHTNESS: Record<Ground, number> = { light: 46, dark: 70 };

const CHROMA = 58;

const FIRST_HUE = 285;

export function headHue(head: number, count: number, ground: Ground): string {
  const hue = (FIRST_HUE + (360 * head) / Math.max(1, count)) % 360;
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [CHROMA * Math.cos(angle), CHROMA * Math.sin(angle)];
  return written(bytesOf({ l: LIGHTNESS[ground], a, b }));
}
