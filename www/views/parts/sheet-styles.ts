import { css } from "lit";

/** A sheet of choices under a button, which a small arrow head marks. */
export const sheetStyles = css`
  [popovertarget] {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }

  [popovertarget]::after {
    content: "";
    width: var(--_arrow, 6px);
    height: var(--_arrow, 6px);
    margin-top: -4px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
  }

  [popover] {
    position: fixed;
    inset: auto;
    margin: 0;
    border: 1px solid var(--headscope-line);
    border-radius: 8px;
    background: var(--headscope-paper);
    color: var(--headscope-ink);
    box-shadow: 0 8px 32px rgb(0 0 0 / 12%);
  }
`;
