// Edits of whole heads and whole layers, and their effects on a model.
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import {
  blockStackOf,
  ROLES,
  type Cell,
  type FixedPattern,
  type HeadMeasures,
  type HeadRef,
  type ModelInfo,
  type Role,
  type Stack,
  type Tensor,
  type Token,
} from "../data/index.js";
import type { CellsPaintDetail } from "../elements/events.js";
import "../elements/heatmap.js";
import { keyListener, moveInGrid } from "../elements/shared/grid-navigation.js";
import type { Model, Run } from "../headscope.js";
import {
  formatList,
  formatNumber,
  formatPercent,
  message,
  type MessageKey,
} from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { Resource } from "../signals.js";
import {
  DRAWN_WHOLE,
  headsOf,
  NAMED_PATTERNS,
  nameOfHead,
  NORM_PLACES,
  painted,
  REACHES,
  scopeAt,
  STACKS,
  sublayersOf,
  type EditLists,
} from "../state/index.js";
import { drawingOf, settingOf, withSetting } from "../state/experiment-edits.js";
import { choice } from "../ui/choice.js";
import "./demos/demo-element.js";
import { HEAD_PARTS, ROOMS } from "../kit/fields.js";
import { gradientDepths, integrated, jacobian } from "./demos/heads/gradients.js";
import { norm, stream } from "./demos/heads/norm.js";
import { pruning } from "./demos/heads/pruning.js";
import { lockedWord, ranking } from "./demos/heads/ranking.js";
import { Press } from "../kit/press.js";
import { Settings } from "../kit/settings.js";
import { firstFailure, isExpected } from "../session/run/failures.js";
import { stacksOf, tokensOf } from "../session/run/selection.js";
import { SessionPart, type Session } from "../session/session.js";
import {
  renderFailed,
  renderNoRun,
  bare,
  oneOf,
  reachField,
  renderForms,
  type Control,
  type Form,
} from "../kit/form.js";
import { keepRegion } from "../kit/save-figure.js";
import styles from "./heads.css?inline";

/** The gates that a slider offers; a link may hold any. */
const GATES = { least: 0, most: 2, step: 0.05 };
/** What a gate does to the output of its heads; null if the heads have different ones. */
function gateWords(gate: number | null): string {
  if (gate === null) return message("headsExperiment.gate.mixed");
  if (gate === 0 || gate === 1) return message(`headsExperiment.gate.${gate}`);
  return message("headsExperiment.gate.times", { gate: formatNumber(gate, 2) });
}

/** The values of a stroke in a drawing, as shares of the drawing's row sum. */
const SHARES = ["0", "0.25", "0.5", "1"];
const PATTERNS = ["own", ...NAMED_PATTERNS, "drawn"] as const;
/** The heads to edit: those of a scope around the shown head, or picked ones. */
const TARGETS = [...REACHES, "picked"] as const;

const DEMOS = {
  ranking: [ranking],
  pruning: [pruning],
  stream: [stream, norm],
  gradients: [integrated, gradientDepths, jacobian],
};

/** The measure of a condition on heads: on the present text, or a role's score there. */
type Measured = "entropy" | "distance" | Role;
const MEASURED: readonly Measured[] = ["entropy", "distance", ...ROLES.map(({ role }) => role)];
/**
 * The largest value of a measure on a text of a hundred thousand tokens, in nats and tokens; a
 * role's score is at most 1.
 */
const LARGEST: Partial<Record<Measured, number>> = { entropy: 12, distance: 100_000 };

interface Condition {
  measured: Measured;
  side: "above" | "below";
  number: number;
}

type Measures = readonly (HeadMeasures & { stack: Stack })[];
type Shown = Session["onPage"] & { head: HeadRef; model: Model; run: Run };

export function headsBy({ measured, side, number }: Condition, measures: Measures): HeadRef[] {
  return measures.flatMap(({ stack, layer, head, roles, ...of }) => {
    const value =
      measured === "entropy" || measured === "distance" ? of[measured] : roles[measured];
    const fulfils = value !== null && (side === "above" ? value > number : value < number);
    return fulfils ? [{ stack, layer, head }] : [];
  });
}

function nameOf(measured: Measured): string {
  if (measured === "entropy") return message("headRule.entropy");
  return measured === "distance"
    ? message("measures.distance")
    : message("headRule.role", { role: message(`role.${measured}`) });
}

