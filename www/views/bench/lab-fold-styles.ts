import { css } from "lit";

/** Laboratories that are folded away: a line between them, and a title that is large enough to be touched. */
export const labFoldStyles = css`
  details {
    border-top: 1px solid var(--headscope-line);
  }

  summary {
    padding: 8px 0;
    font-weight: 600;
    cursor: pointer;
  }

  summary:hover {
    color: var(--headscope-accent);
  }

  @media (pointer: coarse) {
    summary {
      min-height: 40px;
    }
  }
`;
