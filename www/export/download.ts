/**
 * The time after which an object URL is revoked: a browser may read the file a moment after the
 * click.
 */
const REVOKE_AFTER_MILLIS = 60_000;
/**
 * The least time between two downloads: Chromium silently drops some of more than ten files a
 * second.
 */
const BETWEEN_FILES_MILLIS = 120;

export const pause = (millis = 0): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));

let last: Promise<unknown> = Promise.resolve();

/** Starts the browser's download of a file, after earlier ones; resolves once it has started. */
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
