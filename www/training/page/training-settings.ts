import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { type Control, Fields, formStyles, renderFailed } from "../../kit/form.js";
import { PagePart } from "../../ui/page-part.js";
import {
  ACTIVATIONS,
  decodeSettings,
  encodeSettings,
  HEADS,
  METHODS,
  problemOf,
  SCHEDULES,
  type TrainingSettings,
  usualSettings,
  WIDTHS,
} from "../settings.js";
import { NORMS, PLACES, POSITIONS } from "../forms.js";
import { TASKS, type TaskName } from "../tasks/index.js";
import styles from "./training-settings.css?inline";
import { BESIDE, needsText } from "./trainings.js";

type Name = keyof TrainingSettings;
/** How a setting is changed: one of several, on or off, or a number within bounds. */
type Way =
  | { values: readonly (string | number)[] }
  | { flag: true }
  | { least: number; most: number; fraction?: true; slides?: true };

const LAYERS = [1, 2, 3, 4];
/** The bounds of numbers, as `problemOf` checks them. */
const WAYS: Readonly<Record<Exclude<Name, "task" | "kind" | "length" | "clip">, Way>> = {
  layers: { values: LAYERS },
  width: { values: WIDTHS },
  heads: { values: HEADS },
  positions: { values: POSITIONS },
  norm: { values: NORMS },
  place: { values: PLACES },
  activation: { values: ACTIVATIONS },
  scale: { flag: true },
  residuals: { flag: true },
  mask: { flag: true },
  dropout: { least: 0, most: 0.9, fraction: true },
  labelSmoothing: { least: 0, most: 0.9, fraction: true },
  method: { values: METHODS },
  learningRate: { least: 1e-6, most: 10, fraction: true },
  beta1: { least: 0, most: 0.9999, fraction: true },
  beta2: { least: 0, most: 0.99999, fraction: true },
  epsilon: { least: 1e-12, most: 0.01, fraction: true },
  weightDecay: { least: 0, most: 10, fraction: true },
  momentum: { least: 0, most: 0.9999, fraction: true },
  warmUp: { least: 0, most: 100_000 },
  schedule: { values: SCHEDULES },
  batch: { least: 1, most: 512 },
  steps: { least: 1, most: 100_000 },
  seed: { least: 0, most: 2 ** 31 - 1 },
};

/** The settings by subject, in the order of the form. */
const GROUPS = {
  task: ["task", "length", "kind"],
  model: ["layers", "width", "heads", "positions", "norm", "place", "activation"],
  parts: ["scale", "residuals", "mask"],
  learning: ["method", "learningRate", "warmUp", "schedule", "clip", "batch", "steps", "seed"],
  more: ["dropout", "labelSmoothing", "weightDecay", "beta1", "beta2", "epsilon", "momentum"],
} as const satisfies Readonly<Record<string, readonly Name[]>>;
type Group = keyof typeof GROUPS;

/** Settings that only one of the methods has. */
const OF_METHOD: Partial<Record<Name, TrainingSettings["method"]>> = {
  weightDecay: "adamw",
  beta1: "adamw",
  beta2: "adamw",
  epsilon: "adamw",
  momentum: "sgd",
};
/** The clipping that is offered when it is turned on. */
const USUAL_CLIP = 1;

const labelOf = (name: Name): MessageKey => `training.set.${name}`;

/** The settings of a training, folded away below a line that says what is trained. */
@customElement("headscope-training-settings")
export class HeadscopeTrainingSettings extends PagePart {
  static override styles = [formStyles, unsafeCSS(styles)];

