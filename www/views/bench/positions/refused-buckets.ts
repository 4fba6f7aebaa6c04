import type { PositionParameters } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import { areBuckets, POSITION_NUMBERS } from "../../../state/index.js";
import type { Refusal } from "../number-fields.js";

/** What speaks against T5's numbers together. */
export function refusedBuckets(parameters: PositionParameters): Refusal | null {
  const { buckets = POSITION_NUMBERS.buckets.absent } = parameters;
  return areBuckets(parameters)
    ? null
    : { sentence: message("field.buckets", { buckets, half: buckets / 2 }), code: "field/buckets" };
}
