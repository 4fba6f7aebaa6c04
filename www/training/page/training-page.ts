import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Stack } from "../../data/index.js";
import "../../elements/curves.js";
import type { HeadDetail } from "../../elements/events.js";
import { Memo } from "../../elements/shared/controllers.js";
import type { CurveLine, CurvesScene } from "../../draw/charts.js";
import { download } from "../../export/download.js";
import { zipped } from "../../export/zip.js";
import { formatPercent, language, message } from "../../i18n/index.js";
import { renderFailed } from "../../kit/form.js";
import { asFailure } from "../../session/run/failures.js";
import { SessionPart } from "../../session/session.js";
import { editLists } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import type { Checkpoint } from "../checkpoints.js";
import { openTraining } from "../open-training.js";
import { stackIn } from "../picture.js";
import { BROWSER_STORAGE, type KeptTrainings } from "../storage.js";
import { readTextFile } from "../text-file.js";
import type { OpenTraining, Training } from "../training.js";
import { renderPresets, USUAL } from "./preset-list.js";
import { lossWords, roleMarks, trainingAnswer } from "./training-answer.js";
import {
  type Chart,
  chartLines,
  CHARTS,
  lossLines,
  type Named,
  rangesOf,
  stepWords,
} from "./training-charts.js";
import "./training-figures.js";
import "./training-settings.js";
import { BESIDE, Trainings } from "./trainings.js";
import styles from "./training-page.css?inline";

/** The time between two drawings of the curves while steps are taken. */
const CURVES_MILLIS = 500;
/** The names of two trainings side by side. */
const NAMES = ["A", "B"];

/**
 * A model while it is trained: its task and settings, its curves, and what every head does at each
 * kept checkpoint. It stands in place of the explorer, and opens there what it trained.
 */
