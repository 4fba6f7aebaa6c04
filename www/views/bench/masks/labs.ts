import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message } from "../../../i18n/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import type { OnBench } from "../on-bench.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, MASK_LABS } from "../lab-table.js";
import { labFoldStyles } from "../lab-fold-styles.js";
import "./cheating.js";
import "./cost.js";
import "./padding.js";
import "./stages.js";

type Lab = (typeof MASK_LABS)[number];

const DRAWN: Readonly<Record<Lab, (on: OnBench) => TemplateResult>> = {
  stages: (on) => html`<headscope-mask-stages .on=${on}></headscope-mask-stages>`,
  cost: (on) => html`<headscope-mask-cost .on=${on}></headscope-mask-cost>`,
  cheat: (on) => html`<headscope-mask-cheating .on=${on}></headscope-mask-cheating>`,
  pad: (on) => html`<headscope-mask-padding .on=${on}></headscope-mask-padding>`,
};

/** What can be seen of the rules besides the picture above: each is computed only while it is folded out. */
@customElement("headscope-mask-labs")
export class HeadscopeMaskLabs extends PagePart {
  static override styles = [
    partStyles,
    labFoldStyles,
    css`
      details > * + * {
        padding-bottom: 16px;
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;
  @state() private open: ReadonlySet<Lab> = new Set();
  protected readonly settings = new LabSettings(this, "masks", {
    open: setting(
      LAB_TABLE.masks.open,
      () => [...this.open],
      (open) => (this.open = new Set(open)),
    ),
  });

  override render(): TemplateResult {
    const { on } = this;
    return html`${MASK_LABS.map(
      (
        lab,
      ) => html`<details ?open=${this.open.has(lab)} @toggle=${(event: Event) => this.fold(lab, event)}>
        <summary>${message(`${lab}.title`)}</summary>
        ${on && this.open.has(lab) ? DRAWN[lab](on) : nothing}
      </details>`,
    )}`;
  }

  private fold(lab: Lab, { target }: Event): void {
    const isOpen = target instanceof HTMLDetailsElement && target.open;
    if (isOpen === this.open.has(lab)) return;
    this.open = new Set(MASK_LABS.filter((one) => (one === lab ? isOpen : this.open.has(one))));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-labs": HeadscopeMaskLabs;
  }
}
