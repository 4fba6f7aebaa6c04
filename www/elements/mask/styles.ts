import { css } from "lit";

export const maskStyles = css`
  .sign {
    display: inline-flex;
    gap: 8px;
    align-items: center;
  }

  .sign i {
    width: 14px;
    height: 14px;
    border: 1px solid var(--_line);
  }

  .forbidden {
    background: repeating-linear-gradient(-45deg, var(--_muted) 0 1px, transparent 1px 4px);
  }

  .sign .blocked {
    border-color: var(--_accent);
    background: repeating-linear-gradient(-45deg, var(--_accent) 0 1px, transparent 1px 4px);
  }
`;
