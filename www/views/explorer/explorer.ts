import { provide } from "@lit/context";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { loadSentences, message } from "../../i18n/index.js";
import { hasEdits } from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import { PagePart } from "../../ui/page-part.js";
import type { HeadscopePairsPanel } from "../pairs/pairs-panel.js";
import "../parts/edits-panel.js";
import "../parts/heads-panel.js";
import "../parts/inspector.js";
import type { HeadscopeKeysDialog } from "../parts/keys-dialog.js";
import "../parts/notices.js";
import "../parts/page-frame.js";
import type { HeadscopePicturePanel } from "../parts/picture-panel.js";
import "../parts/picture-panel.js";
import "../parts/sentence-bar.js";
import "../parts/top-bar.js";
import { EDIT_LABELS, PAIRS, Session, sessionContext } from "../session.js";
import { TourGuide } from "../tour/guide.js";
import { PhoneTabs } from "./phone-tabs.js";
import { BenchWatch, Placement } from "./place.js";
import { shortcutOf } from "./shortcuts.js";
import { explorerStyles, phoneStyles } from "./styles.js";

const KEYS = new Later(() =>
  Promise.all([import("../parts/keys-dialog.js"), loadSentences("keys")]),
);

const PAIR_PANELS = new Later(() =>
  Promise.all([import("../pairs/other-bar.js"), import("../pairs/pairs-panel.js")]),
);

const GPU = new Later(() => Promise.all([import("../parts/gpu-switch.js"), loadSentences("gpu")]));

/** The whole explorer: a sentence, every head that reads it, and what the model makes of it. Its parts share its session. */
@customElement("headscope-explorer")
export class HeadscopeExplorer extends PagePart {
  static override styles = [explorerStyles, phoneStyles];

  /** The element of another page that it fills; null for a page of its own. */
  @property({ attribute: false }) place: HTMLElement | null = null;

  @query("headscope-keys-dialog") private readonly keys!: HeadscopeKeysDialog;
  @query("headscope-picture-panel, headscope-pairs-panel") private readonly picture!:
    | HeadscopePicturePanel
    | HeadscopePairsPanel;

  @provide({ context: sessionContext })
  protected readonly session: Session = new Session({
    reveal: (tag) => this.tabs.reveal(tag),
    showKeys: () => void this.showKeys(),
    startTour: () => void this.tour.start(),
    openExport: (under) => this.picture.openExport(under),
  });
  private readonly tabs = new PhoneTabs(this, this.session);
  private readonly tour = new TourGuide(
    this,
    this.session.store,
    () => this.settled,
    (place) => this.tabs.reveal(place),
  );

  constructor() {
    super();
    const { session } = this;
    const { store } = session;
    new BenchWatch(
      this,
      () => store.state.bench !== null,
      () => ({
        picture: this.picture,
        drawer: this.renderRoot.querySelector(".edits"),
        settled: this.settled,
        // On arrival neither another page nor the tour's card is scrolled away.
        untouched:
          this.place === null &&
          store.state.tour === null &&
          window.scrollY === 0 &&
          this.shadowRoot?.activeElement === null,
      }),
    );
    this.addEventListener("headscope-patch", ({ detail }) => session.update(detail));
    new Placement(this, session, this.pressed);
  }

  private get settled(): boolean {
    return this.session.computation.run !== null && !this.session.busy;
  }

  protected override signalled(): void {
    if (!this.session.turns.isBefore(0)) super.signalled();
  }

  protected override render(): TemplateResult {
    const { session, tabs } = this;
    const { state, computation, pointing } = session;
    const paired = session.pairsShown && PAIR_PANELS.want() !== null;
    const inspected = state.picture !== "positions" && !paired;
    return html`
      <button class="skip" @click=${tabs.skip}>${message("page.skip")}</button>
      <headscope-top-bar part="top-bar"></headscope-top-bar>
      ${this.tour.render()}
      <headscope-sentence-bar part="sentence"></headscope-sentence-bar>
      ${this.renderOther()}
      <headscope-notices></headscope-notices>
      ${tabs.render(inspected)}
      <div
        role=${this.place ? "group" : "main"}
        aria-busy=${session.busy || session.first !== null}
        class=${classMap({ parts: true, stale: computation.stale })}
        @headscope-cell-hover=${pointing.hoverCell}
        @headscope-cell-lock=${pointing.lockCell}
        @headscope-cell-toggle=${pointing.toggleCell}
        @headscope-cells-paint=${pointing.paintCells}
        @headscope-head-hover=${pointing.hoverHead}
      >
        <headscope-heads-panel part="heads" .folded=${tabs.open !== null}></headscope-heads-panel>
        ${paired ? html`<headscope-pairs-panel part="picture-panel"></headscope-pairs-panel>` : html`<headscope-picture-panel part="picture-panel"></headscope-picture-panel>`}
        ${inspected ? html`<headscope-inspector part="inspector"></headscope-inspector>` : nothing}
      </div>
      <section part="edits" aria-label=${message("edits.title")} class=${classMap({ edits: true, sticky: hasEdits(state.edits) || state.bench !== null })}>
        ${EDIT_LABELS.failure ? EDIT_LABELS.show(this, () => nothing) : nothing}<headscope-edits-panel></headscope-edits-panel>
      </section>
      <headscope-page-footer part="page-footer">${this.renderGpu()}</headscope-page-footer>
      <headscope-keys-dialog></headscope-keys-dialog>
      ${this.place === null ? html`<headscope-drop-target></headscope-drop-target>` : nothing}
    `;
  }

  /** Where the second text is typed; nothing while the page shows one run. */
  private renderOther(): TemplateResult | typeof nothing {
    const { comparison, state } = this.session;
    if (comparison === null) return nothing;
    const missing = [PAIRS, PAIR_PANELS].find((part) => part.want() === null);
    if (missing)
      return state.compare || missing.failure ? missing.show(this, () => nothing) : nothing;
    return state.compare === null
      ? nothing
      : html`<headscope-other-bar part="sentence"></headscope-other-bar>`;
  }

  private renderGpu(): TemplateResult | typeof nothing {
    return this.session.backend.adapter
      ? GPU.show(this, () => html`<headscope-gpu-switch></headscope-gpu-switch>`)
      : nothing;
  }

  private async showKeys(): Promise<void> {
    await KEYS.come();
    if (KEYS.failure) this.session.notices.post("embed.unreached");
    else await this.keys.show();
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const shortcut = shortcutOf(event);
    if (!shortcut) return;
    event.preventDefault();
    if (shortcut === "undo" || shortcut === "redo" || shortcut === "show-keys")
      this.session.command(shortcut);
    else if (shortcut === "release") this.session.pointing.release();
    else this.session.pointing.follow(shortcut);
  };
}
