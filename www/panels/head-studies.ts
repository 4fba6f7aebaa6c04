/**
 * What is known of heads from more than the present text: the texts that are typical of a head, the
 * studies that are open, and the progress of one that is computed.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { HeadRef } from "../data/index.js";
import { message } from "../i18n/index.js";
import { stateOf } from "../session/models/samples.js";
import { scoreWords, type StudiedTexts } from "../session/run/head-order.js";
import type { Session } from "../session/session.js";

/** Texts with their scores, the role that is scored, and where the texts are from in words. */
interface Typical {
  role: string;
  most: readonly { text: string; score: number }[];
  least: readonly { text: string; score: number }[];
  hint: string;
}

/** The typical texts of a head: of an opened or computed study, or else of the model's notes. */
function typicalOf(
  { studiedHere, computation }: Pick<Session, "studiedHere" | "computation">,
  { stack, layer, head }: HeadRef,
): Typical | "no-role" | null {
  const { typical: studied } = studiedHere ?? {};
  if (studied) {
    const own = studied.byHead[stack]?.[layer]?.[head];
    if (!own) return "no-role";
    const role = message(`role.${own.role}`);
    const { name, count } = studied.texts;
    return { ...own, role, hint: message("typical.study", { name, count, role }) };
  }
  const { sentences = [], typical } = computation.model?.notes ?? {};
  const own = typical?.[stack]?.[layer]?.[head];
  if (!own) return null;
  const role = message(`role.${own.role}`);
  const named = (ends: typeof own.most): Typical["most"] =>
    ends.flatMap(([index, score]) => {
      const { text } = sentences[index] ?? {};
      return text === undefined ? [] : [{ text, score }];
    });
  const hint = message("typical.hint", { role });
  return { role, most: named(own.most), least: named(own.least), hint };
}

/**
 * The texts on which a head plays its role most, and those on which it deviates, each a button that
 * loads it; and the choice of a file whose texts are compared.
 */
export function typicalSentences(session: Session, shown: HeadRef): TemplateResult {
  const found = typicalOf(session, shown);
  const load = (text: string): void => session.update(stateOf({ text, ...shown, locked: null }));
  const list = (words: string, of: Typical["most"]): TemplateResult =>
    html`<p class="muted">${words}</p>
      <ol>
        ${of.map(
          ({ text, score }) =>
            html`<li>
              <button @click=${() => load(text)}>
                <bdi>${text}</bdi>
                <span data-score>${scoreWords(score)}</span>
              </button>
            </li>`,
        )}
      </ol>`;
  const lists = (of: Typical): TemplateResult =>
    html`${list(message("typical.most", { role: of.role }), of.most)}
      ${list(message("typical.least", { role: of.role }), of.least)}
      <p class="muted">${of.hint}</p>`;
  return html`${
    found === "no-role"
      ? html`<p class="muted">${message("typical.noRole")}</p>`
      : found && lists(found)
  }${renderChoice(session)}`;
}

/** Renders the choice of a file of texts; a model of images, or without a tokenizer, reads none. */
function renderChoice(session: Session): TemplateResult | typeof nothing {
  const { model } = session.computation;
  if (!model?.hasTokenizer || model.info.image) return nothing;
  const choose = ({ currentTarget }: Event): void => {
    const input = (currentTarget as HTMLElement).nextElementSibling;
    if (input instanceof HTMLInputElement) input.click();
  };
  const take = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    // So that the same file can be chosen again after a change.
    input.value = "";
    if (file) void session.study("compute", file);
  };
  return html`<p class="inline">
    <button class="act" ?disabled=${Boolean(session.studying)} @click=${choose}>
      ${message("typical.choose")}
    </button>
    <input
      type="file"
      hidden
      accept=".txt,.md,.jsonl,text/plain"
      tabindex="-1"
      aria-label=${message("typical.choose")}
      @change=${take}
    />
    <span class="muted">${message("typical.chooseHint")}</span>
  </p>`;
}

/** Renders the offer to measure roles on more than the present text; images have no other text. */
function renderOffer(session: Session): TemplateResult | typeof nothing {
  const { knownRoles, info, studying } = session;
  if (knownRoles?.basis !== "here" || info?.image) return nothing;
  return html`<p class="small next">
    <button
      class="act"
      ?disabled=${Boolean(studying)}
      @click=${() => void session.study("measure")}
    >
      ${message(studying ? "roles.studying" : "roles.study")}
    </button>
    <span class="muted">${message("roles.studyHint")}</span>
  </p>`;
}

/**
 * The offer to measure roles, the studies that are open, each with its texts, and the progress of
 * the one that is computed.
 */
export function renderStudies(session: Session): TemplateResult {
  const { studying, studiedHere } = session;
  const { roles, typical, effects } = studiedHere ?? {};
  const named = [
    roles?.texts && message("studies.roles", { texts: textsWords(roles.texts) }),
    typical && message("studies.typical", { texts: textsWords(typical.texts) }),
    effects && message("studies.effects", { texts: textsWords(effects.texts) }),
  ].filter((words) => typeof words === "string");
  const close = (): void => {
    session.studied = null;
  };
  return html`${renderOffer(session)}
  ${studying && studying.name !== null ? renderProgress(studying.name, studying) : nothing}
  ${
    named.length > 0
      ? html`<div class="small next" role="status">
          ${named.map((words) => html`<p>${words}</p>`)}
          ${
            effects && session.state.experiment !== "patching"
              ? html`<button class="act" @click=${() => session.update({ experiment: "patching" })}>
                  ${message("studies.show")}
                </button>`
              : nothing
          }
          <button class="act" @click=${close}>${message("studies.close")}</button>
        </div>`
      : nothing
  }`;
}

/** Renders the progress of a study with the button that stops it; not read aloud at every step. */
function renderProgress(
  name: string,
  { done, total, stopping }: NonNullable<Session["studying"]>,
): TemplateResult {
  const words = message("studies.progress", { name, done, total });
  return html`<p class="inline small next">
    <span>${words}</span>
    <progress max=${total} value=${done} aria-label=${words}></progress>
    <button class="act" @click=${() => stopping.abort()}>${message("studies.stop")}</button>
  </p>`;
}

/** The texts of a study in words: how many of which file, and those that could not be read. */
function textsWords({ name, count, failed }: StudiedTexts): string {
  const texts = message("studies.on", { name, count });
  return failed === 0 ? texts : message("studies.failed", { texts, failed });
}
