import type { HeadRef, Scope } from "../data/index.js";

/** The scope of one head alone. */
export function scopeOf({ stack, layer, head }: HeadRef): Scope {
  return { stack, layers: [layer], heads: [head] };
}

/** Whether a scope is about a head. */
export function covers(scope: Scope, { stack, layer, head }: HeadRef): boolean {
  return (
    (scope.stack ?? stack) === stack &&
    (scope.layers?.includes(layer) ?? true) &&
    (scope.heads?.includes(head) ?? true)
  );
}
