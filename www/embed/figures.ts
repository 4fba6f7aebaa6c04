/**
 * `figures.js`: figures of numbers in one file, which tools that make documents copy beside their
 * pages. It has no engine, no explorer and no fonts, and fetches nothing but the numbers.
 */
import * as elements from "../elements/index.js";
import { addSentences } from "../i18n/index.js";
import layers from "../i18n/en/layers.json" with { type: "json" };
import notices from "../i18n/en/notices.json" with { type: "json" };
import pictures from "../i18n/en/pictures.json" with { type: "json" };
import steps from "../i18n/en/steps.json" with { type: "json" };
import layersZh from "../i18n/zh-CN/layers.json" with { type: "json" };
import noticesZh from "../i18n/zh-CN/notices.json" with { type: "json" };
import pageZh from "../i18n/zh-CN/page.json" with { type: "json" };
import picturesZh from "../i18n/zh-CN/pictures.json" with { type: "json" };
import stepsZh from "../i18n/zh-CN/steps.json" with { type: "json" };
import { workAlone } from "./alone.js";

// Each part that an element declares: nothing is loaded later.
addSentences("en", { layers, notices, pictures, steps });
addSentences("zh-CN", {
  page: pageZh,
  layers: layersZh,
  notices: noticesZh,
  pictures: picturesZh,
  steps: stepsZh,
});

workAlone(...Object.values(elements));
