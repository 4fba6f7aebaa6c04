import { css } from "lit";

export const benchStyles = css`
  .controls {
    margin: 10px 0;
  }

  .divisor {
    width: 64px;
    font-variant-numeric: tabular-nums;
  }

  .problem {
    color: var(--headscope-accent);
  }

  .problem:empty {
    display: none;
  }

  .brought {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 16px 28px;
    margin-top: 8px;
  }

  headscope-brought-matrix {
    min-width: 0;
    max-width: 100%;
  }

  .toggle {
    color: var(--headscope-muted);
  }

  .toggle[aria-pressed="true"] {
    color: var(--headscope-ink);
    text-decoration: underline;
    text-decoration-color: var(--headscope-accent);
    text-decoration-thickness: 2px;
    text-underline-offset: 5px;
  }
`;
