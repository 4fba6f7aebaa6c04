import type { BenchMessages } from "../../messages.js";
import { maskLabs } from "./mask-labs.js";
import { masks } from "./masks.js";

/** The sentences of the bench in simplified Chinese. */
export const zhCNBench: BenchMessages = { ...masks, ...maskLabs };
