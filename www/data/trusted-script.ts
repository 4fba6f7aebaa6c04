interface Policy {
  createScriptURL(address: string): string;
}

interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * The address of a script in the form that Trusted Types require: under the policy `headscope`, which a page's list of
 * policies may name. The address itself in browsers without Trusted Types and in pages that forbid the policy.
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
