// @vitest-environment happy-dom
// Files of a figure in a notebook, and what the figure says of them.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "./sentences.js";
import { mount, numberedTokens, stubCanvas, stubRoom, textOf } from "../elements/testing/mount.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeAttention } from "./attention.js";
import type { Given } from "./given.js";

const download = vi.hoisted(() => vi.fn<(file: Blob, name: string) => Promise<void>>());
vi.mock("../export/download.js", () => ({ download }));

beforeEach(() => {
  stubRoom();
  stubCanvas();
  download.mockReset().mockResolvedValue();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const tokens = numberedTokens("t", 2);
const GIVEN: Given = {
  title: "Mine",
  stacks: [
    {
      stack: "decoder",
      weights: {
        data: Float32Array.of(1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5),
        shape: [1, 2, 2, 2],
        axes: ["layer", "head", "query", "key"],
      },
      queries: tokens,
      keys: tokens,
      notes: ["It has a sink."],
    },
  ],
};
const show = (given = GIVEN): Promise<HeadscopeAttention> =>
  mount(new HeadscopeAttention(), { given, head: 1 });
const reportOf = ({ renderRoot }: HeadscopeAttention): string =>
  textOf(renderRoot.querySelector("[role=status]"));

it("is an SVG that says what it shows, in the name of the head", async () => {
  const element = await show();
  button(element, "SVG").click();
  await vi.waitFor(() => expect(download).toHaveBeenCalled());
  const [file, name] = download.mock.lastCall ?? [];
  expect([name, file?.type]).toEqual(["headscope_layer-1_head-2.svg", "image/svg+xml"]);
  const text = (await file?.text()) ?? "";
  expect(text).toContain(">Mine · Decoder · Layer 1, head 2</title>");
  expect(text).toContain("It has a sink.");
  await element.updateComplete;
  expect(reportOf(element)).toContain("headscope_layer-1_head-2.svg");
});

it("has no title before the head where the numbers have none", async () => {
  const file = await (await show({ ...GIVEN, title: "" })).file("svg");
  expect(await file?.text()).toContain(">Decoder · Layer 1, head 2</title>");
});

it("is none without numbers; a failure is said", async () => {
  const element = await mount(new HeadscopeAttention(), {});
  expect(await element.file("svg")).toBeNull();
  const full = await show();
  download.mockRejectedValue(new Error("the disk is full"));
  button(full, "SVG").click();
  await vi.waitFor(() => expect(reportOf(full)).toContain("the disk is full"));
});
