import { language, onLanguageChange, setLanguage } from "../../i18n/index.js";
import type { State, Store } from "../../state/index.js";
import { applyAppearance, onSystemTheme } from "../appearance.js";
import type { Exchange } from "./exchange.js";

/**
 * The place where an explorer stands. As a page of its own it keeps the address, the title, the theme and the language of
 * the document, and has all keys; within somebody else's page it leaves them alone, begins with what the attributes of its
 * place there say, and has the keys that are pressed inside it.
 */
export class Ground {
  /** Whether the attributes were read: one that is moved within its page goes on with what it shows. */
  private begun = false;

  /** `place` is the element of somebody's page that it fills; null for a page of its own. */
  constructor(
    private readonly place: HTMLElement | null,
    private readonly store: Store,
    private readonly exchange: Exchange,
  ) {}

  /** Moves in; gives back how to leave. */
  enter(pressed: (event: KeyboardEvent) => void): () => void {
    const { place, store, exchange } = this;
    const keys: EventTarget = place ?? document;
    const leave: (() => void)[] = [];
    if (!place)
      leave.push(
        exchange.bindAddress(),
        onSystemTheme(() => this.dress(store.state)),
        onLanguageChange(() => this.dress(store.state)),
      );
    else {
      // What stands in the place is in this language, whatever the page around it is in: fonts and voices go by it.
      leave.push(onLanguageChange(() => (place.lang = language())));
      if (!this.begun) exchange.readAttributes(place);
    }
    this.begun = true;
    leave.push(
      store.listen((now, before) => {
        if (now.theme !== before.theme || now.language !== before.language) this.dress(now);
      }),
    );
    const hear: EventListener = (event) => {
      if (event instanceof KeyboardEvent) pressed(event);
    };
    keys.addEventListener("keydown", hear);
    leave.push(() => keys.removeEventListener("keydown", hear));
    this.dress(store.state);
    return () => {
      for (const undo of leave) undo();
    };
  }

  /** Puts on a State's theme and language. */
  private dress(state: State): void {
    if (!this.place) {
      applyAppearance(state);
      return;
    }
    // Without a theme of its own it follows the page around it; all elements of a page speak one language.
    this.place.dataset.theme = state.theme;
    if (state.language !== null) setLanguage(state.language);
    this.place.lang = language();
  }
}
