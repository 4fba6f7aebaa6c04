import { css } from "lit";

export const stepsStyles = css`
  .transport {
    gap: 8px 12px;
    margin-bottom: 12px;
  }

  .transport button {
    min-width: 32px;
  }

  .transport button:disabled {
    color: var(--_muted);
    opacity: 0.55;
    cursor: default;
  }

  .transport input {
    flex: 1 1 160px;
    max-width: 420px;
    accent-color: var(--_accent);
  }

  .at {
    color: var(--_muted);
    font-size: 13px;
  }

  @media (pointer: coarse) {
    .transport button,
    .transport input {
      min-height: 40px;
    }
  }

  .frame {
    overflow-x: auto;
    overflow-y: hidden;
    border-bottom: 1px solid var(--_line);
  }

  .window {
    position: sticky;
    left: 0;
  }
`;

export const sumStyles = css`
  section {
    margin-top: 16px;
    max-width: 720px;
  }

  .name {
    margin: 0 0 4px;
    font-size: 13px;
    font-weight: 600;
    color: var(--_muted);
  }

  .value {
    gap: 4px 20px;
    margin: 4px 0 12px;
    font-size: 20px;
  }

  .value b {
    font-weight: 600;
  }

  math {
    font-size: 18px;
  }

  .scroll {
    overflow: auto;
  }

  .tall {
    max-height: 320px;
  }

  table {
    border-collapse: collapse;
    font-size: 13px;
  }

  caption {
    padding-bottom: 4px;
    color: var(--_muted);
    text-align: left;
  }

  th,
  td {
    padding: 3px 12px 3px 0;
    border-bottom: 1px solid var(--_line);
    text-align: right;
    white-space: nowrap;
  }

  th {
    font-weight: 400;
    color: var(--_muted);
  }

  th:first-child {
    text-align: left;
    white-space: normal;
  }

  .result th,
  .result td {
    border-bottom: 0;
    color: var(--_ink);
    font-weight: 600;
  }

  .actions,
  .trail {
    gap: 8px 12px;
    margin: 12px 0 0;
  }

  .actions button,
  .trail button {
    text-align: left;
  }

  .actions .first {
    border-color: var(--_accent);
    color: var(--_accent);
  }

  .note {
    margin: 12px 0 0;
    color: var(--_muted);
  }
`;
