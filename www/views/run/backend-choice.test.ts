import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel, failed } from "../../../tests/support/fake-model.js";
import type { HeadscopeError } from "../../headscope.js";
import { type Adapter, type LoadOptions, type ModelSource, type Restart } from "../../headscope.js";
import { BackendChoice } from "./backend-choice.js";

const ADAPTER: Adapter = {
  vendor: "maker",
  architecture: "line",
  description: "",
  software: false,
};

function refused(code: string): HeadscopeError {
  return failed(code, { message: "no", got: "no such thing" });
}

describe("where models compute", () => {
  const events = { left: vi.fn(), used: vi.fn() };
  const asked: (string | undefined)[] = [];
  const model = new FakeModel();
  let onGpu: () => Promise<FakeModel>;
  const load = (_: ModelSource, { backend }: LoadOptions): Promise<FakeModel> => {
    asked.push(backend);
    return backend === "webgpu" ? onGpu() : Promise.resolve(model);
  };
  let desk: BackendChoice;

  beforeEach(() => {
    asked.length = 0;
    events.left.mockClear();
    events.used.mockClear();
    onGpu = () => Promise.resolve(model);
    desk = new BackendChoice(events, () => Promise.resolve(ADAPTER));
  });

  it("looks for a GPU once, and says that there is one", async () => {
    expect(desk.adapter).toBeNull();
    desk.look();
    desk.look();
    await vi.waitFor(() => expect(desk.adapter).toEqual(ADAPTER));
  });

  it.each(["gpu/unavailable", "load/wasm", "engine/crashed"])(
    "loads on the CPU what the GPU refuses with %s, and says why",
    async (code) => {
      desk.follow("webgpu");
      onGpu = () => Promise.reject(refused(code));
      await expect(desk.on(load)("m", {})).resolves.toBe(model);
      expect(asked).toEqual(["webgpu", undefined]);
      expect(events.left).toHaveBeenCalledExactlyOnceWith("gpu/unavailable");
      expect(events.used).not.toHaveBeenCalled();
      expect(desk.follow("cpu")).toBe(false);
    },
  );

  it.each(["gpu/absent", "gpu/silent"])(
    "knows %s for what it is, whatever its words",
    async (code) => {
      desk.follow("webgpu");
      onGpu = () => Promise.reject(refused(code));
      await desk.on(load)("m", {});
      expect(events.left).toHaveBeenCalledExactlyOnceWith(code);
    },
  );

  it("tells what is wrong with the model itself, and stops when it is stopped", async () => {
    desk.follow("webgpu");
    onGpu = () => Promise.reject(refused("load/not-found"));
    await expect(desk.on(load)("m", {})).rejects.toMatchObject({ code: "load/not-found" });
    onGpu = () => Promise.reject(refused("engine/disposed"));
    await expect(desk.on(load)("m", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "engine/disposed",
    });
    expect(asked).toEqual(["webgpu", "webgpu"]);
    expect(events.left).not.toHaveBeenCalled();
  });

  it("loads on the CPU what was on its way to a GPU that was left meanwhile", async () => {
    desk.follow("webgpu");
    const late = new FakeModel();
    let arrive: () => void = () => undefined;
    onGpu = () => new Promise((resolve) => (arrive = () => resolve(late)));
    const coming = desk.on(load)("m", {});
    onGpu = () => Promise.reject(refused("gpu/unavailable"));
    await desk.on(load)("other", {});
    arrive();
    await expect(coming).resolves.toBe(model);
    expect(late.disposed).toBe(true);
    expect(asked).toEqual(["webgpu", "webgpu", undefined, undefined]);
    expect(events.left).toHaveBeenCalledTimes(1);
  });

  it("hears of a GPU that stops with a model, and of no other restart", async () => {
    desk.follow("webgpu");
    let restart: (why: Restart) => void = () => undefined;
    vi.spyOn(model, "onRestart").mockImplementation((listener) => {
      restart = listener;
      return () => true;
    });
    await desk.on(load)("m", {});
    restart({ code: "engine/crashed", reason: "killed", leftGpu: false });
    expect(events.left).not.toHaveBeenCalled();
    restart({ code: "gpu/lost", reason: "it was lost", leftGpu: true });
    expect(events.left).toHaveBeenCalledExactlyOnceWith("gpu/lost");
    restart({ code: "gpu/silent", reason: "it was lost", leftGpu: true });
    expect(events.left).toHaveBeenLastCalledWith("gpu/silent");
  });
});
