import { startServiceWorker } from "./offline/index.js";
import "./views/explorer/explorer.js";

// What index.html says when scripts cannot run has done its work.
document.querySelector(".fallback")?.replaceWith(document.createElement("head-scope"));
startServiceWorker();
