import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from "lit";
import { valueAt } from "../draw/layout.js";
import { keyListener, moveInRing } from "../elements/shared/grid-navigation.js";
import { labelAt } from "../elements/shared/templates.js";
import { formatFixed, message } from "../i18n/index.js";
import { tracked } from "../signals.js";
import { countEdits } from "../state/index.js";
import { placeIn, withoutName } from "../session/run/head.js";
import type { Session } from "../session/session.js";

/** The width in CSS pixels up to which the explorer has tabs. */
const NARROW = 820;

/** The part of each tab: one of these is visible at a time. */
const PARTS = {
  heads: "headscope-heads-panel",
  picture: "headscope-picture-panel, headscope-pairs-panel",
  details: "headscope-inspector",
  edits: "headscope-edits-panel, headscope-experiments",
} as const;

type PhoneTab = keyof typeof PARTS;

const TABS: readonly PhoneTab[] = ["heads", "picture", "details", "edits"];

/**
 * The parts of a narrow explorer as tabs at its lower edge; other parts are hidden. The open tab is
 * not in the State.
 */
export class PhoneTabs implements ReactiveController {
  @tracked private chosen: PhoneTab = "picture";
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
    return this.tabs.includes(this.chosen) ? this.chosen : "picture";
  }

  /** Opens the tab of a part, named by its tag. */
  reveal(tag: string): void {
    const tab = TABS.find((name) => PARTS[name].split(", ").includes(tag));
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
      ${this.renderLine(open, inspected)}
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

  /**
   * Renders the line above the tabs: the chosen head with a button to its picture, or the pair with
   * its weight.
   */
  private renderLine(open: PhoneTab, inspected: boolean): TemplateResult | typeof nothing {
    const { chosen, displayed, focused } = this.session;
    if (open === "heads" && chosen) {
      const title = message("head.title", { layer: chosen.layer + 1, head: chosen.head + 1 });
      return html`<p class="line">
        <span class="cut serif">${title}</span>
        <button class="act look" @click=${() => void this.go("picture")}>
          ${message("phone.look")}
        </button>
      </p>`;
    }
    if (open === "picture" && this.session.pairsShown) {
      const { renderRoot } = this.host;
      const show = (): void =>
        renderRoot
          .querySelector("headscope-pairs-panel")
          ?.shadowRoot?.querySelector("figure:last-of-type")
          ?.scrollIntoView({ block: "center" });
      return html`<p class="line">
        <span class="cut serif">${message("pairs.firstLess")}</span>
        <button class="act look" @click=${show}>${message("phone.below")}</button>
      </p>`;
    }
    const place = displayed && placeIn(displayed, focused);
    if (open !== "picture" || !inspected || !place) return nothing;
    const weight =
      displayed.without === null
        ? message("phone.weight")
        : message("pieces.without", { token: withoutName(displayed) });
    return html`<p class="line">
      <span class="cut serif"
        ><bdi>${labelAt(displayed.queries, place.query)}</bdi>
        <span class="muted">${message("inspect.looksAt")}</span>
        <bdi>${labelAt(displayed.keys, place.key)}</bdi></span
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
      const part = host.renderRoot.querySelector<HTMLElement>(PARTS[tab]);
      if (!part) continue;
      part.hidden = open !== null && tab !== open;
      const attributes = { id: `part-${tab}`, role: "tabpanel", "aria-labelledby": `tab-${tab}` };
      for (const [name, value] of Object.entries(attributes))
        if (open === null) part.removeAttribute(name);
        else part.setAttribute(name, value);
    }
  }

  /** Opens a tab and scrolls to the top of its part, unless that is in sight. */
  private async go(tab: PhoneTab): Promise<void> {
    const again = tab === this.open;
    this.chosen = tab;
    await this.host.updateComplete;
    this.host.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus({ preventScroll: true });
    const part = this.host.renderRoot.querySelector(PARTS[tab]);
    const top = part?.getBoundingClientRect().top ?? 0;
    if (again || top < 0 || top > innerHeight / 2) part?.scrollIntoView();
  }

  /** Moves the focus to the picture, on any tab. */
  readonly skip = async (): Promise<void> => {
    this.chosen = "picture";
    await this.host.updateComplete;
    this.host.renderRoot.querySelector<HTMLElement>(PARTS.picture)?.focus();
  };

  private readonly pressed = keyListener((key) => {
    const { open, tabs } = this;
    const at = tabs.findIndex((tab) => tab === open);
    const tab = tabs[moveInRing(key, at, tabs.length, ["ArrowLeft", "ArrowRight"]) ?? -1];
    return tab !== undefined && this.go(tab);
  });
}
