import type { ReactiveController } from "lit";
import { derived, untracked } from "../signals.js";
import type { Store } from "../state/index.js";
import type { SessionPart } from "../session/session.js";
import {
  bounded,
  settingsIn,
  settingsOf,
  valuesIn,
  withSettings,
  type Fields,
  type Value,
  type Values,
  type ValuesOf,
} from "./fields.js";
import { Press } from "./press.js";

/** The time within which changes of one number by keys are one step of undo, as in typing. */
const PAUSE_MILLIS = 1000;

/**
 * The values of a demo's fields, kept in the State: a link, a reload and an embed show the same,
 * and a finished move of a slider can be undone. A link's values that the model does not have are
 * replaced by the nearest and named on the page.
 */
export class Settings<Of extends Fields> implements ReactiveController {
  /** The settings in the State when they were last written or checked. */
  private checked = "";
  /** The last change: its key, the press of the pointer, and the time. */
  private move: { key: string; press: number | null; at: number } | null = null;
  private readonly press: Press;

  constructor(
    private readonly host: SessionPart,
    private readonly name: string,
    private readonly fields: Of,
    /** The values that the model has; null while they are unknown. */
    private readonly fitted: () => Values | null = () => this.values,
  ) {
    this.press = new Press(host);
    host.addController(this);
  }

  private get store(): Store {
    return this.host.session.store;
  }

  @derived private get read(): ReturnType<typeof valuesIn> {
    const { demos, numbers } = this.store.state;
    return valuesIn(this.fields, settingsIn(demos, this.name), { numbers });
  }

  get values(): ValuesOf<Of> & Values {
    return this.read.values as ValuesOf<Of> & Values;
  }

  set(key: keyof Of & string, value: Value): void {
    const { store, fields } = this;
    const next = this.written(bounded(fields, { ...this.values, [key]: value }, store.state));
    if (next === store.state.demos) return;
    this.checked = this.textIn(next);
    // A field without a label is a place on the page, and no step of undo.
    if (fields[key]?.label === undefined) store.update({ demos: next });
    else store.set(next, this.continues(key));
  }

  /** Compares the settings of a link or an undo with what the fields allow and the model has. */
  hostUpdated(): void {
    const { values, store } = this;
    const { demos } = store.state;
    if (this.textIn(demos) === this.checked) return;
    this.move = null;
    const fitted = this.fitted();
    if (!fitted) return;
    const lacking = Object.keys(values).filter(
      (key) => typeof values[key] === "number" && fitted[key] !== values[key],
    );
    const fitting = Object.fromEntries(lacking.map((key) => [key, fitted[key] ?? NaN]));
    const wrong = new Set([...this.read.wrong, ...lacking]);
    const next = wrong.size === 0 ? demos : this.written({ ...values, ...fitting });
    this.checked = this.textIn(next);
    if (wrong.size === 0) return;
    this.host.session.notices.reportMore([`demos: ${[...wrong].join()}`]);
    untracked(() => store.update({ demos: next }));
  }

  private written(values: Values): string | null {
    return withSettings(this.store.state.demos, this.name, settingsOf(this.fields, values));
  }

  private textIn(demos: string | null): string {
    return [...settingsIn(demos, this.name)].join(";");
  }

  /**
   * Whether a change belongs to the one before it: the same press of the pointer, of any length, or
   * the next key.
   */
  private continues(key: string): boolean {
    const at = performance.now();
    const press = this.press.now;
    const { move } = this;
    this.move = { key, press, at };
    if (move?.press !== press) return false;
    return press !== null || (move.key === key && at - move.at < PAUSE_MILLIS);
  }
}
