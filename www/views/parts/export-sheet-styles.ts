import { css } from "lit";

/** What can be saved, in groups. */
export const exportSheetStyles = css`
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

  /* Code to be copied by hand has the whole width. */
  headscope-embed-buttons {
    flex: 1 1 auto;
  }

  .report {
    overflow-wrap: anywhere;
  }
`;
