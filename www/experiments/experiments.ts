import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import { type BlockStack, blockStackOf } from "../data/index.js";
import { message, type MessageKey } from "../i18n/index.js";
import { EXPERIMENTS, type Experiment, type EditLists } from "../state/index.js";
import { Later } from "../ui/lazy.js";
import { SessionPart, type Session } from "../session/session.js";
import styles from "./experiments.css?inline";

type DrawPart = (session: Session) => TemplateResult;

/**
 * A part of the experiments: loaded when it is first opened, with the sentences of its forms,
 * figures and files.
 */
function part(fetch: () => Promise<DrawPart>): Later<DrawPart> {
  return new Later(fetch, "experiments", "export", "notices", "pairs", "rules", "steps", "writing");
}

export const EXPERIMENT_PARTS: Readonly<Record<Experiment, Later<DrawPart>>> = {
  masks: part(async () => (await import("./rules.js")).renderMasks),
  calculator: part(async () => {
    await import("./calculator.js");
    return () => html`<headscope-calculator></headscope-calculator>`;
  }),
  heads: part(async () => {
    await import("./heads.js");
    return () => html`<headscope-heads-experiment></headscope-heads-experiment>`;
  }),
  patching: part(async () => {
    await import("./patching.js");
    return () => html`<headscope-patching-experiment></headscope-patching-experiment>`;
  }),
  decoding: part(async () => {
    await import("./decoding.js");
    return () => html`<headscope-decoding-experiment></headscope-decoding-experiment>`;
  }),
  variants: part(async () => (await import("./rules.js")).renderVariants),
  positions: part(async () => (await import("./rules.js")).renderPositions),
};

/**
 * The first edit that a part offers: of all heads, so that one press changes most answers. The form
 * narrows it.
 */
const FIRST_EDITS: Partial<Record<Experiment, (stack: BlockStack) => Partial<EditLists>>> = {
  masks: () => ({ masks: [{ preset: { kind: "window", width: 0 } }] }),
  positions: (stack) => ({ positions: [{ stack, scheme: "none" }] }),
  variants: () => ({ attention: [{ kind: "softmax", scale: "none" }] }),
};

function renderFirst(
  { onPage, store }: Session,
  experiment: Experiment,
): TemplateResult | typeof nothing {
  const { edits, head } = onPage;
  if (!head) return nothing;
  // The stack whose form stands below the button.
  const stack = blockStackOf(head);
  const first = FIRST_EDITS[experiment]?.(stack) ?? {};
  const key = `experiments.first.${experiment}` as MessageKey;
  const isOffered = Object.keys(first).some((list) => edits[list as keyof EditLists].length === 0);
  return isOffered
    ? html`<button class="act" @click=${() => store.update({ edits: { ...edits, ...first } })}>
        ${message(key, { stack: message(`stack.${stack}`) })}
      </button>`
    : nothing;
}

/** The buttons that open and close the parts of the experiments. */
export function renderExperimentButtons(session: Session): TemplateResult {
  const { experiment: open } = session.state;
  return html`<div
    class="experiments inline"
    role="group"
    aria-label=${message("experiments.title")}
  >
    <h2>${message("experiments.title")}</h2>
    ${EXPERIMENTS.map(
      (name) =>
        html`<button
          aria-expanded=${open === name}
          @click=${() => session.update({ experiment: open === name ? null : name, demos: null })}
        >
          ${message(`experiments.${name}`)}
        </button>`,
    )}
    <button @click=${() => session.update({ training: "" })}>${message("training.enter")}</button>
  </div>`;
}

/** The open part of the experiments, in the column of the heads. */
@customElement("headscope-experiments")
export class HeadscopeExperiments extends SessionPart {
  static override styles = unsafeCSS(styles);

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    const { experiment: open } = session.state;
    if (open === null) return nothing;
    const name = message(`experiments.${open}`);
    return html`<div class="body" role="group" aria-label=${name}>
      <div class="inline ends">
        <h2>${name}</h2>
        <button @click=${() => session.update({ experiment: null, demos: null })}>
          ${message("experiments.close")}
        </button>
      </div>
      ${EXPERIMENT_PARTS[open].show(
        this,
        (draw) => html`${renderFirst(session, open)}${draw(session)}`,
        96,
      )}
    </div>`;
  }
}
