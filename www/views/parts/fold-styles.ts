import { css } from "lit";

/** What can be folded out: a quiet word that says what is in it, as large as a finger where there are fingers. */
export const foldStyles = css`
  summary {
    margin-top: 8px;
    color: var(--headscope-accent);
    cursor: pointer;
  }

  details table {
    width: 100%;
    margin-top: 8px;
    border-collapse: collapse;
    text-align: right;
  }

  details th {
    color: var(--headscope-muted);
    font-weight: 400;
  }

  @media (pointer: coarse) {
    summary {
      min-height: 40px;
      align-content: center;
    }
  }
`;
