import { startServiceWorker } from "./offline/index.js";
import "./views/explorer/explorer.js";

// What index.html says when scripts cannot run has done its work.
const explorer = document.createElement("head-scope");
explorer.page = true;
document.querySelector(".fallback")?.replaceWith(explorer);
startServiceWorker();
