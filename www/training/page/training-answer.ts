/** What a training says in a sentence: its loss, and the heads that took a role in it. */
import type { Stack } from "../../data/index.js";
import type { CurvesScene } from "../../draw/charts.js";
import { readingWords } from "../../draw/number-words.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { AnswerItem } from "../../session/answer-items.js";
import type { Measured, TrainingRun } from "../training-run.js";
import { lineName, type Named } from "./training-charts.js";
import { learnedRoles, type RoleEvent } from "./heads-forming.js";

/** The most heads that an answer names. */
const MOST_ANSWERS = 2;
/** The most heads that are named on the axis of steps. */
const MOST_MARKS = 3;
/** The loss from which its decimals say nothing. */
const EXPLODED = 1000;

/** A loss as text; one that explodes by its power of ten. */
export function lossWords(loss: number): string {
  return loss < EXPLODED ? formatFixed(loss, 2) : readingWords(loss);
}

/** The marks of the first heads of a stack that took a role, on the axis of steps. */
export function roleMarks(one: Named, stack: Stack): CurvesScene["marks"] {
  return learnedRoles(one.run.measured, stack)
    .slice(0, MOST_MARKS)
    .map(({ step, layer, head, role }) => ({
      x: step,
      words: lineName(
        message("training.mark", {
          layer: layer + 1,
          head: head + 1,
          role: message(`role.${role}.short`),
        }),
        one,
      ),
    }));
}

/** The short answer to when heads form: the loss, and the first heads that took a role. */
export function trainingAnswer({ measured }: TrainingRun): AnswerItem[] {
  const [first] = measured;
  const last = measured.at(-1);
  if (!first || !last || last.step === 0) return [];
  const events = learnedRoles(measured, last.stacks[0]?.stack ?? "decoder");
  return [
    {
      label: message("training.answer.loss"),
      value: message("training.answer.change", {
        first: lossWords(first.heldOut.loss),
        now: lossWords(last.heldOut.loss),
        step: last.step,
      }),
      numbers: { loss: last.heldOut.loss, step: last.step },
    },
    ...narrowed(first, last),
    ...events.slice(0, MOST_ANSWERS).map(roleAnswer),
  ];
}

function roleAnswer({ layer, head, role, step }: RoleEvent): AnswerItem {
  return {
    label: message("training.answer.head", {
      layer: layer + 1,
      head: head + 1,
      role: message(`role.${role}`),
    }),
    value: message("training.answer.from", { step }),
  };
}

/** The head whose attention became narrower than that of any other. */
function narrowed(first: Measured, last: Measured): AnswerItem[] {
  const before = first.stacks[0]?.measures ?? [];
  const heads = (last.stacks[0]?.measures ?? []).map(({ layer, head, entropy }, at) => ({
    layer: layer + 1,
    head: head + 1,
    first: before[at]?.entropy ?? NaN,
    now: entropy ?? NaN,
  }));
  const [most] = heads
    .filter((one) => one.now < one.first)
    .toSorted((one, other) => one.now - one.first - (other.now - other.first));
  if (!most) return [];
  const { layer, head } = most;
  return [
    {
      label: message("training.answer.narrow", { layer, head }),
      value: message("training.answer.change", {
        first: formatFixed(most.first, 2),
        now: formatFixed(most.now, 2),
        step: last.step,
      }),
    },
  ];
}
