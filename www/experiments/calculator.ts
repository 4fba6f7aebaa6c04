import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import { LARGEST_SIDE, type Calculation } from "../data/index.js";
import { formatValue } from "../draw/text.js";
import { isAmbiguous, numberIn, Unreadable } from "../export/read-matrix.js";
import { formatList, message, type MessageKey } from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { hasEdits, headChoices, shapeOf, sized, type MatrixInputs } from "../state/index.js";
import {
  MATRIX_NAMES,
  maskOf,
  misfitOf,
  MOST_SIDE,
  NUMBER_MASKS,
  NUMBER_PRESET_NAMES,
  NUMBER_PRESETS,
  resize,
  sizeOf,
  TUTORIAL,
  withMatrix,
  type MatrixName,
  type Misfit,
} from "../state/matrix-changes.js";
import "./demos/demo-element.js";
import { NUMBERS } from "../kit/fields.js";
import { Settings } from "../kit/settings.js";
import { Study } from "../kit/study.js";
import { overflow, worked } from "./demos/numbers/calculator.js";
import { isExpected, type Refusal } from "../session/run/failures.js";
import type { HeadFigures } from "../session/run/head.js";
import { SessionPart } from "../session/session.js";
import {
  renderCoded,
  Fields,
  formStyles,
  oneOf,
  REPEATED,
  toggle,
  type Control,
} from "../kit/form.js";
import { overflowRefusal, questionOf, type Answered } from "./calculator/arithmetic.js";
import {
  matrixButtons,
  readMatrix,
  refusalOf,
  symbols,
  typedText,
} from "./calculator/matrix-text.js";
import { MOST_TOKENS, readHeadInputs, residueOf, type ReadHead } from "./calculator/model-head.js";
import { isLarge, type GridChange } from "./calculator/number-grid.js";
import styles from "./calculator.css?inline";

const INPUT_SYMBOLS = { x: "X", query: "W_Q", key: "W_K", value: "W_V", output: "W_O", mask: "M" };
/** The largest difference of equal weights: the model computes in f32. */
const SAME = 1e-5;

/**
 * The attention calculator: the user's matrices, all that the engine computes of them, and two
 * demos.
 */
@customElement("headscope-calculator")
export class HeadscopeCalculator extends SessionPart {
  static override styles = [formStyles, unsafeCSS(styles)];

  @state() private problem: Refusal | null = null;
  @state() private dropOver: MatrixName | null = null;
  /** The head of the model that was read last, and the reason why a head could not be read. */
  @state() private read: ReadHead | null = null;
  @state() private refused: (Refusal & { of: HeadFigures }) | null = null;
  @state() private busy = false;
  private readonly fields = new Fields(this);
  private readonly settings = new Settings(this, "numbers", NUMBERS);
  private readonly asked = new Study<Omit<Answered, "head" | "choose">>(this);
  private readonly chooseHead = (head: number): void => this.settings.set("head", head);

  private get inputs(): MatrixInputs {
    return this.session.state.numbers ?? TUTORIAL;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asked.stop();
    this.session.calculation = null;
  }

  override willUpdate(): void {
    const { inputs } = this;
    if (misfitOf(inputs)) return;
    this.asked.ask([inputs], async ({ core, signal }) => ({
      inputs,
      worked: await core.ask("calculator", questionOf(inputs), { signal }),
    }));
  }

  protected override updated(): void {
    const { inputs, asked, session } = this;
    session.calculation = asked.answer?.inputs === inputs ? asked.answer.worked : null;
  }

  override render(): TemplateResult {
    const { inputs, settings, asked } = this;
    const misfit = misfitOf(inputs);
    const answer = misfit ? null : asked.answer;
    // The chosen head, or the last one of these numbers.
    const head = Math.min(settings.values.head, inputs.heads - 1);
    const calculator: Answered | null = answer && { ...answer, head, choose: this.chooseHead };
    const failed = misfit ? misfitRefusal(misfit) : asked.failure ? refusalOf(asked.failure) : null;
    const problem =
      this.problem ?? failed ?? (answer && overflowRefusal(answer.worked, answer.inputs.mask));
    return html`<p class="muted">${message("numbers.intro")}</p>
      ${this.renderModel(answer?.inputs === inputs ? answer.worked : null)}
      <div class="controls inline">
        ${this.controls(inputs).map((control) => (control ? this.fields.render(control) : nothing))}
      </div>
      ${this.fields.troubles()}
      <p class="problem" role="status">${problem ? renderCoded(problem) : nothing}</p>
      <div class="inputs flow inline next">
        ${MATRIX_NAMES.map((name) => this.renderMatrix(inputs, name))}
      </div>
      ${
        calculator &&
        [worked, overflow].map(
          (demo) =>
            html`<headscope-demo
              class="ruled"
              .demo=${demo}
              .calculator=${calculator}
            ></headscope-demo>`,
        )
      }`;
  }

