/**
 * The setup of all tests: `vi.waitFor` waits for as long as a busy machine takes. Its own second is
 * passed where other work holds the processors.
 */
import { vi } from "vitest";

const MILLIS = 10_000;

const { waitFor } = vi;

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, {
    timeout: MILLIS,
    ...(typeof options === "number" ? { timeout: options } : options),
  });
