import { css } from "lit";

/** A quiet button, and the sheet under it. */
export const exportMenuStyles = css`
  :host {
    display: inline-block;
  }

  .open {
    --_arrow: 5px;
    color: var(--headscope-muted);
    transition: none;
  }

  /* Every keystroke makes it wait a moment; only a long wait is worth showing. */
  .open:disabled {
    transition: opacity 0s 0.6s;
  }

  .menu {
    width: min(320px, calc(100vw - 32px));
    max-height: calc(100dvh - 32px);
    padding: 16px;
    overflow: auto;
  }
`;
