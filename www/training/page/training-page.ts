import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Cell, Role, Stack, Token } from "../../data/index.js";
import "../../elements/curves.js";
import type { HeadDetail } from "../../elements/events.js";
import type { HeadscopeGrid } from "../../elements/grid/element.js";
import "../../elements/grid/element.js";
import { Memo } from "../../elements/shared/controllers.js";
import "../../elements/matrices.js";
import type { CurveLine, CurvesScene } from "../../draw/charts.js";
import { readingWords } from "../../draw/text.js";
import { download } from "../../export/download.js";
import { formatFixed, formatPercent, language, message } from "../../i18n/index.js";
import { renderFailed } from "../../kit/form.js";
import type { AnswerItem } from "../../session/answer-items.js";
import { assignedRoles, roleCaptions, rolesByHead } from "../../session/run/head-order.js";
import { asFailure } from "../../session/run/failures.js";
import { SessionPart } from "../../session/session.js";
import { editLists } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import type { Checkpoint } from "../checkpoints.js";
import type { Training, OpenTraining } from "../training.js";
import { openTraining } from "../open-training.js";
import type { StackPicture } from "../picture.js";
import { readTextFile } from "../text-file.js";
import { BROWSER_STORAGE, type KeptTrainings } from "../storage.js";
import type { Measured } from "../training-run.js";
import { type RoleEvent, roleEvents } from "./heads-forming.js";
import { BESIDE, Trainings } from "./trainings.js";
import { renderPresets, USUAL } from "./preset-list.js";
import {
  type Chart,
  chartLines,
  CHARTS,
  lossLines,
  type Named,
  rangesOf,
  stepWords,
} from "./training-charts.js";
import "./training-settings.js";
import styles from "./training-page.css?inline";

/** The most heads that are named on the axis of steps. */
const MOST_MARKS = 3;
/** The time between two drawings of the curves while steps are taken. */
const CURVES_MILLIS = 500;
/** The loss from which its decimals say nothing. */
const EXPLODED = 1000;
/** The names of two trainings side by side. */
const NAMES = ["A", "B"];
/** The roles that only say how a head spreads its attention: a head has them without learning. */
const PLAIN: readonly Role[] = ["broad", "positional"];

/**
 * A model while it is trained: its task and settings, its curves, and what every head does at each
 * kept checkpoint. It stands in place of the explorer, and opens there what it trained.
 */
