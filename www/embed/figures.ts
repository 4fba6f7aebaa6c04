/**
 * `figures.js`: figures of numbers in one file, which tools that make documents copy beside their
 * pages. It has no engine, no explorer and no fonts, and fetches nothing but the numbers.
 */
import * as elements from "../elements/index.js";
import { addSentences } from "../i18n/index.js";
import notices from "../i18n/en/notices.json" with { type: "json" };
import noticesZh from "../i18n/zh-CN/notices.json" with { type: "json" };
import pageZh from "../i18n/zh-CN/page.json" with { type: "json" };
import { workAlone } from "./alone.js";

addSentences("en", { notices });
addSentences("zh-CN", { page: pageZh, notices: noticesZh });

workAlone(...Object.values(elements));
