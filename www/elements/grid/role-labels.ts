import { css, html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { ROLES, type Role } from "../../data/index.js";
import { formatFixed, message } from "../../i18n/index.js";

/** The role of a head and its score; `none` and null where it reaches no threshold. */
export interface WornScore {
  role: Role | "none";
  score: number | null;
}

/** How a role is written below a picture: as its name, or as a sign that a legend explains, with or without a score. */
export type LabelForm = "names" | "signs" | "bare";

const DIGITS = 2;
/** The least widths of a picture for a name and for a score below it. */
const NAME_WIDTH = 50;
const SCORE_WIDTH = 24;

/** The form for pictures of that width, in CSS pixels. */
export function labelForm(width: number): LabelForm {
  if (width >= NAME_WIDTH) return "names";
  return width >= SCORE_WIDTH ? "signs" : "bare";
}

/** The role below a head, hidden from screen readers because the button of the head names it. */
export function roleLabel(
  { role, score }: WornScore,
  form: LabelForm,
  caption: string | undefined,
): TemplateResult {
  const word = form === "names" ? message(`role.${role}.short`) : message(`role.${role}.sign`);
  return html`<span class=${classMap({ role: true, scored: form !== "bare", none: role === "none" })} aria-hidden="true" title=${caption ?? nothing}><span>${word}</span>${score === null || form === "bare" ? nothing : html` <span class="score">${formatFixed(score, DIGITS)}</span>`}</span>`;
}

/** The legend of the labels: the name of every sign that occurs. */
export function roleLegend(
  worn: readonly (readonly WornScore[])[],
  form: LabelForm,
): TemplateResult {
  const present = new Set(worn.flat().map(({ role }) => role));
  const known = [...ROLES.map(({ role }) => role), "none" as const].filter((role) =>
    present.has(role),
  );
  return html`<p class="legend" part="legend">
    ${message(form === "bare" ? "grid.signs" : "grid.worn")}
    ${form === "names" ? nothing : html`<span class="signs">${known.map((role) => html`<span class="sign"><b>${message(`role.${role}.sign`)}</b> ${message(role === "none" ? "roles.none" : `role.${role}`)}</span>`)}</span>`}
  </p>`;
}

export const gridStyles = css`
  .role {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 4px;
    margin-top: 3px;
    font-size: 11px;
    line-height: 13px;
    white-space: nowrap;
  }

  .row:has(.role) {
    align-items: start;
  }

  .grid .role {
    flex-direction: column;
    align-items: center;
  }

  /* All rows of a table have one height. */
  .grid .role.scored {
    min-height: 26px;
  }

  .role.none,
  .score {
    color: var(--_muted);
  }

  .selected .role {
    color: var(--_accent);
  }

  .silenced .role {
    text-decoration: line-through;
  }

  .legend {
    margin: 12px 0 0;
    color: var(--_muted);
    font-size: 12px;
    line-height: 1.5;
  }

  .signs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }

  .sign b {
    color: var(--_ink);
    font-weight: 600;
  }

  .whole {
    position: relative;
  }

  /* Below the cells, which are transparent. Its colour is the background of the pictures. */
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    color: var(--_cell);
    pointer-events: none;
  }

  .grid {
    display: grid;
    gap: 8px;
    max-width: calc(20px + var(--heads) * 60px);
  }

  .row {
    display: grid;
    grid-template-columns: 16px repeat(var(--heads), minmax(0, 1fr));
    gap: 4px;
    align-items: center;
  }

  .number {
    color: var(--_muted);
    font-size: 12px;
    text-align: center;
  }

  [role="rowheader"] {
    text-align: left;
  }

  .list {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(72px, 1fr));
    gap: 12px 8px;
    max-width: 480px;
  }

  .list li {
    min-width: 0;
    font-size: 12px;
    line-height: 1.35;
    text-align: center;
  }

  .place,
  .note {
    display: block;
    white-space: nowrap;
  }

  .place {
    margin-top: 4px;
  }

  .note {
    color: var(--_muted);
  }

  .cell {
    position: relative;
    aspect-ratio: 1;
  }

  .head {
    display: block;
    width: 100%;
    height: 100%;
    padding: 0;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_line);
  }

  .head:hover {
    box-shadow: 0 0 0 1px var(--_muted);
  }

  /* The accent marks the selected head. */
  .head:focus-visible {
    outline-color: var(--_ink);
  }

  .cell:focus-within {
    z-index: 1;
  }

  .selected .head {
    box-shadow: 0 0 0 2px var(--_accent);
  }

  /* A hidden sign does not take the pointer. */
  .silence {
    --_sign: 15px;
    --_target: 17px;
    position: absolute;
    z-index: 1;
    top: -5px;
    right: -5px;
    display: grid;
    place-items: center;
    width: var(--_target);
    height: var(--_target);
    pointer-events: none;
  }

  /* A no-entry sign. */
  .silence::before,
  .silence::after {
    content: "";
    grid-area: 1 / 1;
    /* Not transparent, which would be a layer for every sign. */
    visibility: hidden;
  }

  .silence::before {
    width: var(--_sign);
    height: var(--_sign);
    border: 1px solid var(--_muted);
    border-radius: 50%;
    background: var(--_paper);
  }

  .silence::after {
    width: calc(var(--_sign) / 2);
    height: 2px;
    background: var(--_muted);
  }

  .silence:hover::before,
  .silenced .silence::before {
    border-color: var(--_accent);
  }

  .silence:hover::after,
  .silenced .silence::before {
    background: var(--_accent);
  }

  .selected .silence,
  .silenced .silence {
    pointer-events: auto;
  }

  :is(.selected, .silenced) .silence::before,
  :is(.selected, .silenced) .silence::after {
    visibility: visible;
  }

  .silenced .silence::after {
    background: var(--_paper);
  }

  @media not (pointer: coarse) {
    .cell:hover .silence,
    .cell:focus-within .silence {
      pointer-events: auto;
    }

    .cell:is(:hover, :focus-within) .silence::before,
    .cell:is(:hover, :focus-within) .silence::after {
      visibility: visible;
    }
  }

  .empty {
    margin: 0;
    color: var(--_muted);
  }

  @media (pointer: coarse) {
    .silence {
      --_sign: 18px;
      --_target: 26px;
    }
  }
`;
