/** The shapes of what figures of a block's steps are given. */
import type { Shape } from "../../data/shape.js";
import { oneOf, listOf, NUMBERS, STACK } from "./checked.js";

export const STAGE = oneOf("raw", "scores", "masked", "weights");

export const STEP_CELL: Shape = { step: "text", row: "count", column: "count" };

export const STEP_PLACE: Shape = { stack: STACK, layer: "count", head: "count", step: "text" };

export const EXPLANATION: Shape = {
  operation: {},
  lines: listOf({ source: {}, values: NUMBERS }),
  value: "number",
};