@customElement("headscope-training")
export class HeadscopeTraining extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** The step of the shown checkpoint; null for the newest one. */
  @state() private at: number | null = null;
  /** Which of two trainings has its heads shown. */
  @state() private side = 0;
  @state() private chart: Chart = "accuracy";
  @state() private stack: Stack | null = null;
  @state() private head: HeadDetail = { layer: 0, head: 0 };
  @state() private hovered: Cell | null = null;
  @state() private locked: Cell | null = null;
  /** Whether the folder that was saved computes something else in transformers. */
  @state() private savedPart = false;
  /** Whether the page was in the background while it trained. */
  @state() private wasHidden = false;
  private readonly trainings: Trainings;
  private frame = 0;
  /** The number of changes of what the trainings show. */
  private changes = 0;
  private readonly roles = new Memo<Pick<HeadscopeGrid, "roles" | "captions">>();
  private readonly tokens = new Memo<Record<"source" | "target", Token[]>>();
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

  private get training(): Training | null {
    const { shown } = this.trainings;
    return shown[this.side] ?? shown[0] ?? null;
  }

  /** The shown checkpoint: the chosen one, or the last one before it. */
  private get checkpoint(): Checkpoint | null {
    const { checkpoints } = this.training?.run ?? {};
    const { at } = this;
    if (!checkpoints) return null;
    const before = at === null ? undefined : checkpoints.all.findLast(({ step }) => step <= at);
    return before ?? checkpoints.newest;
  }

  private get picture(): StackPicture | null {
    const { stacks = [] } = this.checkpoint?.picture ?? {};
    return stacks.find(({ stack }) => stack === this.stack) ?? stacks[0] ?? null;
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
    if (first) this.session.putDemoAnswer("training", answerOf(first.run));
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
      ${this.training ? this.renderRun(this.training) : nothing}
    </section>`;
  }

  /** Changes the settings, as one step that can be undone. */
  private choose(text: string, anew: boolean): void {
    const { session, trainings } = this;
    this.anew = anew;
    this.at = null;
    if (anew) {
      this.side = 0;
      trainings.begin();
    }
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

  private renderRun(training: Training): TemplateResult {
    return html`${this.renderControls(training)}
      <div class="figures">
        ${this.renderHeads(training)} ${this.renderPattern(training)} ${this.renderCurves()}
      </div>`;
  }

  private renderControls(training: Training): TemplateResult {
    const { trainings, checkpoint } = this;
    const { run } = training;
    const { isTraining } = trainings;
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
        ${this.renderBeside(training)}
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
              <button class="act" id="rewind" @click=${() => this.rewind(training, checkpoint)}>
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
      ${this.renderStatus(training)}
    </div>`;
  }

  /** Renders the way to a second run beside this one, or back to one alone. */
  private renderBeside({ text, run }: Training): TemplateResult {
    const isAlone = this.trainings.shown.length === 1;
    const press = (): void => {
      this.trainings.begin();
      this.side = 0;
      this.choose(isAlone ? `${text}${BESIDE}${text}` : text, false);
    };
    return html`<button class="act" ?disabled=${isAlone && run.step === 0} @click=${press}>
      ${message(isAlone ? "training.beside" : "training.alone")}
    </button>`;
  }

  private renderStatus({ run }: Training): TemplateResult {
    const { trainings, wasHidden } = this;
    const point = run.curve.points.at(-1);
    const heldOut = run.measured.at(-1)?.heldOut;
    const failed = trainings.shown.find((one) => one.run.failure)?.run.failure ?? null;
    const { earlier } = trainings;
    // Numbers that change many times a second are not read out.
    const role = trainings.isTraining ? nothing : "status";
    return html`<p class="status small" role=${role}>
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
        ${wasHidden ? html`<span class="muted">${message("training.wasHidden")}</span>` : nothing}
      </p>
      ${
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

  /** Goes back to a checkpoint, from which the training goes on when it is started. */
  private rewind({ run }: Training, checkpoint: Checkpoint): void {
    this.at = null;
    void run.rewind(checkpoint);
  }

  /** Keeps the training beside another one that begins at one of its checkpoints. */
  private fork(training: Training, checkpoint: Checkpoint): void {
    this.trainings.forkAt(training, checkpoint);
    this.choose(`${training.text}${BESIDE}${training.text}`, false);
  }

  private renderHeads(training: Training): TemplateResult {
    const { picture, trainings, checkpoint, session } = this;
    const { stacks = [] } = checkpoint?.picture ?? {};
    const { roles, captions } = this.roles.get([picture, language()], () => {
      const own =
        picture && assignedRoles({ basis: "here", scores: rolesByHead(picture.measures) });
      return { roles: own, captions: roleCaptions(own) };
    });
    return html`<section class="heads">
      <div class="inline ends">
        <h3>${message("training.heads", { step: checkpoint?.step ?? 0 })}</h3>
        ${
          trainings.shown.length > 1
            ? choice(
                message("training.which"),
                NAMES.slice(0, trainings.shown.length),
                NAMES[this.side] ?? "",
                (name) => message("training.run", { name }),
                (name) => (this.side = NAMES.indexOf(name)),
                "segments",
              )
            : nothing
        }
        ${
          stacks.length > 1
            ? choice(
                message("training.stack"),
                stacks.map(({ stack }) => stack),
                picture?.stack ?? "",
                (stack) => message(`stack.${stack}`),
                (stack) => (this.stack = stack),
                "segments",
              )
            : nothing
        }
      </div>
      <headscope-grid
        plain
        .thumbnails=${picture?.thumbnails ?? null}
        .selected=${this.head}
        .roles=${roles}
        .captions=${captions}
        .measures=${picture?.measures ?? null}
        .basis=${"here"}
        .stack=${picture?.stack ?? "decoder"}
        .colours=${session.state.colours}
        @headscope-head-select=${({ detail: { layer, head } }: CustomEvent<HeadDetail>) =>
          (this.head = { layer, head })}
      ></headscope-grid>
      ${this.renderEvents(training, picture?.stack ?? "decoder")}
    </section>`;
  }

  /** Renders the heads that took a role, the newest first. */
  private renderEvents({ run }: Training, stack: Stack): TemplateResult {
    const events = eventsOf(run, stack);
    return html`<ul class="events small" aria-label=${message("training.events")}>
      ${events.map(
        ({ step, layer, head, role, score }) =>
          html`<li>
            <button class="link" @click=${() => this.showEvent({ step, layer, head })}>
              ${message("training.event", {
                step,
                layer: layer + 1,
                head: head + 1,
                role: message(`role.${role}`),
                score: formatFixed(score, 2),
              })}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private showEvent({ step, layer, head }: { step: number } & HeadDetail): void {
    this.at = step;
    this.head = { layer, head };
  }

  private renderPattern(training: Training): TemplateResult {
    const { checkpoint, picture, session } = this;
    const [layers = 0, heads = 0] = picture?.thumbnails.shape ?? [];
    const layer = Math.min(this.head.layer, layers - 1);
    const head = Math.min(this.head.head, heads - 1);
    const pattern = picture?.patterns[layer]?.[head] ?? null;
    const { text } = training.run.course;
    const stack = picture?.stack ?? "decoder";
    const { source, target } = this.tokens.get([training], () => {
      const read = training.tokensOf(text.ids);
      return { source: read, target: text.targetIds ? training.tokensOf(text.targetIds) : read };
    });
    return html`<section class="pattern">
      <h3>${message("head.title", { layer: layer + 1, head: head + 1 })}</h3>
      <headscope-heatmap
        .tensor=${pattern}
        .queries=${stack === "encoder" ? source : target}
        .keys=${stack === "decoder" ? target : source}
        .focused=${this.hovered ?? this.locked}
        .locked=${this.locked}
        .colours=${session.state.colours}
        comfortable-height="340"
        @headscope-cell-hover=${({ detail }: CustomEvent<Cell | null>) => (this.hovered = detail)}
        @headscope-cell-lock=${({ detail }: CustomEvent<Cell | null>) => (this.locked = detail)}
      ></headscope-heatmap>
      ${checkpoint ? this.renderAnswers(training, checkpoint) : nothing}
      <div class="inline apart">
        <button class="act" id="open" ?disabled=${!checkpoint} @click=${() => void this.openHere()}>
          ${message("training.open")}
        </button>
        <button class="act" ?disabled=${!checkpoint} @click=${() => this.saveFolder()}>
          ${message("training.save")}
        </button>
      </div>
      ${this.savedPart ? html`<p class="small">${message("training.savedPart")}</p>` : nothing}
    </section>`;
  }

  /** Renders what the model answers at the positions that are asked, and which is wrong. */
  private renderAnswers(
    training: Training,
    { picture: { answers } }: Checkpoint,
  ): TemplateResult | typeof nothing {
    if (answers.length === 0) return nothing;
    const right = answers.filter((one) => one.given === one.right).length;
    const textOf = (id: number): string => training.tokensOf([id])[0]?.text ?? "";
    return html`<p class="answers small">
      <span class="muted"> ${message("training.answers", { right, count: answers.length })} </span>
      ${answers.map((one) =>
        one.given === one.right
          ? html`<span class="answer">${textOf(one.given)}</span>`
          : html`<span
              class="answer wrong"
              title=${message("training.wrong", { right: textOf(one.right) })}
              >${textOf(one.given)}<span class="visually-hidden"
                >${message("training.wrong", { right: textOf(one.right) })}</span
              ></span
            >`,
      )}
    </p>`;
  }

  private renderCurves(): TemplateResult {
    const { trainings, chart, checkpoint, training } = this;
    const { shown, isTraining } = trainings;
    const stack = this.picture?.stack ?? "decoder";
    const runs = shown.map(({ run }, at): Named => ({
      run,
      name: shown.length > 1 ? (NAMES[at] ?? "") : "",
    }));
    const step = checkpoint?.step ?? 0;
    // While steps are taken, curves are drawn a few times a second: they are what costs most.
    const time = isTraining ? Math.floor(performance.now() / CURVES_MILLIS) : this.changes;
    const around = [time, isTraining, shown, language()];
    const loss = this.losses.get(around, () => lossLines(runs));
    const lines = this.lines.get([...around, chart, stack], () => chartLines(chart, runs, stack));
    const ranges = this.ranges.get(around, () => rangesOf(runs));
    const measured = training?.run.measured;
    const marks = this.marks.get([measured, stack, language()], () =>
      training ? marksOf(eventsOf(training.run, stack)) : [],
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
  private async openHere(): Promise<void> {
    const { training, checkpoint, session, trainings } = this;
    if (!training || !checkpoint) return;
    trainings.pause();
    const { name, files } = training.folder(checkpoint.weights);
    const placed = files.map((file) => Object.assign(file, { path: `/${name}/${file.name}` }));
    await session.openPicked(placed);
    const { text, target, edits } = training.opened;
    session.store.step({
      training: null,
      tour: null,
      text,
      target,
      edits: editLists(edits),
      stack: this.picture?.stack ?? "decoder",
      ...this.head,
      locked: null,
      masked: [],
    });
  }

  private saveFolder(): void {
    const { training, checkpoint } = this;
    if (!training || !checkpoint) return;
    const { files, isWhole } = training.saved(checkpoint.weights);
    this.savedPart = !isWhole;
    for (const file of files) void download(file, file.name);
  }
}

/** The roles that say what a head learned. */
function eventsOf(run: Training["run"], stack: Stack): RoleEvent[] {
  return roleEvents(run.measured, stack).filter(({ role }) => !PLAIN.includes(role));
}

/** The marks of the first heads that took a role, on the axis of steps. */
function marksOf(events: readonly RoleEvent[]): CurvesScene["marks"] {
  return events.slice(0, MOST_MARKS).map(({ step, layer, head, role }) => ({
    x: step,
    words: message("training.mark", {
      layer: layer + 1,
      head: head + 1,
      role: message(`role.${role}.short`),
    }),
  }));
}

/** A loss as text; one that explodes by its power of ten. */
function lossWords(loss: number): string {
  return loss < EXPLODED ? formatFixed(loss, 2) : readingWords(loss);
}

/** The most heads that an answer names. */
const MOST_ANSWERS = 2;

/** The short answer to when heads form: the loss, and the first heads that took a role. */
function answerOf(run: Training["run"]): AnswerItem[] {
  const [first] = run.measured;
  const last = run.measured.at(-1);
  if (!first || !last || last.step === 0) return [];
  const events = eventsOf(run, last.stacks[0]?.stack ?? "decoder").slice(0, MOST_ANSWERS);
  return [
    {
      label: message("training.answer.loss"),
      value: message("training.answer.change", {
        first: lossWords(first.heldOut.loss),
        now: lossWords(last.heldOut.loss),
        step: last.step,
      }),
    },
    ...narrowed(first, last),
    ...events.map(({ layer, head, role, step }) => ({
      label: message("training.answer.head", {
        layer: layer + 1,
        head: head + 1,
        role: message(`role.${role}`),
      }),
      value: message("training.answer.from", { step }),
    })),
  ];
}

/** The head whose attention became narrower than that of any other. */
function narrowed(first: Measured, last: Measured): AnswerItem[] {
  const before = first.stacks[0]?.measures ?? [];
  const heads = (last.stacks[0]?.measures ?? []).map(({ layer, head, entropy }, at) => ({
    layer: layer + 1,
    head: head + 1,
    first: before[at]?.entropy ?? NaN,
    now: entropy ?? NaN,
  }));
  const [most] = heads
    .filter((one) => one.now < one.first)
    .toSorted((one, other) => one.now - one.first - (other.now - other.first));
  if (!most) return [];
  const { layer, head } = most;
  return [
    {
      label: message("training.answer.narrow", { layer, head }),
      value: message("training.answer.change", {
        first: formatFixed(most.first, 2),
        now: formatFixed(most.now, 2),
        step: last.step,
      }),
    },
  ];
}
