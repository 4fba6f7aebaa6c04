import type { LitElement, ReactiveController, ReactiveControllerHost } from "lit";
import { language, onLanguageChange, setLanguage } from "../../i18n/index.js";
import type { Bench, State, Store } from "../../state/index.js";
import { applyAppearance, onSystemTheme } from "../appearance.js";
import type { Session } from "../session.js";
import type { Exchange } from "../run/links.js";

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

/** An explorer's time in a page: its session works from when it comes until it has gone, and does not notice that it is moved. */
export class Stay implements ReactiveController {
  private ground: Ground | null = null;
  private working = false;
  private leave: () => void = () => undefined;

  constructor(
    private readonly host: LitElement & { readonly place: HTMLElement | null },
    private readonly session: Session,
    private readonly pressed: (event: KeyboardEvent) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    const { host, session } = this;
    host.toggleAttribute("page", host.place === null);
    this.ground ??= new Ground(host.place, session.store, session.links);
    this.leave = this.ground.enter(this.pressed);
    if (!this.working) session.begin();
    this.working = true;
  }

  hostDisconnected(): void {
    this.leave();
    // What is only moved within its page is there again by then.
    queueMicrotask(() => {
      if (this.host.isConnected || !this.working) return;
      this.working = false;
      this.session.rest();
    });
  }
}

/** What it needs of the page: the picture, and the drawer that may lie over it. */
export interface Watched {
  picture: Element | null;
  drawer: Element | null;
  /** Whether everything stands where it will stay. */
  settled: boolean;
  /** Whether nobody has begun to read or to write elsewhere. */
  untouched: boolean;
}

/**
 * Brings the picture to the top of the window when a reader opens the bench: it is opened to change the picture and to
 * watch, and its drawer lies over the lower part of the window. A page that comes with its bench open, as by a link, does
 * the same once its first picture stands, unless somebody has begun to use it by then. Where the drawer does not stick
 * (low windows, phones), nothing is covered and nothing moves.
 */
export class BenchWatch implements ReactiveController {
  private before: Bench | null | undefined;
  /** Whether the page came with its bench open and its picture is still on its way. */
  private arriving = false;

  constructor(
    host: ReactiveControllerHost,
    private readonly open: () => Bench | null,
    private readonly find: () => Watched,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const { before } = this;
    const now = this.open();
    this.before = now;
    if (before === undefined) this.arriving = true;
    if (now === null) this.arriving = false;
    else if (before === null) requestAnimationFrame(() => this.show());
    else if (this.arriving && this.find().settled) {
      this.arriving = false;
      requestAnimationFrame(() => {
        if (this.find().untouched) this.show();
      });
    }
  }

  private show(): void {
    const { picture, drawer } = this.find();
    if (picture && drawer && getComputedStyle(drawer).position === "sticky")
      picture.scrollIntoView({ block: "start" });
  }
}
