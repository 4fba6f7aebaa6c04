import { css, ReactiveElement, unsafeCSS } from "lit";
import { property } from "lit/decorators.js";
import { emit } from "../elements/events.js";
import { baseStyles } from "../elements/shared/checked.js";
import { HeadscopeError } from "../engine/errors.js";
import type { Explorer, StateAttributes } from "../session/explorer.js";
import type { ExplorerPart } from "../session/session.js";
import { attributesOf, decodeAttributes, type Decoded, STATE_ATTRIBUTES } from "../state/index.js";
import { HEIGHT, nameUnknown, unreadable } from "./attributes.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";
import { heightOf, Size } from "./size.js";
import palette from "../styles/palette.css?inline";
import signs from "../styles/signs.css?inline";

/** The styles of the explorer's element in another page. */
const placeStyles = css`
  ${unsafeCSS(palette)}
  :host {
    /* Its page may make it as narrow as its content, which is as wide as its container. */
    min-inline-size: min(100%, 320px);
    background: var(--headscope-paper);
  }
  /*
   * Only where its page makes it lower than its content: parts that stay in the window while the
   * page is scrolled would otherwise stay in the element, which is as tall as its content.
   */
  :host([data-scrolls]) {
    overflow: auto;
  }
`;

let added = false;

/**
 * Adds the font faces of signs to a page: a font face applies to a whole document only, not to an
 * element of it, and these have names of their own.
 */
function addSignFonts(): void {
  if (added) return;
  added = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(signs);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The approximate height of an explorer: reserved, so that nothing moves when it appears. */
const OWN_HEIGHT = 800;

/**
 * The whole explorer in another page: an adapter of `Explorer`, with its fields as attributes. Its
 * code is loaded when the element is near the window, so that figures in an article do not load it.
 *
 * @fires headscope-state - the State after a change by the user
 * @fires headscope-failed - why it cannot show what it is asked for
 */
export class HeadScope extends ReactiveElement {
  static override styles = [baseStyles, placeStyles];

  private readonly notice = new Notice(this);
  private readonly size = new Size(this);
  private readonly observer = new MutationObserver((records) =>
    this.follow(records.map(({ attributeName }) => attributeName ?? "")),
  );
  private readonly sizes = new ResizeObserver(() => this.fit());
  private readonly room = new CSSStyleSheet();
  private stopWaiting: () => void = () => undefined;
  /** The explorer; null until the element is near the window. */
  private explorer: Explorer | null = null;
  /** The attributes that were changed and not applied yet. */
  private changed = new Set<string>();
  /** The fields that were set before there was an explorer; they override the attributes. */
  private early: StateAttributes = {};

  constructor() {
    super();
    this.observer.observe(this, { attributeFilter: [...STATE_ATTRIBUTES, HEIGHT] });
  }

  /**
   * The State of the explorer, as the attributes of a `<head-scope>` that shows the same; null for
   * a model from the user's own disk. Setting it changes the fields that it names, and no others;
   * null as a value stands for the default of a field, and null as a whole changes nothing.
   */
  @property({ attribute: false })
  get state(): Readonly<Record<string, string>> | null {
    return this.explorer ? this.explorer.attributes : attributesOf(this.decode().state);
  }

  set state(state: StateAttributes | null) {
    if (!state) return;
    if (this.explorer) this.explorer.set(state);
    else this.early = { ...this.early, ...state };
  }

  /** Scrolls to a part of the explorer. */
  reveal(part: ExplorerPart): void {
    this.explorer?.reveal(part);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.notice.attach();
    nameUnknown(this, [...STATE_ATTRIBUTES, HEIGHT, "state"]);
    if (!this.explorer) this.wait();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWaiting();
  }

  /** The State that the explorer begins with, by attribute. */
  private get asked(): StateAttributes {
    const written = STATE_ATTRIBUTES.map((name) => [name, this.getAttribute(name)] as const);
    return { ...Object.fromEntries(written.filter(([, text]) => text !== null)), ...this.early };
  }

  private decode(): Decoded {
    const { asked } = this;
    return decodeAttributes({ getAttribute: (name) => textOf(asked[name]) });
  }

  /** Applies changed attributes, with those that could not be read before. */
  private follow(names: readonly string[]): void {
    if (!this.explorer) {
      // An explorer that failed, for example on an unreadable attribute, is tried again.
      if (this.getAttribute("state") === "failed" && this.isConnected) this.wait();
      return;
    }
    this.changed = new Set([...this.changed, ...names]);
    const fields = [...this.changed].filter((name) => name !== HEIGHT);
    const changed = fields.map((name) => [name, this.getAttribute(name)] as const);
    try {
      this.setHeight();
      this.explorer.set(Object.fromEntries(changed));
      this.changed.clear();
      this.notice.ready();
    } catch (thrown) {
      void wordsFor(thrown).then((words) => {
        if (this.changed.size > 0) this.notice.fail(words, () => this.follow([]));
      });
    }
  }

  private wait(): void {
    this.size.set();
    this.notice.wait("embed.explorerWaiting", heightOf(this) ?? OWN_HEIGHT);
    this.stopWaiting();
    this.stopWaiting = whenNear(this, () => void this.fill());
  }

  private setHeight(): void {
    const unread = this.size.set();
    if (unread) throw unreadable(unread);
  }

  private watchSize(): void {
    const root = this.renderRoot;
    if (root instanceof ShadowRoot)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.room];
    for (const element of [this, this.content]) if (element) this.sizes.observe(element);
  }

  /** The explorer's element; null before it came. */
  private get content(): HTMLElement | null {
    const { children } = this.renderRoot as ShadowRoot;
    const isNotice = ({ classList }: Element): boolean =>
      classList.contains("notice") || classList.contains("instead");
    return ([...children] as HTMLElement[]).find((child) => !isNotice(child)) ?? null;
  }

  /** Scrolls the explorer within the element where its page makes the element lower than it. */
  private fit(): void {
    const { clientHeight, content } = this;
    const scrolls = (content?.offsetHeight ?? 0) > clientHeight + 1;
    this.toggleAttribute("data-scrolls", scrolls);
    this.room.replaceSync(scrolls ? `:host { --headscope-window: ${clientHeight}px; }` : "");
  }

  private async fill(): Promise<void> {
    try {
      const { fillPlace } = await import("../explorer/guest.js");
      // An element that was moved meanwhile has asked twice.
      if (this.explorer) return;
      this.setHeight();
      this.explorer = fillPlace(this, this.renderRoot, { state: this.asked }, ({ state }) =>
        emit(this, "headscope-state", { state: attributesOf(state) }),
      );
      addSignFonts();
      this.notice.ready();
      this.watchSize();
    } catch (thrown) {
      const words = thrown instanceof HeadscopeError ? await wordsFor(thrown) : null;
      if (this.explorer) return;
      const again = (): void => this.wait();
      if (words) this.notice.fail(words, again);
      else this.notice.unreached(again);
    }
  }
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
