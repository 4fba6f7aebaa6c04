// Matrices of the workbench as files: CSV and .npy, in and out.
import { LARGEST_SIDE } from "../../../data/index.js";
import { npy } from "../../../export/number-files.js";

import { readNpy, readTable, Unreadable, type ReadMatrix } from "../../../export/read-matrix.js";
import { download } from "../../../export/download.js";

import { formatNumber } from "../../../i18n/index.js";
import { shapeOf, type Rows } from "../../../state/index.js";

export const MATRIX_FORMATS = ["csv", "npy"] as const;
export type MatrixFormat = (typeof MATRIX_FORMATS)[number];

/** More than any matrix takes that has room on the bench. */
const LARGEST_FILE_BYTES = 1 << 20;

/** What a zip archive begins with: NumPy's .npz and a spreadsheet's .xlsx are some. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** Reads a file, whatever it is called: what it begins with says what it is. */
export async function readMatrix(file: File): Promise<ReadMatrix> {
  if (file.size > LARGEST_FILE_BYTES)
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
  format: MatrixFormat,
): Blob {
  if (format === "npy")
    return new Blob([npy({ data: Float64Array.from(rows.flat()), shape: shapeOf(rows) })], {
      type: "application/octet-stream",
    });
  const lines = rows.map((row, index) =>
    [...(labels ? [quoted(labels[index] ?? "")] : []), ...row.map(String)].join(","),
  );
  const head = labels
    ? [["word\\dimension", ...(rows[0] ?? []).map((_, column) => column + 1)].join(",")]
    : [];
  return new Blob([`\uFEFF${[...head, ...lines].join("\r\n")}\r\n`], { type: "text/csv" });
}

export function saveMatrix(
  name: string,
  rows: Rows,
  labels: readonly string[] | null,
  format: MatrixFormat,
): Promise<void> {
  return download(matrixFile(rows, labels, format), `headscope_workbench_${name}.${format}`);
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
