import { loadLanguage } from "./i18n/index.js";
import { startServiceWorker } from "./offline/index.js";
import { decodeState } from "./state/index.js";
import { languageFor } from "./views/appearance.js";
import "./views/explorer/explorer.js";

function begin(): void {
  // What index.html says when scripts cannot run has done its work.
  document.querySelector(".fallback")?.replaceWith(document.createElement("headscope-explorer"));
}

/** How long a visitor waits for the sentences of a language before the page opens in English, to change when they come. */
const PATIENCE_MILLIS = 2000;

// Nobody should see a page change its language while it opens; one that cannot be fetched holds nothing up.
const waited = new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLIS));
Promise.race([loadLanguage(languageFor(decodeState(location.hash).state)), waited]).then(begin, begin);
startServiceWorker();
