/** The list of all models, each with its task and size, and the ways to open one of the user. */
import { html, nothing, type TemplateResult } from "lit";
import type { FieldWarning } from "../data/index.js";
import { keyListener, moveInRing } from "../elements/shared/grid-navigation.js";
import { formatBytes, message } from "../i18n/index.js";
import { isHere } from "../session/models/addresses.js";
import { MODEL_CARDS } from "../session/models/bundled-models.js";
import { modelLabel } from "../session/models/models.js";
import type { Session } from "../session/session.js";
import { isOpened, type ModelName } from "../state/index.js";
import "./hub-form.js";

interface ListActions {
  /** The models that are stored for a visit without a network. */
  kept: readonly ModelName[];
  /** Lets the user pick a folder, or files. */
  pick: (isFolder: boolean) => void;
  close: () => void;
}

/** Renders the items of the list, and the form for a model of a hub. */
export function renderModelList(
  session: Session,
  { kept, pick, close }: ListActions,
): TemplateResult {
  const { ready, opened } = session.models;
  const item = (name: ModelName, more: string, size = ""): TemplateResult =>
    renderItem(session, { name, more, size, isKept: kept.includes(name), close });
  return html`<div
      class="items"
      role="menu"
      aria-label=${message("model.list")}
      @keydown=${pressed}
    >
      ${MODEL_CARDS.filter(({ name }) => isHere(name)).map(({ name, family, bytes }) =>
        item(
          name,
          message("model.detail", { does: message(`${name}.does`), family }),
          ready.includes(name) ? message("model.ready") : formatBytes(bytes),
        ),
      )}
      ${opened.map((name) =>
        item(
          name,
          isOpened(name) ? message("model.opened") : new URL(session.addressOf(name)).host,
        ),
      )}
      <button class="open" role="menuitem" tabindex="-1" @click=${() => pick(true)}>
        <span class="name strong">${message("model.open")}</span>
        <span class="more small muted">${message("model.openHint")}</span>
      </button>
      <button role="menuitem" tabindex="-1" @click=${() => pick(false)}>
        <span class="name strong">${message("model.openFiles")}</span>
        <span class="more small muted">${message("model.openFilesHint")}</span>
      </button>
    </div>
    <headscope-hub-form .opened=${close}></headscope-hub-form>`;
}

interface Item {
  name: ModelName;
  more: string;
  size: string;
  isKept: boolean;
  close: () => void;
}

function renderItem(session: Session, { name, more, size, isKept, close }: Item): TemplateResult {
  const { state, info } = session;
  const isUsed = name === state.model;
  const { warnings = [], missingHead = null } = (isUsed ? info : null) ?? {};
  const choose = (): void => {
    close();
    session.switchTo(name);
  };
  return html`<button role="menuitemradio" aria-checked=${isUsed} tabindex="-1" @click=${choose}>
    ${isUsed ? html`<span class="dot"></span>` : nothing}
    <span class="name strong">${modelLabel(name)}</span>
    ${size === "" ? nothing : html`<span class="muted">${size}</span>`}
    <span class="more small muted">${more}</span>
    ${sentencesOf(warnings).map(
      (sentence) => html`<span class="more small muted">${sentence}</span>`,
    )}
    ${
      missingHead === null
        ? nothing
        : html`<span class="more small muted"
            >${message("model.missingHead", { head: missingHead })}</span
          >`
    }
    ${isKept ? html`<span class="small muted">${message("model.kept")}</span>` : nothing}
  </button>`;
}

/**
 * One sentence for each file and effect about the fields of a model's files that have no effect
 * here.
 */
function sentencesOf(warnings: readonly FieldWarning[]): string[] {
  const byKind = new Map<string, { first: FieldWarning; fields: string[] }>();
  for (const warning of warnings) {
    const { file, field, value, effect } = warning;
    const kind = byKind.get(`${effect} ${file}`) ?? { first: warning, fields: [] };
    kind.fields.push(`${field} = ${value}`);
    byKind.set(`${effect} ${file}`, kind);
  }
  return [...byKind.values()].map(({ first: { effect, file }, fields }) =>
    message(`model.warnings.${effect}`, { file, fields: fields.join(", ") }),
  );
}

const pressed = keyListener((key, { currentTarget }) => {
  const list = currentTarget as HTMLElement;
  const items = [...list.querySelectorAll<HTMLElement>("button")];
  const at = items.findIndex((one) => one.matches(":focus"));
  const item = items[moveInRing(key, at, items.length, ["ArrowUp", "ArrowDown"]) ?? -1];
  item?.focus();
  return item !== undefined;
});
