import { css } from "lit";

/** A quiet button, and a sheet of choices under it. */
export const exportMenuStyles = css`
  :host {
    display: inline-block;
  }

  .open {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--headscope-muted);
    transition: none;
  }

  .open::after {
    content: "";
    width: 5px;
    height: 5px;
    margin-top: -4px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
  }

  /* Every keystroke makes it wait a moment; only a long wait is worth showing. */
  .open:disabled {
    transition: opacity 0s 0.6s;
  }

  .menu {
    position: fixed;
    inset: auto;
    width: min(320px, calc(100vw - 32px));
    max-height: calc(100dvh - 32px);
    margin: 0;
    padding: 16px;
    overflow: auto;
    border: 1px solid var(--headscope-line);
    border-radius: 8px;
    background: var(--headscope-paper);
    color: var(--headscope-ink);
    box-shadow: 0 8px 32px rgb(0 0 0 / 12%);
  }

  h3 {
    font-size: 14px;
    font-weight: 600;
  }

  .formats {
    display: flex;
    gap: 8px;
    margin: 8px 0;
  }

  .formats button {
    flex: 1;
    padding: 4px 12px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
  }

  .formats button:hover {
    border-color: currentColor;
  }

  headscope-choice {
    margin-bottom: 16px;
    font-size: 12px;
  }

  select {
    width: 100%;
    margin: 8px 0 4px;
    padding: 4px 8px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
    background: var(--headscope-paper);
  }

  .share {
    margin-top: 16px;
    padding-top: 12px;
    border-top: 1px solid var(--headscope-line);
  }

  .link {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
    margin: 4px 0;
    color: var(--headscope-accent);
  }

  .link button:hover {
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .code {
    width: 100%;
    padding: 8px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
    background: var(--headscope-chip);
    color: inherit;
    font-family: ui-monospace, monospace;
    resize: vertical;
  }

  .report {
    overflow-wrap: anywhere;
  }
`;
