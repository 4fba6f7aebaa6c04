import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { WorkbenchAsked } from "../../../data/index.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { isAmbiguous, numberIn, Unreadable } from "../../../export/read-matrix.js";
import { theLab } from "../../../headscope.js";
import { formatList, message, type MessageKey } from "../../../i18n/index.js";
import {
  headChoices,
  MATRIX_NAMES,
  maskOf,
  misfitOf,
  MOST_SIDE,
  NUMBER_MASKS,
  NUMBER_PRESET_NAMES,
  NUMBER_PRESETS,
  resize,
  shapeOf,
  sized,
  sizeOf,
  TUTORIAL,
  withMatrix,
  type MatrixInputs,
  type MatrixName,
  type Misfit,
  type Rows,
} from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import "../../demos/demo-element.js";
import { Asked } from "../../demos/study.js";
import { overflow, projection, worked } from "../../demos/workbench.js";
import { Settings } from "../../demos/settings.js";
import "../../parts/embed-buttons.js";
import { patch } from "../../parts/events.js";
import type { HeadFigures } from "../../run/figures.js";
import {
  captionedOneOf,
  Fields,
  formStyles,
  REPEATED,
  type Choosing,
  type Control,
  type Refusal,
} from "../form.js";
import { renderCoded } from "../failures.js";
import { overflowRefusal, type Answered } from "./arithmetic.js";
import { MATRIX_FORMATS, readMatrix, saveMatrix } from "./files.js";
import "./from-model.js";
import { isLarge, type GridChange } from "./number-grid.js";
import { ambiguousRefusal, refusalOf, symbols, typedText } from "./words.js";

const INPUT_SYMBOLS = {
  x: "X",
  query: "W_Q",
  key: "W_K",
  value: "W_V",
  output: "W_O",
  mask: "M",
} as const satisfies Record<MatrixName, string>;

const DIVISORS = ["root", "one", "own"] as const;

/** Numbers of one's own: matrices to type into, all that the engine computes of them, and two laboratories. */
@customElement("headscope-numbers-bench")
export class HeadscopeNumbersBench extends PagePart {
  static override styles = [
    formStyles,
    css`
      .controls {
        margin: 10px 0;
      }
      .inputs {
        align-items: start;
        gap: 16px 28px;
        margin-top: 8px;
      }
      section {
        min-width: 0;
        max-width: 100%;
      }
      section.over {
        outline: 2px dashed var(--_accent);
        outline-offset: 4px;
      }
      :is(.head, .tools, .tools span) {
        align-items: baseline;
        gap: 0 14px;
      }
      .tools .hint {
        max-width: 190px;
      }
      .tools span {
        display: inline-flex;
        gap: 4px;
      }
      .tools button {
        min-width: 24px;
      }
      headscope-demo {
        margin-top: 20px;
        padding-top: 12px;
        border-top: 1px solid var(--_line);
      }
    `,
  ];

  /** Null for the example that it opens on. */
  @property({ attribute: false }) numbers: MatrixInputs | null = null;
  /** The head of the model whose numbers can be used; null while nothing was read of one. */
  @property({ attribute: false }) figures: HeadFigures | null = null;
  @property({ type: Boolean }) edited = false;

  private readonly fields = new Fields(this);
  @state() private problem: Refusal | null = null;
  @state() private dropOver: MatrixName | null = null;
  private readonly settings = new Settings(this, "numbers");
  private readonly asked = new Asked<Omit<Answered, "head" | "choose">>(this);
  private readonly names = new Memo<readonly (string | undefined)[]>();
  private readonly overflowed = new Memo<Refusal | null>();
  private readonly answered = new Memo<Answered>();

  private get inputs(): MatrixInputs {
    return this.numbers ?? TUTORIAL;
  }

  /** The one that was chosen, or the last that these numbers have. */
  private get shownHead(): number {
    return Math.min(this.settings.values.head, this.inputs.heads - 1);
  }

  override willUpdate(): void {
    const { inputs } = this;
    if (misfitOf(inputs)) return;
    this.asked.ask([inputs], async (signal) => ({
      inputs,
      worked: await (await theLab()).ask("workbench", questionOf(inputs), { signal }),
    }));
  }

  override render(): TemplateResult {
    const { inputs, shownHead: head } = this;
    const misfit = misfitOf(inputs);
    const { answer, failure } = this.asked;
    const overflowed = (): Refusal | null =>
      answer &&
      this.overflowed.get([answer], () => overflowRefusal(answer.worked, answer.inputs.mask));
    const problem =
      this.problem ??
      (misfit ? misfitRefusal(misfit) : failure ? refusalOf(failure) : overflowed());
    const workbench =
      misfit || !answer
        ? null
        : this.answered.get([answer, head], () => ({ ...answer, head, choose: this.chooseHead }));
    return html`<p class="muted">${message("numbers.intro")}</p>
      <headscope-from-model
        .figures=${this.figures}
        .numbers=${inputs}
        .edited=${this.edited}
        .worked=${workbench?.inputs === inputs ? workbench.worked : null}
        .put=${this.set}
      ></headscope-from-model>
      ${this.renderControls(inputs)}
      <p class="problem" role="status">${problem ? renderCoded(problem) : nothing}</p>
      <div class="inputs inline">${MATRIX_NAMES.map((name) => this.renderMatrix(inputs, name))}</div>
      ${workbench && [worked, projection, overflow].map((demo) => html`<headscope-demo .demo=${demo} .on=${{ workbench }}></headscope-demo>`)}`;
  }

