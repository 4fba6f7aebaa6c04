import { html, nothing, render } from "lit";
import { message } from "../i18n/index.js";

const TAG = "head-scope";

/** Fetches the explorer once the page has a place for it, now or later: three figures in an article do without. */
export function defineExplorerWhenWanted(): void {
  const wanted = (): boolean => document.querySelector(TAG) !== null;
  const notices = new Notices();
  const define = (): void => {
    notices.clear();
    import("../views/explorer/explorer.js").catch(() => notices.show(define));
  };
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

/** Words inside elements that are still nothing: once they are the explorer, it stands in front of all that was inside. */
class Notices {
  private readonly places = new Map<Element, HTMLElement>();

  /** Where there is no explorer yet, says that it could not be fetched. */
  show(again: () => void): void {
    for (const element of document.querySelectorAll(TAG)) {
      const place = this.places.get(element) ?? document.createElement("div");
      this.places.set(element, place);
      element.append(place);
      render(
        html`<p role="alert">${message("embed.unreached")}</p>
          <button @click=${again}>${message("embed.again")}</button>`,
        place,
      );
    }
  }

  clear(): void {
    for (const place of this.places.values()) {
      render(nothing, place);
      place.remove();
    }
  }
}
