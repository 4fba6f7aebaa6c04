/**
 * The experiment with decoding: the text that the model writes, step by step, the distribution of
 * each token, what every head looked at, and what was kept; another token at a step, whose text
 * stays beside the first, and a given text in place of the model's own.
 */
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import type { GenerationEvent, Prediction } from "../data/index.js";
import { Player } from "../elements/shared/player.js";
import { predictionLabel, tokenLabel } from "../elements/shared/templates.js";
import type { Table } from "../export/provenance.js";
import type { Model, RunInput } from "../headscope.js";
import { formatPercent, message } from "../i18n/index.js";
import type { Fields as DemoFields } from "../kit/fields.js";
import { settingsOf, withSettings } from "../kit/fields.js";
import { Fields, formStyles, oneOf, renderFailed, renderNoRun } from "../kit/form.js";
import "../kit/sampling-form.js";
import { type ShownOf } from "../kit/save-figure.js";
import "../kit/save-figure.js";
import { Settings } from "../kit/settings.js";
import { Study } from "../kit/study.js";
import { additionsTo } from "../session/run/continuation.js";
import { inputOf, isBlank } from "../session/run/computation.js";
import { Later } from "../ui/lazy.js";
import { SessionPart } from "../session/session.js";
import { generateWith } from "../state/index.js";
import {
  type Asked,
  type Line,
  positionOf,
  readGiven,
  type Turn,
  writeBranch,
  writeLine,
} from "./decoding/lines.js";
import { changesOf, looksOf } from "./decoding/brief.js";
import { cacheAt, type HeadRows, readHeadRows } from "./decoding/step-numbers.js";
import {
  renderCache,
  renderDraw,
  renderRows,
  renderStages,
  type StepNames,
} from "./decoding/step-view.js";
import styles from "./decoding.css?inline";

const NAME = "decoding";
/** Beam search, which most visits do not open. */
const BEAMS = new Later(() => import("./decoding/beam-search.js"), "beams");
/** The time between two steps of a playing text. */
const PLAY_MILLIS = 900;

/** Places on the page, which a link holds, and the text that the model is given. */
const FIELDS = {
  /** The shown step, from zero. */
  step: { control: "number", opens: 0, least: 0, most: 99_999, from: 1 },
  /** Whose text is read: the model's own, or a given one. */
  mode: { control: "choice", opens: "free", options: ["free", "given", "beams"] },
  given: { control: "text", opens: "" },
  /** The step of the branch, from one, and its token there; 0 for no branch. */
  turn: { control: "number", opens: 0, least: 0, most: 99_999 },
  token: { control: "number", opens: 0, least: 0, most: 99_999_999 },
  /** The line whose step is shown. */
  line: { control: "choice", opens: "first", options: ["first", "branch"] },
} as const satisfies DemoFields;

/** What the decoder reads. */
type Mode = (typeof FIELDS.mode.options)[number];
type Place = (typeof FIELDS.line.options)[number];

/** The texts of a page's model: what it wrote, and the branch that leaves it. */
interface Lines {
  model: Model;
  asked: Asked;
  first: Line;
  /** What the model writes by itself. */
  free: string;
}

/** The experiment with decoding. */
@customElement("headscope-decoding-experiment")
export class HeadscopeDecodingExperiment extends SessionPart {
  static override styles = [formStyles, unsafeCSS(styles)];

