import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from "lit";
import { valueAt } from "../draw/layout.js";
import { keyListener, moveInRing } from "../elements/shared/grid-navigation.js";
import { labelAt, patchNameAt } from "../elements/shared/templates.js";
import { formatFixed, message } from "../i18n/index.js";
import { tracked } from "../signals.js";
import { countEdits } from "../state/index.js";
import { placeIn, withoutName } from "../session/run/head.js";
import { lessName, pairVerb } from "../session/run/head-words.js";
import type { Session } from "../session/session.js";

/** The width in CSS pixels up to which the explorer has tabs. */
const NARROW = 820;

/** The parts of each tab, the first of which is its panel: one tab is visible at a time. */
const PARTS = {
  text: "headscope-sentence-bar, headscope-other-bar",
  heads: "headscope-heads-panel",
  details: "headscope-inspector",
  edits: "headscope-edits-panel, headscope-experiments",
} as const;

/** The part that is visible beside every tab. */
const PICTURE = "headscope-picture-panel, headscope-pairs-panel";

type PhoneTab = keyof typeof PARTS;

const TABS: readonly PhoneTab[] = ["text", "heads", "details", "edits"];

/**
 * The parts of a narrow explorer as tabs at its lower edge, below the picture, which stays; other
 * parts are hidden. The open tab is not in the State.
 */
export class PhoneTabs implements ReactiveController {
  @tracked private chosen: PhoneTab = "text";
  private tabs = TABS;
  @tracked private narrow = false;
  private readonly size = new ResizeObserver(([entry]) => {
    if (entry) this.fit(entry.contentRect.width);
  });

  constructor(
    private readonly host: LitElement,
    private readonly session: Session,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    // Before the first render; later the observer reports changes.
    this.fit(this.host.clientWidth);
    this.size.observe(this.host);
  }

  hostDisconnected(): void {
    this.size.disconnect();
  }

  private fit(width: number): void {
    this.narrow = width > 0 && width <= NARROW;
  }

  get open(): PhoneTab | null {
    if (!this.narrow) return null;
    return this.tabs.includes(this.chosen) ? this.chosen : "text";
  }

  /** Opens the tab of a part, named by its tag; for the picture that of the text which it shows. */
  reveal(tag: string): void {
    const isIn = (parts: string): boolean => parts.split(", ").includes(tag);
    const tab = isIn(PICTURE) ? "text" : TABS.find((name) => isIn(PARTS[name]));
    if (tab !== undefined) this.chosen = tab;
  }

  /** Renders the bar; `inspected` says whether the picture's pairs have details. */
  render(inspected: boolean): TemplateResult | typeof nothing {
    this.tabs = TABS.filter((tab) => inspected || tab !== "details");
    const { open } = this;
    if (open === null) return nothing;
    const edits = countEdits(this.session.state.edits);
    return html`<section class="phone" aria-label=${message("phone.parts")}>
      <h2 class="visually-hidden">${message(`phone.${open}`)}</h2>
      ${this.renderLine(inspected)}
      <div role="tablist" aria-label=${message("phone.parts")} @keydown=${this.pressed}>
        ${this.tabs.map(
          (tab) =>
            html`<button
              role="tab"
              id="tab-${tab}"
              aria-controls="part-${tab}"
              aria-selected=${tab === open}
              tabindex=${tab === open ? 0 : -1}
              @click=${() => void this.go(tab)}
            >
              ${message(`phone.${tab}`)}${
                tab === "edits" && edits > 0 ? html` <span class="count">${edits}</span>` : nothing
              }
            </button>`,
        )}
      </div>
    </section>`;
  }

  /** Renders the line above the tabs: the pair with its weight, or the way to the difference. */
  private renderLine(inspected: boolean): TemplateResult | typeof nothing {
    const { displayed, focused, info } = this.session;
    if (this.session.pairsShown) {
      const { renderRoot } = this.host;
      const show = (): void =>
        renderRoot
          .querySelector("headscope-pairs-panel")
          ?.shadowRoot?.querySelector("figure:last-of-type")
          ?.scrollIntoView({ block: "center" });
      return html`<p class="line">
        <span class="cut serif">${message(lessName(this.session.state))}</span>
        <button class="act look" @click=${show}>${message("phone.below")}</button>
      </p>`;
    }
    const place = displayed && placeIn(displayed, focused);
    if (!inspected || !place || !focused) return nothing;
    const nameAt = info?.image ? patchNameAt : labelAt;
    const weight =
      displayed.without === null
        ? message("phone.weight")
        : message("pieces.without", { token: withoutName(displayed) });
    return html`<p class="line">
      <span class="cut serif"
        ><bdi>${nameAt(displayed.queries, place.query)}</bdi>
        <span class="muted">${pairVerb(displayed.figures, focused)}</span>
        <bdi>${nameAt(displayed.keys, place.key)}</bdi></span
      >
      <span class="value"
        ><span class="muted">${weight}</span>
        <b>${formatFixed(valueAt(displayed.weights, place))}</b></span
      >
    </p>`;
  }

  hostUpdated(): void {
    const { host, open } = this;
    if (open === null) host.removeAttribute("tab");
    else host.setAttribute("tab", open);
    for (const tab of TABS) {
      const parts = host.renderRoot.querySelectorAll<HTMLElement>(PARTS[tab]);
      for (const part of parts) part.hidden = open !== null && tab !== open;
      const part = this.panelOf(tab);
      if (!part) continue;
      const attributes = { id: `part-${tab}`, role: "tabpanel", "aria-labelledby": `tab-${tab}` };
      for (const [name, value] of Object.entries(attributes))
        if (open === null) part.removeAttribute(name);
        else part.setAttribute(name, value);
    }
  }

  /** Opens a tab and scrolls to the top of its part, below the picture. */
  private async go(tab: PhoneTab): Promise<void> {
    this.chosen = tab;
    await this.host.updateComplete;
    this.host.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus({ preventScroll: true });
    this.panelOf(tab)?.scrollIntoView({ block: "start" });
  }

  private panelOf(tab: PhoneTab): HTMLElement | null {
    return this.host.renderRoot.querySelector<HTMLElement>(PARTS[tab].split(", ")[0] ?? "");
  }

  /** Moves the focus to the picture. */
  readonly skip = (): void => this.host.renderRoot.querySelector<HTMLElement>(PICTURE)?.focus();

  private readonly pressed = keyListener((key) => {
    const { open, tabs } = this;
    const at = tabs.findIndex((tab) => tab === open);
    const tab = tabs[moveInRing(key, at, tabs.length, ["ArrowLeft", "ArrowRight"]) ?? -1];
    return tab !== undefined && this.go(tab);
  });
}
