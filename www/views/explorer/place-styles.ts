import { css, unsafeCSS } from "lit";
import palette from "../../styles/palette.css?inline";
import signs from "../../styles/signs.css?inline";

/** The element of another page that an explorer fills: colours, and the theme where it has its own. */
export const placeStyles = css`
  ${unsafeCSS(palette)}
  :host {
    display: block;
    /* Its page may make it as narrow as its content, which is as wide as its container. */
    min-inline-size: min(100%, 320px);
    background: var(--headscope-paper);
  }
  :host([data-theme="light"]) {
    color-scheme: light;
  }
  :host([data-theme="dark"]) {
    color-scheme: dark;
  }
`;

let added = false;

/** Adds the font faces of signs to a page: they hold for a whole document only, not for an element of it, and have a name of their own. */
export function addSignFonts(): void {
  if (added) return;
  added = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(signs);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
