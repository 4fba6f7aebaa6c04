import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { Model } from "../../headscope.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { Later } from "../../ui/lazy.js";
import "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { LabSettings } from "../bench/lab-settings.js";
import { LAB_TABLE, POSITION_LABS } from "../bench/lab-table.js";
import { labFoldStyles } from "../bench/lab-fold-styles.js";
import type { Demo } from "./kit.js";

type Scheme = (typeof POSITION_LABS)[number];

/** Each is fetched, with the kit, when it is first chosen. */
function later(fetch: () => Promise<Demo>): Later<Demo> {
  return new Later(async () => {
    const [demo] = await Promise.all([fetch(), import("./kit.js")]);
    return demo;
  });
}

const DEMOS: Readonly<Record<Scheme, { label: MessageKey; later: Later<Demo> }>> = {
  sinusoidal: {
    label: "posLab.sinusoidal",
    later: later(async () => (await import("./sinusoidal.js")).sinusoidal),
  },
  learned: {
    label: "posLab.learned",
    later: later(async () => (await import("./learned.js")).learned),
  },
  rotary: {
    label: "posLab.rotary",
    later: later(async () => (await import("./rotary.js")).rotary),
  },
  alibi: { label: "posLab.alibi", later: later(async () => (await import("./alibi.js")).alibi) },
  buckets: {
    label: "posLab.buckets",
    later: later(async () => (await import("./buckets.js")).buckets),
  },
  fourTerms: {
    label: "posLab.fourTerms",
    later: later(async () => (await import("./four-terms.js")).fourTerms),
  },
};

/** The height in pixels that a demo takes until it is fetched. */
const PLACE_HEIGHT = 320;

/** The demos of positions: how each scheme works, apart from any text; the learned table alone is that of the model. */
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
  @state() private chosen: Scheme = POSITION_LABS[0];

  protected readonly settings = new LabSettings(this, "places", {
    kinds: LAB_TABLE.places,
    read: (key) => (key === "open" ? this.open : this.chosen),
    put: (_, value: boolean | Scheme) => {
      if (typeof value === "boolean") this.open = value;
      else this.chosen = value;
    },
  });
  override render(): TemplateResult {
    return html`<details ?open=${this.open} @toggle=${this.fold}>
      <summary>${message("posLab.title")}</summary>
      ${this.open ? this.renderParts() : nothing}
    </details>`;
  }

  private renderParts(): TemplateResult {
    const { chosen, model } = this;
    return html`<p class="small muted">${message("posLab.intro")}</p>
      <headscope-choice
        look="tabs"
        .label=${message("posLab.which")}
        .value=${chosen}
        .choices=${POSITION_LABS.map((name) => ({ value: name, label: message(DEMOS[name].label) }))}
        @headscope-choose=${this.choose}
      ></headscope-choice>
      ${DEMOS[chosen].later.show(this, (demo) => html`${keyed(demo, html`<headscope-demo .demo=${demo} .on=${{ model }}></headscope-demo>`)}`, PLACE_HEIGHT)}`;
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
