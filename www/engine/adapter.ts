import type { Adapter } from "../data/index.js";

/** The adapter that the browser would compute on; null where it has none or gives none. Loads nothing. */
export async function findAdapter(): Promise<Adapter | null> {
  const { navigator } = globalThis as { navigator?: Partial<Navigator> };
  const adapter = await navigator?.gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) return null;
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  return { vendor, architecture, description, software: isFallbackAdapter };
}
