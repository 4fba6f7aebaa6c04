/**
 * The address of Headscope's files: its page, and the bundled models beside it. On its own page it
 * is the page's address; a figure in another page gets it from the script of the site, or from
 * `configure`. An explorer may have an address of its own.
 */
let settled: string | null = null;

/**
 * The address that links lead to and that bundled models are relative to, unless an explorer has
 * its own.
 */
export function pageHome(): string {
  return settled ?? document.baseURI;
}

/**
 * Sets the address for all figures and explorers of a page: `home` is the address of the folder
 * that has `models/`, as a built site has.
 */
export function configure({ home }: { home: string }): void {
  settled = new URL(home.replace(/\/*$/, "/"), document.baseURI).href;
}
