import { css } from "lit";

/** A line of small controls that wraps. */
export const ruleStyles = css`
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 16px;
  }

  label,
  .reach {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
    color: var(--headscope-muted);
  }

  select,
  input {
    padding: 3px 0;
    border: 0;
    border-bottom: 1px solid var(--headscope-line);
    border-radius: 0;
    background: none;
    color: var(--headscope-ink);
    font: inherit;
  }

  option {
    background: var(--headscope-paper);
    color: var(--headscope-ink);
  }

  input[type="number"] {
    width: 56px;
    font-variant-numeric: tabular-nums;
  }

  /* Where a line has no room, what is slid is what gives way. */
  input[type="range"] {
    min-width: 96px;
  }

  input.tokens {
    width: 88px;
  }

  input[aria-invalid] {
    border-bottom-color: var(--headscope-accent);
    border-bottom-width: 2px;
  }

  .refusal {
    color: var(--headscope-accent);
  }

  .remove {
    margin-left: auto;
    padding: 4px 8px;
    color: var(--headscope-muted);
  }

  p {
    margin: 4px 0 0;
  }

  @media (pointer: coarse) {
    select,
    input {
      min-height: 40px;
    }
  }
`;
