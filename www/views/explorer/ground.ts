import { onLanguageChange, setLanguage } from "../../i18n/index.js";
import type { State, Store } from "../../state/index.js";
import { applyAppearance, onSystemTheme } from "../appearance.js";
import type { Exchange } from "./exchange.js";

/** What an explorer needs of the place where it stands. */
interface Tenant extends HTMLElement {
  /** Whether it is a page of its own. */
  page: boolean;
}

/**
 * The place where an explorer stands. As a page of its own it keeps the address, the title, the theme and the language of
 * the document, and has all keys; within somebody else's page it leaves them alone, begins with what its attributes say,
 * and has the keys that are pressed inside it.
 */
export class Ground {
  constructor(
    private readonly tenant: Tenant,
    private readonly store: Store,
    private readonly exchange: Exchange,
  ) {}

  /** Moves in; gives back how to leave. */
  enter(pressed: (event: KeyboardEvent) => void): () => void {
    const { tenant, store, exchange } = this;
    const keys: EventTarget = tenant.page ? document : tenant;
    const leave: (() => void)[] = [];
    if (tenant.page) leave.push(exchange.bindAddress(), onSystemTheme(() => this.dress(store.state)), onLanguageChange(() => this.dress(store.state)));
    else exchange.readAttributes(tenant);
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
    if (this.tenant.page) {
      applyAppearance(state);
      return;
    }
    // Without a theme of its own it follows the page around it; all elements of a page speak one language.
    this.tenant.dataset.theme = state.theme;
    if (state.language !== null) setLanguage(state.language);
  }
}
