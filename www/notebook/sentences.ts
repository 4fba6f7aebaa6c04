/**
 * The sentences of a figure in a notebook, which has one script: no part of the page loads them
 * later.
 */
import { addSentences } from "../i18n/index.js";
import exporting from "../i18n/en/export.json" with { type: "json" };
import notebook from "../i18n/en/notebook.json" with { type: "json" };
import pictures from "../i18n/en/pictures.json" with { type: "json" };
import exportingZh from "../i18n/zh-CN/export.json" with { type: "json" };
import notebookZh from "../i18n/zh-CN/notebook.json" with { type: "json" };
import pageZh from "../i18n/zh-CN/page.json" with { type: "json" };
import picturesZh from "../i18n/zh-CN/pictures.json" with { type: "json" };

addSentences("en", { export: exporting, notebook, pictures });
addSentences("zh-CN", {
  page: pageZh,
  export: exportingZh,
  notebook: notebookZh,
  pictures: picturesZh,
});
