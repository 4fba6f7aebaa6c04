/**
 * The experiment with patches between two texts: the second text, where both differ, the target,
 * and the grid. A cell of the grid becomes an edit of the text that its patch belongs to.
 */
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import { type PatchEdit } from "../data/index.js";
import { partsOf, sendingLayers } from "../data/paths.js";
import type { Model } from "../headscope.js";
import { formatPercent, message } from "../i18n/index.js";
import { settingsIn, withSettings } from "../kit/fields.js";
import { Fields, formStyles, oneOf, renderCoded, renderFailed, renderNoRun } from "../kit/form.js";
import { Settings } from "../kit/settings.js";
import { Study } from "../kit/study.js";
import { patchSamplesOf, patchSampleState } from "../session/models/patch-samples.js";
import { readingOf, tokenizerOf } from "../session/run/chat.js";
import { isBlank } from "../session/run/computation.js";
import { nameOfReceiver } from "../session/edit-labels.js";
import { chosenHead, entryIn, stacksOf } from "../session/run/selection.js";
import { folderName } from "../session/origin.js";
import { otherTextOf } from "../session/second-run.js";
import { SessionPart } from "../session/session.js";
import { equals } from "../data/equal.js";
import { sentEdits, type State } from "../state/index.js";
import "./demos/demo-element.js";
import { pooled } from "./demos/heads/pooled.js";
import { type ChosenPatch, patching } from "./demos/heads/patching.js";
import { receiverIn, receiverText } from "./patching/receiver.js";
import {
  type AskedTexts,
  differing,
  lacksMask,
  lastWord,
  lengthsOf,
  nameOfEntry,
  otherModelRefusal,
  padded,
  type PatchTask,
  readTextPair,
  targetsOf,
  targetWords,
  type TextPair,
  type TextRole,
} from "./patching/text-pair.js";
import styles from "./patching.css?inline";

/** The differing tokens that the sentence names. */
const NAMED = 3;
/** The predictions of each text that are shown. */
const SHOWN = 3;
/** The choice of no token to take off. */
const NOTHING = -1;

const otherRole = (role: TextRole): TextRole => (role === "clean" ? "corrupted" : "clean");

/**
 * The State in which the patch of a cell is an edit: the text of the patched run is the sentence,
 * and the head of the cell is shown. A patch that is there is taken back.
 */
export function withChosenPatch(
  state: State,
  { inputs, translation }: Pick<TextPair, "inputs" | "translation">,
  { texts, masked }: Pick<AskedTexts, "texts" | "masked">,
  { at, direction, to }: ChosenPatch,
  sentence: TextRole,
): Partial<State> {
  const base: TextRole = direction === "denoise" ? "corrupted" : "clean";
  const source = otherRole(base);
  const ofTarget = translation !== null && at.stack !== "encoder";
  const target = ofTarget ? (state.target ?? translation) : state.target;
  const { ids = [] } = inputs[source];
  const edits = sentEdits({ ...state.edits, patches: [] });
  const under = Object.keys(edits).length > 0 && { edits };
  const from: PatchEdit["from"] =
    masked.length > 0 || state.chat === "on"
      ? { ids, ...under }
      : { text: texts[source], ...(ofTarget && target && { target }), ...under };
  const patch: PatchEdit = { at, from, ...(to && { to }) };
  const others = state.edits.patches.filter((made) => !equals([made.at, made.to], [at, to]));
  const isThere = state.edits.patches.some((made) => equals(made, patch));
  const swapped = base !== sentence && { text: texts[base], otherText: texts[source] };
  const settings = new Map(settingsIn(state.demos, patching.name));
  if (base === "clean") settings.delete("sentence");
  else settings.set("sentence", base);
  const { stack, layer, head = state.head } = at;
  return {
    ...swapped,
    demos: withSettings(state.demos, patching.name, settings),
    target,
    stack,
    layer,
    head,
    edits: { ...state.edits, patches: isThere ? others : [...others, patch] },
  };
}

/** The experiment with patches. */
@customElement("headscope-patching-experiment")
export class HeadscopePatchingExperiment extends SessionPart {
  static override styles = [formStyles, unsafeCSS(styles)];

  private readonly fields = new Fields(this);
  private readonly settings = new Settings(this, patching.name, patching.fields);
  private readonly study = new Study<TextPair>(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.study.stop();
  }

  /** Which of both texts the sentence of the page is. */
  private get sentence(): TextRole {
    return this.settings.values.sentence === "corrupted" ? "corrupted" : "clean";
  }

  private get asked(): AskedTexts {
    const { state } = this.session;
    const { sentence } = this;
    const other = otherTextOf(state);
    const texts =
      sentence === "clean"
        ? { clean: state.text, corrupted: other }
        : { clean: other, corrupted: state.text };
    const { masked, edits } = state;
    const target = sentence === "clean" ? state.target : null;
    const { model } = this.session.computation;
    const reading = model ? readingOf(model, state) : {};
    return { texts, masked, target, edits: { ...edits, patches: [] }, reading };
  }

