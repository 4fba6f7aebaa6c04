// @vitest-environment happy-dom
// The figure of a widget in a notebook: what it follows of Python, what it tells, the files that
// Python asks for, and its end.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubCanvas, stubRoom } from "../elements/testing/mount.js";
import widget from "./anywidget.js";
import { TAG, type HeadscopeAttention } from "./attention.js";

type Listener = (content: unknown) => void;

/** A model as anywidget passes it. */
class Model {
  readonly traits: Record<string, unknown> = {
    stack: "cross",
    layer: 1,
    head: 2,
    pair: [0, 1],
    view: "lines",
    _description: {},
    _numbers: new DataView(new ArrayBuffer(8), 2, 4),
  };
  readonly saved: unknown[] = [];
  readonly sent: unknown[][] = [];
  readonly listeners = new Map<string, Listener>();

  get = (name: string): never => this.traits[name] as never;
  set = (name: string, value: unknown): void => void (this.traits[name] = value);
  save_changes = (): void => void this.saved.push({ ...this.traits });
  on = (event: string, listener: Listener): unknown => this.listeners.set(event, listener);
  off = (event: string, listener: Listener): void => {
    if (this.listeners.get(event) === listener) this.listeners.delete(event);
  };
  send = (...given: unknown[]): void => void this.sent.push(given);

  /** Changes traits in Python. */
  change(traits: Record<string, unknown>): void {
    Object.assign(this.traits, traits);
    for (const name of Object.keys(traits)) this.listeners.get(`change:${name}`)?.(null);
  }
}

let model: Model;
let end: () => void;
let figure: HeadscopeAttention;

beforeEach(() => {
  stubRoom();
  stubCanvas();
  model = new Model();
  end = widget.render({ model, el: document.body });
  figure = document.body.querySelector<HeadscopeAttention>(TAG) ?? expect.fail("no figure");
});
afterEach(() => document.body.replaceChildren());

const shown = (): unknown[] => [figure.stack, figure.layer, figure.head, figure.pair, figure.view];

it("shows what Python chose, and follows each change", () => {
  expect(shown()).toEqual(["cross", 1, 2, { query: 0, key: 1 }, "lines"]);
  model.change({ stack: "encoder", layer: 0 });
  model.change({ head: 3 });
  model.change({ pair: null });
  model.change({ view: "no such view" });
  expect(shown()).toEqual(["encoder", 0, 3, null, "heatmap"]);
});

it("tells Python what a user chose, in one change", () => {
  const detail = { stack: "decoder", layer: 2, head: 0, pair: { query: 3, key: 1 }, view: "lines" };
  figure.dispatchEvent(new CustomEvent("headscope-selection", { detail }));
  expect(model.saved).toEqual([expect.objectContaining({ ...detail, pair: [3, 1] })]);
  figure.dispatchEvent(
    new CustomEvent("headscope-selection", { detail: { ...detail, pair: null } }),
  );
  expect(model.saved.at(-1)).toHaveProperty("pair", null);
});

it("reads the numbers again once they or their description change", () => {
  const read = vi.spyOn(figure, "read");
  model.change({ _numbers: new DataView(new ArrayBuffer(4)) });
  model.change({ _description: { title: "another" } });
  expect(read).toHaveBeenCalledTimes(2);
});

it("says once that it is shown, and sends each file that Python asks for, or why there is none", async () => {
  await vi.waitFor(() => expect(model.sent).toEqual([[{ shown: true }]]));
  const ask = (content: unknown): void => model.listeners.get("msg:custom")?.(content);
  const file = vi.spyOn(figure, "file");
  file.mockResolvedValueOnce(new Blob(["picture"]));
  ask({ save: "svg", id: 7 });
  await vi.waitFor(() => expect(model.sent).toHaveLength(2));
  const [about, , buffers] = model.sent[1] ?? [];
  expect(about).toEqual({ id: 7, failed: null });
  expect(new TextDecoder().decode((buffers as ArrayBuffer[])[0])).toBe("picture");
  file.mockResolvedValueOnce(null);
  ask({ save: "png", id: 8 });
  await vi.waitFor(() => expect(model.sent).toHaveLength(3));
  expect(model.sent[2]).toEqual([{ id: 8, failed: "there is no picture" }, undefined, []]);
  file.mockRejectedValueOnce(new Error("no room"));
  ask({ save: "pdf", id: 9 });
  await vi.waitFor(() => expect(model.sent).toHaveLength(4));
  expect(model.sent[3]).toEqual([{ id: 9, failed: "Error: no room" }]);
  for (const other of [null, "svg", {}, { save: "gif", id: 1 }]) ask(other);
  expect(file).toHaveBeenCalledTimes(3);
});

it("leaves nothing behind once it ends", () => {
  expect(model.listeners.size).toBe(8);
  end();
  expect(model.listeners.size).toBe(0);
  expect(document.body.querySelector(TAG)).toBeNull();
});
