/** Lets the figures of a page work alone: each class of elements is taken up once. */
import type { ReactiveElement } from "lit";
import { meet } from "../elements/shared/controllers.js";
import { languageOf, PAGE_LOCALE } from "../i18n/index.js";
import { FigureController } from "./figure.js";
import { HEIGHTS } from "./heights.js";

const told = new WeakSet<typeof ReactiveElement>();
let follows = false;

/**
 * Lets the figures of some classes work alone: those that are connected and those that come later,
 * which themselves know nothing of the controller.
 */
export function workAlone(...elements: readonly (typeof ReactiveElement)[]): void {
  followLanguage();
  for (const element of elements) {
    if (told.has(element)) continue;
    told.add(element);
    meet(element, (one) => {
      if (Object.hasOwn(HEIGHTS, one.localName)) new FigureController(one);
    });
  }
}

/** Speaks the language of the page, now and after it changes; where no page is, there is none. */
export function followLanguage(): void {
  if (follows || !("document" in globalThis)) return;
  follows = true;
  const root = document.documentElement;
  const follow = (): void => PAGE_LOCALE.speak(languageOf(root.lang) ?? "en");
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["lang"] });
  follow();
}