  /** The settings as the text of a link: of two trainings, those of the first are changed. */
  @property() text = "";
  @property({ attribute: false }) change: (text: string) => void = () => undefined;
  /** Takes the file of a text of one's own. */
  @property({ attribute: false }) takeFile: (file: File) => void = () => undefined;
  /** The settings that the form shows; some that no model has together are not trained. */
  @state() private draft: TrainingSettings | null = null;
  private readonly fields = new Fields(this);

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("text")) this.draft = readable(this.text.split(BESIDE)[0] ?? "");
  }

  protected override render(): TemplateResult | typeof nothing {
    const { draft } = this;
    if (!draft) return nothing;
    const problem = problemOf(draft);
    return html`<details>
      <summary>
        ${message("training.settings")}
        <span class="muted small">${summaryOf(draft)}</span>
      </summary>
      <div class="groups">
        ${(Object.keys(GROUPS) as Group[]).map((group) => this.renderGroup(group, draft))}
      </div>
      ${this.fields.troubles()}
      ${
        problem ? html`<p class="failure small" role="alert">${renderFailed(problem)}</p>` : nothing
      }
    </details>`;
  }

  private renderGroup(group: Group, draft: TrainingSettings): TemplateResult {
    const names = GROUPS[group].filter(
      (name: Name) => (OF_METHOD[name] ?? draft.method) === draft.method,
    );
    return html`<fieldset>
      <legend class="strong">${message(`training.group.${group}`)}</legend>
      ${names.map(
        (name) =>
          html`<div class="setting">
            ${this.fields.render(this.controlOf(name, draft))}
            <p class="small muted">${message(`training.set.${name}.hint`)}</p>
          </div>`,
      )}
      ${group === "task" && needsText(draft) ? this.renderFile() : nothing}
    </fieldset>`;
  }

  private renderFile(): TemplateResult {
    const picked = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      // So that the same file can be picked again after it was corrected.
      input.value = "";
      if (file) this.takeFile(file);
    };
    return html`<div class="setting">
      <label
        >${message("training.file")}
        <input type="file" accept=".txt,.md,text/plain" @change=${picked} />
      </label>
      <p class="small muted">${message("training.file.hint")}</p>
    </div>`;
  }

  private controlOf(name: Name, draft: TrainingSettings): Control {
    const put = (value: unknown): void => this.put(name, value);
    const label = message(labelOf(name));
    switch (name) {
      case "task":
        return listOf(name, Object.keys(TASKS), draft.task, (task) =>
          this.putTask(task as TaskName),
        );
      case "kind":
        return listOf(name, TASKS[draft.task].kinds, draft.kind, put);
      case "length": {
        const { least, most } = TASKS[draft.task].lengths;
        return {
          control: "number",
          id: name,
          caption: label,
          value: draft.length,
          least,
          most,
          step: 1,
          take: put,
        };
      }
      case "clip":
        return {
          control: "toggle",
          label,
          on: draft.clip !== null,
          press: () => put(draft.clip === null ? USUAL_CLIP : null),
        };
      default:
        return this.plainControl(name, label, draft[name], put);
    }
  }

  private plainControl(
    name: keyof typeof WAYS,
    label: string,
    value: TrainingSettings[keyof typeof WAYS],
    put: (value: unknown) => void,
  ): Control {
    const way = WAYS[name];
    if ("flag" in way)
      return { control: "toggle", label, on: value === true, press: () => put(value !== true) };
    if ("values" in way) {
      const { values } = way;
      return listOf(name, values, String(value), (chosen) =>
        put(values.find((one) => String(one) === chosen)),
      );
    }
    const { least, most, fraction } = way;
    const step = fraction ? 0 : 1;
    return {
      control: "number",
      id: name,
      caption: label,
      value: Number(value),
      least,
      most,
      step,
      take: put,
    };
  }

  /** Takes a setting; settings that no model has together stay in the form, with the reason. */
  private put(name: Name, value: unknown): void {
    const { draft } = this;
    if (!draft) return;
    const next: TrainingSettings = { ...draft, [name]: value };
    // An encoder has no mask of later tokens to leave out.
    if (next.kind === "encoder") next.mask = true;
    this.take(next);
  }

  /** Takes a task with its usual settings, but for the seed. */
  private putTask(task: TaskName): void {
    this.take({ ...usualSettings(task), seed: this.draft?.seed ?? 1 });
  }

  private take(next: TrainingSettings): void {
    this.draft = next;
    if (problemOf(next) !== null) return;
    const [, ...others] = this.text.split(BESIDE);
    this.change([encodeSettings(next), ...others].join(BESIDE));
  }
}

function listOf(
  name: Name,
  values: readonly (string | number)[],
  value: string,
  choose: (value: string) => void,
): Control {
  const label = message(labelOf(name));
  const options = values.map((one) => ({ value: String(one), label: valueWords(name, one) }));
  return { control: "list", id: name, label, caption: label, value, options, choose };
}

/** The words of a value: numbers stand for themselves. */
function valueWords(name: Name, value: string | number): string {
  return typeof value === "number"
    ? String(value)
    : message(`training.value.${name}.${value}` as MessageKey);
}

/** What is trained, in a few words. */
function summaryOf(settings: TrainingSettings): string {
  const { task, kind, layers, heads, width, learningRate, seed } = settings;
  return message("training.summary", {
    task: valueWords("task", task),
    kind: valueWords("kind", kind),
    layers,
    heads,
    width,
    rate: String(learningRate),
    seed: String(seed),
  });
}

function readable(text: string): TrainingSettings | null {
  try {
    return decodeSettings(text);
  } catch {
    // The page says why.
    return null;
  }
}
