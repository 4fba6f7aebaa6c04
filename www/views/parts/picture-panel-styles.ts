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

  .tools {
    display: flex;
    align-items: center;
    gap: 16px;
    margin-left: auto;
  }

  /* Three lines: the pictures, what is shown of this one, and what that means. */
  @container (max-width: 820px) {
    .head {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 12px;
      margin-bottom: 8px;
    }

    .controls,
    .below {
      display: contents;
    }

    .controls > headscope-choice {
      flex: 1 0 100%;
      --headscope-choice-gap: clamp(6px, 2.2cqw, 16px);
    }

    .switches {
      flex: 1 0 100%;
      gap: 4px 12px;
      --headscope-segment: 4px 10px;
    }

    /* Beside the menu, and never squeezed in beside the switches, of which some pictures have one alone. */
    .hint {
      flex: 1 1 50%;
    }

    headscope-narrow-menu {
      order: 1;
    }

    .tools {
      display: contents;
    }
  }

  .invitation {
    padding: 15vh 0;
    text-align: center;
    font: 400 20px/1.5 var(--headscope-font-text);
  }

  /* It takes a line as the sentence that follows it does, so that nothing moves. */
  .early {
    position: relative;
    display: flex;
    align-items: baseline;
    gap: 8px;
    white-space: nowrap;
  }
`;
