/**
 * Where Headscope itself lies: its page, and the bundled models beside it. On its own page that is
 * the page's address; a figure in another page has it from the script of the site, or from
 * `configure`. An explorer may have a home of its own.
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
 * Settings for all figures and explorers of a page: `home` is the address of the folder that has
 * `models/`, as a built site has.
 */
export function configure({ home }: { home: string }): void {
  settled = new URL(home.replace(/\/*$/, "/"), document.baseURI).href;
}
