import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../../i18n/index.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import type { OnBench } from "../on-bench.js";
import { ROOMS } from "../../demos/fields.js";
import "../../demos/kit.js";
import { norm } from "../../demos/norm.js";
import { pruning } from "../../demos/pruning.js";
import { ranking } from "../../demos/ranking.js";
import { Settings } from "../../demos/settings.js";
import { stream } from "../../demos/stream.js";
import { renderUnread } from "../unread.js";
import "./change-blocks.js";
import "./change-heads.js";

type Room = (typeof ROOMS)[number];

/** What can be changed of whole heads and of whole blocks, and what such changes show of a model. */
@customElement("headscope-heads-bench")
export class HeadscopeHeadsBench extends PagePart {
  static override styles = [
    partStyles,
    css`
      headscope-choice {
        display: block;
        margin-bottom: 12px;
      }

      .norm {
        display: block;
        margin-top: 12px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;
  private readonly settings = new Settings(this, "heads");

  override render(): TemplateResult {
    const { on } = this;
    const { room } = this.settings.values;
    if (!on?.head || !on.model || !on.run) return renderUnread(on?.text ?? "");
    return html`<headscope-choice
        look="words"
        .label=${message("headBench.rooms")}
        .value=${room}
        .choices=${ROOMS.map((value) => ({ value, label: message(`headBench.room.${value}`) }))}
        @headscope-choose=${this.enter}
      ></headscope-choice>
      ${this.renderRoom(on, room)}`;
  }

  private renderRoom(on: OnBench, room: Room): TemplateResult {
    switch (room) {
      case "heads":
        return html`<headscope-change-heads .on=${on}></headscope-change-heads>`;
      case "blocks":
        return html`<headscope-change-blocks .on=${on}></headscope-change-blocks>`;
      case "ranking":
        return html`<headscope-demo .demo=${ranking} .on=${on}></headscope-demo>`;
      case "pruning":
        return html`<headscope-demo .demo=${pruning} .on=${on}></headscope-demo>`;
      case "stream":
        return html`<headscope-demo .demo=${stream} .on=${on}></headscope-demo><headscope-demo class="norm" .demo=${norm} .on=${on}></headscope-demo>`;
    }
  }

  private readonly enter = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    this.settings.set("room", event.detail);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-heads-bench": HeadscopeHeadsBench;
  }
}
