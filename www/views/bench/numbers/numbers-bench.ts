import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { WorkbenchAsked } from "../../../data/index.js";
import { theLab } from "../../../headscope.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { isAmbiguous, numberIn, Unreadable } from "../../../export/read-matrix.js";
import { formatList, message } from "../../../i18n/index.js";
import {
  headChoices,
  maskOf,
  misfitOf,
  NUMBER_MASKS,
  NUMBER_PRESET_NAMES,
  NUMBER_PRESETS,
  resize,
  sized,
  sizeOf,
  TUTORIAL,
  withMatrix,
  type BroughtName,
  type BroughtNumbers,
  type Misfit,
  type NumberPreset,
  type Rows,
  type Size,
} from "../../../state/index.js";
import "../../../ui/choice.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import type { HeadFigures } from "../../run/figures.js";
import "../../demos/kit.js";
import { Asked } from "../../demos/study.js";
import { overflow, projection, worked } from "../../demos/workbench.js";
import type { Answered } from "../../demos/demo.js";
import { Settings } from "../../demos/settings.js";
import { NumberFields, REPEATED, type Refusal } from "../number-fields.js";
import { ruleStyles } from "../number-fields.js";
import "./brought-matrix.js";
import type { BroughtChange } from "./brought-matrix.js";
import { readMatrix } from "./files.js";
import { typedText } from "./number-words.js";
import "./from-model.js";
import { overflowedIn, type Overflowed } from "./arithmetic.js";
import {
  ambiguousTrouble,
  overflowTrouble,
  renderTrouble,
  troubleOf,
  type Trouble,
} from "./trouble.js";

/** The symbols of the matrices that are brought. */
const BROUGHT_SYMBOLS = {
  x: "X",
  query: "W_Q",
  key: "W_K",
  value: "W_V",
  output: "W_O",
  mask: "M",
} as const satisfies Record<BroughtName, string>;

/** Which sizes belong to the rows and columns of each. */
const SIDES: Readonly<Record<BroughtName, readonly [Size, Size]>> = {
  x: ["words", "inner"],
  query: ["inner", "keys"],
  key: ["inner", "keys"],
  value: ["inner", "values"],
  output: ["values", "out"],
  mask: ["words", "words"],
};

/** Until the next answer these are not the numbers on the bench. */
type Found = Omit<Answered, "head">;

/** One's own numbers: matrices to type into, all that the engine computes of them, and two laboratories. */
@customElement("headscope-numbers-bench")
export class HeadscopeNumbersBench extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
  .controls {
    margin: 10px 0;
  }

  .divisor {
    width: 64px;
    font-variant-numeric: tabular-nums;
  }

  .problem {
    color: var(--headscope-accent);
  }

  .problem:empty {
    display: none;
  }

  .brought {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 16px 28px;
    margin-top: 8px;
  }

  headscope-brought-matrix {
    min-width: 0;
    max-width: 100%;
  }

  .toggle {
    color: var(--headscope-muted);
  }

  .toggle[aria-pressed="true"] {
    color: var(--headscope-ink);
    text-decoration: underline;
    text-decoration-color: var(--headscope-accent);
    text-decoration-thickness: 2px;
    text-underline-offset: 5px;
  }

  headscope-demo {
    display: block;
    margin-top: 20px;
    padding-top: 12px;
    border-top: 1px solid var(--headscope-line);
  }
