import type { Adapter } from "../data/index.js";

/** As browsers have it: some know less of an adapter than the standard, or say it elsewhere. */
type Found = Partial<Pick<GPUAdapter, "info">> & { isFallbackAdapter?: boolean };

/** The adapter that the browser would compute on; null where it has none or gives none. Loads nothing. */
export async function findAdapter(): Promise<Adapter | null> {
  const { navigator } = globalThis as { navigator?: Partial<Navigator> };
  try {
    const found = ((await navigator?.gpu?.requestAdapter({
      powerPreference: "high-performance",
    })) ?? null) as Found | null;
    if (!found) return null;
    const info: Partial<GPUAdapterInfo> = found.info ?? {};
    const { vendor = "", architecture = "", description = "" } = info;
    return {
      vendor,
      architecture,
      description,
      software: info.isFallbackAdapter ?? found.isFallbackAdapter ?? false,
    };
  } catch {
    return null;
  }
}
