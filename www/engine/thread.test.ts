// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { startThread } from "./thread.js";

vi.mock("./in-node.js", () => ({ inNode: false }));
vi.mock("./worker.ts?worker&url", () => ({ default: "https://elsewhere.example/worker.js" }));

/** A thread that starts on request. */
class Thread extends EventTarget {
  static started: Thread[] = [];
  postMessage =
    vi.fn<(message: { kind: string; run?: number; wasm?: Record<string, string> }) => void>();
  terminate = vi.fn();

  constructor(readonly address: string) {
    super();
    Thread.started.push(this);
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Thread.started = [];
});

function start(answer: ResponseInit = {}, onFailure = vi.fn()) {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", answer)));
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:one");
  const revoked = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const port = startThread({ onReply: vi.fn(), onFailure });
  return { port, revoked, onFailure, thread: Thread.started[0] };
}

it.each(["message", "error", "close"])(
  "a thread whose script comes from another host keeps its address until its first %s, and no longer",
  (end) => {
    vi.stubGlobal("Worker", Thread);
    const { port, revoked, thread } = start();
    expect([thread?.address, revoked.mock.calls]).toEqual(["blob:one", []]);
    if (end === "close") port.close();
    else thread?.dispatchEvent(Object.assign(new Event(end), { data: { kind: "started" } }));
    expect(revoked).toHaveBeenCalledWith("blob:one");
  },
);

it("a thread gets whole addresses, also from a bundler that leaves out the host", () => {
  vi.stubGlobal("Worker", Thread);
  const { URL: Whole } = globalThis;
  vi.stubGlobal(
    "URL",
    class extends Whole {
      override get href(): string {
        return this.pathname.endsWith(".wasm") && this.origin !== location.origin
          ? this.pathname
          : super.href;
      }
    },
  );
  const { thread } = start();
  thread?.dispatchEvent(Object.assign(new Event("message"), { data: { kind: "started" } }));
  const [[files] = []] = thread?.postMessage.mock.calls ?? [];
  const { cpu = "", demos = "" } = files?.wasm ?? {};
  for (const address of [cpu, demos]) expect(new Whole(address).origin).toBe(location.origin);
});

it("a thread whose script is imported is sent nothing before that one listens", () => {
  vi.stubGlobal("Worker", Thread);
  const { port, thread } = start();
  port.post({ kind: "release", run: 1 });
  expect(thread?.postMessage).not.toHaveBeenCalled();
  thread?.dispatchEvent(Object.assign(new Event("message"), { data: { kind: "started" } }));
  port.post({ kind: "release", run: 2 });
  const sent = thread?.postMessage.mock.calls.map(([{ kind, run }]) => [kind, run]);
  expect(sent).toEqual([
    ["files", undefined],
    ["release", 1],
    ["release", 2],
  ]);
});

describe("a thread that does not start", () => {
  const SCRIPT = "the worker (https://elsewhere.example/worker.js)";
  const FILE = "worker.js (https://elsewhere.example/worker.js)";
  const policy = { blockedURI: "blob", effectiveDirective: "worker-src", disposition: "enforce" };
  const tells = (uri: string) => (): void =>
    void Thread.started[0]?.dispatchEvent(
      Object.assign(new Event("message"), {
        data: { kind: "blocked", uri, directive: "script-src" },
      }),
    );
  const refused = (): void =>
    void Thread.started[0]?.dispatchEvent(new Event("error", { cancelable: true }));
  const forbid = (): boolean =>
    dispatchEvent(Object.assign(new Event("securitypolicyviolation"), policy));

  it.each([
    ["may not be made on the page", [refused, forbid], 200, "load/blocked", "blob: (the worker)"],
    [
      "is forbidden",
      [tells("https://elsewhere.example/worker.js"), refused],
      200,
      "load/blocked",
      SCRIPT,
    ],
    ["is not there", [refused], 404, "load/engine-not-found", FILE],
    ["never comes", [], 200, "load/timeout", SCRIPT],
  ])("because its script %s fails with a code", async (_, happens, status, code, expected) => {
    vi.useFakeTimers();
    vi.stubGlobal("Worker", Thread);
    const { onFailure } = start({ status });
    for (const happen of happens) happen();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(onFailure.mock.calls).toEqual([[expect.objectContaining({ code, expected })]]);
  });

  it("because the browser refuses to make it fails too, instead of throwing", async () => {
    vi.stubGlobal("Worker", function refuses() {
      throw new DOMException("no", "SecurityError");
    });
    const { onFailure } = start();
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalledWith("SecurityError: no"));
  });
});