  private readonly chooseHead = (head: number): void => this.settings.set("head", head);

  private renderControls(inputs: MatrixInputs): TemplateResult {
    const { heads, divisor, output, mask } = inputs;
    const words = sizeOf(inputs, "words");
    const masks = Object.fromEntries(NUMBER_MASKS.map((kind) => [kind, maskOf(kind, words)]));
    const [preset, masked] = this.names.get([inputs], () => [
      nameOfEqual(inputs, NUMBER_PRESETS),
      nameOfEqual(mask, masks),
    ]);
    const counts = headChoices(sizeOf(inputs, "keys"), sizeOf(inputs, "values")).map(String);
    const ownDivisor = divisor !== "root" && divisor !== 1;
    const divisors = captionedOneOf({
      control: "segments",
      label: message("numbers.divisor"),
      values: DIVISORS,
      value: divisor === "root" ? "root" : ownDivisor ? "own" : "one",
      show: (value) => message(`numbers.divisor.${value}`),
      // The user's own begins with a number that is neither of the others.
      choose: (kind) =>
        this.put({
          divisor: kind === "root" ? kind : kind === "one" ? 1 : ownDivisor ? divisor : 2,
        }),
    });
    const enter = (typed: string): Refusal | null => {
      const read = readDivisor(typed);
      if (typeof read === "number") this.put({ divisor: read });
      return typeof read === "number" ? null : read;
    };
    const controls: (Control | null)[] = [
      list("numbers.preset", NUMBER_PRESET_NAMES, preset, (name) => this.set(NUMBER_PRESETS[name])),
      list("numbers.heads", counts, `${heads}`, (count) => this.put({ heads: Number(count) })),
      list("numbers.mask", NUMBER_MASKS, masked, (kind) => this.put({ mask: maskOf(kind, words) })),
      divisors,
      ownDivisor
        ? {
            control: "text",
            id: "divisor",
            className: "fraction",
            label: message("numbers.divisor"),
            inputMode: "decimal",
            text: typedText(divisor),
            enter,
          }
        : null,
      {
        control: "toggle",
        label: message("numbers.output"),
        on: output !== null,
        press: () => this.put({ output: output ? null : identity(sizeOf(inputs, "values")) }),
      },
    ];
    return html`<div class="controls inline">${controls.map((control) => control && this.fields.render(control))}</div>
      ${this.fields.troubles()}`;
  }

