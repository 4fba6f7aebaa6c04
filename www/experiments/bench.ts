import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { BlockStack } from "../data/index.js";
import { message, type MessageKey } from "../i18n/index.js";
import { BENCHES, type Bench, type EditLists } from "../state/index.js";
import { Later } from "../ui/lazy.js";
import { SessionPart, type Session } from "../session/session.js";
import styles from "./bench.css?inline";

type DrawPart = (session: Session) => TemplateResult;

/**
 * A part of the bench: fetched when it is first opened, with the sentences of its forms, figures
 * and files.
 */
function part(fetch: () => Promise<DrawPart>): Later<DrawPart> {
  return new Later(fetch, "bench", "export", "pairs", "rules");
}

export const BENCH_PARTS: Readonly<Record<Bench, Later<DrawPart>>> = {
  masks: part(async () => (await import("./rules.js")).renderMasks),
  numbers: part(async () => {
    await import("./numbers-bench.js");
    return () => html`<headscope-numbers-bench></headscope-numbers-bench>`;
  }),
  heads: part(async () => {
    await import("./heads.js");
    return () => html`<headscope-heads-bench></headscope-heads-bench>`;
  }),
  kinds: part(async () => (await import("./rules.js")).renderKinds),
  positions: part(async () => (await import("./rules.js")).renderPositions),
};

/**
 * The edit that a part offers first: of all heads, so that one press changes most answers. Its form
 * narrows it.
 */
const FIRST_EDITS: Partial<Record<Bench, (stack: BlockStack) => Partial<EditLists>>> = {
  masks: () => ({ masks: [{ preset: { kind: "window", width: 0 } }] }),
  positions: (stack) => ({ positions: [{ stack, scheme: "none" }] }),
  kinds: () => ({ attention: [{ kind: "softmax", scale: "none" }] }),
};

function renderFirst({ onPage, store }: Session, bench: Bench): TemplateResult | typeof nothing {
  const { edits, head, model } = onPage;
  const stack = model?.info.stacks.encoder ? "encoder" : "decoder";
  const first = FIRST_EDITS[bench]?.(stack) ?? {};
  const isOffered = Object.keys(first).some((list) => edits[list as keyof EditLists].length === 0);
  return head && isOffered
    ? html`<button
        class="act"
        @click=${() =>
          store.update({ ...(bench === "positions" && { stack }), edits: { ...edits, ...first } })}
      >
        ${message(`bench.first.${bench}` as MessageKey, { stack: message(`stack.${stack}`) })}
      </button>`
    : nothing;
}

/** The buttons that open and close the parts of the bench. */
export function renderBenchButtons(session: Session): TemplateResult {
  const { bench: open } = session.state;
  return html`<div class="experiments inline" role="group" aria-label=${message("bench.title")}>
    <h2>${message("bench.title")}</h2>
    ${BENCHES.map(
      (name) =>
        html`<button
          aria-expanded=${open === name}
          @click=${() => session.update({ bench: open === name ? null : name, labs: null })}
        >
          ${message(`bench.${name}`)}
        </button>`,
    )}
  </div>`;
}

/**
 * The open part of the bench: beside everything else where the page is wide, elsewhere a drawer of
 * the page below the picture that it changes.
 */
@customElement("headscope-bench")
export class HeadscopeBench extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Whether a wide page has it beside everything else. */
  @property({ type: Boolean, reflect: true }) beside = false;

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    const { bench: open } = session.state;
    if (open === null) return nothing;
    const name = message(`bench.${open}`);
    return html`<div class="body" role="group" aria-label=${name}>
      <header class="inline ends">
        <h2>${name}</h2>
        <button @click=${() => session.update({ bench: null, labs: null })}>
          ${message("bench.close")}
        </button>
      </header>
      ${BENCH_PARTS[open].show(
        this,
        (draw) => html`${renderFirst(session, open)}${draw(session)}`,
        96,
      )}
    </div>`;
  }
}
