import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query } from "lit/decorators.js";
import type { ModelInfo } from "../data/index.js";
import { formatCompact, type Language, language, LANGUAGES, message } from "../i18n/index.js";
import { isOpened, THEMES } from "../state/index.js";
import { type Choice, choice } from "../ui/choice.js";
import { SessionPart } from "../session/session.js";
import { fieldChoice } from "./controls.js";
import type { HeadscopeNarrowMenu } from "./menus.js";
import "./menus.js";
import styles from "./top-bar.css?inline";

/** The name, the model in use, and the page's own settings. */
@customElement("headscope-top-bar")
export class HeadscopeTopBar extends SessionPart {
  static override styles = unsafeCSS(styles);

  @query(".tour") private readonly tour!: HTMLElement;
  @query("headscope-narrow-menu") private readonly menu!: HeadscopeNarrowMenu;

  protected override readonly turn = 0;

  override render(): TemplateResult {
    const { session } = this;
    const { info, state, store, links } = session;
    // The advice for the first step, until the user has done something.
    const isNew = store.undoes === null && state.tour === null && !isOpened(state.model);
    const named = (lang: Language): Omit<Choice, "value"> => {
      return { label: LANGUAGES.find(({ code }) => code === lang)?.name ?? lang, lang };
    };
    // The list returns the focus to its button, which must be in sight then.
    const showHelp = (): void => {
      this.menu.close();
      session.page.showHelp?.("questions");
    };
    return html`<header>
      <div class="bar band inline">
        <h1>Headscope</h1>
        <div class="model inline baseline">
          <headscope-model-picker></headscope-model-picker>
          ${
            info
              ? html`<p class="muted cut">
                  ${
                    isNew
                      ? message("bar.hint")
                      : isOpened(state.model)
                        ? message("bar.openedDetail", { detail: describe(info) })
                        : describe(info)
                  }
                </p>`
              : nothing
          }
        </div>
        <div class="settings inline end">
          <button class="act wide" @click=${() => session.page.showHelp?.("questions")}>
            ${message("bar.questions")}
          </button>
          <button class="tour act" @click=${() => session.page.startTour?.()}>
            ${message("bar.tour")}
          </button>
          <headscope-narrow-menu .label=${message("bar.menu")}>
            ${choice(
              message("bar.language"),
              LANGUAGES.map(({ code }) => code),
              language(),
              named,
              (lang) => session.update({ language: lang }),
            )}
            ${fieldChoice(session, "theme", "bar.theme", THEMES, (theme) =>
              message(`theme.${theme}`),
            )}
            <button @click=${() => session.command("copy-link")}>
              ${message(links.linkCopied ? "bar.linkCopied" : "bar.link")}
            </button>
            <span class="visually-hidden" role="status"
              >${links.linkCopied ? message("bar.linkCopied") : ""}</span
            >
            <button @click=${showHelp}>${message("bar.help")}</button>
          </headscope-narrow-menu>
        </div>
      </div>
      ${isNew ? html`<p class="hint band muted">${message("bar.hint")}</p>` : nothing}
    </header>`;
  }

  /** Moves the focus to the button that starts the tour, without scrolling. */
  override focus(): void {
    this.tour.focus({ preventScroll: true });
  }
}

function describe(info: ModelInfo): string {
  const stacks = Object.values(info.stacks);
  return message("bar.modelDetail", {
    kind: message(`variant.${info.architecture}`),
    parameters: formatCompact(info.parameters.total),
    layers: Math.max(...stacks.map(({ layers }) => layers)),
    heads: Math.max(...stacks.map(({ heads }) => heads)),
  });
}