function listOf(heads: readonly HeadRef[]): string {
  if (heads.length === 0) return message("headRule.noHead");
  const words = STACKS.flatMap((stack) => {
    const own = heads.slice(0, 24).filter((one) => one.stack === stack);
    const names = own.map(({ layer, head }) => `${layer + 1}.${head + 1}`);
    return own.length === 0 ? [] : [`${message(`stack.${stack}`)} ${formatList(names)}`];
  }).join(" · ");
  const count = heads.length - 24;
  return count > 0 ? message("headRule.andMore", { heads: words, count }) : words;
}

function common<Value>([first, ...others]: readonly Value[]): Value | undefined {
  return others.every((value) => equals(value, first)) ? first : undefined;
}

type Drawing = readonly (readonly number[])[];

/**
 * A drawing with each row divided by its sum, as the model uses it before its mask; missing rows
 * and columns are 0.
 */
function rowsOf(drawing: Drawing, queries: number, keys: number): Tensor {
  const data = new Float32Array(queries * keys);
  for (const [query, whole] of drawing.slice(0, queries).entries()) {
    const row = whole.slice(0, keys);
    const sum = row.reduce((all, cell) => all + cell, 0);
    row.forEach((cell, key) => (data[query * keys + key] = sum > 0 ? cell / sum : 0));
  }
  return { data, shape: [queries, keys], axes: ["query", "key"] };
}

/**
 * The experiment with heads and layers. A control of several heads or layers shows the value that
 * all of them share.
 */
@customElement("headscope-heads-experiment")
export class HeadscopeHeadsExperiment extends SessionPart {
  static override styles = unsafeCSS(styles);

  @state() private target: (typeof TARGETS)[number] = "layer";
  @state() private picked: readonly HeadRef[] = [];
  @state() private stops: Partial<Record<Stack, { row: number; column: number }>> = {};
  @state() private condition: Condition = { measured: "entropy", side: "above", number: 1.5 };
  @state() private failed: unknown = null;
  @state() private share = "1";
  @state() private blocks: "layer" | "stack" = "layer";
  private readonly measures = new Resource<Measures>();
  private readonly press = new Press(this);
  /** The press in which the slider moved last; null for a key. */
  private slid: number | null = null;
  private readonly settings = new Settings(this, "heads", ROOMS);
  private readonly ranked = new Settings(this, ranking.name, ranking.fields);

  override render(): TemplateResult {
    const { settings } = this;
    const on = this.session.onPage;
    const { head, model, run } = on;
    if (!head || !model || !run) return renderNoRun(on.text);
    const { room } = settings.values;
    const shown = { ...on, head, model, run };
    return html`${choice(
      message("headsExperiment.rooms"),
      HEAD_PARTS,
      room,
      (one) => message(`headsExperiment.room.${one}`),
      (one) => {
        settings.set("room", one);
        const word = one === "ranking" ? lockedWord(on, this.session.locked) : -1;
        if (word >= 0) this.ranked.set("word", word);
      },
    )}
    ${
      room === "heads"
        ? this.renderHeads(shown)
        : room === "blocks"
          ? renderForms(this.blockForms(shown))
          : DEMOS[room].map((demo) =>
              keyed(demo, html`<headscope-demo class=${demo.name} .demo=${demo}></headscope-demo>`),
            )
    }`;
  }

