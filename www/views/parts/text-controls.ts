import { css, html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import "../../elements/tokens.js";
import type { TokenTouch } from "../run/pointing.js";
import type { Strip } from "../run/selection.js";
import { type Sample, stateOf } from "../samples.js";
import type { Session } from "../session.js";

/** Styles of a text with the line of controls above it and its tokens below. */
export const textStyles = css`
  .over {
    min-height: 28px;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  .over :is(select, button) {
    min-width: 0;
    max-width: 100%;
    font-size: 12px;
  }

  .over button {
    color: var(--headscope-accent);
  }

  /* As wide as what it says, not as its longest sentence. */
  .over select {
    width: 9em;
    field-sizing: content;
    text-overflow: ellipsis;
  }

  @supports (field-sizing: content) {
    .over select {
      width: auto;
    }
  }

  headscope-tokens {
    margin-top: 12px;
    max-height: max(14vh, 100px);
    overflow: auto;
  }
`;

/** A list of samples. Choosing one changes the State in one step. */
export function samplePicker(
  { store }: Session,
  label: string,
  samples: readonly Sample[],
): TemplateResult | typeof nothing {
  const choose = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const sample = samples[target.value === "" ? -1 : Number(target.value)];
    target.selectedIndex = 0;
    if (sample) store.step(stateOf(sample));
  };
  if (samples.length === 0) return nothing;
  return html`<select aria-label=${label} @change=${choose}>
    <option value="" selected>${label}</option>
    ${samples.map(({ text, other }, index) => html`<option value=${index} lang="en">${other === undefined ? text : `${text} · ${other}`}</option>`)}
  </select>`;
}

/** The tokens of a text. */
export function tokenStrip(
  strip: Strip,
  label: string,
  stale: boolean,
  touch: (index: number | null, action: TokenTouch["action"]) => void,
): TemplateResult {
  return html`<headscope-tokens
    class=${classMap({ stale })}
    .tokens=${strip.tokens}
    .hovered=${strip.focused}
    .locked=${strip.locked}
    .byWord=${strip.byWord}
    .shares=${strip.shares}
    .label=${label}
    @headscope-token-hover=${({ detail }: CustomEvent<TokenHoverDetail>) => touch(detail.index, "hover")}
    @headscope-token-lock=${({ detail }: CustomEvent<TokenLockDetail>) => touch(detail.index, detail.extend ? "pick" : "lock")}
  ></headscope-tokens>`;
}