  override render(): TemplateResult {
    const { model, run, text } = this.session.onPage;
    if (!model || !run) return renderNoRun(text);
    const { info } = model;
    if (info.image) return note(message("demo.noText"));
    if (!info.predicts) return note(message("inspect.nextNone"));
    const studied = this.session.studiedHere?.effects
      ? html`<headscope-demo .demo=${pooled}></headscope-demo>`
      : nothing;
    return html`${studied}${this.renderTexts()}${this.renderAbout(model)}`;
  }

  private renderTexts(): TemplateResult {
    const { session, sentence, fields } = this;
    const role = otherRole(sentence);
    return html`<div class="controls inline">
      ${fields.render({
        control: "line",
        id: "other",
        label: message(`patching.text.${role}`),
        text: session.state.otherText ?? "",
        placeholder: message("patching.text.hint"),
        take: (text) => session.update({ otherText: text, pairs: [] }),
      })}
      ${this.renderSamples()}
    </div>`;
  }

  private renderSamples(): TemplateResult | typeof nothing {
    const { store, state } = this.session;
    const samples = patchSamplesOf(state.model);
    if (samples.length === 0) return nothing;
    const label = message("patching.samples");
    const choose = ({ target }: Event): void => {
      if (!(target instanceof HTMLSelectElement)) return;
      const sample = samples[target.selectedIndex - 1];
      target.selectedIndex = 0;
      if (!sample) return;
      const settings = new Map(sample.stack === "encoder" ? [] : [["stack", sample.stack]]);
      const demos = withSettings(state.demos, patching.name, settings);
      store.step({ ...patchSampleState(sample), demos });
    };
    return html`<select class="small" aria-label=${label} @change=${choose}>
      <option value="" selected>${label}</option>
      ${samples.map(
        ({ kind, clean, corrupted }, index) =>
          html`<option value=${index}>
            ${message(`patching.sample.${kind}`)}: ${clean} · ${corrupted}
          </option>`,
      )}
    </select>`;
  }

  private renderAbout(model: Model): TemplateResult {
    const { session, asked, study } = this;
    const { texts } = asked;
    if (isBlank(session.state.otherText ?? "") || texts.clean === texts.corrupted)
      return note(message("patching.noText"));
    const refused = otherModelRefusal(session.state);
    if (refused) return this.renderOtherModel(refused);
    const tokenizer = tokenizerOf(model, session.state);
    const lengths = lengthsOf(tokenizer, texts);
    if (lengths) return this.renderLengths(model);
    if (lacksMask(model, asked)) return this.renderUnmasked(model);
    study.ask([model, asked], ({ signal }) => readTextPair(model, asked, signal));
    const { answer, failure } = study;
    if (failure !== null) return html`<p class="muted">${renderFailed(failure)}</p>`;
    const pair = answer?.model === model && !study.stale ? answer : null;
    return html`${this.renderDifference(model)}
    ${
      pair
        ? html`${this.renderTargets(pair)}
            <headscope-demo
              .demo=${patching}
              .patches=${this.taskOf(pair)}
              @headscope-patch-choose=${({ detail }: CustomEvent<ChosenPatch>) =>
                this.choose(pair, detail)}
            ></headscope-demo>`
        : note(message("demo.waiting"))
    }`;
  }

  /** Renders why texts of two models are not patched, and the offer to read both by one. */
  private renderOtherModel(refused: Error): TemplateResult {
    const readByOne = (): void => this.session.update({ otherModel: null });
    return html`<p class="note">${renderFailed(refused)}</p>
      <button class="act" id="one-model" @click=${readByOne}>
        ${message("patching.oneModel")}
      </button>`;
  }

  /** Renders where texts of different lengths differ, and the offer to pad the shorter one. */
  private renderLengths(model: Model): TemplateResult {
    const { session, asked, sentence } = this;
    const { texts } = asked;
    const tokenizer = tokenizerOf(model, session.state);
    const { counts, first } = lengthsOf(tokenizer, texts) ?? { counts: {}, first: 0 };
    const word = padded(tokenizer, texts);
    const pad = (): void => {
      if (!word) return;
      const isSentence = word.role === sentence;
      session.update(isSentence ? { text: word.text } : { otherText: word.text });
    };
    const words = message("patching.lengths", { ...counts, first: first + 1 });
    return html`<p class="note">
        ${renderCoded({ sentence: words, code: "selection/other-length" })}
      </p>
      ${
        word
          ? html`<button class="act" id="pad" @click=${pad}>
              ${message(`patching.pad.${word.role}`, { word: word.word })}
            </button>`
          : nothing
      }`;
  }

  /** Renders the offer to mask the last word, where the target of an encoder would be. */
  private renderUnmasked(model: Model): TemplateResult {
    const { session } = this;
    const position = lastWord(model, session.state.text);
    const mask = (): void => {
      if (position !== null) session.update({ masked: [position] });
    };
    return html`${note(message("patching.noMask"))}
    ${
      position === null
        ? nothing
        : html`<button class="act" id="mask" @click=${mask}>${message("patching.mask")}</button>`
    }`;
  }

