import type { LitElement, ReactiveController } from "lit";
import { language, onLanguageChange, setLanguage } from "../../i18n/index.js";
import { applyAppearance, onSystemTheme } from "../appearance.js";
import type { Session } from "../session.js";

/**
 * Connects an explorer and its session to what is around them. As a page of its own it keeps the address, the title, the
 * theme and the language of the document, and has all keys. In another page it begins with the attributes of the element
 * that it fills, has the keys pressed inside it, and leaves the document alone. The session works while the explorer is in
 * the document; moving it within the document changes nothing.
 */
export class Placement implements ReactiveController {
  private begun = false;
  private working = false;
  private leave: (() => void)[] = [];

  constructor(
    private readonly host: LitElement & { readonly place: HTMLElement | null },
    private readonly session: Session,
    private readonly pressed: (event: KeyboardEvent) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    const { session } = this;
    const { place } = this.host;
    const { links, store } = session;
    const keys: EventTarget = place ?? document;
    this.host.toggleAttribute("page", place === null);
    if (place) {
      // Fonts and voices go by the language of the element, whatever the page around it is in.
      this.leave = [onLanguageChange(() => (place.lang = language()))];
      if (!this.begun) links.readAttributes(place);
    } else
      this.leave = [
        links.bindAddress(),
        onSystemTheme(this.restyle),
        onLanguageChange(this.restyle),
      ];
    this.begun = true;
    keys.addEventListener("keydown", this.onKey);
    this.leave.push(
      () => keys.removeEventListener("keydown", this.onKey),
      store.listen((now, before) => {
        if (now.theme !== before.theme || now.language !== before.language) this.restyle();
      }),
    );
    this.restyle();
    if (!this.working) session.begin();
    this.working = true;
  }

  hostDisconnected(): void {
    for (const undo of this.leave.splice(0)) undo();
    // An element that is only moved within its page is connected again by then.
    queueMicrotask(() => {
      if (this.host.isConnected || !this.working) return;
      this.working = false;
      this.session.rest();
    });
  }

  private readonly onKey = (event: Event): void => {
    if (event instanceof KeyboardEvent) this.pressed(event);
  };

  private readonly restyle = (): void => {
    const { place } = this.host;
    const { state } = this.session;
    if (!place) {
      applyAppearance(state);
      return;
    }
    // Without a theme of its own it follows the page around it; all elements of a page speak one language.
    place.dataset.theme = state.theme;
    if (state.language !== null) setLanguage(state.language);
    place.lang = language();
  };
}

/**
 * Scrolls the picture to the top of the window when a user opens the experiments: their drawer lies over the lower part of
 * the window. A page that comes with them open, as by a link, does the same once its first picture is there, unless it was
 * used by then. Where the drawer does not stick (low windows, phones), nothing is covered and nothing moves.
 */
export class BenchWatch implements ReactiveController {
  private before: boolean | undefined;
  /** Whether the page came with its experiments open and has no picture yet. */
  private arriving = false;

  constructor(
    host: LitElement,
    private readonly isOpen: () => boolean,
    private readonly find: () => {
      picture: Element | null;
      drawer: Element | null;
      /** Whether the layout is final. */
      settled: boolean;
      /** Whether no user has begun to read or to type elsewhere. */
      untouched: boolean;
    },
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const { before } = this;
    const open = this.isOpen();
    this.before = open;
    this.arriving = open && (this.arriving || before === undefined);
    const arrived = this.arriving && this.find().settled;
    if (arrived) this.arriving = false;
    if (arrived || (open && before === false))
      requestAnimationFrame(() => {
        const { picture, drawer, untouched } = this.find();
        const covers = drawer !== null && getComputedStyle(drawer).position === "sticky";
        if (covers && (untouched || !arrived)) picture?.scrollIntoView({ block: "start" });
      });
  }
}
