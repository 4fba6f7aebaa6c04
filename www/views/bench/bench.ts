import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { emit } from "../../elements/events.js";
import { message } from "../../i18n/index.js";
import { BENCHES, type Bench } from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import { SessionPart, type Session } from "../session.js";

type DrawPart = (session: Session) => TemplateResult;

/** A part of the bench: fetched when it is first opened, with the sentences of its forms, figures and files. */
function part(fetch: () => Promise<DrawPart>): Later<DrawPart> {
  return new Later(fetch, "bench", "export", "pairs", "rules");
}

export const BENCH_PARTS: Readonly<Record<Bench, Later<DrawPart>>> = {
  masks: part(async () => (await import("./rules.js")).renderMasks),
  numbers: part(async () => {
    await import("./numbers/numbers-bench.js");
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
 * The bench: a row of buttons that open parts, and the open part. It is a drawer of the page below the picture that it
 * changes; unfolded it has all the height it needs, and the page scrolls.
 */
@customElement("headscope-bench")
export class HeadscopeBench extends SessionPart {
  static override styles = css`
    .part-buttons {
      align-items: baseline;
    }
    .part-buttons button {
      color: var(--_muted);
      border-bottom: 2px solid transparent;
    }
    .part-buttons button:is(:hover, [aria-expanded="true"]) {
      color: var(--_ink);
    }
    .part-buttons [aria-expanded="true"] {
      border-color: var(--_accent);
    }
    .body {
      /* Above it the picture keeps 460 px, and below that it has room for a control. */
      max-height: clamp(200px, 100vh - 560px, 420px);
      margin-top: 8px;
      padding-top: 12px;
      border-top: 1px solid var(--_line);
      overflow: auto;
    }
    :host([unfolded]) .body {
      max-height: none;
    }
    /* Low windows have no room for a picture and a drawer; a phone gives it a page. */
    @media (max-height: 620px) {
      .body {
        max-height: none;
      }
      .fold {
        display: none;
      }
    }
    @container (max-width: 820px) {
      .body {
        max-height: none;
      }
    }
    .intro,
    .ends {
      padding-bottom: 10px;
    }
    section,
    .body > headscope-demo {
      padding: 10px 0;
      border-top: 1px solid var(--_line);
    }
  `;

  /** Whether it has all the height it needs; this belongs to the place, not to what is shown. */
  @property({ type: Boolean, reflect: true }) unfolded = false;

  protected override willUpdate(): void {
    if (this.session.state.bench === null && this.unfolded) this.setUnfolded(false);
  }

  override render(): TemplateResult {
    const { session, unfolded } = this;
    const { bench: open } = session.state;
    return html`<div class="part-buttons inline">
        <h2>${message("bench.title")}</h2>
        ${BENCHES.map(
          (name) =>
            html`<button aria-expanded=${open === name} aria-controls="body" @click=${() => session.update({ bench: open === name ? null : name, labs: null })}>${message(`bench.${name}`)}</button>`,
        )}
        ${open === null ? nothing : html`<button class="fold end wide" @click=${this.fold}>${message(unfolded ? "bench.fold" : "bench.unfold")}</button>`}
      </div>
      <div class="body" id="body" role="group" aria-label=${open === null ? nothing : message(`bench.${open}`)} ?hidden=${open === null}>${open === null ? nothing : BENCH_PARTS[open].show(this, (draw) => draw(session), 96)}</div>`;
  }

  private readonly fold = (): void => {
    this.setUnfolded(!this.unfolded);
    void this.updateComplete.then(() =>
      this.scrollIntoView({ block: this.unfolded ? "start" : "nearest" }),
    );
  };

  private setUnfolded(unfolded: boolean): void {
    this.unfolded = unfolded;
    emit(this, "headscope-bench-fold", unfolded);
  }
}

declare global {
  interface HTMLElementEventMap {
    "headscope-bench-fold": CustomEvent<boolean>;
  }
}