  /** A matrix to type into, with its name, its size, and the ways in and out of files. */
  private renderMatrix(inputs: MatrixInputs, name: MatrixName): TemplateResult | typeof nothing {
    const rows = inputs[name];
    if (!rows) return nothing;
    const symbol = INPUT_SYMBOLS[name];
    const title = message(`numbers.matrix.${name}`);
    const mask = name === "mask";
    const named = (name === "x" || mask) && inputs.words.length === rows.length;
    const words = named ? inputs.words : null;
    const hint = isLarge(rows) ? "numbers.large.hint" : mask ? "numbers.mask.hint" : null;
    const changed = ({ detail }: CustomEvent<GridChange>): void =>
      this.set(withMatrix(inputs, name, detail.rows, detail.words));
    const file = symbol.startsWith("W") ? `w_${name}` : name;
    return html`<section data-name=${name} class=${this.dropOver === name ? "over" : ""} aria-label="${symbol}: ${title}" @dragover=${(event: DragEvent) => this.dragged(event, name)} @dragleave=${() => (this.dropOver = null)} @drop=${(event: DragEvent) => this.dropped(event, name)}>
      <div class="head inline">
        <h3>${symbols(symbol)}</h3>
        <span class="small muted">${title} · ${shapeOf(rows).join(" × ")}</span>
      </div>
      <headscope-number-grid
        .rows=${rows}
        .rowNames=${words}
        .columnNames=${mask ? words : null}
        .label=${symbol}
        .edits=${mask ? "mask" : "numbers"}
        ?renames=${name === "x"}
        @headscope-grid-change=${changed}
      ></headscope-number-grid>
      <div class="tools inline small muted">${hint ? html`<span class="hint">${message(hint)}</span>` : (["rows", "columns"] as const).map((axis) => this.renderSteps(inputs, name, axis, shapeOf(rows)[axis === "rows" ? 0 : 1]))}</div>
      <div class="tools inline small muted">
        <button @click=${() => this.renderRoot.querySelector<HTMLElement>(`#file-${name}`)?.click()}>${message("numbers.open")}</button>
        ${MATRIX_FORMATS.map((format) => html`<button aria-label=${message("numbers.save", { name: symbol, format })} @click=${() => void saveMatrix(file, rows, words, format)}>${format === "csv" ? "CSV" : ".npy"}</button>`)}
        <headscope-embed-buttons class="figure" .heading=${symbol}></headscope-embed-buttons>
        <input id="file-${name}" type="file" accept=".csv,.tsv,.txt,.npy" hidden aria-label=${message("numbers.openInto", { name: symbol })} @change=${(event: Event) => this.picked(event, name)} />
      </div>
    </section>`;
  }

  private renderSteps(
    inputs: MatrixInputs,
    matrix: MatrixName,
    axis: "rows" | "columns",
    count: number,
  ): TemplateResult {
    const name = INPUT_SYMBOLS[matrix];
    const to = (size: number) => () => this.set(resize(inputs, matrix, axis, size));
    return html`<span>${message(`numbers.${axis}`)}
      <button aria-label=${message(`numbers.${axis}.less`, { name })} ?disabled=${count <= 1} @click=${to(count - 1)}>−</button>
      <button aria-label=${message(`numbers.${axis}.more`, { name })} ?disabled=${count >= MOST_SIDE} @click=${to(count + 1)}>+</button></span>`;
  }

  private picked({ target }: Event, name: MatrixName): void {
    if (!(target instanceof HTMLInputElement)) return;
    const [file] = target.files ?? [];
    target.value = "";
    if (file) void this.open(name, file);
  }

  private dragged(event: DragEvent, name: MatrixName): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    // Elsewhere on the page a file would be opened as a model.
    event.stopPropagation();
    this.dropOver = name;
  }

  private dropped(event: DragEvent, name: MatrixName): void {
    this.dropOver = null;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void this.open(name, file);
  }

  private async open(name: MatrixName, file: File): Promise<void> {
    try {
      const { rows, labels } = await readMatrix(file);
      const wrong = rows
        .flat()
        .find((value) => !(Number.isFinite(value) || (name === "mask" && value === -Infinity)));
      if (wrong !== undefined) throw new Unreadable("notANumber", typedText(wrong));
      this.set(withMatrix(this.inputs, name, rows, labels));
    } catch (thrown) {
      const { sentence, code } = refusalOf(thrown);
      this.problem = { sentence: `${file.name}: ${sentence}`, code };
    }
  }

  private put(change: Partial<MatrixInputs>): void {
    this.set({ ...this.inputs, ...change });
  }

  private readonly set = (inputs: MatrixInputs): void => {
    this.problem = null;
    patch(this, { numbers: inputs === TUTORIAL ? null : inputs });
  };
}

/** A list of names; where these numbers have none of them, it says that they are the user's own. */
function list<Value extends string>(
  key: "numbers.preset" | "numbers.heads" | "numbers.mask",
  names: readonly Value[],
  value: string | undefined,
  choose: (value: Value) => void,
): Choosing {
  const text = (one: string): string =>
    key === "numbers.heads" ? one : message(`${key}.${one === "" ? "own" : one}` as MessageKey);
  return captionedOneOf<Value | "">({
    control: "list",
    label: message(key),
    value: value ?? "",
    values: value === undefined ? ["", ...names] : names,
    show: text,
    choose: (one) => one !== "" && choose(one),
  });
}

/** The name of the one that is the same, whether chosen here or read from a link. */
function nameOfEqual(value: unknown, all: Readonly<Record<string, unknown>>): string | undefined {
  // JSON has no infinities.
  const text = (one: unknown): string =>
    JSON.stringify(one, (_, part: unknown) => (part === -Infinity ? "-∞" : part));
  return Object.keys(all).find((name) => text(all[name]) === text(value));
}

function readDivisor(typed: string): number | Refusal {
  const value = numberIn(typed);
  if (isAmbiguous(typed)) return ambiguousRefusal(typed);
  return value !== undefined && value > 0
    ? value
    : {
        sentence: message("numbers.divisor.wrong", { text: typed.slice(0, REPEATED) }),
        code: "numbers/bad-divisor",
      };
}

function questionOf(inputs: MatrixInputs): WorkbenchAsked {
  const matrices = MATRIX_NAMES.map((name) => [name, inputs[name]?.map((row) => [...row]) ?? null]);
  return {
    ...(Object.fromEntries(matrices) as Pick<WorkbenchAsked, MatrixName>),
    nHeads: inputs.heads,
    divisor: inputs.divisor === "root" ? null : inputs.divisor,
  };
}

function misfitRefusal({ name, shape, wanted: [rows, columns] }: Misfit): Refusal {
  const sides = [
    ...(rows === null ? [] : [message("numbers.misfit.rows", { count: rows })]),
    ...(columns === null ? [] : [message("numbers.misfit.columns", { count: columns })]),
  ];
  return {
    sentence: message("numbers.misfit", {
      name: INPUT_SYMBOLS[name],
      shape: shape.join(" × "),
      wanted: formatList(sides),
    }),
    code: "numbers/misfit",
  };
}

function identity(size: number): Rows {
  return sized(size, size, (row, column) => (row === column ? 1 : 0));
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-numbers-bench": HeadscopeNumbersBench;
  }
}