  private readonly fields = new Fields(this);
  private readonly settings = new Settings(this, NAME, FIELDS);
  private readonly player = new Player(this, () => this.advance(), PLAY_MILLIS);
  private readonly writing = new Study<Lines>(this);
  private readonly branching = new Study<Line>(this);
  private readonly reading = new Study<{ line: Line; step: number; rows: HeadRows[] }>(this);
  /** The lines whose runs are held. */
  private readonly held = new Map<Study<unknown>, Line>();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const study of [this.writing, this.branching, this.reading]) study.stop();
    for (const { run } of this.held.values()) run.release();
    this.held.clear();
  }

  protected override updated(): void {
    const { tour } = this.session.state;
    const model = this.writing.answer?.model;
    const line = this.shownLine;
    const step = line?.steps[Math.min(this.settings.values.step, line.steps.length - 1)];
    if (tour === null || !model || !line || !step || this.writing.stale) return;
    const { answer } = this.reading;
    const rows = answer?.line === line && answer.step === step.step ? answer.rows : [];
    const nameOf = (one: Prediction): string => this.nameIn(line, step.step, one, model.info);
    this.session.putDemoAnswer(NAME, tour === "writing" ? looksOf(rows) : changesOf(step, nameOf));
  }

  override render(): TemplateResult {
    const { model, run, text } = this.session.onPage;
    if (!model || !run) return renderNoRun(text);
    const { info } = model;
    if (info.image) return note(message("demo.noText"));
    if (!info.predicts || info.architecture === "encoder") return note(message("decoding.encoder"));
    if (this.mode === "beams")
      return html`${this.renderSettings(model)}
      ${BEAMS.show(
        this,
        () => html`<headscope-beam-search .model=${model}></headscope-beam-search>`,
      )}`;
    this.askLine(model);
    if (this.isUngiven(model))
      return html`${this.renderSettings(model)}${note(message("decoding.given.none"))}`;
    const { failure, stale, answer } = this.writing;
    const lines = answer?.model === model && !stale ? answer : null;
    return html`${this.renderSettings(model)}
    ${
      failure !== null
        ? html`<p class="muted" role="alert">${renderFailed(failure)}</p>`
        : lines
          ? this.renderLines(lines)
          : note(message("demo.waiting"))
    }`;
  }

  // What is asked.

  private get mode(): Mode {
    return this.settings.values.mode;
  }

  /** The given text; the translation that the user wrote, where there is one. */
  private given(model: Model): string {
    const { given } = this.settings.values;
    const isTranslator = model.info.architecture === "encoder-decoder";
    return given === "" && isTranslator ? (this.session.state.target ?? "") : given;
  }

  /** Whether the text that the decoder is given is still to be typed. */
  private isUngiven(model: Model): boolean {
    return this.mode === "given" && isBlank(this.given(model));
  }

  private askLine(model: Model): void {
    const { state, shownImage } = this.session;
    const { generate: _, ...input }: RunInput = inputOf(
      { ...state, target: null },
      model,
      shownImage,
    );
    const asked: Asked = { model, input, settings: generateWith(state.sampling) };
    const { mode } = this;
    const given = mode === "given" ? this.given(model) : "";
    if (this.isUngiven(model)) {
      this.writing.forget();
      return;
    }
    this.writing.ask([model, asked, mode, given], async ({ signal }) => {
      const own = await writeLine(asked, signal);
      const isOwn = mode === "free";
      const first = isOwn ? own : await readGiven(asked, given, signal);
      const free = writtenText(model, own);
      if (!isOwn) own.run.release();
      return { model, asked, free, first: this.keep(this.writing, first, signal) };
    });
  }

  /** The line beside the first; null where there is none, or none yet. */
  private askBranch({ asked, first }: Lines): Line | null {
    const turn = this.turnIn(first);
    if (!turn) {
      this.branching.forget();
      return null;
    }
    this.branching.ask([first.run, turn], async ({ signal }) =>
      this.keep(this.branching, await writeBranch(asked, first, turn, signal), signal),
    );
    return this.branching.stale ? null : this.branching.answer;
  }

  private turnIn({ steps }: Line): Turn | null {
    const { turn, token } = this.settings.values;
    const at = turn - 1;
    const there = this.mode === "free" ? steps[at] : undefined;
    return there && there.chosen.id !== token ? { at, id: token } : null;
  }

  /** Holds the run of a line in place of the one before; a late one is released. */
  private keep(
    study: Study<never> | Study<Lines> | Study<Line>,
    line: Line,
    signal: AbortSignal,
  ): Line {
    if (signal.aborted) {
      line.run.release();
      signal.throwIfAborted();
    }
    const owner = study as Study<unknown>;
    this.held.get(owner)?.run.release();
    this.held.set(owner, line);
    return line;
  }

  // What a person does.

  private goTo(step: number, line?: Place): void {
    const { session, settings } = this;
    const values = { ...settings.values, step: Math.max(0, step), ...(line && { line }) };
    const demos = withSettings(session.state.demos, NAME, settingsOf(FIELDS, values));
    session.update({ demos });
  }

  private advance(): boolean {
    const line = this.shownLine;
    if (!line) return false;
    const { step } = this.settings.values;
    if (step >= line.steps.length - 1) return false;
    this.goTo(step + 1);
    return true;
  }

  private branch(at: number, id: number): void {
    const { session, settings } = this;
    const values = { ...settings.values, step: at, turn: at + 1, token: id, line: "branch" };
    session.store.set(withSettings(session.state.demos, NAME, settingsOf(FIELDS, values)), false);
  }

  private leaveBranch(): void {
    const { session, settings } = this;
    const values = { ...settings.values, turn: 0, token: 0, line: "first" };
    session.store.set(withSettings(session.state.demos, NAME, settingsOf(FIELDS, values)), false);
  }

  /** Shows both texts in the comparison of the page, head by head. */
  private compare({ model, first }: Lines, branch: Line): void {
    const { text } = this.session.state;
    const isDecoder = model.info.architecture === "decoder";
    const textOf = (line: Line): string => (isDecoder ? text : "") + writtenText(model, line);
    const [one, other] = [textOf(first), textOf(branch)];
    const texts = isDecoder
      ? { text: one, otherText: other, otherTarget: null }
      : { target: one, otherText: null, otherTarget: other };
    this.session.store.step({
      ...texts,
      otherModel: null,
      otherHead: null,
      compare: "other",
      aligned: "positions",
      pairs: [],
      experiment: null,
      demos: null,
    });
  }

  private get shownLine(): Line | null {
    const isBranch = this.settings.values.line === "branch" && this.branching.answer !== null;
    return isBranch ? this.branching.answer : (this.writing.answer?.first ?? null);
  }

  // What is shown.

  private renderSettings(model: Model): TemplateResult {
    const { settings, fields, mode } = this;
    const choose = (next: Mode): void => settings.set("mode", next);
    const control = oneOf(
      "segments",
      "decoding.mode",
      FIELDS.mode.options,
      mode,
      choose,
      "decoding.mode",
    );
    return html`<div class="controls inline">
      ${fields.render({ ...control, id: "mode", caption: "" })}
      ${
        mode === "free"
          ? html`<details ?open=${this.session.state.sampling !== null}>
              <summary class="small">${message("writing.settings")}</summary>
              <headscope-sampling-form></headscope-sampling-form>
            </details>`
          : mode === "beams"
            ? nothing
            : fields.render({
                control: "line",
                id: "given",
                label: message("decoding.given"),
                text: this.given(model),
                placeholder: message("decoding.given.hint"),
                take: (text) => settings.set("given", text),
              })
      }
    </div>`;
  }

  private renderLines(lines: Lines): TemplateResult {
    const { first } = lines;
    const branch = this.askBranch(lines);
    const isBranch = this.settings.values.line === "branch" && branch !== null;
    const line = isBranch ? branch : first;
    if (line.steps.length === 0) return note(message("decoding.nothing"));
    const step = Math.min(this.settings.values.step, line.steps.length - 1);
    this.reading.ask([line.run, step], async () => {
      const rows = await readHeadRows(lines.model.info, line, step);
      return { line, step, rows };
    });
    return html`${this.renderTexts(lines, branch, line, step)} ${this.renderControls(line, step)}
    ${this.renderStep(lines, line, step)}`;
  }

  private renderTexts(
    lines: Lines,
    branch: Line | null,
    shown: Line,
    step: number,
  ): TemplateResult {
    const { first, model } = lines;
    const { failure, working } = this.branching;
    const turn = this.turnIn(first);
    if (this.mode === "given") return this.renderGiven(lines, step);
    const beside = branch
      ? html`${this.renderText(model, branch, "branch", shown === branch ? step : null, turn?.at)}
          <p class="inline small">
            <button class="act" id="compare" @click=${() => this.compare(lines, branch)}>
              ${message("decoding.compare")}
            </button>
            <button id="leave" @click=${() => this.leaveBranch()}>
              ${message("decoding.leave")}
            </button>
          </p>`
      : working
        ? note(message("demo.waiting"))
        : nothing;
    return html`${this.renderText(model, first, "first", shown === first ? step : null)}
    ${failure !== null ? html`<p class="small" role="alert">${renderFailed(failure)}</p>` : nothing}
    ${beside}`;
  }

  /** Renders a line: what was there before as words, then a button for each step. */
  private renderText(
    model: Model,
    line: Line,
    place: Place,
    current: number | null,
    turn = 0,
  ): TemplateResult {
    const before = line.tokens.slice(0, line.nGiven + turn);
    const { info } = model;
    const words = model.decode(
      before.map(({ id }) => id),
      { target: info.architecture !== "decoder" },
    );
    const chip = ({ chosen }: GenerationEvent, at: number): TemplateResult | typeof nothing =>
      at < turn
        ? nothing
        : html`<button
            class="chip"
            aria-current=${at === current ? "step" : nothing}
            @click=${() => this.goTo(at, place)}
          >
            <bdi>${this.nameIn(line, at, chosen, info)}</bdi>
          </button>`;
    return html`<div
      class="line inline"
      role="group"
      aria-label=${message(`decoding.line.${place}`)}
    >
      <span class="name small muted" aria-hidden="true">${message(`decoding.line.${place}`)}</span>
      ${words === "" ? nothing : html`<bdi class="muted">${words}</bdi>`} ${line.steps.map(chip)}
    </div>`;
  }

  /**
   * Renders a given text, token by token, beside what the model would have written at each step,
   * and the text that the model writes by itself.
   */
  private renderGiven({ model, first, free }: Lines, step: number): TemplateResult {
    const { info } = model;
    const nSame = first.steps.filter(({ candidates: [best], chosen }) => best?.id === chosen.id);
    const row = (one: GenerationEvent, at: number): TemplateResult => {
      const [own] = one.candidates;
      const word = own ? this.nameIn(first, at, own, info) : "";
      return html`<tr>
        <th scope="row">
          <button
            class="chip"
            aria-current=${at === step ? "step" : nothing}
            @click=${() => this.goTo(at)}
          >
            <bdi>${this.nameIn(first, at, one.chosen, info)}</bdi>
          </button>
        </th>
        <td>
          ${
            own?.id === one.chosen.id
              ? html`<bdi class="muted">${word}</bdi>`
              : html`<mark><bdi>${word}</bdi></mark>`
          }
        </td>
        <td class="small muted">${formatPercent(one.probability)}</td>
      </tr>`;
    };
    return html`<div class="scroll">
        <table class="given">
          <thead>
            <tr class="small">
              <th scope="col">${message("decoding.given.read")}</th>
              <th scope="col">${message("decoding.given.own")}</th>
              <th scope="col">${message("decoding.given.chance")}</th>
            </tr>
          </thead>
          <tbody>
            ${first.steps.map(row)}
          </tbody>
        </table>
      </div>
      <p class="small muted note">
        ${message("decoding.given.same", { count: nSame.length, all: first.steps.length })}
      </p>
      <p class="small note">${message("decoding.given.free")} <bdi class="serif">${free}</bdi></p>`;
  }

  private renderControls(line: Line, step: number): TemplateResult {
    const { player, fields } = this;
    const last = line.steps.length - 1;
    const go = (to: number) => (): void => {
      player.stop();
      this.goTo(to);
    };
    return html`<div class="controls inline" role="group" aria-label=${message("decoding.steps")}>
      <button id="back" class="boxed" ?disabled=${step === 0} @click=${go(step - 1)}>
        ${message("decoding.back")}
      </button>
      ${
        player.isStill
          ? nothing
          : html`<button id="play" class="boxed" @click=${() => this.play(step, last)}>
              ${message(player.playing ? "decoding.pause" : "decoding.play")}
            </button>`
      }
      <button id="next" class="boxed" ?disabled=${step >= last} @click=${go(step + 1)}>
        ${message("decoding.next")}
      </button>
      ${
        last === 0
          ? nothing
          : fields.render({
              control: "slider",
              id: "step",
              label: message("decoding.step"),
              value: step + 1,
              least: 1,
              most: last + 1,
              words: (at) => message("decoding.stepOf", { step: at, all: last + 1 }),
              take: (at) => this.goTo(at - 1),
            })
      }
    </div>`;
  }

  /** Plays on, from the first step once the last one is shown. */
  private play(step: number, last: number): void {
    if (!this.player.playing && step >= last) this.goTo(0);
    this.player.toggle();
  }

  private renderStep({ model, first }: Lines, line: Line, step: number): TemplateResult {
    const one = line.steps[step];
    if (!one) return note(message("decoding.nothing"));
    const { info } = model;
    const nameOf = (prediction: Prediction): string => this.nameIn(line, step, prediction, info);
    const names: StepNames = { step: step + 1, nameOf, of: ofLine(model, line) };
    const { answer, stale } = this.reading;
    const isRead = answer?.line === line && answer.step === step && !stale;
    const cache = cacheAt(info, line, step);
    const keys = line.tokens.slice(0, cache.tokens).map(tokenLabel);
    const words = message(this.mode === "given" ? "decoding.read" : "decoding.wrote", {
      step: step + 1,
      token: nameOf(one.chosen),
      share: formatPercent(one.probability),
    });
    return html`<p class="status" role="status">${words}</p>
      <section>
        <h3>${message("decoding.distribution")}</h3>
        ${renderStages(one, names)} ${renderDraw(one, names)}
        ${this.mode === "free" && line === first ? this.renderTurns(one, names, info) : nothing}
      </section>
      <div class="pictures columns">
        ${
          isRead
            ? answer.rows.map((rows) => renderRows(rows, names))
            : note(message("demo.waiting"))
        }
        ${renderCache(cache, keys, names)}
      </div>
      <headscope-save-figure
        name="decoding"
        .heading=${message("decoding.all")}
        .of=${names.of}
        .table=${this.tableOf(model, line)}
        ><h3>${message("decoding.all")}</h3></headscope-save-figure
      >`;
  }

  /** Renders the other tokens of a step, each a button that writes on from it. */
  private renderTurns(
    { candidates, chosen, step }: GenerationEvent,
    { nameOf }: StepNames,
    { endTokens }: Model["info"],
  ): TemplateResult {
    const others = candidates.filter(({ id }) => id !== chosen.id && !endTokens.includes(id));
    return html`<p class="turns inline small">
      <span class="muted">${message("decoding.turn")}</span>
      ${others.map(
        (one) =>
          html`<button
            class="chip"
            aria-label=${message("decoding.turn.with", { token: nameOf(one) })}
            @click=${() => this.branch(step, one.id)}
          >
            <bdi>${nameOf(one)}</bdi>
            <small class="muted">${formatPercent(one.probability)}</small>
          </button>`,
      )}
    </p>`;
  }

  private nameIn(line: Line, step: number, prediction: Prediction, info: Model["info"]): string {
    const at = line.tokens[positionOf(line, step)];
    return at ? predictionLabel(prediction, at, info) : prediction.text;
  }

  /** The steps of a line as a table, for a file. */
  private tableOf({ info }: Model, line: Line): Table {
    const columns = ["step", "token", "probability", "model_token", "drawn", "from", "to"];
    const rows = line.steps.map(({ chosen, probability, candidates, stages, draw, step }) => {
      const alone = (stages[0]?.candidates ?? candidates).toSorted(
        (one, other) => other.probability - one.probability,
      );
      const best = alone[0];
      const drawn = draw ? [draw.number, draw.from, draw.to] : [NaN, NaN, NaN];
      return [
        step + 1,
        this.nameIn(line, step, chosen, info),
        probability,
        best ? this.nameIn(line, step, best, info) : "",
        ...drawn,
      ];
    });
    return { columns, rows };
  }
}

/** The text that a model wrote behind the given one. */
function writtenText(model: Model, { tokens, nGiven }: Line): string {
  const ids = tokens.map(({ id }) => id);
  const isTarget = model.info.architecture !== "decoder";
  return additionsTo(model, ids.slice(0, nGiven), isTarget)(ids.slice(nGiven), false);
}

/** The texts of a line, for files. */
function ofLine(model: Model, { source, tokens, run }: Line): ShownOf {
  const idsOf = (list: Line["tokens"]): number[] => list.map(({ id }) => id);
  const isDecoder = model.info.architecture === "decoder";
  return {
    text: model.decode(idsOf(isDecoder ? tokens : source)),
    target: isDecoder ? null : model.decode(idsOf(tokens), { target: true }),
    masked: [],
    edits: run.fit()?.edits ?? {},
    compared: null,
    aligned: null,
  };
}

function note(words: string): TemplateResult {
  return html`<p class="small muted note">${words}</p>`;
}
