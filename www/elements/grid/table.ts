// The table of heads: their roles, and their measures on the present text.
import type { TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import { ROLES, type HeadMeasures, type Stack } from "../../data/index.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import type { HeadDetail } from "../events.js";
import { dataTable, MOST_CELLS } from "../matrix/table.js";

export interface HeadsContent {
  /** The heads in this order; those of a list with their notes. */
  heads: readonly (HeadDetail & { note?: string })[];
  captions: readonly (readonly string[])[] | null;
  measures: readonly HeadMeasures[] | null;
  silenced: readonly HeadDetail[];
  selected: HeadDetail | null;
  stack: Stack;
}

const DIGITS = 2;
const NONE = "–";

/** A row for each head with its role and its measures on the present text. */
export function headsTable(content: HeadsContent): DirectiveResult {
  const { heads, captions, measures, silenced, selected, stack } = content;
  // `heads` may be a new array in every rendering.
  const listed = heads.map(({ layer, head, note }) => `${layer}.${head} ${note ?? ""}`).join();
  const chosen = [selected?.layer, selected?.head];
  return guard([listed, captions, measures, silenced, ...chosen, stack, language()], () =>
    renderTable(content),
  );
}

function renderTable(content: HeadsContent): TemplateResult {
  const { captions, measures, selected, stack, silenced } = content;
  const columns = 1 + (captions ? 1 : 0) + (measures ? 2 + ROLES.length : 0);
  const whole = content.heads.length * columns <= MOST_CELLS;
  const layer = selected?.layer ?? 0;
  const heads = whole ? content.heads : content.heads.filter((one) => one.layer === layer);
  const noted = heads.some(({ note }) => note !== undefined && note !== "");
  const roles = ROLES.map(({ role }) => `${message(`role.${role}`)} (${message("roles.here")})`);
  return dataTable({
    caption: message("grid.label", { stack: message(`stack.${stack}`) }),
    only: whole ? null : message("grid.layer", { layer: layer + 1 }),
    columns: [
      message("grid.headColumn"),
      ...(noted ? [message("figure.value")] : []),
      ...(captions ? [message("roles.role")] : []),
      ...(measures ? [message("measures.entropy"), message("measures.distance"), ...roles] : []),
    ],
    rows: heads.map((head) => {
      const own = (one: HeadDetail): boolean => one.layer === head.layer && one.head === head.head;
      const place = { layer: head.layer + 1, head: head.head + 1 };
      const measured = measures?.find(own);
      return {
        name: message(silenced.some(own) ? "grid.cellSilenced" : "grid.cell", place),
        cells: [
          ...(noted ? [head.note ?? ""] : []),
          ...(captions ? [captions[head.layer]?.[head.head] ?? NONE] : []),
          ...(measures ? measuredWords(measured) : []),
        ],
      };
    }),
  });
}

function measuredWords(measured: HeadMeasures | undefined): string[] {
  const entropy = measured?.entropy ?? null;
  const numbers = [measured?.distance, ...ROLES.map(({ role }) => measured?.roles[role])];
  return [
    entropy === null ? NONE : message("measures.nats", { value: formatFixed(entropy) }),
    ...numbers.map((value) => (typeof value === "number" ? formatFixed(value, DIGITS) : NONE)),
  ];
}
