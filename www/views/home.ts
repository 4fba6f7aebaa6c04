/*
 * Where Headscope itself lies: its page, and the bundled models beside it. On its own page that is the page's address;
 * a figure in somebody else's page has it from the script that it came with.
 */
let settled: string | null = null;

/** The address that links lead to and that bundled models are relative to. */
export function home(): string {
  return settled ?? document.baseURI;
}

/** Says where Headscope lies, on a page that is not its own. */
export function settleAt(address: string): void {
  settled = address;
}
