import { css } from "lit";

export const dimensionsStyles = css`
  .query {
    display: inline-flex;
    gap: 10px;
    align-items: center;
    margin-bottom: 8px;
    color: var(--_muted);
    font-size: 12.5px;
  }

  select {
    max-width: 220px;
    padding: 4px 6px;
    border: 1px solid var(--_line);
    border-radius: 4px;
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-size: 13px;
  }

  caption {
    padding-bottom: 6px;
    color: var(--_muted);
    text-align: left;
  }

  @media (pointer: coarse) {
    select {
      min-height: 40px;
    }
  }
`;
