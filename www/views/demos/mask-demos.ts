import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import type { OnBench } from "../bench/on-bench.js";
import { LabSettings } from "../bench/lab-settings.js";
import { LAB_TABLE, MASK_LABS } from "../bench/lab-table.js";
import { labFoldStyles } from "../bench/lab-fold-styles.js";
import { cheating } from "./cheating.js";
import { cost } from "./cost.js";
import type { Demo } from "./kit.js";
import { padding } from "./padding.js";
import { stages } from "./stages.js";

type Lab = (typeof MASK_LABS)[number];
const DEMOS: Readonly<Record<Lab, Demo>> = { stages, cost, cheat: cheating, pad: padding };

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
    kinds: LAB_TABLE.masks,
    read: () => [...this.open],
    put: (_, open: readonly Lab[]) => (this.open = new Set(open)),
  });

  override render(): TemplateResult {
    const { on } = this;
    return html`${MASK_LABS.map(
      (
        lab,
      ) => html`<details ?open=${this.open.has(lab)} @toggle=${(event: Event) => this.fold(lab, event)}>
        <summary>${message(`${lab}.title`)}</summary>
        ${on && this.open.has(lab) ? html`<headscope-demo .demo=${DEMOS[lab]} .on=${on}></headscope-demo>` : nothing}
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