  private renderHeads({ head, model, run, edits, revision }: Shown): TemplateResult {
    const { stacks } = model.info;
    const { target, picked, measures } = this;
    measures.want(`${revision}`, async () => {
      const read = stacksOf(model.info).map(async (stack) =>
        (await run.measures({ stack })).map((one) => ({ ...one, stack })),
      );
      return (await Promise.all(read)).flat();
    });
    const heads = target === "picked" ? picked : headsOf(scopeAt(target, head), stacks);
    const patternIn = (lists: EditLists): FixedPattern | null | undefined =>
      common(heads.map((one) => settingOf(lists, one, "pattern")));
    const pattern = patternIn(edits);
    const drawing = typeof pattern === "object" ? pattern : null;
    const put = (changed: EditLists): void => this.session.update({ edits: changed });
    const fix = (to: FixedPattern | null): void =>
      put(withSetting(this.session.state.edits, heads, "pattern", to, stacks));
    const toTarget = (to: typeof target): void => {
      // The picked heads start as those of the scope before.
      if (to === "picked" && picked.length === 0) this.picked = heads;
      this.target = to;
    };
    const targets = reachField("headsExperiment.target", TARGETS, target, head, toTarget, (one) =>
      one === "picked" ? message("headsExperiment.picked", { count: picked.length }) : null,
    );
    const gate = common(heads.map((one) => settingOf(edits, one, "gate"))) ?? null;
    const gates: Control = {
      ...GATES,
      control: "slider",
      id: "gate",
      label: message("headsExperiment.gate"),
      value: gate ?? 1,
      words: (value) => gateWords(gate === null ? null : value),
      take: (to) => this.slide(withSetting(this.session.state.edits, heads, "gate", to, stacks)),
    };
    const toPattern = (to: (typeof PATTERNS)[number]): void => {
      if (to === "drawn") void this.draw(head, run, fix);
      else fix(to === "own" ? null : to);
    };
    const shown = drawing ? "drawn" : pattern === null ? "own" : String(pattern ?? "");
    const patterns = oneOf(
      "words",
      "headsExperiment.pattern",
      PATTERNS,
      shown,
      toPattern,
      "pattern",
    );
    const paint = (cells: readonly Cell[]): void => {
      // A stroke continues the last one, even before the page has answered.
      const now = patternIn(this.session.state.edits);
      if (typeof now !== "object" || !now) return;
      const value = Number(this.share) * DRAWN_WHOLE;
      const changed = cells.filter(({ query, key }) => now[query]?.[key] !== value);
      if (changed.length > 0)
        fix(changed.reduce<number[][]>((all, cell) => painted(all, cell, value), now));
    };
    const failure = (thrown: unknown, words: MessageKey): TemplateResult | typeof nothing =>
      thrown === null
        ? nothing
        : html`<p class="small" role="status">${renderFailed(thrown, message(words))}</p>`;
    return html`${renderForms([{ lines: [[targets]] }])}
    ${target === "picked" ? this.renderPicker(model.info) : nothing}
    ${renderForms([{ lines: [[gates], [patterns]] }])}
    ${drawing ? this.renderDrawing(drawing, tokensOf(run, head.stack), paint) : nothing}
    ${failure(this.failed, "headsExperiment.notRead")}${failure(
      firstFailure([measures]),
      "headsExperiment.numbersNotRead",
    )}
    ${measures.value ? renderForms([this.conditionForm(measures.value)]) : nothing}`;
  }

  /** Renders the drawing: a click, a stroke or the key B sets a cell to the chosen share. */
  private renderDrawing(
    drawing: Drawing,
    { queries, keys }: Record<"queries" | "keys", Token[]>,
    paint: (cells: readonly Cell[]) => void,
  ): TemplateResult {
    const stop = (event: Event): void => event.stopPropagation();
    const put = (event: Event, cells: readonly Cell[]): void => {
      stop(event);
      paint(cells);
    };
    const words = (share: string): string => formatPercent(Number(share), 0);
    return html`<div class="drawing">
      <div class="inline">
        ${choice(
          message("draw.share"),
          SHARES,
          this.share,
          words,
          (one) => (this.share = one),
          "segments",
        )}
        <p class="small muted">${message("draw.hint")}</p>
      </div>
      <headscope-heatmap
        .tensor=${rowsOf(drawing, queries.length, keys.length)}
        .queries=${queries}
        .keys=${keys}
        .blocking=${true}
        .comfortableHeight=${260}
        strokes="mark"
        @headscope-cell-hover=${stop}
        @headscope-cell-toggle=${(event: CustomEvent<Cell>) => put(event, [event.detail])}
        @headscope-cells-paint=${(event: CustomEvent<CellsPaintDetail>) =>
          put(event, event.detail.cells)}
        @headscope-cell-lock=${stop}
        @headscope-region-change=${keepRegion}
      ></headscope-heatmap>
    </div>`;
  }

  /** Changes the edits while the slider of a gate moves. */
  private slide(edits: EditLists): void {
    const press = this.press.now;
    this.session.store.slide({ edits }, press !== null && press === this.slid);
    this.slid = press;
  }

  private async draw(head: HeadRef, run: Run, fix: (to: FixedPattern) => void): Promise<void> {
    this.failed = null;
    try {
      const drawing = drawingOf(await run.attention(head));
      // Another run may have other tokens, or other edits.
      if (this.session.computation.run === run) fix(drawing);
    } catch (thrown) {
      if (!isExpected(thrown)) this.failed = thrown;
    }
  }

