import { bindPage, languageFor } from "./explorer/page.js";
import { HeadscopeExplorer } from "./explorer/explorer.js";
import { loadLanguage } from "./i18n/index.js";
import { startServiceWorker } from "./offline/index.js";
import { decodeState } from "./state/index.js";
import { Explorer } from "./session/explorer.js";
import { fetchAhead } from "./session/first-picture.js";
import { loadGuides } from "./session/load-guides.js";

/** The model that a page of one file carries, which its loader puts here. */
const { headscopeModel: carried } = globalThis as {
  headscopeModel?: Parameters<Explorer["carry"]>[0];
};

function begin(): void {
  const explorer = new Explorer();
  if (carried) explorer.carry(carried);
  const view = Object.assign(new HeadscopeExplorer(explorer), { page: true });
  bindPage(explorer);
  // Replaces the text of index.html for browsers without scripts.
  document.querySelector(".fallback")?.replaceWith(view);
}

/**
 * The time that the page waits for the sentences of a language before it opens in English; it
 * changes when they arrive.
 */
const PATIENCE_MILLIS = 2000;

/**
 * The time that the page waits for the first picture, which was requested before the scripts: a
 * late one would move other parts.
 */
const PICTURE_PATIENCE_MILLIS = 300;

const { state } = decodeState(location.hash);

/** Resolves when a promise has settled, or after some time. */
function within(millis: number, coming: Promise<unknown>): Promise<unknown> {
  return Promise.race([coming, new Promise((resolve) => setTimeout(resolve, millis))]);
}

// The language must not change visibly while the page opens; one that cannot be loaded delays
// nothing.
Promise.all([
  within(PATIENCE_MILLIS, loadLanguage(languageFor(state))),
  // What cannot be fetched is reported by the page.
  state.tour !== null &&
    within(
      PATIENCE_MILLIS,
      loadGuides().catch(() => undefined),
    ),
  carried ?? within(PICTURE_PATIENCE_MILLIS, fetchAhead(state, document.baseURI)),
]).then(begin, begin);
startServiceWorker();
