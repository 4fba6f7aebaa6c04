import type { BenchMessages } from "../../messages.js";
import { masks } from "./masks.js";
import { positions } from "./positions.js";

/** The sentences of the bench in simplified Chinese. */
export const zhCNBench: BenchMessages = { ...masks, ...positions };