  private renderDifference(model: Model): TemplateResult | typeof nothing {
    const found = differing(tokenizerOf(model, this.session.state), this.asked.texts);
    // One exchanged word is seen without words.
    if (found.length < 2) return nothing;
    const named = found.slice(0, NAMED).map(({ position, clean, corrupted }) => {
      return message("patching.differ.token", { position: position + 1, clean, corrupted });
    });
    const more = found.length - named.length;
    const words = more > 0 ? [...named, message("patching.differ.more", { count: more })] : named;
    return note(message("patching.differ", { tokens: words.join(" · ") }));
  }

  /** Renders what both texts predict, and the choice of the target. */
  private renderTargets(pair: TextPair): TemplateResult {
    const { session, settings, fields } = this;
    const { predictions } = pair;
    const { entries } = targetsOf(pair);
    const { id, minus } = this.targetOf(pair);
    const isDifference = settings.values.measure !== "probability";
    const nameOf = (entry: number): string => nameOfEntry(pair, entry);
    const best = (role: TextRole): string =>
      predictions[role]
        .slice(0, SHOWN)
        .map((one) => `${nameOf(one.id)} ${formatPercent(one.probability, 0)}`)
        .join(" · ");
    const ids = (chosen: number | null): number[] => [
      ...new Set([...entries.map((one) => one.id), ...(chosen === null ? [] : [chosen])]),
    ];
    const take = (against: number): void => {
      settings.set("measure", against === NOTHING ? "probability" : "difference");
      if (against !== NOTHING) session.update({ against });
    };
    const other = (entry: number): string =>
      entry === NOTHING ? message("patching.minus.nothing") : nameOf(entry);
    const choices = [
      {
        ...oneOf("list", "patching.id", ids(id), id, (entry) => session.update({ entry }), nameOf),
        id: "target",
      },
      {
        ...oneOf(
          "list",
          "patching.minus",
          [NOTHING, ...ids(minus).filter((entry) => entry !== id)],
          isDifference && minus !== null ? minus : NOTHING,
          take,
          other,
        ),
        id: "minus",
      },
    ];
    return html`<dl class="small answers">
        ${(["clean", "corrupted"] as const).map(
          (role) =>
            html`<dt>${message(`patching.${role}`)}</dt>
              <dd>${best(role)}</dd>`,
        )}
      </dl>
      <div class="controls inline">
        ${choices.map((control) => fields.render(control))} ${this.renderReceiver(pair)}
      </div>
      ${
        isDifference && minus === null
          ? note(message("patching.same", { token: nameOf(id) }))
          : nothing
      }`;
  }

  /** Renders the choice of a receiver: the logits, or what the shown head reads. */
  private renderReceiver({ model: { info } }: TextPair): TemplateResult | typeof nothing {
    const { settings, fields } = this;
    const { what, receiver: chosen } = settings.values;
    const stacks = stacksOf(info);
    const sender = stacks.find((one) => one === settings.values.stack) ?? stacks[0];
    if (what !== "head" || sender === undefined) return nothing;
    const receiver = String(chosen);
    const shown = chosenHead(this.session.state, info);
    const parts = shown ? partsOf(sender, shown).map((part) => ({ ...shown, part })) : [];
    const heads = [...(shown && parts.length > 1 ? [shown] : []), ...parts]
      .filter((one) => sendingLayers(info.stacks, sender, one) > 0)
      .map((one) => receiverText(one));
    const logits = sendingLayers(info.stacks, sender, "logits") > 0 ? ["logits"] : [];
    const offered = [...new Set(["", receiver, ...logits, ...heads])];
    const nameOf = (text: string): string => {
      const to = receiverIn(text);
      return to ? nameOfReceiver(to) : text === "" ? message("patching.receiver.off") : text;
    };
    const put = (text: string): void => settings.set("receiver", text);
    const control = oneOf("list", "patching.receiver", offered, receiver, put, nameOf);
    return html`${fields.render({ ...control, id: "receiver" })}`;
  }

  /** The chosen target: by default the likeliest entry of each text. */
  private targetOf(pair: TextPair): { id: number; minus: number | null } {
    const { state } = this.session;
    const { usual } = targetsOf(pair);
    const { info } = pair.model;
    const id = entryIn(state.entry, info) ?? usual.id;
    const minus = entryIn(state.against, info) ?? usual.minus;
    return { id, minus: minus === id ? null : minus };
  }

  private taskOf(pair: TextPair): PatchTask {
    const { model, inputs, tokens, targetTokens, position } = pair;
    const { id, minus } = this.targetOf(pair);
    const isDifference = this.settings.values.measure !== "probability" && minus !== null;
    return {
      model,
      inputs,
      tokens,
      targetTokens,
      position,
      id,
      minus: isDifference ? minus : null,
      target: targetWords(pair, { id, minus: isDifference ? minus : null }),
      folder: folderName(this.session.state.model),
      texts: this.asked.texts,
      masked: this.asked.masked,
      translation: pair.translation,
    };
  }

  private choose(pair: TextPair, chosen: ChosenPatch): void {
    const { session, asked, sentence } = this;
    session.store.step(withChosenPatch(session.state, pair, asked, chosen, sentence));
  }
}

function note(words: string): TemplateResult {
  return html`<p class="small muted note">${words}</p>`;
}