  /**
   * Buttons that read the shown head of the model into the calculator, and whether the calculator's
   * weights equal the model's.
   */
  private renderModel(result: Calculation | null): TemplateResult | typeof nothing {
    const { read, refused, inputs, session } = this;
    const { figures, state } = session;
    const at = figures?.head ?? read?.head;
    if (!at) return nothing;
    const stack = message(`stack.${at.stack}`);
    const head = message("edits.head", { stack, layer: at.layer + 1, head: at.head + 1 });
    const isRead = read?.inputs === inputs;
    const residue = isRead && result ? residueOf(read, result.heads[0]?.weights ?? []) : null;
    const match = hasEdits(state.edits) ? "edited" : "other";
    const sentences = isRead && [
      message(`numbers.used.${read.direct ?? "what"}`, { width: read.width }),
      read.biased && message("numbers.used.bias"),
      read.firstKey > 0 && message("numbers.used.crossed"),
      read.tokens > MOST_TOKENS &&
        message("numbers.used.part", { most: MOST_TOKENS, tokens: read.tokens }),
    ];
    return html`<div class="model">
      <button
        id="read"
        class="link"
        ?disabled=${!figures}
        aria-disabled=${this.busy}
        @click=${this.readHead}
      >
        ${message("numbers.use", { head })}
      </button>
      <div class="small" role="status">
        ${refused && isSame(refused.of, figures) ? html`<p>${renderCoded(refused)}</p>` : nothing}
        ${sentences ? html`<p class="muted">${sentences.filter(Boolean).join(" ")}</p>` : nothing}
        ${
          residue === null
            ? nothing
            : html`<p data-residue=${residue}>
                ${message(`numbers.used.${residue <= SAME ? "same" : match}`, {
                  residue: formatValue(residue),
                })}
              </p>`
        }
      </div>
    </div>`;
  }

  private readonly readHead = async (): Promise<void> => {
    const { figures, computation } = this.session;
    const { model } = computation;
    if (!figures || !model || this.busy) return;
    this.busy = true;
    this.refused = null;
    const isCurrent = (): boolean => isSame(this.session.figures, figures) && this.isConnected;
    try {
      const found = await readHeadInputs(model, figures);
      if (!isCurrent()) return;
      if ("tooWide" in found) {
        const numbers = { width: found.tooWide, most: LARGEST_SIDE };
        const sentence = this.within(() => message("numbers.use.wide", numbers));
        this.refused = { sentence, code: "selection/too-large", of: figures };
      } else {
        this.read = found;
        this.put(found.inputs);
      }
    } catch (thrown) {
      if (!isCurrent() || isExpected(thrown)) return;
      this.refused = this.within(() => {
        const { sentence, code } = refusalOf(thrown);
        return { sentence: message("numbers.use.failed", { sentence }), code, of: figures };
      });
    } finally {
      this.busy = false;
    }
  };

  private controls(inputs: MatrixInputs): (Control | false)[] {
    const { heads, divisor, output, mask } = inputs;
    const words = sizeOf(inputs, "words");
    const values = sizeOf(inputs, "values");
    const change = (to: Partial<MatrixInputs>): void => this.put({ ...inputs, ...to });
    const isOwn = divisor !== "root" && divisor !== 1;
    const divisors = { root: "root", one: 1, own: isOwn ? divisor : 2 } as const;
    const kind = isOwn ? "own" : divisor === 1 ? "one" : "root";
    const enter = (typed: string): Refusal | null => {
      if (isAmbiguous(typed)) return refusalOf(new Unreadable("ambiguous", typed));
      const value = numberIn(typed) ?? 0;
      const text = typed.slice(0, REPEATED);
      if (!(value > 0))
        return {
          sentence: message("numbers.divisor.wrong", { text }),
          code: "numbers/bad-divisor",
        };
      change({ divisor: value });
      return null;
    };
    const counts = headChoices(sizeOf(inputs, "keys"), values);
    const label = message("numbers.divisor");
    const own = { control: "text", id: "divisor", wide: true, keys: "decimal", label } as const;
    return [
      named(
        "numbers.preset",
        NUMBER_PRESET_NAMES,
        inputs,
        (name) => NUMBER_PRESETS[name],
        (preset) => this.put(preset),
      ),
      oneOf("list", "numbers.heads", counts, heads, (count) => change({ heads: count }), String),
      named(
        "numbers.mask",
        NUMBER_MASKS,
        mask,
        (name) => maskOf(name, words),
        (to) => change({ mask: to }),
      ),
      oneOf("segments", "numbers.divisor", ["root", "one", "own"], kind, (name) =>
        change({ divisor: divisors[name] }),
      ),
      isOwn && { ...own, text: typedText(divisor), enter },
      toggle("numbers.output", output !== null, () => {
        const identity = sized(values, values, (row, column) => (row === column ? 1 : 0));
        change({ output: output ? null : identity });
      }),
    ];
  }

