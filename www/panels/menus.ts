import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { FieldWarning } from "../data/index.js";
import { keyListener, moveInRing } from "../elements/shared/grid-navigation.js";
import { formatBytes, message } from "../i18n/index.js";
import { isOpened, type ModelName } from "../state/index.js";
import { PagePart } from "../ui/page-part.js";
import { Later } from "../ui/lazy.js";
import { Popover } from "../ui/popover.js";
import { isHere } from "../session/models/addresses.js";
import { MODEL_CARDS } from "../session/models/bundled-models.js";
import { modelLabel } from "../session/models/models.js";
import { storedModels } from "../session/models/stored-models.js";
import { filesOf } from "../session/models/picked-files.js";
import { SessionPart } from "../session/session.js";
import styles from "./model-menu.css?inline";

/**
 * Controls in a row in a wide explorer, and behind one button in a narrow one. They are the same
 * elements in both: slotted controls are laid out in the row around this element.
 */
@customElement("headscope-narrow-menu")
export class HeadscopeNarrowMenu extends PagePart {
  static override styles = css`
    .menu:popover-open {
      display: grid;
      justify-items: start;
      gap: 4px;
    }
    /* The width from which an explorer has no tabs. */
    @container not (max-width: 820px) {
      :host,
      .menu:not(:popover-open) {
        display: contents;
      }
    }
  `;

  /** The text of the button; `name` is the name of the group if that is longer. */
  @property() label = "";
  @property() name = "";
  /** The number of controls that are not at their default, shown while they are hidden. */
  @property({ type: Number }) changed = 0;

  private readonly sheet = new Popover(this, 280);

  override render(): TemplateResult {
    const { label, changed } = this;
    return html`
      <button class="narrow muted" popovertarget="menu" aria-expanded=${this.sheet.expanded}>
        ${label}${
          changed === 0
            ? nothing
            : html`<span class="dot"></span
                ><span class="visually-hidden"
                  >${message("menu.changed", { count: changed })}</span
                >`
        }
      </button>
      <div id="menu" class="menu" popover role="group" aria-label=${this.name || label}>
        <slot></slot>
      </div>
    `;
  }

  close(): void {
    this.sheet.close();
  }
}

/**
 * One sentence for each file and effect about the fields of a model's files that have no effect
 * here.
 */
function sentencesOf(warnings: readonly FieldWarning[]): string[] {
  const byKind = new Map<string, { first: FieldWarning; fields: string[] }>();
  for (const warning of warnings) {
    const { file, field, value, effect } = warning;
    const kind = byKind.get(`${effect} ${file}`) ?? { first: warning, fields: [] };
    kind.fields.push(`${field} = ${value}`);
    byKind.set(`${effect} ${file}`, kind);
  }
  return [...byKind.values()].map(({ first: { effect, file }, fields }) =>
    message(`model.warnings.${effect}`, { file, fields: fields.join(", ") }),
  );
}

const HUB_FORM = new Later(() => import("./hub-form.js"), "hub", "notices");

/** The model in use, and a list of all models, each with its task and size. */
@customElement("headscope-model-picker")
export class HeadscopeModelPicker extends SessionPart {
  static override styles = unsafeCSS(styles);

  /**
   * Finds the models that are stored for a visit without a network; called whenever the list is
   * opened.
   */
  @property({ attribute: false }) findKept: (home: string) => Promise<readonly ModelName[]> =
    storedModels;

  @state() private kept: readonly ModelName[] = [];
  /** The item that has the focus when the list opens. */
  private goal = "[aria-checked=true]";
  @query(".list") private readonly list!: HTMLElement;
  @query("input") private readonly input!: HTMLInputElement;
  private readonly sheet = new Popover(
    this,
    400,
    () => void this.findKept(this.session.home).then((kept) => (this.kept = kept)),
  );

