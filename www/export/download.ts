// From the pieces of a file to a file on the user's disk. Nothing leaves the page.

/** The page stays responsive while a file is put together. */
const PAUSE_AFTER_MILLIS = 24;
/** A browser may begin to read the file a moment after it was asked to. */
const REVOKE_AFTER_MILLIS = 60_000;
/** Of more than ten files a second, Chromium drops some without a word. */
const BETWEEN_FILES_MILLIS = 120;

const pause = (millis = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

export async function gather(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: string[] = [];
  let began = performance.now();
  for (const piece of pieces) {
    parts.push(piece);
    if (performance.now() - began < PAUSE_AFTER_MILLIS) continue;
    await pause();
    began = performance.now();
  }
  return new Blob(parts, { type });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Starts the browser's download of a file, after those before it; resolves once that has happened.
 */
export function download(file: Blob, name: string): Promise<void> {
  const started = last.then(() => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MILLIS);
  });
  last = started.catch(() => undefined).then(() => pause(BETWEEN_FILES_MILLIS));
  return started;
}
