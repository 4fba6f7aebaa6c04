import { provide } from "@lit/context";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { message } from "../i18n/index.js";
import { type Experiment, TOUR } from "../state/index.js";
import { Later } from "../ui/lazy.js";
import { PagePart } from "../ui/page-part.js";
import "../panels/edits-panel.js";
import "../panels/heads-panel.js";
import "../panels/inspector.js";
import "../panels/notices.js";
import "../panels/page-frame.js";
import "../panels/picture-panel.js";
import "../panels/sentence-bar.js";
import "../panels/top-bar.js";
import { setLocale } from "../elements/shared/locale.js";
import { Explorer } from "../session/explorer.js";
import {
  EDIT_LABELS,
  type ExplorerPart,
  PAIRS,
  type Session,
  sessionContext,
} from "../session/session.js";
import type { HeadscopeHelpDialog } from "./tour/help-dialog.js";
import { arrivalAt, type HelpPart } from "../session/tour-steps.js";
import { PhoneTabs } from "./phone-tabs.js";
import { StickyHeights } from "./sticky-heights.js";
import styles from "./explorer.css?inline";

/**
 * The card of the tour, which is loaded when the tour starts, and its approximate height where it
 * does not overlap the page.
 */
const TOUR_CARD = new Later(() => import("./tour/card.js"), "tour");
const CARD_HEIGHT = 92;
const HELP = new Later(() => import("./tour/help-dialog.js"), "help", "tour");
const TRAINING = new Later(
  () => import("../training/page/training-page.js"),
  "training",
  "experiments",
  "export",
);
/** The height that is kept for the training until it is there. */
const TRAINING_HEIGHT = 700;
const PAIR_PANELS = new Later(() => import("../panels/pairs-panel.js"));

/**
 * The whole explorer: a sentence, every head that reads it, and the model's predictions. All parts
 * share one session.
 */
@customElement("headscope-explorer")
export class HeadscopeExplorer extends PagePart {
  static override styles = unsafeCSS(styles);

  /** Whether it is a page of its own, not a part of another. */
  @property({ type: Boolean, reflect: true }) page = false;

  @query("headscope-help-dialog") private readonly help!: HeadscopeHelpDialog;
  @query("headscope-experiments") private readonly experiments!: HTMLElement;

  @provide({ context: sessionContext })
  protected readonly session: Session;
  private readonly tabs: PhoneTabs;
  /** Whether the explorer that it shows has begun. */
  private working = false;
  /** The experiment of the last update; undefined before the first. */
  private opened: Experiment | null | undefined;

  /** `explorer` is the explorer to show; by default a new one. */
  constructor(private readonly explorer = new Explorer()) {
    super();
    const { session } = explorer;
    this.session = session;
    this.tabs = new PhoneTabs(this, session);
    new StickyHeights(this, "headscope-picture-panel, headscope-pairs-panel, headscope-inspector");
    setLocale(this, session.locale);
    Object.assign(session.page, {
      reveal: (tag) => this.tabs.reveal(tag),
      isNarrow: () => this.tabs.open !== null,
      show: (part) => void this.show(part),
      showHelp: (part) => void this.showHelp(part),
      startTour: () => void this.startTour(),
    } satisfies Session["page"]);
    if (session.state.experiment !== null) this.tabs.reveal("headscope-edits-panel");
  }