  private renderPicker(info: ModelInfo): TemplateResult {
    const button = (head: HeadRef, isStop: boolean): TemplateResult => {
      const name = nameOfHead(head);
      const others = this.picked.filter((one) => nameOfHead(one) !== name);
      const isPicked = others.length < this.picked.length;
      const layer = head.layer + 1;
      const number = head.head + 1;
      const toggle = (): void => {
        this.stops = { ...this.stops, [head.stack]: { row: head.layer, column: head.head } };
        this.picked = isPicked ? others : [...others, head];
      };
      return html`<button
        data-at=${name}
        tabindex=${isStop ? 0 : -1}
        aria-pressed=${isPicked}
        aria-label=${message("head.title", { layer, head: number })}
        @click=${toggle}
      >
        ${layer}.${number}
      </button>`;
    };
    const stacks = stacksOf(info).map((stack) => {
      const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
      const stop = this.stops[stack] ?? { row: 0, column: 0 };
      const pressed = keyListener((key) => {
        const to = moveInGrid(key, stop, layers, heads);
        if (!to) return false;
        this.stops = { ...this.stops, [stack]: to };
        const at = nameOfHead({ stack, layer: to.row, head: to.column });
        this.renderRoot.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus();
        return true;
      });
      const rows = Array.from({ length: layers }, (_, layer) =>
        headsOf({ stack, layers: [layer] }, info.stacks).map((head) =>
          button(head, stop.row === layer && stop.column === head.head),
        ),
      );
      return html`<div role="group" aria-label=${message(`stack.${stack}`)} @keydown=${pressed}>
        <h3 class="small muted">${message(`stack.${stack}`)}</h3>
        ${rows.map((row) => html`<div class="row">${row}</div>`)}
      </div>`;
    });
    return html`<div class="stacks inline">${stacks}</div>`;
  }

  /** The form that picks heads by a condition on their measures; they are listed first. */
  private conditionForm(measures: Measures): Form {
    const { condition } = this;
    const { measured, side, number } = condition;
    const found = headsBy(condition, measures);
    const change = (to: Partial<Condition>): void =>
      void (this.condition = { ...condition, ...to });
    const mostOf = (one: Measured): number => LARGEST[one] ?? 1;
    const toMeasure = (one: Measured): void =>
      change({ measured: one, number: Math.min(mostOf(one), number) });
    const list = oneOf("list", "headRule.measure", MEASURED, measured, toMeasure, nameOf);
    const sides = ["above", "below"] as const;
    const toSide = (one: Condition["side"]): void => change({ side: one });
    const range = { least: 0, most: mostOf(measured), step: 0.05 };
    const take = (typed: number): void => change({ number: typed });
    const press = (): void => {
      this.picked = found;
      this.target = "picked";
    };
    const pick = message("headRule.pick", { count: found.length });
    const controls: Control[] = [
      { ...list, caption: message("headRule.heads") },
      bare(oneOf("list", "headRule.side", sides, side, toSide, "headRule")),
      {
        control: "number",
        id: "number",
        label: message("headRule.number"),
        value: number,
        ...range,
        take,
      },
      { control: "button", label: pick, disabled: found.length === 0, press },
    ];
    return { lines: [controls], status: listOf(found) };
  }

  /** The forms of a layer's sublayers: with or without the residual, and the place of the norm. */
  private blockForms({ head, model: { info }, edits }: Shown): Form[] {
    const put = (changed: EditLists): void => this.session.update({ edits: changed });
    const stack = blockStackOf(head);
    const all = Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) => layer);
    const layers = this.blocks === "layer" ? [head.layer] : all;
    const at = { ...head, stack };
    const reach = reachField(
      "headsExperiment.blocks",
      ["layer", "stack"],
      this.blocks,
      at,
      (to) => {
        this.blocks = to;
      },
    );
    const forms = sublayersOf(stack, info.stacks).map((sublayer): Form => {
      const joints = layers.map((layer) => ({ stack, layer, sublayer }));
      const title = message(`sublayer.${sublayer}`);
      const residual = common(joints.map((joint) => settingOf(edits, joint, "residual")));
      const isOn = residual === undefined ? "" : residual ? "on" : "off";
      const norm = common(joints.map((joint) => settingOf(edits, joint, "norm"))) ?? "";
      const fields = [
        oneOf("segments", "headsExperiment.residual", ["on", "off"], isOn, (to) =>
          put(withSetting(edits, joints, "residual", to === "on", info.stacks)),
        ),
        oneOf("segments", "headsExperiment.norm", NORM_PLACES, norm, (to) =>
          put(withSetting(edits, joints, "norm", to, info.stacks)),
        ),
      ].map((field) => ({ ...field, label: `${title}: ${field.label}` }));
      return { title, named: true, lines: [fields] };
    });
    return [{ lines: [[reach]], hint: message("headsExperiment.blocksHint") }, ...forms];
  }
}
