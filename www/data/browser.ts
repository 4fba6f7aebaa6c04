interface Policy {
  createScriptURL(address: string): string;
}

interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * The address of a script in the form that Trusted Types require: under the policy `headscope`,
 * which a page's list of policies may name. The address itself in browsers without Trusted Types
 * and in pages that forbid the policy.
 */
export function trustedScript(address: string): string {
  policy ??= createPolicy({ createScriptURL: (own) => own });
  return policy.createScriptURL(address);
}

function createPolicy(rules: Policy): Policy {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  try {
    return trustedTypes?.createPolicy("headscope", rules) ?? rules;
  } catch {
    return rules;
  }
}

/**
 * A WebAssembly module with a function `f`: the first lane of `f32x4.relaxed_madd` of three
 * numbers.
 */
const MADD = "AGFzbQEAAAABCAFgA319fQF9AwIBAAcFAQFmAAAKFgEUACAA/RMgAf0TIAL9E/2FAv0fAAs=";

/**
 * Whether the browser has `f32x4.relaxed_madd` and computes a known product and sum with it,
 * rounded once or twice.
 */
export function hasRelaxedSimd(): boolean {
  try {
    const module = new WebAssembly.Module(
      Uint8Array.from(atob(MADD), (byte) => byte.charCodeAt(0)),
    );
    const { f } = new WebAssembly.Instance(module).exports as { f: (...of: number[]) => number };
    const x = 1 + 2 ** -12;
    return [0, 2 ** -24].includes(f(x, x, -(1 + 2 ** -11)));
  } catch {
    return false;
  }
}
