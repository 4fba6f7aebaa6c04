import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import type { ModelName } from "../state/index.js";
import { PagePart } from "../ui/page-part.js";
import { Later } from "../ui/lazy.js";
import { Popover } from "../ui/popover.js";
import { modelLabel } from "../session/models/models.js";
import { storedModels } from "../session/models/stored-models.js";
import { filesOf } from "../session/models/picked-files.js";
import { SessionPart } from "../session/session.js";
import styles from "./model-menu.css?inline";

/**
 * Controls in a row in a wide explorer, and behind one button in a narrow one, those of a `long`
 * row also in one that is not much wider. They are the same elements in both: slotted controls are
 * laid out in the row around this element.
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
      :host(:not([long])),
      :host(:not([long])) .menu:not(:popover-open) {
        display: contents;
      }
      :host([long]) .narrow {
        display: inline-flex;
      }
    }
    /* The width from which a long row has room. */
    @container not (max-width: 1140px) {
      :host,
      .menu:not(:popover-open) {
        display: contents;
      }
      :host([long]) .narrow {
        display: none;
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

const LIST = new Later(() => import("./model-list.js"), "hub", "notices");
/** The height that is kept for the list until it is there. */
const LIST_HEIGHT = 480;

/** The model in use, and a list of all models, which is fetched when it is first opened. */
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
    const { expanded } = this.sheet;
    const close = (): void => this.sheet.close();
    const pick = (isFolder: boolean): void => {
      close();
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
        ${
          expanded
            ? LIST.show(
                this,
                ({ renderModelList }) =>
                  renderModelList(this.session, { kept: this.kept, pick, close }),
                LIST_HEIGHT,
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

  /** Moves the focus into the list that has opened, once it is there. */
  private readonly arrive = async (): Promise<void> => {
    if (!this.list.matches(":popover-open")) return;
    await LIST.come();
    await this.updateComplete;
    this.list.querySelector<HTMLElement>(this.goal)?.focus();
    this.goal = "[aria-checked=true]";
  };
}
