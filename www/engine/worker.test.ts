// The thread of a page: what it says of itself, which package of wasm answers what, and by what.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CallKind, CallOf, FromThread, Message } from "./protocol.js";
import { emptyLog, fakeDemoCore, fakeGradients, fakeWasm } from "./testing/fake-wasm.js";

const log = emptyLog();
/** The addresses of wasm files that were asked for. */
const addresses: string[] = [];

vi.mock("./in-node.js", () => ({ inNode: false }));
vi.mock("./backend.js", async (original) => ({
  ...(await original<object>()),
  findAdapter: () => Promise.resolve(null),
}));
vi.mock("./start-wasm.js", () => ({
  started: (_: unknown, address: string) => {
    addresses.push(address);
    const packages = {
      cpu: () => fakeWasm(log, "cpu"),
      gradients: () => fakeGradients(log),
      demos: () => fakeDemoCore(log),
    };
    return Promise.resolve(packages[address as "cpu"]());
  },
}));

const FILES = { cpu: "cpu", webgpu: "webgpu", gradients: "gradients", demos: "demos" };
const LOAD: CallOf<"load"> = {
  kind: "load",
  config: "{}",
  checkpoint: [],
  backend: "cpu",
  weights: "stored",
} as unknown as CallOf<"load">;

let receive: (event: { data: unknown }) => void;
let told: [message: FromThread, options: { transfer: unknown[] }][];
/** What is asked of the locks of the browser: names, and what holds them. */
let locked: [name: string, hold: () => Promise<never>][];

/** Starts the thread under a name, in a browser with locks, or that refuses them, or has none. */
async function start(name: string, locks: "locks" | "refusing" | "none" = "locks"): Promise<void> {
  vi.resetModules();
  const request = (of: string, hold: () => Promise<never>): Promise<void> => {
    locked.push([of, hold]);
    return locks === "locks" ? Promise.resolve() : Promise.reject(new DOMException("no"));
  };
  vi.stubGlobal("navigator", locks === "none" ? {} : { locks: { request } });
  vi.stubGlobal("self", {
    name,
    postMessage: (message: FromThread, options: { transfer: unknown[] }) =>
      void told.push([message, options]),
    addEventListener: (_: string, listener: typeof receive) => (receive = listener),
  });
  await import("./worker.js");
}
const kinds = (): string[] => told.map(([{ kind }]) => kind);
const send = (message: Message | { kind: "files"; wasm: typeof FILES }): void =>
  receive({ data: message });

let id = 0;
/** Asks the thread, and waits for its answer. */
async function ask<K extends CallKind>(call: CallOf<K>): Promise<FromThread> {
  id += 1;
  const asked = id;
  send({ kind: "call", id: asked, call } as Message);
  const answerOf = (): FromThread | undefined =>
    told
      .map(([message]) => message)
      .find((one) => "id" in one && one.id === asked && one.kind !== "progress");
  await vi.waitFor(() => expect(answerOf()).toBeDefined());
  return answerOf() ?? expect.fail();
}

beforeEach(() => {
  told = [];
  locked = [];
  addresses.length = 0;
});
afterEach(() => vi.unstubAllGlobals());

it("says that it has started, and that it lives once it has the lock of its name", async () => {
  await start("thread-1");
  expect([kinds(), locked.map(([name]) => name)]).toEqual([["started"], ["thread-1"]]);
  let ended = false;
  void locked[0]?.[1]().finally(() => (ended = true));
  await Promise.resolve();
  expect([kinds(), ended]).toEqual([["started", "alive"], false]);
});

it.each<[name: string, locks: "locks" | "refusing" | "none", asked: number]>([
  ["", "locks", 0],
  ["thread-1", "none", 0],
  ["thread-1", "refusing", 1],
])("starts under the name “%s” where the browser is %s", async (name, locks, asked) => {
  await start(name, locks);
  await new Promise((resolve) => setTimeout(resolve));
  expect([kinds(), locked.length]).toEqual([["started"], asked]);
});

it("answers with the package that a question needs, from the address that it was given", async () => {
  await start("");
  // Nothing is heard before the addresses are there.
  send({ kind: "call", id: 0, call: LOAD });
  send({ kind: "files", wasm: FILES });
  expect(await ask(LOAD)).toMatchObject({ kind: "value" });
  expect(addresses).toEqual(["cpu"]);
  const question = { what: "waves", length: 3, dim: 4, base: 5 } as never;
  expect(await ask({ kind: "demo", question })).toMatchObject({
    value: { table: [3, 4, 5] },
  });
  const settings = { learningRate: 0.1 };
  const task = { what: "open", config: "{}", weights: new Uint8Array(), settings, state: null };
  await ask({ kind: "train", task } as never);
  expect(addresses).toEqual(["cpu", "demos", "gradients"]);
  expect(told.filter(([message]) => "id" in message && message.id === 0)).toEqual([]);
});

it("hears what comes between two steps of its work, and moves numbers instead of copying them", async () => {
  await start("");
  send({ kind: "files", wasm: FILES });
  await ask(LOAD);
  const begin = { kind: "begin", run: 1, request: { ids: [3] } } as CallOf<"begin">;
  let goOn = (): void => undefined;
  log.gate = () => new Promise((resolve) => (goOn = resolve));
  const stopped = ask(begin);
  await vi.waitFor(() => expect(log.begun).toHaveLength(1));
  send({ kind: "abort", id });
  delete log.gate;
  goOn();
  expect(await stopped).toMatchObject({ kind: "failure", failure: { code: "run/aborted" } });
  const query = { what: "attention", stack: "encoder", layer: 1, head: 0, stage: "weights" };
  const answer = await ask({ kind: "query", run: 1, query } as never);
  const [, { transfer } = { transfer: [] }] = told.find(([one]) => one === answer) ?? [];
  expect(transfer).toEqual([(answer as { value: { data: Float32Array } }).value.data.buffer]);
});
