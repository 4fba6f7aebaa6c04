// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { portFactory } from "./port.js";

vi.mock("./in-node.js", () => ({ inNode: false }));
vi.mock("./worker.ts?worker&url", () => ({ default: "https://elsewhere.example/worker.js" }));

/** A thread that starts when it is told to. */
class Thread extends EventTarget {
  static started: Thread[] = [];
  postMessage = vi.fn();
  terminate = vi.fn();

  constructor(readonly address: string) {
    super();
    Thread.started.push(this);
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Thread.started = [];
});

describe("the port of a thread whose script comes from another host", () => {
  it.each(["message", "error", "close"])(
    "keeps the address that it starts from until its first %s, and no longer",
    async (end) => {
      vi.stubGlobal("Worker", Thread);
      vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:one");
      const revoked = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
      const port = (await portFactory())();
      const [thread] = Thread.started;
      expect([thread?.address, revoked.mock.calls]).toEqual(["blob:one", []]);
      if (end === "close") port.close();
      else thread?.dispatchEvent(new Event(end));
      expect(revoked).toHaveBeenCalledWith("blob:one");
    },
  );
});
