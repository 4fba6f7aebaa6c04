/**
 * The gallery: pictures that the page saves, from the golden files that tests compare with what it
 * saves now. Golden files lack fonts, so letters are in those of the reader.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = resolve(ROOT, "target/gallery");

/** The parts of the gallery: a golden file each, with its heading. */
const PARTS = {
  pictures: "What a head does",
  experiments: "What experiments show",
  positions: "How positions are encoded",
};

/** The pictures of the page that are not the heatmap, by the name of their case. */
const PICTURES = ["lines", "dimensions", "mask", "positions"];

/**
 * @typedef {object} Picture
 * @property {string} file its name in the gallery
 * @property {string} svg
 * @property {string} title
 * @property {string[]} words what it shows, a line each
 * @property {string} link the view of the page that it is of; empty where that is not one link
 */

/**
 * @typedef {object} Provenance what a saved picture says of itself
 * @property {string} model
 * @property {string} text
 * @property {string} stack
 * @property {{ number: number } | null} layer
 * @property {{ number: number } | null} head
 * @property {object} edits
 * @property {string} quantity
 */

/** Writes `gallery.md` with its pictures into target/gallery. */
export function writeGallery() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const text = [
    "# Gallery",
    "",
    "What “Export” in the explorer saves, as tests compare it: each picture is also a file of numbers. A picture with a link opens in the explorer.",
  ];
  for (const [name, heading] of Object.entries(PARTS)) {
    text.push("", `## ${heading}`);
    for (const { file, svg, title, words, link } of picturesIn(name)) {
      writeFileSync(resolve(FOLDER, file), svg);
      const open = link === "" ? "" : ` [Open it](${link})`;
      text.push("", `### ${title}`, "", `${words.join(" · ")}${open}`, "");
      text.push(`![${title}](${file})`);
    }
  }
  writeFileSync(resolve(FOLDER, "gallery.md"), `${text.join("\n")}\n`);
}

/**
 * The pictures in a golden file that are there as a whole and in English.
 *
 * @param {string} name
 * @returns {Picture[]}
 */
function picturesIn(name) {
  const golden = readFileSync(resolve(ROOT, `tests/golden/exports/${name}.txt`), "utf8");
  return golden.split(/^== /m).flatMap((section) => {
    const end = section.indexOf("\n");
    const path = section.slice(0, end);
    const svg = section.slice(end + 1).replace(/<style>.*?<\/style>\s*/s, "");
    // Images within a picture, and long pictures, are compared by less than all of them.
    const isWhole = !/image \d+ ×/.test(svg) && svg.trimEnd().endsWith("</svg>");
    if (!path.endsWith(".svg") || !isWhole || path.startsWith("chinese/")) return [];
    const [, title = ""] = /<title[^>]*>(.*?)<\/title>/s.exec(svg) ?? [];
    const [, description = ""] = /<desc[^>]*>(.*?)<\/desc>/s.exec(svg) ?? [];
    const words = description.split("\n").filter((line) => !line.startsWith("Headscope"));
    const [kind = ""] = path.split("/");
    return { file: path.replaceAll("/", "-"), svg, title, words, link: linkOf(kind, svg) };
  });
}

/**
 * The address of the page that shows a picture.
 *
 * @param {string} kind the name of its case
 * @param {string} svg
 */
function linkOf(kind, svg) {
  const [, metadata = "{}"] = /<metadata>(.*?)<\/metadata>/s.exec(svg) ?? [];
  const json = metadata.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const { model, text, stack, layer, head, edits, quantity } = /** @type {Provenance} */ (
    JSON.parse(json)
  );
  if (quantity !== "weights" && !PICTURES.includes(kind)) return "";
  const asked = new URLSearchParams({ v: "1", model: `models/${model}`, text, stack });
  if (layer !== null) asked.set("layer", `${layer.number}`);
  if (head !== null) asked.set("head", `${head.number}`);
  if (PICTURES.includes(kind)) asked.set("picture", kind);
  if (Object.keys(edits).length > 0) asked.set("edits", JSON.stringify(edits));
  return `explorer:#${asked}`;
}
