import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../tests/support/fake-model.js";
import { type Model } from "../headscope.js";
import { DEFAULT_STATE } from "../state/index.js";
import { inputOf } from "../views/run/computation.js";
import { ModelPool } from "../views/run/model-cache.js";
import { SharedRuns } from "./runs.js";

const request = (text: string) => (model: Model) => inputOf({ ...DEFAULT_STATE, text }, model);

function setUp(): {
  runs: SharedRuns;
  model: FakeModel;
  load: ReturnType<typeof vi.fn<() => Promise<FakeModel>>>;
} {
  const model = new FakeModel();
  const load = vi.fn(() => Promise.resolve(model));
  return { runs: new SharedRuns(new ModelPool(load)), model, load };
}

describe("the runs of a page's figures", () => {
  it("frees a run when the last figure leaves it, and stops one that nobody waits for", async () => {
    const { runs, model } = setUp();
    const lease = runs.take("https://a.example/m/", request("one two"), () => undefined);
    await lease.run;
    expect(model.held.size).toBe(1);
    lease.release();
    const stopped = runs.take("https://a.example/m/", request("one two three"), () => undefined);
    await stopped.model;
    const failure = expect(stopped.run).rejects.toMatchObject({ code: "run/aborted" });
    stopped.release();
    await failure;
    expect(model.held.size).toBe(0);
  });

  it("asks once more for a figure that compares, and leaves both together", async () => {
    const { runs, model, load } = setUp();
    const lease = runs.take("https://a.example/m/", request("one two"), () => undefined);
    const beside = lease.beside("https://a.example/m/", request("one two three"));
    expect((await beside.run).tokens).toHaveLength(4);
    await lease.run;
    expect([load.mock.calls.length, model.held.size]).toEqual([1, 2]);
    lease.release();
    await vi.waitFor(() => expect(model.held.size).toBe(0));
    // What is asked for after that is nobody's any more.
    const late = lease.beside("https://a.example/m/", request("one"));
    await expect(late.run).rejects.toMatchObject({ code: "run/aborted" });
    expect(model.held.size).toBe(0);
  });

  it("runs a question anew after the engine was started again", async () => {
    const { runs, model } = setUp();
    const restarted = vi.fn();
    const first = runs.take("https://a.example/m/", request("one two"), restarted);
    await first.run;
    model.restart();
    expect(restarted).toHaveBeenCalledTimes(1);
    const next = runs.take("https://a.example/m/", request("one two"), () => undefined);
    expect(await next.run).not.toBe(await first.run);
  });

  it("computes where it is asked to, and on the CPU where a GPU is not there or fails", async () => {
    const absent = failed("gpu/absent", { message: "none" });
    const loads: (string | undefined)[] = [];
    const onGpu = new FakeModel({ ...FAKE_INFO, backend: "webgpu" });
    const make = (gpu: () => Promise<Model>): SharedRuns =>
      new SharedRuns(
        new ModelPool((_, { backend }) => {
          loads.push(backend);
          return backend === "webgpu" ? gpu() : Promise.resolve(new FakeModel());
        }),
      );
    const sit = async (runs: SharedRuns, backend?: "webgpu"): Promise<string> => {
      const { model, run } = runs.take(
        "https://a.example/m/",
        request("one two"),
        () => undefined,
        backend,
      );
      await run;
      return (await model).info.backend;
    };
    const there = make(() => Promise.resolve(onGpu));
    expect([await sit(there, "webgpu"), await sit(there), await sit(there, "webgpu")]).toEqual([
      "webgpu",
      "cpu",
      "webgpu",
    ]);
    expect(loads.splice(0)).toEqual(["webgpu", "cpu"]);
    onGpu.restart({ code: "gpu/lost", reason: "lost", leftGpu: true });
    expect(await sit(there, "webgpu")).toBe("cpu");
    expect(loads.splice(0)).toEqual([]);
    const none = make(() => Promise.reject(absent));
    expect([await sit(none, "webgpu"), await sit(none, "webgpu")]).toEqual(["cpu", "cpu"]);
    expect(loads.splice(0)).toEqual(["webgpu", "cpu"]);
    const broken = make(() =>
      Promise.reject(failed("load/not-found", { message: "no such folder" })),
    );
    await expect(sit(broken, "webgpu")).rejects.toMatchObject({ code: "load/not-found" });
    expect(loads).toEqual(["webgpu"]);
  });
});