  private renderMatrix(inputs: MatrixInputs, name: MatrixName): TemplateResult | typeof nothing {
    const rows = inputs[name];
    if (!rows) return nothing;
    const symbol = INPUT_SYMBOLS[name];
    const title = message(`numbers.matrix.${name}`);
    const mask = name === "mask";
    const hasWords = (name === "x" || mask) && inputs.words.length === rows.length;
    const words = hasWords ? inputs.words : null;
    const hint = isLarge(rows) ? "numbers.large.hint" : mask ? "numbers.mask.hint" : null;
    const changed = ({ detail }: CustomEvent<GridChange>): void =>
      this.put(withMatrix(inputs, name, detail.rows, detail.words));
    const shape = shapeOf(rows);
    const steps = (["rows", "columns"] as const).map((axis, at) => {
      const count = shape[at] ?? 0;
      const to = (size: number) => () => this.put(resize(inputs, name, axis, size));
      return html`<span
        >${message(`numbers.${axis}`)}
        <button
          aria-label=${message(`numbers.${axis}.less`, { name: symbol })}
          ?disabled=${count <= 1}
          @click=${to(count - 1)}
        >
          −
        </button>
        <button
          aria-label=${message(`numbers.${axis}.more`, { name: symbol })}
          ?disabled=${count >= MOST_SIDE}
          @click=${to(count + 1)}
        >
          +
        </button></span
      >`;
    });
    const chosen = ({ target }: Event): void => {
      const input = target as HTMLInputElement;
      void this.open(name, input.files?.[0]);
      input.value = "";
    };
    const dragged = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      // Elsewhere on the page a file would be opened as a model.
      event.stopPropagation();
      const isDrop = event.type === "drop";
      this.dropOver = isDrop ? null : name;
      if (isDrop) void this.open(name, event.dataTransfer.files[0]);
    };
    return html`<section
      data-name=${name}
      class=${this.dropOver === name ? "over" : ""}
      aria-label="${symbol}: ${title}"
      @dragover=${dragged}
      @dragleave=${() => (this.dropOver = null)}
      @drop=${dragged}
    >
      <div class="head inline">
        <h3>${symbols(symbol)}</h3>
        <span class="small muted">${title} · ${shape.join(" × ")}</span>
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
      <div class="tools inline small muted">
        ${hint ? html`<span class="hint">${message(hint)}</span>` : steps}
      </div>
      <div class="tools inline small muted">
        <button
          @click=${() => this.renderRoot.querySelector<HTMLElement>(`#file-${name}`)?.click()}
        >
          ${message("numbers.open")}
        </button>
        ${matrixButtons(symbol, symbol.startsWith("W") ? `w_${name}` : name, rows, words)}
        <input
          id="file-${name}"
          type="file"
          accept=".csv,.tsv,.txt,.npy"
          hidden
          aria-label=${message("numbers.openInto", { name: symbol })}
          @change=${chosen}
        />
      </div>
    </section>`;
  }

  private async open(name: MatrixName, file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const { rows, labels } = await readMatrix(file);
      const wrong = rows
        .flat()
        .find((value) => !(Number.isFinite(value) || (name === "mask" && value === -Infinity)));
      if (wrong !== undefined) throw new Unreadable("notANumber", typedText(wrong));
      this.put(withMatrix(this.inputs, name, rows, labels));
    } catch (thrown) {
      const { sentence, code } = this.within(() => refusalOf(thrown));
      this.problem = { sentence: `${file.name}: ${sentence}`, code };
    }
  }

  private put(inputs: MatrixInputs): void {
    this.problem = null;
    this.session.update({ numbers: inputs === TUTORIAL ? null : inputs });
  }
}

/** A list of named values, with "" for a value without a name. */
function named<Name extends string, Value>(
  key: "numbers.preset" | "numbers.mask",
  names: readonly Name[],
  value: Value,
  valueOf: (name: Name) => Value,
  choose: (value: Value) => void,
): Control {
  const name = names.find((one) => equals(valueOf(one), value));
  return oneOf<Name | "">(
    "list",
    key,
    name === undefined ? ["", ...names] : names,
    name ?? "",
    (one) => one !== "" && choose(valueOf(one)),
    (one) => message(`${key}.${one || "own"}` as MessageKey),
  );
}

function misfitRefusal({ name, shape, wanted: [rows, columns] }: Misfit): Refusal {
  const wanted = formatList([
    ...(rows === null ? [] : [message("numbers.misfit.rows", { count: rows })]),
    ...(columns === null ? [] : [message("numbers.misfit.columns", { count: columns })]),
  ]);
  const values = { name: INPUT_SYMBOLS[name], shape: shape.join(" × "), wanted };
  return { sentence: message("numbers.misfit", values), code: "numbers/misfit" };
}

/**
 * Whether both are of the same head of the same run: the figures are new objects while a run grows.
 */
function isSame(one: HeadFigures | null, other: HeadFigures | null): boolean {
  return one?.run === other?.run && equals(one?.head, other?.head);
}
