import type { BenchMessages } from "../../messages.js";
import { heads } from "./heads.js";
import { kinds } from "./kinds.js";
import { masks } from "./masks.js";

/** The sentences of the bench in simplified Chinese. */
export const zhCNBench: BenchMessages = { ...masks, ...heads, ...kinds };
