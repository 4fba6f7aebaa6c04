/**
 * The fingerprints of files: the SHA-256 of the SHA-256s of a file's pieces, so that no file is in
 * memory as a whole.
 */
import { builtin } from "./in-node.js";
import { refuse } from "./errors.js";
import type { NamedFile } from "./protocol.js";
import type { ModelFile } from "./source.js";

/** The bytes of a piece. */
const PIECE = 1 << 22;

/**
 * The fingerprint of each file, by its name.
 * @throws load/no-hash on a page that a browser gives no SHA-256
 */
export async function fingerprintsOf(files: readonly NamedFile[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, file } of files) found[name] = await fingerprintOf(file);
  return found;
}

async function fingerprintOf(file: ModelFile): Promise<string> {
  const blob = typeof file === "string" ? await builtin("node:fs").openAsBlob(file) : file;
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < blob.size || from === 0; from += PIECE)
    pieces.push(await sha256(await blob.slice(from, from + PIECE).arrayBuffer()));
  const whole = await sha256(await new Blob(pieces as BlobPart[]).arrayBuffer());
  return Array.from(whole, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(bytes: ArrayBuffer): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>;
  if (!subtle) {
    const expected = "a page of https or of localhost, where browsers give SHA-256";
    throw refuse("load/no-hash", "the fingerprint of a file", expected, "another");
  }
  return new Uint8Array(await subtle.digest("SHA-256", bytes));
}
