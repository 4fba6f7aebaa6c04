/**
 * `figures.js`: figures of numbers in one file, which tools that make documents copy beside their
 * pages. It has no engine, no explorer and no fonts, and fetches nothing but the numbers.
 */
import * as elements from "../elements/index.js";
import { meet } from "../elements/shared/controllers.js";
import { addSentences, languageOf, PAGE_LOCALE } from "../i18n/index.js";
import notices from "../i18n/en/notices.json" with { type: "json" };
import noticesZh from "../i18n/zh-CN/notices.json" with { type: "json" };
import pageZh from "../i18n/zh-CN/page.json" with { type: "json" };
import { FigureController } from "./figure.js";
import { HEIGHTS } from "./heights.js";

addSentences("en", { notices });
addSentences("zh-CN", { page: pageZh, notices: noticesZh });

const root = document.documentElement;
const follow = (): void => PAGE_LOCALE.speak(languageOf(root.lang) ?? "en");
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["lang"] });
follow();
for (const element of Object.values(elements))
  meet(element, (one) => {
    if (Object.hasOwn(HEIGHTS, one.localName)) new FigureController(one);
  });
