import type { enBench } from "./en/bench/index.js";
import type { en } from "./en/index.js";

/** The name of a sentence that is there from the start; English decides which exist. */
export type FirstKey = keyof typeof en;

/** The name of a sentence that comes with the bench. */
export type BenchKey = keyof typeof enBench;

/** The name of a sentence. */
export type MessageKey = FirstKey | BenchKey;

/** What every language must provide from the start, and with the bench. */
export type Messages = Record<FirstKey, string>;
export type BenchMessages = Record<BenchKey, string>;

/** Languages that are complete. */
export type Language = "en" | "zh-CN";
