// Numbers, texts and attributes as XML takes them.

/** Hundredths of a pixel are finer than any printer. */
const DECIMALS = 2;

/** A number of pixels in as few characters as it takes. */
export function short(value: number): string {
  return String(Number(value.toFixed(DECIMALS)) + 0);
}

/** What XML 1.0 forbids in any form: control characters and half characters. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as the content of an element or the value of an attribute. */
export function escaped(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** A text to be drawn: SVG would draw several spaces as one, and none at either end. */
export function drawn(text: string): string {
  return escaped(text.replace(/ (?= )|^ | $/g, "\u00A0"));
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element; an attribute that is undefined is left out, a number is a number of pixels. */
export function element(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined
      ? ""
      : ` ${key}="${typeof value === "number" ? short(value) : escaped(value)}"`,
  );
  return content === undefined
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${content}</${name}>`;
}
