/** A State as a file, which a page reads and writes on request alone. */
import { isRecord, jsonIn } from "../data/shape.js";
import { decodeJson, encodeJson } from "./json.js";
import { type Decoded, decodeFields, encodeFields, type Read } from "./link.js";
import { isOpened } from "./model-names.js";
import { FIELDS, type State, STATE_VERSION } from "./state.js";

/** The beginning of the names of models from a disk. */
const OPENED = "opened/";

/** The largest file of a State that is read or saved; it may have a photo. */
export const LARGEST_FILE_BYTES = 24_000_000;

/** The form of an image in the file of a State. */
const IMAGE_URL = /^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]+=*$/;

const OBJECTS: readonly string[] = [FIELDS.edits.name, FIELDS.numbers.name];

/**
 * A State as the text of a file: JSON, each field as in an address or as an object. `image` is the
 * image that the user chose, as a `data:` URL, which no address can hold.
 */
export function encodeFile(state: State, image: string | null = null): string {
  const { model } = state;
  const content = {
    headscope: STATE_VERSION,
    // Only its name: the files of the model stay with their owner.
    ...(isOpened(model) && { needs: model.slice(OPENED.length) }),
    state: fileOf(state),
    ...(image !== null && { image }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The fields of a State as a file has them. */
export function fileOf(state: State): Record<string, unknown> {
  const fields = encodeFields(state).map(([name, text]) => [
    name,
    OBJECTS.includes(name) ? decodeJson(text) : text,
  ]);
  return Object.fromEntries(fields) as Record<string, unknown>;
}

/** Fields as a file has them, to be read. */
export function fileFields(fields: Readonly<Record<string, unknown>>): Read[] {
  return Object.entries(fields).map(([name, value]) => {
    if (isRecord(value)) return [name, encodeJson(value)];
    return [name, typeof value === "string" ? value : undefined];
  });
}

/**
 * Reads the text of a State's file. An unknown or broken field keeps its default and is named, as
 * in an address.
 */
export function decodeFile(text: string): Decoded | "not-json" | "not-a-page" {
  const content = jsonIn(text);
  if (content === undefined) return "not-json";
  if (!isRecord(content) || typeof content.headscope !== "number" || !isRecord(content.state))
    return "not-a-page";
  const { needs, image } = content;
  const decoded = decodeFields(fileFields(content.state));
  const isImage = typeof image === "string" && IMAGE_URL.test(image);
  if (image !== undefined && !isImage) decoded.unread.push("image");
  return {
    ...decoded,
    newer: content.headscope > STATE_VERSION,
    ...(typeof needs === "string" && { needs: `${OPENED}${needs}` as const }),
    ...(isImage && { image }),
  };
}
