import type { HeadEdit } from "./generated.js";

/** Which heads an edit touches; what is absent means everywhere. */
export type Scope = Omit<HeadEdit, "gate" | "pattern">;

/** What can stand in the place of a head's weights: a pattern that has a name, or numbers `[query][key]`. */
export type FrozenPattern = NonNullable<HeadEdit["pattern"]>;
