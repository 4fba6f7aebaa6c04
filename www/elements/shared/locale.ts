/** The locale of an element: that of the explorer around it, or of the page. */
import type { ReactiveController, ReactiveElement } from "lit";
import { type Locale, PAGE_LOCALE } from "../../i18n/index.js";

/** The elements that have a locale of their own, for all that is inside them. */
const places = new WeakMap<Node, Locale>();

/** Gives an element and all elements inside it a locale. */
export function setLocale(place: Element, locale: Locale): void {
  places.set(place, locale);
}

/** The locale of the nearest element around a node that has one, also outside of shadow roots. */
function localeAround(node: Node | null): Locale {
  for (
    let place = node;
    place;
    place = place instanceof ShadowRoot ? place.host : place.parentNode
  ) {
    const locale = places.get(place);
    if (locale) return locale;
  }
  return PAGE_LOCALE;
}

/** Finds the locale of an element, and renders it again when its language changes. */
export class LocaleController implements ReactiveController {
  /** The locale around the element when it was connected last. */
  locale: Locale = PAGE_LOCALE;
  private stop: () => void = () => undefined;

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.locale = localeAround(this.host);
    this.stop = this.locale.listen(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.stop();
  }
}