@customElement("headscope-training")
export class HeadscopeTraining extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** The step of the shown checkpoint; null for the newest one. */
  @state() private at: number | null = null;
  @state() private chart: Chart = "accuracy";
  @state() private stack: Stack | null = null;
  @state() private head: HeadDetail = { layer: 0, head: 0 };
  /** Whether the folder that was saved computes something else in transformers. */
  @state() private savedPart = false;
  /** Whether the page was in the background while it trained. */
  @state() private wasHidden = false;
  private readonly trainings: Trainings;
  private frame = 0;
  /** The number of changes of what the trainings show. */
  private changes = 0;
  private readonly losses = new Memo<CurveLine[]>();
  private readonly lines = new Memo<CurveLine[]>();
  private readonly ranges = new Memo<Record<"any" | "share", CurvesScene["range"]>>();
  private readonly marks = new Memo<CurvesScene["marks"]>();
  /** Whether the next settings are trained from their first step, whatever was kept of them. */
  private anew = false;

  /** `open` and `storage` open trainings and keep them for a later visit. */
  constructor(open: OpenTraining = openTraining, storage: KeptTrainings = BROWSER_STORAGE) {
    super();
    this.trainings = new Trainings(open, storage, () => this.redraw());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.noticed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.noticed);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.trainings.close();
  }

  private readonly noticed = (): void => {
    if (document.hidden) this.wasHidden = this.trainings.isTraining;
  };

  /** Renders once a frame at most, and not at all in a page in the background. */
  private redraw(): void {
    this.changes += 1;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.requestUpdate();
    });
  }

  /** The settings of the State, or those of a first visit. */
  private get text(): string {
    const { training } = this.session.state;
    return training === null || training === "" ? USUAL : training;
  }

  /** The shown checkpoint of a training: that of the chosen step, or the last one before it. */
  private checkpointOf({ run: { checkpoints } }: Training): Checkpoint | null {
    const { at } = this;
    const before = at === null ? undefined : checkpoints.all.findLast(({ step }) => step <= at);
    return before ?? checkpoints.newest;
  }

  /** The name of a training beside another one; empty for one alone. */
  private nameOf(training: Training): string {
    const { shown } = this.trainings;
    return shown.length > 1 ? (NAMES[shown.indexOf(training)] ?? "") : "";
  }

  /** The stack whose heads are shown of a training: the chosen one, or its first. */
  private stackOf(training: Training): Stack {
    const picture = this.checkpointOf(training)?.picture;
    return (picture && stackIn(picture, this.stack)?.stack) ?? "decoder";
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { session, anew } = this;
    const { training } = session.state;
    if (training === null) return;
    this.anew = false;
    // A link with settings trains them at once; without any there is only something to choose.
    const starts = training !== "";
    void this.trainings.open(this.text, { starts, anew });
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { first } = this.trainings;
    if (first) this.session.putDemoAnswer("training", trainingAnswer(first.run));
  }

  protected override render(): TemplateResult {
    const { session, trainings } = this;
    const close = (): void => session.update({ training: null, tour: null });
    return html`<section class="training" aria-label=${message("training.title")}>
      <div class="top band">
        <div class="inline ends">
          <h2>${message("training.title")}</h2>
          <p class="intro muted">${message("training.intro")}</p>
          <button class="act" @click=${close}>${message("training.close")}</button>
        </div>
        ${renderPresets(
          session.state.training ?? "",
          // The card of a question says what is there to see.
          session.state.tour === null,
          (text) => this.choose(text, true),
        )}
        <headscope-training-settings
          .text=${this.text}
          .change=${(text: string) => this.choose(text, false)}
          .takeFile=${(file: File) => void this.takeFile(file)}
        ></headscope-training-settings>
      </div>
      ${
        trainings.failure === null
          ? nothing
          : html`<p class="band failure" role="alert">${renderFailed(trainings.failure)}</p>`
      }
      ${trainings.first ? this.renderTrainings(trainings.first) : nothing}
    </section>`;
  }

  /** Changes the settings, as one step that can be undone. */
  private choose(text: string, anew: boolean): void {
    const { session, trainings } = this;
    this.anew = anew;
    this.at = null;
    if (anew) trainings.begin();
    if (text === session.state.training) this.requestUpdate();
    else session.update({ training: text });
  }

  /** Trains on a text of one's own from the first step; a file that is no such text is refused. */
  private async takeFile(file: File): Promise<void> {
    const { trainings } = this;
    try {
      trainings.takeText(await readTextFile(file));
      this.choose(this.text, true);
    } catch (thrown) {
      trainings.failure = thrown;
      this.requestUpdate();
    }
  }

  private renderTrainings(first: Training): TemplateResult {
    const { shown } = this.trainings;
    return html`${this.renderControls(first)}
      ${this.savedPart ? html`<p class="band small">${message("training.savedPart")}</p>` : nothing}
      <div class=${shown.length > 1 ? "figures beside" : "figures"}>
        ${shown.map((training) => this.renderFigures(training))} ${this.renderCurves(first)}
      </div>`;
  }

  private renderFigures(training: Training): TemplateResult {
    return html`<headscope-training-figures
      .training=${training}
      .checkpoint=${this.checkpointOf(training)}
      .measured=${training.run.measured}
      .label=${this.nameOf(training)}
      .stack=${this.stack}
      .head=${this.head}
      .colours=${this.session.state.colours}
      .chooseStack=${(stack: Stack) => (this.stack = stack)}
      .chooseHead=${(head: HeadDetail) => (this.head = head)}
      .chooseStep=${(step: number) => (this.at = step)}
      .open=${() => void this.openHere(training)}
      .save=${() => void this.saveFolder(training)}
    ></headscope-training-figures>`;
  }

  private renderControls(training: Training): TemplateResult {
    const { trainings } = this;
    const { run } = training;
    const { isTraining } = trainings;
    const checkpoint = this.checkpointOf(training);
    const all = run.checkpoints.all;
    const index = checkpoint ? all.indexOf(checkpoint) : 0;
    const isNewest = this.at === null || checkpoint === run.checkpoints.newest;
    const slide = ({ target }: Event): void => {
      const chosen = Number((target as HTMLInputElement).value);
      this.at = chosen >= all.length - 1 ? null : (all[chosen]?.step ?? null);
    };
    const step = checkpoint?.step ?? 0;
    return html`<div class="controls band">
      <div class="inline">
        <button
          class="primary"
          id="go"
          ?disabled=${!isTraining && trainings.shown.every((one) => one.run.isOver)}
          @click=${() => (isTraining ? trainings.pause() : this.start())}
        >
          ${message(
            isTraining ? "training.pause" : run.step === 0 ? "training.start" : "training.goOn",
          )}
        </button>
        <button class="act" ?disabled=${isTraining} @click=${() => trainings.advance(1)}>
          ${message("training.step")}
        </button>
        <button
          class="act"
          ?disabled=${run.step === 0}
          @click=${() => this.choose(this.session.state.training ?? "", true)}
        >
          ${message("training.again")}
        </button>
        ${this.renderBeside()}
      </div>
      <label class="slider inline">
        <span>${message("training.checkpoint")}</span>
        <input
          id="checkpoint"
          type="range"
          min="0"
          max=${Math.max(1, all.length - 1)}
          .value=${live(String(index))}
          ?disabled=${all.length < 2}
          aria-valuetext=${message("training.stepName", { step })}
          @input=${slide}
        />
        <output>${message("training.stepName", { step })}</output>
      </label>
      ${
        isNewest || !checkpoint
          ? nothing
          : html`<div class="inline">
              <button class="act" id="rewind" @click=${() => this.rewind()}>
                ${message("training.rewind", { step })}
              </button>
              <button class="act" @click=${() => this.fork(training, checkpoint)}>
                ${message("training.fork", { step })}
              </button>
              <button class="link" @click=${() => (this.at = null)}>
                ${message("training.newest")}
              </button>
            </div>`
      }
      ${trainings.shown.map((one) => this.renderStatus(one))} ${this.renderNotices()}
    </div>`;
  }

  /** Renders the way to a second run beside the only one, or to each of two alone. */
  private renderBeside(): TemplateResult {
    const { shown } = this.trainings;
    const [first] = shown;
    if (first && shown.length === 1) {
      const { text, run } = first;
      return html`<button
        class="act"
        ?disabled=${run.step === 0}
        @click=${() => this.arrange(`${text}${BESIDE}${text}`)}
      >
        ${message("training.beside")}
      </button>`;
    }
    return html`${shown.map(
      (training) =>
        html`<button class="act" @click=${() => this.arrange(training.text, training)}>
          ${message("training.alone", { run: this.nameOf(training) })}
        </button>`,
    )}`;
  }

  /** Shows other trainings, as one step that can be undone; `kept` is the only one to stay. */
  private arrange(text: string, kept?: Training): void {
    this.trainings.begin();
    if (kept) this.trainings.keepOnly(kept);
    this.choose(text, false);
  }

  private renderStatus(training: Training): TemplateResult {
    const { run } = training;
    const point = run.curve.points.at(-1);
    const heldOut = run.measured.at(-1)?.heldOut;
    const name = this.nameOf(training);
    // Numbers that change many times a second are not read out.
    const role = this.trainings.isTraining ? nothing : "status";
    return html`<p class="status small" role=${role}>
      ${name === "" ? nothing : html`<b>${message("training.run", { name })}</b>`}
      ${message("training.progress", { step: run.step, steps: run.course.steps })}
      ${
        point && heldOut
          ? message("training.numbers", {
              loss: lossWords(point.loss),
              heldOut: lossWords(heldOut.loss),
              right: formatPercent(heldOut.accuracy, 0),
            })
          : nothing
      }
      ${
        run.isTraining && run.stepsPerMinute > 0
          ? html`<span class="muted"
              >${message("training.speed", { count: Math.round(run.stepsPerMinute) })}</span
            >`
          : nothing
      }
      ${this.wasHidden ? html`<span class="muted">${message("training.wasHidden")}</span>` : nothing}
    </p>`;
  }

  /** Renders why a training stopped, and what an earlier visit kept. */
  private renderNotices(): TemplateResult {
    const { trainings } = this;
    const failed = trainings.shown.find((one) => one.run.failure)?.run.failure ?? null;
    const { earlier } = trainings;
    return html`${
      failed
        ? html`<p class="failure small" role="alert">
            ${message("training.failed", { step: failed.step })}
            ${
              asFailure(failed.error).code === "run/not-finite"
                ? renderFailed(failed.error, message("training.notFinite"))
                : renderFailed(failed.error)
            }
          </p>`
        : nothing
    }
    ${
      earlier === null
        ? nothing
        : html`<p class="small inline">
            ${message("training.earlier", { step: earlier })}
            <button class="link" @click=${() => void trainings.forget()}>
              ${message("training.forget")}
            </button>
          </p>`
    }`;
  }

  private start(): void {
    this.at = null;
    this.wasHidden = false;
    this.trainings.start();
  }

  /** Takes each training back to its shown checkpoint, from which it goes on when it is started. */
  private rewind(): void {
    for (const training of this.trainings.shown) {
      const checkpoint = this.checkpointOf(training);
      if (checkpoint) void training.run.rewind(checkpoint);
    }
    this.at = null;
  }

  /** Keeps the training beside another one that begins at one of its checkpoints. */
  private fork(training: Training, checkpoint: Checkpoint): void {
    this.trainings.forkAt(training, checkpoint);
    this.choose(`${training.text}${BESIDE}${training.text}`, false);
  }

  private renderCurves(first: Training): TemplateResult {
    const { trainings, chart } = this;
    const { shown, isTraining } = trainings;
    const stack = this.stackOf(first);
    const named = (one: Training): Named => ({ run: one.run, name: this.nameOf(one) });
    const runs = shown.map(named);
    const step = this.checkpointOf(first)?.step ?? 0;
    // While steps are taken, curves are drawn a few times a second: they are what costs most.
    const time = isTraining ? Math.floor(performance.now() / CURVES_MILLIS) : this.changes;
    const around = [time, isTraining, shown, language()];
    const loss = this.losses.get(around, () => lossLines(runs));
    const lines = this.lines.get([...around, chart, stack], () => chartLines(chart, runs, stack));
    const ranges = this.ranges.get(around, () => rangesOf(runs));
    const marks = this.marks.get([first.run.measured, stack, shown, language()], () =>
      roleMarks(named(first), stack),
    );
    const shared = { x: message("training.steps") };
    const isShare = chart === "accuracy" || chart === "induction";
    return html`<section class="curves">
      <headscope-curves
        .lines=${loss}
        .titles=${{ ...shared, y: message("training.loss") }}
        .marked=${this.at === null ? null : step}
        .markedAs=${message("training.stepName", { step })}
        .marks=${marks}
        .range=${ranges.any}
        .words=${{ x: stepWords }}
      ></headscope-curves>
      ${choice(
        message("training.chart"),
        CHARTS,
        chart,
        (one) => message(`training.chart.${one}`),
        (one) => (this.chart = one),
        "segments",
      )}
      <headscope-curves
        .lines=${lines}
        .titles=${{ ...shared, y: message(`training.chart.${chart}.title`) }}
        .marked=${this.at === null ? null : step}
        .markedAs=${message("training.stepName", { step })}
        .marks=${marks}
        .range=${isShare ? ranges.share : ranges.any}
        .words=${{ x: stepWords }}
      ></headscope-curves>
      <p class="small muted">${message(`training.chart.${chart}.means`)}</p>
    </section>`;
  }

  /** Opens the model of the shown checkpoint in the explorer, with the edits of its training. */
  private async openHere(training: Training): Promise<void> {
    const { session, trainings } = this;
    const checkpoint = this.checkpointOf(training);
    if (!checkpoint) return;
    trainings.pause();
    const { name, files } = training.folder(checkpoint.weights);
    const placed = files.map((file) => Object.assign(file, { path: `/${name}/${file.name}` }));
    const stack = this.stackOf(training);
    await session.openPicked(placed);
    const { text, target, edits } = training.opened;
    session.store.step({
      training: null,
      tour: null,
      text,
      target,
      edits: editLists(edits),
      stack,
      ...this.head,
      locked: null,
      masked: [],
    });
  }

  private async saveFolder(training: Training): Promise<void> {
    const checkpoint = this.checkpointOf(training);
    if (!checkpoint) return;
    const { name, files, isWhole } = training.saved(checkpoint.weights);
    this.savedPart = !isWhole;
    await download(await zipped(name, files), `${name}.zip`);
  }
}
