import { css } from "lit";

/** Looks of the picture panel: its choices above, the picture below. */
export const picturePanelStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
  }

  .switches {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 20px;
  }

  .below {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 24px;
    margin: 8px 0 12px;
  }

  @media (max-height: 760px) {
    .below {
      margin: 4px 0;
    }
  }

  .colours {
    margin-left: auto;
  }

  .invitation {
    padding: 15vh 0;
    text-align: center;
    font: 400 20px/1.5 var(--headscope-font-text);
  }
`;
