import signs from "../../styles/signs.css?inline";

let lent = false;

/** Lends a page the faces of signs: these hold for a whole document only, not for an element of it, and have a name of their own. */
export function lendSigns(): void {
  if (lent) return;
  lent = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(signs);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
