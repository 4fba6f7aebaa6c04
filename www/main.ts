import { loadLanguage } from "./i18n/index.js";
import { startServiceWorker } from "./offline/index.js";
import { decodeState } from "./state/index.js";
import { languageFor } from "./views/appearance.js";
import "./views/explorer/explorer.js";

function begin(): void {
  // What index.html says when scripts cannot run has done its work.
  const explorer = document.createElement("head-scope");
  explorer.page = true;
  document.querySelector(".fallback")?.replaceWith(explorer);
}

// Nobody should see a page change its language while it opens; one that cannot be fetched holds nothing up.
loadLanguage(languageFor(decodeState(location.hash).state)).then(begin, begin);
startServiceWorker();
