// What is known of each head, as a table; it is fetched when it is asked for.
import { html, nothing, type TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import { ROLES, type HeadMeasures, type Stack } from "../../data/index.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import type { HeadDetail } from "../events.js";

export interface HeadsContent {
  /** Which heads, in this order. In a list, with the words below their pictures. */
  heads: readonly (HeadDetail & { note?: string })[];
  captions: readonly (readonly string[])[] | null;
  measures: readonly HeadMeasures[] | null;
  silenced: readonly HeadDetail[];
  selected: HeadDetail | null;
  stack: Stack;
}

const DIGITS = 2;
const NONE = "–";
/** Beyond this many cells a table would take the browser seconds, so it shows one layer. */
const MOST_CELLS = 4096;

/** A row for each head: the role it wears, and where it was measured what it does on the present text. */
export function headsTable(content: HeadsContent): DirectiveResult {
  const { heads, captions, measures, silenced, selected, stack } = content;
  // In their places all heads are listed anew with every rendering.
  return guard(
    [
      heads.map(({ layer, head, note }) => `${layer}.${head} ${note ?? ""}`).join(),
      captions,
      measures,
      silenced,
      selected?.layer,
      selected?.head,
      stack,
      language(),
    ],
    () => renderTable(content),
  );
}

function renderTable(content: HeadsContent): TemplateResult {
  const { captions, measures, selected, stack } = content;
  const columns = 1 + (captions ? 1 : 0) + (measures ? 2 + ROLES.length : 0);
  const whole = content.heads.length * columns <= MOST_CELLS;
  const layer = selected?.layer ?? 0;
  const heads = whole ? content.heads : content.heads.filter((one) => one.layer === layer);
  const noted = heads.some(({ note }) => note !== undefined && note !== "");
  const caption = message("grid.label", { stack: message(`stack.${stack}`) });
  return html`<div class="numbers" part="table" role="region" aria-label=${caption} tabindex="0">
    ${whole ? nothing : html`<p>${message("figure.oneRow", { query: message("grid.layer", { layer: layer + 1 }) })}</p>`}
    <table>
      <caption class="heard">${caption}</caption>
      <thead>
        <tr>
          <th scope="col">${message("grid.headColumn")}</th>
          ${noted ? html`<th scope="col">${message("figure.value")}</th>` : nothing}
          ${captions ? html`<th scope="col">${message("roles.role")}</th>` : nothing}
          ${measures ? html`<th scope="col">${message("measures.entropy")}</th><th scope="col">${message("measures.distance")}</th>${ROLES.map(({ role }) => html`<th scope="col">${message(`role.${role}`)} (${message("roles.here")})</th>`)}` : nothing}
        </tr>
      </thead>
      <tbody>
        ${heads.map((head) => renderHead(head, content, noted))}
      </tbody>
    </table>
  </div>`;
}

function renderHead(
  { layer, head, note }: HeadsContent["heads"][number],
  { captions, measures, silenced }: HeadsContent,
  noted: boolean,
): TemplateResult {
  const own = (one: HeadDetail): boolean => one.layer === layer && one.head === head;
  const name = message(silenced.some(own) ? "grid.cellSilenced" : "grid.cell", {
    layer: layer + 1,
    head: head + 1,
  });
  const measured = measures?.find(own);
  return html`<tr>
    <th scope="row">${name}</th>
    ${noted ? html`<td>${note}</td>` : nothing}
    ${captions ? html`<td>${captions[layer]?.[head] ?? NONE}</td>` : nothing}
    ${measures ? html`<td>${nats(measured?.entropy)}</td><td>${number(measured?.distance)}</td>${ROLES.map(({ role }) => html`<td>${number(measured?.roles[role])}</td>`)}` : nothing}
  </tr>`;
}

function nats(value: number | null | undefined): string {
  return typeof value === "number" ? message("measures.nats", { value: formatFixed(value) }) : NONE;
}

function number(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, DIGITS) : NONE;
}
