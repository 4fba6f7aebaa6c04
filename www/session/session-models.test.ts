// @vitest-environment happy-dom
// What a session does when its model changes: it leaves a GPU that fails, opens a model of images
// on its image, lets go of a pair that a run does not have, opens models of folders and addresses.
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { failed, FAKE_INFO, FakeModel } from "../../tests/support/fake-model.js";
import type { State } from "../state/index.js";
import type { LoadModel } from "./models/model-pool.js";
import { Session } from "./session.js";
import type { PlacedFile } from "./models/picked-files.js";
import { answered } from "./testing/session.js";

const IMAGE = { size: 2, patch: 1, classes: [] } as unknown as (typeof FAKE_INFO)["image"];
let session: Session;
let load: Mock<LoadModel>;
let models: FakeModel[];

beforeEach(() => {
  models = [];
  load = vi.fn(() => {
    models.push(new FakeModel());
    return Promise.resolve(models.at(-1) ?? new FakeModel());
  });
});
afterEach(() => session.end());

async function begun(state: Partial<State> = {}): Promise<Session> {
  session = new Session({ load });
  session.store.replace({ ...session.state, text: "one two three", ...state });
  session.begin();
  await vi.waitFor(() => expect(session.computation.model).not.toBeNull());
  await answered(session);
  return session;
}
const notices = (): string[] => session.notices.list.map(({ key }) => key);
const backends = (): unknown[] => load.mock.calls.map(([, { backend }]) => backend);

describe("a GPU", () => {
  it("that fails is left for the CPU, with the reason, until it is chosen again", async () => {
    await begun({ backend: "webgpu" });
    expect(backends()).toEqual(["webgpu"]);
    models[0]?.restart({ code: "gpu/lost", reason: "", leftGpu: true });
    await answered(session);
    expect(session.state.backend).toBe("cpu");
    expect(notices()).toEqual(["notice.gpu/lost"]);
    session.update({ backend: "webgpu" });
    await answered(session);
    expect([backends().at(-1), notices()]).toEqual(["webgpu", []]);
    expect(models[0]?.disposed).toBe(true);
  });

  it("that refuses the model leaves it to the CPU", async () => {
    load.mockRejectedValueOnce(failed("gpu/unavailable"));
    await begun({ backend: "webgpu" });
    expect(backends()).toEqual(["webgpu", undefined]);
    expect([session.state.backend, notices()]).toEqual(["cpu", ["notice.gpu/unavailable"]]);
    expect(session.computation.run).not.toBeNull();
  });
});

describe("the picture", () => {
  it("of a model of images is its image, and of one of texts its weights", async () => {
    let info = FAKE_INFO;
    load.mockImplementation(() => Promise.resolve(new FakeModel(info)));
    await begun();
    expect(session.state.picture).toBe("heatmap");
    info = { ...FAKE_INFO, image: IMAGE };
    session.switchTo("models/tiny-vit");
    await answered(session);
    expect(session.state.picture).toBe("image");
    session.update({ picture: "heatmap" });
    session.command("load-model");
    await answered(session);
    // The same model once more keeps the picture that was chosen.
    expect(session.state.picture).toBe("heatmap");
    session.update({ picture: "image" });
    info = FAKE_INFO;
    session.switchTo("models/en-fr");
    await answered(session);
    expect(session.state.picture).toBe("heatmap");
  });

  it("lets go of a locked pair that the next run does not have", async () => {
    await begun({ text: "one two three four", stack: "encoder", locked: { query: 4, key: 1 } });
    expect(session.state.locked).toEqual({ query: 4, key: 1 });
    session.store.update({ text: "one" });
    await answered(session);
    expect(session.state.locked).toBeNull();
  });
});

describe("what is opened", () => {
  it("a model of an address is loaded, and once more after it could not be", async () => {
    await begun();
    const address = "at/https://example.org/model";
    load.mockRejectedValueOnce(failed("load/not-found"));
    session.openAddress(address, 1000);
    await answered(session);
    expect(session.state.model).toBe(address);
    expect(session.computation.failure).not.toBeNull();
    session.openAddress(address, null);
    await answered(session);
    expect([session.state.model, session.computation.failure]).toEqual([address, null]);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it("a folder is read beside the model in use, then used; another one gives the first up", async () => {
    await begun();
    const folder = (name: string): PlacedFile[] => [
      Object.assign(new File(["{}"], "config.json"), { path: `/${name}/config.json` }),
    ];
    const signals: (AbortSignal | undefined)[] = [];
    load.mockImplementationOnce((_, { signal }) => {
      signals.push(signal);
      return new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(failed("load/aborted"))),
      );
    });
    const first = session.openPicked(folder("first"));
    expect(session.state.model).not.toBe("opened/first");
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await session.openPicked(folder("second"));
    await first;
    await answered(session);
    expect(signals[0]?.aborted).toBe(true);
    expect([session.state.model, notices(), session.opening]).toEqual(["opened/second", [], null]);
  });
});
