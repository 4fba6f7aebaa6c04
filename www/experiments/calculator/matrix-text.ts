// Matrices of the calculator as text: numbers as they are shown and typed, files, and why a text
// cannot be read.
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

/**
 * How exactly the calculator shows numbers: as the figures do, or as far as the worked example is
 * known.
 */
export type Digits = 3 | 8;

/** Whole numbers plain, others with so many decimals; NaN by its name, for here it is a result. */
export function numberText(value: number, digits: Digits): string {
  if (Number.isNaN(value)) return "NaN";
  return formatFixed(value, Number.isInteger(value) || !Number.isFinite(value) ? 0 : digits);
}

/** A number as it is typed, to the last bit; minus is a real minus sign. */
export function typedText(value: number): string {
  return String(value).replace("Infinity", "∞").replace("-", "−");
}

/** A formula in which `W_Q` has its index below the line. */
export function symbols(formula: string): TemplateResult {
  return html`${formula.split(/(_[A-Z])/).map((part) => (part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part))}`;
}

export function refusalOf(thrown: unknown, most = LARGEST_SIDE): Refusal {
  if (!(thrown instanceof Unreadable)) return describeFailure(thrown);
  const { reason, found } = thrown;
  // A comma may part thousands as well as decimals.
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

/** What a zip archive begins with: NumPy's .npz and a spreadsheet's .xlsx are some. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** Reads a file, whatever it is called: what it begins with says what it is. */
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

/** A matrix as a file: with names of its rows in CSV, in double precision in .npy. */
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
