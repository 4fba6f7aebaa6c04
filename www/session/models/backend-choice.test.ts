import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel, failed } from "../../../tests/support/fake-model.js";
import type { Adapter, LoadOptions, ModelSource, Restart } from "../../headscope.js";
import { BackendChoice } from "./backend-choice.js";

const ADAPTER: Adapter = { vendor: "maker", architecture: "", description: "", software: false };

describe("where models compute", () => {
  const events = { left: vi.fn(), used: vi.fn() };
  const asked: (string | undefined)[] = [];
  const model = new FakeModel();
  let onGpu: () => Promise<FakeModel>;
  const refuse = (code: string) => (): Promise<never> => Promise.reject(failed(code));
  let choice: BackendChoice;
  const load = (options: LoadOptions = {}): Promise<unknown> =>
    choice.on((_: ModelSource, { backend }) => {
      asked.push(backend);
      return backend === "webgpu" ? onGpu() : Promise.resolve(model);
    })("m", options);

  beforeEach(() => {
    asked.length = 0;
    vi.clearAllMocks();
    onGpu = () => Promise.resolve(model);
    choice = new BackendChoice(events, () => Promise.resolve(ADAPTER));
    choice.follow("webgpu");
  });

  it.each([
    ["gpu/unavailable", "gpu/unavailable"],
    ["load/wasm", "gpu/unavailable"],
    ["engine/crashed", "gpu/unavailable"],
    ["gpu/absent", "gpu/absent"],
    ["gpu/silent", "gpu/silent"],
  ])("the CPU loads what the GPU refuses with %s, which is %s", async (code, left) => {
    onGpu = refuse(code);
    await expect(load()).resolves.toBe(model);
    expect(asked).toEqual(["webgpu", undefined]);
    expect(events.left).toHaveBeenCalledExactlyOnceWith(left);
    expect(events.used).not.toHaveBeenCalled();
    expect(choice.follow("cpu")).toBe(false);
  });

  it("a failure of the model itself is none of the GPU, and loading stops when it is stopped", async () => {
    onGpu = refuse("load/not-found");
    await expect(load()).rejects.toMatchObject({ code: "load/not-found" });
    onGpu = refuse("engine/disposed");
    const stopped = load({ signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "engine/disposed" });
    expect(asked).toEqual(["webgpu", "webgpu"]);
    expect(events.left).not.toHaveBeenCalled();
  });

  it("the CPU loads what was on its way to a GPU that was left meanwhile", async () => {
    const late = new FakeModel();
    let arrive: () => void = () => undefined;
    onGpu = () => new Promise((resolve) => (arrive = () => resolve(late)));
    const coming = load();
    onGpu = refuse("gpu/unavailable");
    await load();
    arrive();
    await expect(coming).resolves.toBe(model);
    expect([late.disposed, asked]).toEqual([true, ["webgpu", "webgpu", undefined, undefined]]);
  });

  it("a GPU that stops with a model is left, and none for another restart", async () => {
    let restart: (why: Restart) => void = () => undefined;
    vi.spyOn(model, "onRestart").mockImplementation((listener) => {
      restart = listener;
      return () => true;
    });
    await load();
    restart({ code: "engine/crashed", reason: "killed", leftGpu: false });
    expect(events.left).not.toHaveBeenCalled();
    restart({ code: "gpu/lost", reason: "it was lost", leftGpu: true });
    expect(events.left).toHaveBeenCalledExactlyOnceWith("gpu/lost");
  });
});
