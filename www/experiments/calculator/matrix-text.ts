// Matrices of the calculator as text: the shown and typed forms of numbers, files, and the reasons
// why a text cannot be read.
import { html, type TemplateResult } from "lit";
import { LARGEST_SIDE } from "../../data/index.js";
import { download } from "../../export/download.js";
import { npy, plainCsv } from "../../export/number-files.js";
import {
  isAmbiguous,
  readNpy,
  readTable,
  Unreadable,
  type ReadMatrix,
} from "../../export/read-matrix.js";
import { formatFixed, formatNumber, message } from "../../i18n/index.js";
import { shapeOf, type Rows } from "../../state/index.js";
import "../../kit/embed-buttons.js";
import { describeFailure, type Refusal } from "../../session/run/failures.js";

/** The digits of the calculator's numbers: those of the figures, or those of the worked example. */
export type Digits = 3 | 8;

/**
 * A number as text: a whole one plain, another with the given decimals; NaN by its name, since here
 * it is a result.
 */
export function numberText(value: number, digits: Digits): string {
  if (Number.isNaN(value)) return "NaN";
  return formatFixed(value, Number.isInteger(value) || !Number.isFinite(value) ? 0 : digits);
}

/** A number in the form of a typed text, to the last bit; minus is a real minus sign. */
export function typedText(value: number): string {
  return String(value).replace("Infinity", "∞").replace("-", "−");
}

/** A formula with subscripts, such as `W_Q`. */
export function symbols(formula: string): TemplateResult {
  return html`${formula.split(/(_[A-Z])/).map((part) => (part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part))}`;
}

export function refusalOf(thrown: unknown, most = LARGEST_SIDE): Refusal {
  if (!(thrown instanceof Unreadable)) return describeFailure(thrown);
  const { reason, found } = thrown;
  // A comma may separate thousands or decimals.
  const thousands = found.replace(",", "");
  const decimals = found.replace(",", ".");
  return {
    sentence: message(`numbers.unreadable.${reason}`, { found, most, thousands, decimals }),
    code: `numbers/${reason.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  };
}

export function cellRefusal(text: string, ofMask: boolean): Refusal {
  if (isAmbiguous(text)) return refusalOf(new Unreadable("ambiguous", text));
  const sentence = message(ofMask ? "numbers.noNumberInMask" : "numbers.noNumber", { text });
  return { sentence, code: "numbers/not-a-number" };
}

/** The first bytes of a zip archive, such as NumPy's .npz or a spreadsheet's .xlsx. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** Reads a matrix from a file, whose format is recognised by its first bytes. */
export async function readMatrix(file: File): Promise<ReadMatrix> {
  if (file.size > 1 << 20)
    throw new Unreadable("tooLarge", `${formatNumber(file.size / 1e6, 1)} MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (ZIP.every((byte, index) => bytes[index] === byte)) throw new Unreadable("archive", file.name);
  const binary = bytes[0] === 0x93 || file.name.toLowerCase().endsWith(".npy");
  return binary
    ? readNpy(bytes, LARGEST_SIDE)
    : readTable(new TextDecoder().decode(bytes), LARGEST_SIDE);
}

/** A matrix as a file: CSV with names of its rows, or .npy in double precision. */
export function matrixFile(
  rows: Rows,
  labels: readonly string[] | null,
  format: "csv" | "npy",
): Blob {
  if (format === "npy") {
    const file = npy({ data: Float64Array.from(rows.flat()), shape: shapeOf(rows) });
    return new Blob([file], { type: "application/octet-stream" });
  }
  const places = (rows[0] ?? []).map((_, column) => column + 1);
  const table = labels
    ? [["word\\dimension", ...places], ...rows.map((row, at) => [labels[at] ?? "", ...row])]
    : rows;
  return new Blob([plainCsv(table)], { type: "text/csv" });
}

export function matrixButtons(
  symbol: string,
  file: string,
  rows: Rows,
  labels: readonly string[] | null,
): TemplateResult {
  const save = (format: "csv" | "npy") => () =>
    void download(matrixFile(rows, labels, format), `headscope_calculator_${file}.${format}`);
  return html`${(["csv", "npy"] as const).map(
      (format) =>
        html`<button
          aria-label=${message("numbers.save", { name: symbol, format })}
          @click=${save(format)}
        >
          ${format === "csv" ? "CSV" : ".npy"}
        </button>`,
    )} <headscope-embed-buttons class="figure" .heading=${symbol}></headscope-embed-buttons>`;
}
