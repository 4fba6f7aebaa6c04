import { beforeEach, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../tests/support/fake-model.js";
import { fakePool } from "../../tests/support/fake-pool.js";
import type { Backend, Model } from "../headscope.js";
import { DEFAULT_STATE } from "../state/index.js";
import { inputOf } from "../session/run/computation.js";
import { type LoadModel, models } from "../session/models/model-pool.js";
import { ShownImage } from "../session/run/shown-image.js";
import { RunLease } from "./run-lease.js";

const request = (text: string) => (model: Model) =>
  inputOf({ ...DEFAULT_STATE, text }, model, new ShownImage());
const load = vi.fn<LoadModel>();
let model: FakeModel;
let address = "";
let places = 0;

beforeEach(() => {
  model = new FakeModel();
  load.mockReset().mockImplementation(() => Promise.resolve(model));
  vi.spyOn(models, "load").mockImplementation(fakePool(load));
  address = `https://a.example/${++places}/`;
});

const take = (text: string, restarted = vi.fn(), backend?: Backend): RunLease =>
  new RunLease(address, request(text), restarted, backend);
const isFree = (): Promise<void> => vi.waitFor(() => expect(model.held.size).toBe(0));

it("a model is loaded once for all its figures, a run is shared and freed when the last figure leaves it, or stopped", async () => {
  const leases = ["one two", "one two", "one two three"].map((text) => take(text));
  const [first, second, other] = await Promise.all(leases.map(({ run }) => run));
  expect([first === second, first === other]).toEqual([true, false]);
  expect([load.mock.calls.length, model.inputs.length]).toEqual([1, 2]);
  for (const lease of leases) lease.release();
  await isFree();
  const stopped = take("one");
  await stopped.model;
  stopped.release();
  await expect(stopped.run).rejects.toMatchObject({
    code: expect.stringMatching(/aborted/) as string,
  });
  await isFree();
});

it("a figure that compares asks once more, and leaves both together", async () => {
  const lease = take("one two");
  await Promise.all([lease.run, lease.beside(address, request("one two three")).run]);
  expect([load.mock.calls.length, model.held.size]).toEqual([1, 2]);
  lease.release();
  await isFree();
  await expect(lease.beside(address, request("one")).run).rejects.toThrow();
});

it("the model ends once no figure has it, also if it is let go of before it is there", async () => {
  const lease = take("one two");
  await lease.run;
  expect(model.disposed).toBe(false);
  lease.release();
  await vi.waitFor(() => expect(model.disposed).toBe(true));
  let arrive = (): void => undefined;
  const late = new FakeModel();
  load.mockImplementation(() => new Promise((resolve) => (arrive = () => resolve(late))));
  const early = take("one");
  early.release();
  arrive();
  await vi.waitFor(() => expect(late.disposed).toBe(true));
});

it("a question runs anew after the engine was started again", async () => {
  const restarted = vi.fn();
  const first = take("one two", restarted);
  await first.run;
  model.restart();
  expect(restarted).toHaveBeenCalledTimes(1);
  expect(await take("one two").run).not.toBe(await first.run);
});

it("a figure computes where it asks to, and on the CPU once a GPU is not there or fails", async () => {
  const onGpu = new FakeModel({ ...FAKE_INFO, backend: "webgpu" });
  load.mockImplementation((_, { backend }) =>
    Promise.resolve(backend === "webgpu" ? onGpu : model),
  );
  const placed = async (backend?: Backend): Promise<string> => {
    const lease = take("one two", vi.fn(), backend);
    await lease.run;
    return (await lease.model).info.backend;
  };
  expect([await placed("webgpu"), await placed()]).toEqual(["webgpu", "cpu"]);
  load.mockImplementationOnce(() => Promise.reject(failed("load/not-found")));
  address += "other/";
  await expect(placed("webgpu")).rejects.toMatchObject({ code: "load/not-found" });
  load.mockImplementationOnce(() => Promise.reject(failed("gpu/absent")));
  expect([await placed("webgpu"), await placed("webgpu")]).toEqual(["cpu", "cpu"]);
});
