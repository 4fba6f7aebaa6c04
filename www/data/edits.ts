import type { HeadEdit } from "./generated.js";

/** Which heads an edit touches; what is absent means everywhere. */
export type Scope = Omit<HeadEdit, "gate" | "pattern">;
