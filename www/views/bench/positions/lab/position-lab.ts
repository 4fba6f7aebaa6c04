import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Model } from "../../../../headscope.js";
import { message } from "../../../../i18n/index.js";
import { LaterPlaces } from "../../../../ui/lazy.js";
import "../../../../ui/choice.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { LAB_TABLE, POSITION_LABS } from "../../lab-table.js";
import { labFoldStyles } from "../../lab-fold-styles.js";
import { LAB_PARTS, type LabPartName } from "./parts.js";

/** The room that a part takes until it has come. */
const ROOM = 320;

/** The laboratory of positions: how each scheme works, apart from any text; the learned table alone is that of the model. */
@customElement("headscope-position-lab")
export class HeadscopePositionLab extends PagePart {
  static override styles = [
    partStyles,
    labFoldStyles,
    css`
      headscope-choice {
        display: block;
        margin: 8px 0 16px;
      }
    `,
  ];

  @property({ attribute: false }) model: Model | null = null;
  /** What is looked at here. */
  @state() private open = false;
  @state() private chosen: LabPartName = POSITION_LABS[0];

  protected readonly settings = new LabSettings(this, "places", {
    open: setting(
      LAB_TABLE.places.open,
      () => this.open,
      (open) => (this.open = open),
    ),
    part: setting(
      LAB_TABLE.places.part,
      () => this.chosen,
      (chosen) => (this.chosen = chosen),
    ),
  });
  private readonly places = new LaterPlaces(this);

  override render(): TemplateResult {
    return html`<details ?open=${this.open} @toggle=${this.fold}>
      <summary>${message("posLab.title")}</summary>
      ${this.open ? this.renderParts() : nothing}
    </details>`;
  }

  private renderParts(): TemplateResult {
    const { chosen, model } = this;
    const part = LAB_PARTS.find(({ name }) => name === chosen);
    return html`<p class="small muted">${message("posLab.intro")}</p>
      <headscope-choice
        look="tabs"
        .label=${message("posLab.which")}
        .value=${chosen}
        .choices=${LAB_PARTS.map(({ name, label }) => ({ value: name, label: message(label) }))}
        @headscope-choose=${this.choose}
      ></headscope-choice>
      ${part ? this.places.show(part.later, () => part.draw({ model }), ROOM) : nothing}`;
  }

  private readonly choose = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    this.chosen = POSITION_LABS.find((one) => one === event.detail) ?? this.chosen;
  };

  private readonly fold = ({ target }: Event): void => {
    this.open = target instanceof HTMLDetailsElement && target.open;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-position-lab": HeadscopePositionLab;
  }
}
