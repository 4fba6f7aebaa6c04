import { css } from "lit";

export const linesStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 32px;
    align-items: center;
    margin-bottom: 4px;
    color: var(--_muted);
    font-size: 12.5px;
  }

  .mass {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: center;
  }

  input {
    width: 148px;
    margin: 0;
    accent-color: var(--_accent);
    cursor: pointer;
  }

  .heads {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    align-items: center;
  }

  .heads button,
  .own {
    display: inline-flex;
    gap: 5px;
    align-items: center;
    min-height: 24px;
    color: var(--_muted);
  }

  .heads button:hover,
  .heads button[aria-pressed="true"] {
    color: var(--_ink);
  }

  .own {
    color: var(--_ink);
    font-weight: 600;
  }

  .heads i {
    width: 11px;
    height: 11px;
    border: 1.5px solid var(--_muted);
    border-radius: 50%;
  }

  .heads i[style*="background"] {
    border-color: transparent;
  }

  .weights,
  .weights span {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }

  .weights {
    gap: 14px;
  }

  .weights svg {
    color: var(--_bar);
  }

  @media (pointer: coarse) {
    .heads button,
    .own,
    input {
      min-width: 32px;
      min-height: 40px;
    }
  }
`;