  override render(): TemplateResult {
    const { model } = this.session.state;
    const { ready, opened } = this.session.models;
    const { expanded } = this.sheet;
    const pick = (isFolder: boolean): void => {
      this.sheet.close();
      this.input.webkitdirectory = isFolder;
      this.input.click();
    };
    const picked = async (event: Event): Promise<void> => {
      const files = filesOf(event);
      // So that the same folder can be picked again after a change.
      this.input.value = "";
      await this.session.openPicked(await files);
    };
    // A folder without files for the browser is treated like a closed dialog.
    const pickedNothing = (): void => {
      if (this.input.webkitdirectory) void this.session.openPicked([]);
    };
    return html`
      <button
        class="current strong"
        popovertarget="list"
        aria-haspopup="dialog"
        aria-expanded=${expanded}
        aria-label=${message("model.label", { name: modelLabel(model) })}
      >
        <span class="cut">${modelLabel(model)}</span>
      </button>
      <div
        id="list"
        class="list"
        popover
        role="dialog"
        aria-label=${message("model.list")}
        @toggle=${this.arrive}
      >
        <div class="items" role="menu" aria-label=${message("model.list")} @keydown=${this.pressed}>
          ${MODEL_CARDS.filter(({ name }) => isHere(name)).map(({ name, family, bytes }) =>
            this.renderItem(
              name,
              message("model.detail", { does: message(`${name}.does`), family }),
              ready.includes(name) ? message("model.ready") : formatBytes(bytes),
            ),
          )}
          ${opened.map((name) =>
            this.renderItem(
              name,
              isOpened(name) ? message("model.opened") : new URL(this.session.addressOf(name)).host,
            ),
          )}
          <button class="open" role="menuitem" tabindex="-1" @click=${() => pick(true)}>
            <span class="name strong">${message("model.open")}</span>
            <span class="more small muted">${message("model.openHint")}</span>
          </button>
          <button role="menuitem" tabindex="-1" @click=${() => pick(false)}>
            <span class="name strong">${message("model.openFiles")}</span>
            <span class="more small muted">${message("model.openFilesHint")}</span>
          </button>
        </div>
        ${
          expanded
            ? HUB_FORM.show(
                this,
                () =>
                  html`<headscope-hub-form
                    .opened=${() => this.sheet.close()}
                  ></headscope-hub-form>`,
                96,
              )
            : nothing
        }
      </div>
      <input
        type="file"
        hidden
        webkitdirectory
        multiple
        tabindex="-1"
        @change=${picked}
        @cancel=${pickedNothing}
      />
    `;
  }

  /** Opens the list at the ways to open a model of the user. */
  offerFiles(): void {
    this.goal = ".open";
    this.list.showPopover();
  }

  /** Moves the focus into the list that has opened. */
  private readonly arrive = (): void => {
    if (!this.list.matches(":popover-open")) return;
    this.list.querySelector<HTMLElement>(this.goal)?.focus();
    this.goal = "[aria-checked=true]";
  };

  private renderItem(name: ModelName, more: string, size = ""): TemplateResult {
    const { model } = this.session.state;
    const { warnings = [], missingHead = null } = this.session.info ?? {};
    const choose = (): void => {
      this.sheet.close();
      this.session.switchTo(name);
    };
    return html`<button
      role="menuitemradio"
      aria-checked=${name === model}
      tabindex="-1"
      @click=${choose}
    >
      ${name === model ? html`<span class="dot"></span>` : nothing}
      <span class="name strong">${modelLabel(name)}</span>
      ${size === "" ? nothing : html`<span class="muted">${size}</span>`}
      <span class="more small muted">${more}</span>
      ${
        name === model
          ? sentencesOf(warnings).map(
              (sentence) => html`<span class="more small muted">${sentence}</span>`,
            )
          : nothing
      }
      ${
        name === model && missingHead !== null
          ? html`<span class="more small muted"
              >${message("model.missingHead", { head: missingHead })}</span
            >`
          : nothing
      }
      ${
        this.kept.includes(name)
          ? html`<span class="small muted">${message("model.kept")}</span>`
          : nothing
      }
    </button>`;
  }

  private readonly pressed = keyListener((key) => {
    const items = [...this.list.querySelectorAll<HTMLElement>(".items button")];
    const at = items.findIndex((item) => item.matches(":focus"));
    const item = items[moveInRing(key, at, items.length, ["ArrowUp", "ArrowDown"]) ?? -1];
    item?.focus();
    return item !== undefined;
  });
}
