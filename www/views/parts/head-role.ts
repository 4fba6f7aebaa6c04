import { css, html, nothing, type TemplateResult } from "lit";
import { type Role, ROLES, type RoleScores, assignedRole } from "../../data/index.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { Session } from "../session.js";

/**
 * What each role's score is the mean of, over the queries q for which the question makes sense, as `docs/roles.md`
 * defines it. A is a weight, k a key, x a token, S the special tokens behind the first position, f how often training
 * saw a token, δ the best of the distances from −3 to 3, H the entropy of a row, n how many keys a query may look at.
 */
const ROLE_FORMULAS: Readonly<Record<Role, TemplateResult>> = {
  induction: html`<math><munder><mo>∑</mo><mrow><mi>j</mi><mo>&lt;</mo><mi>q</mi><mo>−</mo><mn>1</mn><mo>,</mo><msub><mi>x</mi><mi>j</mi></msub><mo>=</mo><msub><mi>x</mi><mi>q</mi></msub></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>j</mi><mo>+</mo><mn>1</mn></mrow></msub></math>`,
  duplicate: html`<math><munder><mo>∑</mo><mrow><mi>k</mi><mo>≠</mo><mi>q</mi><mo>,</mo><msub><mi>x</mi><mi>k</mi></msub><mo>=</mo><msub><mi>x</mi><mi>q</mi></msub></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub></math>`,
  previous: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi><mo>−</mo><mn>1</mn></mrow></msub></math>`,
  next: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi><mo>+</mo><mn>1</mn></mrow></msub></math>`,
  self: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi></mrow></msub></math>`,
  separator: html`<math><munder><mo>∑</mo><mrow><mi>k</mi><mo>∈</mo><mi>S</mi></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub></math>`,
  first: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mn>0</mn></mrow></msub></math>`,
  rare: html`<math><mo>[</mo><munder><mi>argmax</mi><mi>k</mi></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub><mo>=</mo><munder><mi>argmin</mi><mi>k</mi></munder><mi>f</mi><mo>(</mo><msub><mi>x</mi><mi>k</mi></msub><mo>)</mo><mo>]</mo></math>`,
  positional: html`<math><mo>[</mo><munder><mi>argmax</mi><mi>k</mi></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub><mo>=</mo><mi>q</mi><mo>+</mo><mi>δ</mi><mo>]</mo></math>`,
  broad: html`<math><mfrac><mrow><mi>H</mi><mo>(</mo><mi>q</mi><mo>)</mo></mrow><mrow><mi>ln</mi><msub><mi>n</mi><mi>q</mi></msub></mrow></mfrac></math>`,
};

const DIGITS = 2;

export const roleStyles = css`
  .role dl {
    gap: 0 16px;
    margin: 4px 0;
  }

  .role .name {
    font-size: 18px;
  }

  .role .formula td {
    padding: 0 0 8px;
    color: var(--headscope-muted);
    font-size: 14px;
  }

  .role .assigned :is(th, td) {
    color: var(--headscope-ink);
    font-weight: 600;
  }
`;

/** The role of the head that is shown, its score on held-out text and on the present one, and what the role means. */
export function headRole({
  shown,
  heldOut: ofStack,
  measured,
  computation,
}: Session): TemplateResult {
  const heldOut = (shown && ofStack?.[shown.layer]?.[shown.head]) ?? null;
  const here = measured?.roles ?? null;
  const { notes = null, notesProblem: problem = null } = computation.model ?? {};
  if (!heldOut) {
    const role = here && assignedRole(here);
    return html`<p class="small muted">${problem === null ? message("roles.unavailable") : message("roles.problem", { problem })}</p>
      ${role ? html`<p class="small numbers">${message("roles.hereOnly", { role: message(`role.${role}`), score: score(here[role]) })}</p>` : nothing}
      ${scoreTable(role, null, here)}`;
  }
  const role = assignedRole(heldOut);
  const where =
    role === "induction"
      ? message("roles.repeated")
      : message("roles.heldOut", { count: notes?.heldOut.sentences ?? 0 });
  return html`<p class="name serif">${message(role ? `role.${role}` : "roles.none")}</p>
    ${
      role
        ? html`<dl class="small">
          <dt>${where}</dt>
          <dd data-role="held-out">${score(heldOut[role])}</dd>
          <dt>${message("roles.hereLong")}</dt>
          <dd data-role="here">${score(here?.[role])}</dd>
        </dl>`
        : nothing
    }
    <p class="small muted">${message(role ? `role.${role}.meaning` : "role.none.meaning")}</p>
    ${scoreTable(role, heldOut, here)}`;
}

/** Every role that is defined for the head, on held-out text and on the present one. */
function scoreTable(
  assigned: Role | null,
  heldOut: RoleScores | null,
  here: RoleScores | null,
): TemplateResult | typeof nothing {
  const defined = ROLES.filter(({ role }) => typeof (heldOut ?? here)?.[role] === "number");
  if (defined.length === 0) return nothing;
  const columns = [
    "roles.role",
    ...(heldOut ? (["roles.before"] as const) : []),
    "roles.here",
    "roles.threshold",
  ] as const;
  return html`<details class="small">
    <summary>${message("roles.all")}</summary>
    <table class="numbers">
      <tr>${columns.map((column) => html`<th scope="col">${message(column)}</th> `)}</tr>
      ${defined.map(
        ({ role, threshold }) =>
          html`<tr class=${role === assigned ? "assigned" : ""} title=${message(`role.${role}.meaning`)}>
            <th scope="row">${message(`role.${role}`)}</th>
            ${heldOut ? html`<td>${score(heldOut[role])}</td>` : nothing}
            <td>${score(here?.[role])}</td>
            <td>${score(threshold)}</td>
          </tr>
          <tr class="formula"><td colspan=${columns.length}>${ROLE_FORMULAS[role]}</td></tr>`,
      )}
    </table>
    <p class="muted">${message("roles.formulas")}</p>
  </details>`;
}

function score(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, DIGITS) : "–";
}