  /** The explorer works while it is in the document. */
  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.working) this.explorer.begin();
    this.working = true;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved within its page is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected || !this.working) return;
      this.working = false;
      this.explorer.dispose();
    });
  }

  protected override signalled(): void {
    if (!this.session.turns.isBefore(0)) super.signalled();
  }

  protected override updated(): void {
    const { opened, session } = this;
    const { experiment, training } = session.state;
    this.toggleAttribute("experimenting", experiment !== null);
    this.toggleAttribute("training", training !== null);
    this.toggleAttribute("presenting", session.presenting);
    this.toggleAttribute("edited", session.edited);
    this.opened = experiment;
    if (experiment !== null && opened !== undefined && experiment !== opened) this.revealOpened();
  }

  /** Scrolls an experiment that opens into the window, if its beginning is above the window. */
  private revealOpened(): void {
    const { experiments, tabs } = this;
    if (tabs.open !== null) return;
    requestAnimationFrame(() => {
      if (experiments.getBoundingClientRect().top < 0)
        experiments.scrollIntoView({ block: "start" });
    });
  }

  protected override render(): TemplateResult {
    const { session, tabs } = this;
    const { state, computation, pointing } = session;
    const paired = session.pairsShown && PAIR_PANELS.want() !== null;
    const inspected = state.picture !== "positions" && !paired;
    return html`
      <button class="skip visually-hidden" @click=${tabs.skip}>${message("page.skip")}</button>
      <headscope-top-bar part="top-bar" .page=${this.page}></headscope-top-bar>
      ${
        (state.tour ?? state.lesson) === null
          ? nothing
          : TOUR_CARD.show(
              this,
              () => html`<headscope-tour-card></headscope-tour-card>`,
              CARD_HEIGHT,
            )
      }
      <div
        class="texts"
        role=${tabs.open === null ? nothing : "region"}
        aria-label=${tabs.open === null ? nothing : message("phone.text")}
      >
        <headscope-sentence-bar part="sentence"></headscope-sentence-bar>
        ${this.renderOther()}
      </div>
      <headscope-notices></headscope-notices>
      ${
        state.training === null
          ? nothing
          : TRAINING.show(
              this,
              () => html`<headscope-training part="training"></headscope-training>`,
              TRAINING_HEIGHT,
            )
      }
      ${tabs.render(inspected)}
      <div
        role=${this.page ? "main" : "group"}
        aria-busy=${session.busy || session.first !== null}
        class=${classMap({ parts: true, stale: computation.stale })}
        @headscope-cell-hover=${pointing.hoverCell}
        @headscope-cell-lock=${pointing.lockCell}
        @headscope-cell-toggle=${pointing.toggleCell}
        @headscope-cells-stroke=${pointing.strokeCells}
        @headscope-cells-paint=${pointing.paintCells}
        @headscope-head-hover=${pointing.hoverHead}
      >
        ${
          paired
            ? html`<headscope-pairs-panel part="picture-panel"></headscope-pairs-panel>`
            : html`<headscope-picture-panel
                part="picture-panel"
                .narrow=${tabs.open !== null}
              ></headscope-picture-panel>`
        }
        <headscope-heads-panel part="heads"></headscope-heads-panel>
        ${inspected ? html`<headscope-inspector part="inspector"></headscope-inspector>` : nothing}
        <headscope-experiments></headscope-experiments>
      </div>
      <section part="edits" aria-label=${message("edits.title")} class="edits">
        ${
          EDIT_LABELS.failure ? EDIT_LABELS.show(this, () => nothing) : nothing
        }<headscope-edits-panel></headscope-edits-panel>
      </section>
      <headscope-page-footer part="page-footer"></headscope-page-footer>
      <headscope-help-dialog></headscope-help-dialog>
      ${this.page ? html`<headscope-drop-target></headscope-drop-target>` : nothing}
    `;
  }

  /** Renders the field of the second text; nothing while the page shows one run. */
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

  /** Brings a part into sight, on a phone in its tab. */
  private async show(part: ExplorerPart): Promise<void> {
    const shown = this.renderRoot.querySelector(`[part="${part}"]`);
    if (!shown) return;
    this.tabs.reveal(shown.querySelector("headscope-edits-panel")?.localName ?? shown.localName);
    await this.updateComplete;
    shown.scrollIntoView({ block: "nearest" });
  }

  /** Starts the tour at its first step; during the tour moves to its card. */
  private async startTour(): Promise<void> {
    const { store } = this.session;
    await TOUR_CARD.come();
    if (store.state.tour === null) store.step(arrivalAt(TOUR[0], store.state));
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("headscope-tour-card")?.focus();
  }

  private async showHelp(part: HelpPart): Promise<void> {
    await HELP.come();
    if (HELP.failure) this.session.notices.post("embed.unreached");
    else await this.help.show(part);
  }
}
