import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { HeadRef } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { type BundledModel, isBundled, type ModelName, type State } from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { SessionPart } from "../session.js";

/** The way to a second sentence beside the first. */
@customElement("headscope-compare-entry")
export class HeadscopeCompareEntry extends SessionPart {
  static override styles = [
    partStyles,
    css`
      button {
        font-size: 12px;
        color: var(--headscope-accent);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<button @click=${this.begin}>${message("pairs.begin")}</button>`;
  }

  private readonly begin = (): void => {
    const { model, text } = this.session.state;
    this.session.store.step({
      compare: "other",
      otherText: partnerOf(model, text),
      otherModel: null,
      pairs: [],
    });
  };
}

/** Two texts that show something side by side, and where to look for it. */
export interface PairSample {
  text: string;
  other: string;
  look: HeadRef;
}

const ORDER = ["The dog bites the man.", "The man bites the dog."] as const;
const BANK = ["She sits on the bank of the river.", "She has money in the bank."] as const;
const OPEN = [ORDER, BANK].map((texts) => texts.map((text) => text.slice(0, -1)));

/** The samples of each bundled model, one head each for words that change places and for a word with two meanings. */
const SAMPLES: Readonly<Record<BundledModel, readonly PairSample[]>> = {
  "models/en-fr": [
    { text: ORDER[0], other: ORDER[1], look: { stack: "cross", layer: 1, head: 4 } },
    { text: BANK[0], other: BANK[1], look: { stack: "encoder", layer: 2, head: 6 } },
  ],
  "models/tiny-gpt": OPEN.map(([text = "", other = ""]) => ({
    text,
    other,
    look: { stack: "decoder", layer: 1, head: 1 },
  })),
  "models/tiny-bert": [
    { text: ORDER[0], other: ORDER[1], look: { stack: "encoder", layer: 1, head: 3 } },
    { text: BANK[0], other: BANK[1], look: { stack: "encoder", layer: 1, head: 3 } },
  ],
};

/** The samples of a model; a folder from a disk has none. */
export function pairSamplesOf(model: ModelName): readonly PairSample[] {
  return isBundled(model) ? SAMPLES[model] : [];
}

/** What of the State a sample decides. */
export function stateOfPair({ text, other, look }: PairSample): Partial<State> {
  return {
    text,
    otherText: other,
    otherModel: null,
    compare: "other",
    target: null,
    hidden: [],
    locked: null,
    picked: null,
    region: null,
    pairs: [],
    ...look,
  };
}

/** The text that belongs beside another one, if it is of a sample. */
export function partnerOf(model: ModelName, text: string): string | null {
  const sample = pairSamplesOf(model).find((pair) => pair.text === text || pair.other === text);
  if (!sample) return null;
  return sample.text === text ? sample.other : sample.text;
}
