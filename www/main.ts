import { bindPage, languageFor } from "./explorer/page.js";
import { HeadscopeExplorer } from "./explorer/explorer.js";
import { loadLanguage } from "./i18n/index.js";
import { startServiceWorker } from "./offline/index.js";
import { decodeState } from "./state/index.js";
import { Explorer } from "./session/explorer.js";
import { fetchAhead } from "./session/first-picture.js";

function begin(): void {
  const explorer = new Explorer();
  const view = Object.assign(new HeadscopeExplorer(explorer), { page: true });
  bindPage(explorer);
  // What index.html says when scripts cannot run has done its work.
  document.querySelector(".fallback")?.replaceWith(view);
}

/**
 * How long a visitor waits for the sentences of a language before the page opens in English, to
 * change when they come.
 */
const PATIENCE_MILLIS = 2000;

/**
 * How long for the first picture, which was asked for before the scripts: it would move what is
 * there already.
 */
const PICTURE_PATIENCE_MILLIS = 300;

const { state } = decodeState(location.hash);

/** Done when something is, or after some time. */
function within(millis: number, coming: Promise<unknown>): Promise<unknown> {
  return Promise.race([coming, new Promise((resolve) => setTimeout(resolve, millis))]);
}

// Nobody should see a page change its language while it opens; one that cannot be fetched holds
// nothing up.
Promise.all([
  within(PATIENCE_MILLIS, loadLanguage(languageFor(state))),
  within(PICTURE_PATIENCE_MILLIS, fetchAhead(state, document.baseURI)),
]).then(begin, begin);
startServiceWorker();
