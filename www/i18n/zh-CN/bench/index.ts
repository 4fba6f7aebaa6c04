import type { BenchMessages } from "../../messages.js";
import { heads } from "./heads.js";
import { maskLabs } from "./mask-labs.js";
import { kinds } from "./kinds.js";
import { masks } from "./masks.js";
import { numbers } from "./numbers.js";

/** The sentences of the bench in simplified Chinese. */
export const zhCNBench: BenchMessages = { ...masks, ...numbers, ...heads, ...maskLabs, ...kinds };
