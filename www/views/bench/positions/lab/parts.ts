import { html, type TemplateResult } from "lit";
import type { Model } from "../../../../headscope.js";
import type { MessageKey } from "../../../../i18n/index.js";
import { Later } from "../../../later/later.js";

/** What a part of the laboratory may be told; most need nothing. */
export interface OnPositionLab {
  model: Model | null;
  /** What the tokens of the text on the page are called. */
  tokens: readonly string[];
}

interface LabPart {
  name: string;
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
];