`,
  ];

  /** Null for the example that it opens on. */
  @property({ attribute: false }) numbers: BroughtNumbers | null = null;
  /** The head of the model that can be taken; null while nothing was read of one. */
  @property({ attribute: false }) figures: HeadFigures | null = null;
  /** Whether the model runs with edits. */
  @property({ type: Boolean }) edited = false;

  private readonly fields = new NumberFields(this);
  @state() private problem: Trouble | null = null;
  private readonly settings = new Settings(this, "numbers");
  private readonly asked = new Asked<Found>(this);
  private readonly preset = new Memo<NumberPreset | undefined>();
  private readonly overflowed = new Memo<Overflowed | null>();
  private readonly answered = new Memo<Answered>();

  private get brought(): BroughtNumbers {
    return this.numbers ?? TUTORIAL;
  }

  /** The one that was chosen, or the last that these numbers have. */
  private get shownHead(): number {
    return Math.min(this.settings.values.head, this.brought.heads - 1);
  }

  override willUpdate(): void {
    const { brought } = this;
    if (misfitOf(brought)) return;
    this.asked.ask([brought], async (signal) => ({
      brought,
      worked: await (await theLab()).ask("workbench", questionOf(brought), { signal }),
    }));
  }

  override render(): TemplateResult {
    const { brought } = this;
    const misfit = misfitOf(brought);
    const { answer, failure } = this.asked;
    const overflowed =
      answer &&
      this.overflowed.get([answer], () => overflowedIn(answer.worked, answer.brought.mask));
    return html`<p class="muted">${message("numbers.intro")}</p>
      <headscope-from-model
        .figures=${this.figures}
        .numbers=${brought}
        .edited=${this.edited}
        .worked=${misfit === null && answer?.brought === brought ? answer.worked : null}
        @headscope-taken=${(event: CustomEvent<BroughtNumbers>) => this.set(event.detail)}
      ></headscope-from-model>
      ${this.renderControls(brought)}
      <p class="problem" role="status">${renderTrouble(this.problem ?? (misfit ? misfitTrouble(misfit) : failure ? troubleOf(failure) : overflowed ? overflowTrouble(overflowed) : null))}</p>
      <div class="brought">${(["x", "query", "key", "value", "output", "mask"] as const).map((name) => this.renderMatrix(brought, name))}</div>
      ${misfit === null && answer ? this.renderAnswered(answer) : nothing}`;
  }

  private renderAnswered(found: Found): TemplateResult {
    const { shownHead: head } = this;
    const workbench = this.answered.get([found, head], () => ({ ...found, head }));
    const choose = ({ detail }: CustomEvent<number>): void => this.settings.set("head", detail);
    return html`<div @headscope-workbench-head=${choose}>${[worked, projection, overflow].map((demo) => html`<headscope-demo .demo=${demo} .on=${{ workbench }}></headscope-demo>`)}</div>`;
  }

  private renderControls(brought: BroughtNumbers): TemplateResult {
    const { heads, divisor, output, mask } = brought;
    const preset = this.preset.get([brought], () => presetOf(brought));
    const masked = NUMBER_MASKS.find((kind) =>
      sameRows(mask, maskOf(kind, sizeOf(brought, "words"))),
    );
    const ownDivisor = divisor !== "root" && divisor !== 1;
    return html`<div class="line controls">
      <label>${message("numbers.preset")}
        <select aria-label=${message("numbers.preset")} @change=${(event: Event) => this.choosePreset(event)}>
          ${preset ? nothing : html`<option value="" .selected=${true}>${message("numbers.preset.own")}</option>`}
          ${NUMBER_PRESET_NAMES.map((name) => html`<option value=${name} .selected=${name === preset}>${message(`numbers.preset.${name}`)}</option>`)}
        </select>
      </label>
      <label>${message("numbers.heads")}
        <select aria-label=${message("numbers.heads")} @change=${(event: Event) => this.put({ heads: Number(valueOf(event)) })}>
          ${headChoices(sizeOf(brought, "keys"), sizeOf(brought, "values")).map((count) => html`<option value=${count} .selected=${count === heads}>${count}</option>`)}
        </select>
      </label>
      <label>${message("numbers.mask")}
        <select aria-label=${message("numbers.mask")} @change=${(event: Event) => this.chooseMask(valueOf(event))}>
          ${masked ? nothing : html`<option value="" .selected=${true}>${message("numbers.mask.own")}</option>`}
          ${NUMBER_MASKS.map((kind) => html`<option value=${kind} .selected=${kind === masked}>${message(`numbers.mask.${kind}`)}</option>`)}
        </select>
      </label>
      <span class="reach">${message("numbers.divisor")}
        <headscope-choice
          look="segments"
          .label=${message("numbers.divisor")}
          .value=${divisor === "root" ? "root" : ownDivisor ? "own" : "one"}
          .choices=${(["root", "one", "own"] as const).map((value) => ({ value, label: message(`numbers.divisor.${value}`) }))}
          @headscope-choose=${(event: CustomEvent<string>) => this.chooseDivisor(event.detail)}
        ></headscope-choice>
        ${ownDivisor ? this.fields.text({ id: "divisor", className: "divisor", label: message("numbers.divisor"), inputMode: "decimal", text: typedText(divisor), read: readDivisor, take: (typed) => this.put({ divisor: typed }) }) : nothing}
      </span>
      <button class="toggle" aria-pressed=${output !== null} @click=${() => this.put({ output: output ? null : identity(sizeOf(brought, "values")) })}>${message("numbers.output")}</button>
    </div>
    ${this.fields.troubles()}`;
  }

  private renderMatrix(
    brought: BroughtNumbers,
    name: BroughtName,
  ): TemplateResult | typeof nothing {
    const rows = brought[name];
    if (!rows) return nothing;
    const named = name === "x" || name === "mask";
    return html`<headscope-brought-matrix
      name=${name}
      .symbol=${BROUGHT_SYMBOLS[name]}
      .rows=${rows}
      .words=${named && brought.words.length === rows.length ? brought.words : null}
      ?renames=${name === "x"}
      @headscope-brought=${(event: CustomEvent<BroughtChange>) => this.changed(name, event.detail)}
    ></headscope-brought-matrix>`;
  }

  private changed(name: BroughtName, change: BroughtChange): void {
    const { brought } = this;
    switch (change.kind) {
      case "rows":
        this.set(withMatrix(brought, name, change.rows, change.words));
        break;
      case "size":
        this.set(resize(brought, SIDES[name][change.axis === "rows" ? 0 : 1], change.to));
        break;
      case "file":
        void this.open(name, change.file);
    }
  }

  private async open(name: BroughtName, file: File): Promise<void> {
    try {
      const { rows, labels } = await readMatrix(file);
      const wrong = rows
        .flat()
        .find((value) => !(Number.isFinite(value) || (name === "mask" && value === -Infinity)));
      if (wrong !== undefined) throw new Unreadable("notANumber", typedText(wrong));
      this.set(withMatrix(this.brought, name, rows, labels));
    } catch (thrown) {
      const { sentence, code } = troubleOf(thrown);
      this.problem = { sentence: `${file.name}: ${sentence}`, code };
    }
  }

  private choosePreset(event: Event): void {
    const name = NUMBER_PRESET_NAMES.find((one) => one === valueOf(event));
    if (name) this.set(NUMBER_PRESETS[name]);
  }

  private chooseMask(kind: string): void {
    const found = NUMBER_MASKS.find((one) => one === kind);
    if (found) this.put({ mask: maskOf(found, this.brought.words.length) });
  }

  private chooseDivisor(kind: string): void {
    const { divisor } = this.brought;
    // One's own begins with a number that is neither of the others.
    this.put({
      divisor:
        kind === "root"
          ? "root"
          : kind === "one"
            ? 1
            : divisor === "root" || divisor === 1
              ? 2
              : divisor,
    });
  }

  private put(change: Partial<BroughtNumbers>): void {
    this.set({ ...this.brought, ...change });
  }

  private set(brought: BroughtNumbers): void {
    this.problem = null;
    patch(this, { numbers: brought === TUTORIAL ? null : brought });
  }
}

function readDivisor(typed: string): { value: number } | Refusal {
  const value = numberIn(typed);
  if (isAmbiguous(typed)) return ambiguousTrouble(typed);
  return value !== undefined && value > 0
    ? { value }
    : {
        sentence: message("numbers.divisor.wrong", { text: typed.slice(0, REPEATED) }),
        code: "numbers/bad-divisor",
      };
}

/** The preset that these numbers are, whether chosen here or read from a link. */
function presetOf(brought: BroughtNumbers): NumberPreset | undefined {
  const text = JSON.stringify(brought);
  return NUMBER_PRESET_NAMES.find((name) => JSON.stringify(NUMBER_PRESETS[name]) === text);
}

function questionOf({
  x,
  query,
  key,
  value,
  output,
  mask,
  heads,
  divisor,
}: BroughtNumbers): WorkbenchAsked {
  const copied = (rows: Rows): number[][] => rows.map((row) => [...row]);
  return {
    x: copied(x),
    query: copied(query),
    key: copied(key),
    value: copied(value),
    output: output && copied(output),
    mask: copied(mask),
    nHeads: heads,
    divisor: divisor === "root" ? null : divisor,
  };
}

function misfitTrouble({ name, shape, wanted }: Misfit): Trouble {
  const [rows, columns] = wanted;
  const sides = [
    ...(rows === null ? [] : [message("numbers.misfit.rows", { count: rows })]),
    ...(columns === null ? [] : [message("numbers.misfit.columns", { count: columns })]),
  ];
  return {
    sentence: message("numbers.misfit", {
      name: BROUGHT_SYMBOLS[name],
      shape: shape.join(" × "),
      wanted: formatList(sides),
    }),
    code: "numbers/misfit",
  };
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement
    ? target.value
    : "";
}

function sameRows(one: Rows, other: Rows): boolean {
  return (
    one.length === other.length &&
    one.every(
      (row, index) =>
        row.length === other[index]?.length &&
        row.every((value, column) => value === other[index]?.[column]),
    )
  );
}

function identity(size: number): Rows {
  return sized(size, size, (row, column) => (row === column ? 1 : 0));
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-numbers-bench": HeadscopeNumbersBench;
  }
}
