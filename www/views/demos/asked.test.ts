import { describe, expect, it, vi } from "vitest";
import type { ReactiveControllerHost } from "lit";
import { HeadscopeError } from "../../headscope.js";
import { Asked } from "./study.js";

const crash = (code: string): HeadscopeError =>
  new HeadscopeError({ code, message: "gone", doing: "", expected: "", got: "" });
const CRASH = crash("engine/crashed");

function begin(): { asked: Asked<string>; told: ReturnType<typeof vi.fn> } {
  const told = vi.fn();
  const host: ReactiveControllerHost = {
    addController: () => undefined,
    removeController: () => undefined,
    requestUpdate: told,
    updateComplete: Promise.resolve(true),
  };
  return { asked: new Asked<string>(host), told };
}

describe("a question to a thread that ends", () => {
  it.each(["engine/crashed", "gpu/lost"])(
    "is put once more after %s, to the thread that follows",
    async (code) => {
      const { asked, told } = begin();
      const question = vi
        .fn<(signal: AbortSignal) => Promise<string>>()
        .mockRejectedValueOnce(crash(code))
        .mockResolvedValueOnce("here");
      asked.ask([1], question);
      await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
      expect([asked.answer, asked.failure, question.mock.calls.length]).toEqual(["here", null, 2]);
    },
  );

  it("has failed where that ends too", async () => {
    const { asked, told } = begin();
    const question = vi.fn<(signal: AbortSignal) => Promise<string>>().mockRejectedValue(CRASH);
    asked.ask([1], question);
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect([asked.answer, asked.failure, question.mock.calls.length]).toEqual([null, CRASH, 2]);
  });

  it("is not put again when another was asked meanwhile", async () => {
    const { asked, told } = begin();
    const old = vi.fn<(signal: AbortSignal) => Promise<string>>().mockRejectedValue(CRASH);
    asked.ask([1], old);
    asked.ask([2], () => Promise.resolve("newer"));
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect([asked.answer, old.mock.calls.length]).toEqual(["newer", 1]);
  });
});
