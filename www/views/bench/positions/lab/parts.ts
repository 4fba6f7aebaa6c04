import { html, type TemplateResult } from "lit";
import type { Model } from "../../../../headscope.js";
import type { MessageKey } from "../../../../i18n/index.js";
import { Later } from "../../../../ui/lazy.js";
import type { POSITION_LABS } from "../../lab-table.js";

export type LabPartName = (typeof POSITION_LABS)[number];

/** What a part of the laboratory may be told; most need nothing. */
export interface OnPositionLab {
  model: Model | null;
}

interface LabPart {
  name: LabPartName;
  label: MessageKey;
  later: Later<unknown>;
  draw: (on: OnPositionLab) => TemplateResult;
}

/** The parts in the order of their invention, each fetched when it is first chosen. */
export const LAB_PARTS: readonly LabPart[] = [
  {
    name: "sinusoidal",
    label: "posLab.sinusoidal",
    later: new Later(() => import("./sinusoidal.js")),
    draw: () => html`<headscope-lab-sinusoidal></headscope-lab-sinusoidal>`,
  },
  {
    name: "learned",
    label: "posLab.learned",
    later: new Later(() => import("./learned.js")),
    draw: ({ model }) => html`<headscope-lab-learned .model=${model}></headscope-lab-learned>`,
  },
  {
    name: "rotary",
    label: "posLab.rotary",
    later: new Later(() => import("./rotary.js")),
    draw: () => html`<headscope-lab-rotary></headscope-lab-rotary>`,
  },
  {
    name: "alibi",
    label: "posLab.alibi",
    later: new Later(() => import("./alibi.js")),
    draw: () => html`<headscope-lab-alibi></headscope-lab-alibi>`,
  },
  {
    name: "buckets",
    label: "posLab.buckets",
    later: new Later(() => import("./buckets.js")),
    draw: () => html`<headscope-lab-buckets></headscope-lab-buckets>`,
  },
  {
    name: "fourTerms",
    label: "posLab.fourTerms",
    later: new Later(() => import("./four-terms.js")),
    draw: () => html`<headscope-lab-four-terms></headscope-lab-four-terms>`,
  },
];
