const TAG = "head-scope";

/** Fetches the explorer once the page has a place for it, now or later: three figures in an article do without. */
export function defineExplorerWhenWanted(): void {
  const wanted = (): boolean => document.querySelector(TAG) !== null;
  const define = (): void => void import("../views/explorer/explorer.js");
  if (wanted()) {
    define();
    return;
  }
  const observer = new MutationObserver(() => {
    if (!wanted()) return;
    observer.disconnect();
    define();
  });
  observer.observe(document, { childList: true, subtree: true });
}
