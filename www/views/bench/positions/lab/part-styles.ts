import { css } from "lit";

/** Parts of the laboratory: formulas that go to the next line as wholes, with their paper, controls in a line, pictures side by side where there is room. */
export const labPartStyles = css`
  .formula {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 32px;
    padding: 4px 0;
    overflow-x: auto;
    font-size: 16px;
  }

  .paper,
  p.said {
    max-width: 80ch;
    margin: 4px 0 12px;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 28px;
    margin-bottom: 16px;
  }

  .pictures {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr));
    align-items: start;
    gap: 24px 40px;
  }

  .pictures > * {
    min-width: 0;
  }

  .pictures p {
    margin-bottom: 8px;
  }

  h3 {
    margin: 0 0 4px;
    font-size: 14px;
    font-weight: 600;
  }

  * + h3 {
    margin-top: 24px;
  }
`;
