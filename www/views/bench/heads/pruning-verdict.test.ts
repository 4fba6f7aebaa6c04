import { beforeAll, describe, expect, it } from "vitest";
import { loadSentences, message } from "../../../i18n/index.js";
import type { Loss } from "./pruning-study.js";
import { verdictOf } from "./pruning-verdict.js";

const loss = (stack: Loss["stack"], after: number, share = 0.6): Loss => ({
  stack,
  share,
  before: 5,
  after,
});

beforeAll(() => loadSentences("bench"));

describe("what pruning found, in words", () => {
  it("says from what to what, whether it rose or fell, and of how many heads", () => {
    expect(verdictOf([loss("encoder", 4.5, 5 / 8)], "loss")).toBe(
      "With 62.5% of its heads removed the loss goes from 5.00 to 4.50.",
    );
    expect(verdictOf([loss("encoder", 5.5)], "bleu")).toBe(
      "With 60% of its heads removed BLEU goes from 5.0 to 5.5.",
    );
  });

  it("names the kind that suffers most", () => {
    expect(verdictOf([loss("cross", 7), loss("encoder", 6)], "loss")).toContain(
      message("pruning.crossMost"),
    );
    expect(verdictOf([loss("encoder", 4), loss("cross", 4.5)], "bleu")).toContain(
      message("pruning.otherMost", { stack: message("stack.encoder") }),
    );
  });

  it("says so where none does, as far as the numbers show", () => {
    expect(verdictOf([loss("cross", 5.001), loss("encoder", 4)], "loss")).toContain(
      message("pruning.noneSuffers"),
    );
    expect(verdictOf([loss("encoder", 5.2), loss("cross", 6)], "bleu")).toContain(
      message("pruning.noneSuffers"),
    );
  });

  it("says every share where kinds have not as many heads", () => {
    expect(verdictOf([loss("cross", 7, 5 / 8), loss("encoder", 6)], "loss")).toContain(
      "62.5%, 60%",
    );
  });
});
