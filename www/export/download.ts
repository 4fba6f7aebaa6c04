// From the pieces of a file to a file on the reader's disk. Nothing leaves the page.

/** Longer than this and the page would be felt to stand still. */
const PAUSE_AFTER_MILLIS = 24;
/** A browser may begin to read the file a moment after it was asked to. */
const REVOKE_AFTER_MILLIS = 60_000;
/** Of more than ten files a second, Chromium drops some without a word. */
const BETWEEN_FILES_MILLIS = 120;

/** Puts a file together, pausing now and then for the page. */
export async function gather(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: string[] = [];
  let began = performance.now();
  for (const piece of pieces) {
    parts.push(piece);
    if (performance.now() - began < PAUSE_AFTER_MILLIS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
  return new Blob(parts, { type });
}

/** Ends when the next download may start. */
let turn: Promise<unknown> = Promise.resolve();

/** Starts the browser's download of a file when its turn has come; resolves once that has happened. */
export function download(file: Blob, name: string): Promise<void> {
  const started = turn.then(() => start(file, name));
  turn = started
    .catch(() => undefined)
    .then(() => new Promise((resolve) => setTimeout(resolve, BETWEEN_FILES_MILLIS)));
  return started;
}

function start(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MILLIS);
}
