import { css, html, nothing, type TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import { isAnySet, isShare, type Tensor } from "../data/index.js";
import type { TokenHoverDetail, TokenLockDetail } from "../elements/events.js";
import { predictionLabel } from "../elements/shared/templates.js";
import "../elements/tokens.js";
import { language, message, type MessageKey } from "../i18n/index.js";
import { SHOWN_STAGES, type ShownStage, type State } from "../state/index.js";
import { type Choice, choice, type HeadscopeChoice } from "../ui/choice.js";
import type { TokenTouch } from "../session/run/pointing.js";
import type { Strip } from "../session/run/selection.js";
import type { Sample } from "../session/models/bundled-models.js";
import { stateOf } from "../session/models/samples.js";
import { shownNumbers } from "../session/run/other-numbers.js";
import type { Session } from "../session/session.js";

/** The fields of the State that are one of several words. */
type WordField = {
  [Name in keyof State]: State[Name] extends string ? Name : never;
}[keyof State];

/** The State of a page, which controls show and change. */
export type Settable = Pick<Session, "state" | "update">;

/**
 * A row of choices between the values of a field of the State, with words that depend on nothing
 * else: a letter does not render it again.
 */
export function fieldChoice<Name extends WordField>(
  session: Settable,
  name: Name,
  label: MessageKey,
  values: readonly State[Name][],
  show: (value: State[Name]) => string | Omit<Choice, "value">,
  look?: HeadscopeChoice["look"],
): DirectiveResult {
  const value = session.state[name];
  const choose = (chosen: State[Name]): void => session.update({ [name]: chosen });
  return guard([[language(), value, ...values].join()], () =>
    choice(message(label), values, value, show, choose, look),
  );
}

/** Whether masked scores differ from the scores. */
export const isMasked = (mask: Tensor | null): boolean => mask !== null && isAnySet(mask.data);

/**
 * The choice of the numbers that a picture of pairs shows. Without a mask the masked scores are the
 * scores, and not on offer; lines show weights and shares alone.
 */
export function stageChoice(
  session: Settable & Pick<Session, "info" | "stack">,
  mask: Tensor | null,
): DirectiveResult {
  const { info, stack } = session;
  const { picture, stage: asked, compare } = session.state;
  const writes = info?.predicts && (info.architecture !== "encoder-decoder" || stack !== "encoder");
  const isOffered = (stage: ShownStage): boolean => {
    if (stage === "weights") return true;
    // It stands with the joined heads, of which some are about a prediction too.
    if (stage === "gradient") return false;
    if (isShare(stage)) return compare === null && (stage === "norms" || Boolean(writes));
    return picture !== "lines" && (stage !== "masked" || isMasked(mask));
  };
  const shown = shownNumbers({ picture, stage: asked, joined: null, compare });
  const stages = SHOWN_STAGES.filter((stage) => isOffered(stage) || shown === stage);
  const show = (stage: ShownStage): string => message(`stage.${stage}`);
  const choose = (stage: ShownStage): void => session.update({ stage });
  return guard([[language(), shown, ...stages].join()], () =>
    choice(message("stage.label"), stages, shown as ShownStage, show, choose, "segments"),
  );
}

/** The choice of the entry of the vocabulary whose logit the effects are about. */
export function entryChoice(
  session: Settable & Pick<Session, "info" | "expectation">,
): TemplateResult {
  const { info, expectation } = session;
  const { entry } = session.state;
  const { at, predictions = [] } = expectation ?? {};
  const isListed = entry === null || predictions.some(({ id }) => id === entry);
  const choose = ({ target }: Event): void => {
    const { value } = target as HTMLSelectElement;
    session.update({ entry: value === "" ? null : Number(value) });
  };
  return html`<select class="small" aria-label=${message("effects.target")} @change=${choose}>
    <option value="" .selected=${entry === null}>${message("effects.likeliest")}</option>
    ${isListed ? nothing : html`<option value=${entry} selected>#${entry}</option>`}
    ${
      at
        ? predictions.map(
            (one) =>
              html`<option value=${one.id} .selected=${one.id === entry}>
                ${predictionLabel(one, at, info)}
              </option>`,
          )
        : nothing
    }
  </select>`;
}

/** The chosen value of a list, one of `values`. */
export function valueOf<Value extends string>(
  list: EventTarget | null,
  values: readonly Value[],
): Value | undefined {
  return values.find((one) => list instanceof HTMLSelectElement && one === list.value);
}

/** The styles of a text with its controls above and its tokens below. */
export const textStyles = css`
  .over {
    min-height: max(30px, var(--_touch));
  }
  /* As wide as the chosen option, not as its longest sentence. */
  .over select {
    max-width: 20em;
    field-sizing: content;
    text-overflow: ellipsis;
  }
  headscope-tokens {
    margin-top: 8px;
    max-height: max(9vh, 80px);
    overflow: auto;
  }
`;

/** A list of samples. A choice changes the State in one step. */
export function samplePicker(
  { store }: Pick<Session, "store">,
  label: string,
  samples: readonly Sample[],
): DirectiveResult | typeof nothing {
  const choose = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const sample = samples[target.selectedIndex - 1];
    target.selectedIndex = 0;
    if (sample) store.step(stateOf(sample));
  };
  if (samples.length === 0) return nothing;
  const option = ({ text, other }: Sample, index: number): TemplateResult =>
    html`<option value=${index} lang="en">
      ${other === undefined ? text : `${text} · ${other}`}
    </option>`;
  return guard(
    [samples, label],
    () =>
      html`<select aria-label=${label} @change=${choose}>
        <option value="" selected>${label}</option>
        ${samples.map(option)}
      </select>`,
  );
}

export function tokenStrip(
  { tokens, focused, locked, byWord, shares }: Strip,
  label: string,
  stale: boolean,
  touch: (index: number | null, action: TokenTouch["action"]) => void,
): TemplateResult {
  return html`<headscope-tokens
    class=${classMap({ stale })}
    .tokens=${tokens}
    .hovered=${focused}
    .locked=${locked}
    .byWord=${byWord}
    .shares=${shares}
    .label=${label}
    @headscope-token-hover=${({ detail }: CustomEvent<TokenHoverDetail>) =>
      touch(detail.index, "hover")}
    @headscope-token-lock=${({ detail }: CustomEvent<TokenLockDetail>) =>
      touch(detail.index, detail.extend ? "pick" : "lock")}
  ></headscope-tokens>`;
}
