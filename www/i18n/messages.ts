import type { en } from "./en/index.js";

/** The name of a sentence; English decides which exist. */
export type MessageKey = keyof typeof en;

/** What every language must provide. */
export type Messages = Record<MessageKey, string>;

/** Languages that are complete. */
export type Language = "en" | "zh-CN";
