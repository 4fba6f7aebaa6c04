// @vitest-environment happy-dom
import { html, LitElement, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { choiceSetting, flagSetting, LabSettings, numberSetting, setSetting, settingsOf, withLab } from "./lab-settings.js";

const LAYOUTS = ["interleaved", "halves"] as const;
const PARTS = ["stages", "low-rank"] as const;

class Lab extends LitElement {
  static override properties = { dim: {}, base: {}, layout: {}, on: {}, open: { attribute: false } };
  declare dim: number;
  declare base: number;
  declare layout: (typeof LAYOUTS)[number];
  declare on: boolean;
  declare open: readonly (typeof PARTS)[number][];
  protected readonly settings: LabSettings;

  constructor() {
    super();
    Object.assign(this, { dim: 64, base: 10_000, layout: "interleaved", on: false, open: [] });
    this.settings = new LabSettings(this, "waves", {
      dim: numberSetting({ least: 2, most: 512, even: true }, () => this.dim, (dim) => (this.dim = dim)),
      base: numberSetting({ least: 0.001, most: 1e6, whole: false }, () => this.base, (base) => (this.base = base)),
      layout: choiceSetting(LAYOUTS, () => this.layout, (layout) => (this.layout = layout)),
      on: flagSetting(() => this.on, (on) => (this.on = on)),
      open: setSetting(PARTS, () => this.open, (open) => (this.open = open)),
    });
  }

  override render(): TemplateResult {
    return html`${this.dim}`;
  }
}
customElements.define("lab-settings-host", Lab);

let state: State = DEFAULT_STATE;
let unread: string[] = [];
const tell = ({ detail }: HTMLElementEventMap["headscope-state"]): void => void (detail.state = state);
const change = ({ detail }: HTMLElementEventMap["headscope-patch"]): void => void (state = { ...state, ...detail });
const note = ({ detail }: HTMLElementEventMap["headscope-unread"]): void => void unread.push(detail);

beforeEach(() => {
  state = DEFAULT_STATE;
  unread = [];
  document.body.addEventListener("headscope-state", tell);
  document.body.addEventListener("headscope-patch", change);
  document.body.addEventListener("headscope-unread", note);
});
afterEach(() => {
  document.body.replaceChildren();
  document.body.removeEventListener("headscope-state", tell);
  document.body.removeEventListener("headscope-patch", change);
  document.body.removeEventListener("headscope-unread", note);
});

async function lab(): Promise<Lab> {
  const element = new Lab();
  document.body.append(element);
  await element.updateComplete;
  return element;
}

describe("settings of a laboratory", () => {
  it("are in the State where they differ from what it opens on, beside those of others", async () => {
    state = { ...state, labs: "scores(dim-8)" };
    const element = await lab();
    expect(state.labs).toBe("scores(dim-8)");
    Object.assign(element, { dim: 128, base: 0.5, on: true, open: ["low-rank", "stages"] });
    await element.updateComplete;
    expect(state.labs).toBe("scores(dim-8)waves(dim-128,base-0.5,on-yes,open-stages.low_rank)");
    Object.assign(element, { dim: 64, base: 10_000, on: false, open: [] });
    await element.updateComplete;
    expect(state.labs).toBe("scores(dim-8)");
  });

  it("come from the State when it opens, and again when another address is followed", async () => {
    state = { ...state, labs: "waves(dim-128,layout-halves,on-yes,open-low_rank)" };
    const element = await lab();
    expect([element.dim, element.layout, element.on, element.open, element.base]).toEqual([128, "halves", true, ["low-rank"], 10_000]);
    state = { ...state, labs: "waves(base-2)" };
    window.dispatchEvent(new Event("hashchange"));
    await element.updateComplete;
    expect([element.dim, element.layout, element.base, state.labs, unread]).toEqual([64, "interleaved", 2, "waves(base-2)", []]);
  });

  it("that cannot be stay as they open, are named, and leave the State", async () => {
    state = { ...state, labs: "waves(dim-1e9,layout-none,odd-3,base-5)" };
    const element = await lab();
    expect([element.dim, element.layout, element.base, unread, state.labs]).toEqual([64, "interleaved", 5, ["labs: dim,layout,odd"], "waves(base-5)"]);
    for (const labs of ["waves(dim-)", "waves(dim-7)", "waves(dim-NaN)", "waves(dim--4)", "waves(dim-2.5)", "waves(open-none)"]) {
      element.remove();
      state = { ...state, labs };
      unread = [];
      document.body.append(element);
      await element.updateComplete;
      expect([element.dim, unread.length], labs).toEqual([64, 1]);
    }
  });

  it("are written and read by name", () => {
    expect(withLab(null, "a", "")).toBeNull();
    expect(withLab("a(x-1)b(y-2)", "a", "")).toBe("b(y-2)");
    expect([...settingsOf("a(x-ff-entered,y-)b(y-2)", "a")]).toEqual([["x", "ff-entered"], ["y", ""]]);
  });
});
