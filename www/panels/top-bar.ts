import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { ModelInfo } from "../data/index.js";
import { formatCompact, message } from "../i18n/index.js";
import { isTourShowable } from "../session/showable.js";
import { isOpened } from "../state/index.js";
import { SessionPart } from "../session/session.js";
import type { HeadscopeModelPicker } from "./menus.js";
import "./menus.js";
import "./page-menus.js";
import styles from "./top-bar.css?inline";

/**
 * The name, the model in use, the tour, the questions and the page's own menus. Until a user has
 * done something it says what runs here and what to do first, and offers to open another model.
 */
@customElement("headscope-top-bar")
export class HeadscopeTopBar extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Whether the explorer is a page of its own, which takes files that are dropped anywhere. */
  @property({ type: Boolean }) page = false;

  @query(".tour, .help") private readonly first!: HTMLElement;
  @query("headscope-model-picker") private readonly picker!: HeadscopeModelPicker;

  protected override readonly turn = 0;

  override render(): TemplateResult {
    const { session } = this;
    const { info, state, store } = session;
    // The advice for the first step, until the user has done something.
    const isGuided = (state.tour ?? state.lesson) !== null;
    const isNew = store.undoes === null && !isGuided && !isOpened(state.model);
    return html`<header>
      <div class="bar band inline">
        <h1>Headscope</h1>
        <headscope-model-picker></headscope-model-picker>
        ${
          isNew
            ? this.renderFirst()
            : html`<p class="about muted cut">
                ${info ? describe(info, isOpened(state.model)) : ""}
              </p>`
        }
        <div class="settings inline end">
          ${
            isTourShowable()
              ? html`<button class="tour primary" @click=${() => session.page.startTour?.()}>
                  ${message("bar.tour")}
                </button>`
              : nothing
          }
          <button
            class="help muted"
            aria-label=${message("bar.questions")}
            @click=${() => session.page.showHelp?.("questions")}
          >
            <span class="wide">${message("bar.questions")}</span><b class="narrow">?</b>
          </button>
          <headscope-narrow-menu .label=${message("bar.menu")}>
            <headscope-share-menu></headscope-share-menu>
            <headscope-settings-menu></headscope-settings-menu>
          </headscope-narrow-menu>
        </div>
      </div>
    </header>`;
  }

  /** Renders what runs here, what to do first, and the place for a model of the user. */
  private renderFirst(): TemplateResult {
    return html`<div class="first">
      ${this.session.failure ? nothing : html`<p class="muted">${message("bar.hint")}</p>`}
      ${
        this.page
          ? html`<button class="own" @click=${() => this.picker.offerFiles()}>
              <span class="strong">${message("bar.own")}</span>
              <span class="small muted wide">${message("bar.ownHint")}</span>
            </button>`
          : nothing
      }
    </div>`;
  }

  protected override firstUpdated(): void {
    this.session.page.offerFiles = () => this.picker.offerFiles();
  }

  /** Moves the focus to the button of the tour, or of the questions, without scrolling. */
  override focus(): void {
    this.first.focus({ preventScroll: true });
  }
}

function describe(info: ModelInfo, isOwn: boolean): string {
  const stacks = Object.values(info.stacks);
  const detail = message("bar.modelDetail", {
    kind: message(`variant.${info.architecture}`),
    parameters: formatCompact(info.parameters.total),
    layers: Math.max(...stacks.map(({ layers }) => layers)),
    heads: Math.max(...stacks.map(({ heads }) => heads)),
  });
  return isOwn ? message("bar.openedDetail", { detail }) : detail;
}
