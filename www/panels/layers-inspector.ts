/**
 * The details of one prediction: its ten likeliest entries, one of which can be chosen, what the
 * parts of the model add to the chosen one's logit, and of the shown head its weights beside what
 * they add.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Attribution, HeadRef } from "../data/index.js";
import { track } from "../elements/bars.js";
import { depthName } from "../elements/lens.js";
import { dataTable } from "../elements/matrix/table.js";
import { labelAt, predictionLabel } from "../elements/shared/templates.js";
import { formatFixed, formatPercent, message } from "../i18n/index.js";
import { withSettings } from "../kit/fields.js";
import { tokensOf } from "../session/run/selection.js";
import { type NamedPart, strongestParts } from "../session/run/layer-words.js";
import type { ReadLayers } from "../session/run/layers.js";
import { SessionPart } from "../session/session.js";

/** The keys of a head that are listed. */
const LISTED_KEYS = 8;

@customElement("headscope-layers-inspector")
export class HeadscopeLayersInspector extends SessionPart {
  static override styles = css`
    section {
      max-width: 560px;
    }
    section > * + * {
      margin-top: 8px;
    }
    ol {
      display: grid;
      grid-template-columns: minmax(5em, 45%) minmax(40px, 1fr) auto;
      gap: 2px 12px;
    }
    :is(li, li > button) {
      display: grid;
      grid-column: 1 / -1;
      grid-template-columns: subgrid;
      align-items: center;
      text-align: start;
    }
    .entries {
      grid-template-columns: minmax(5em, 45%) minmax(40px, 1fr) auto max(24px, var(--_touch));
    }
    .entries li > button:first-child {
      grid-column: 1 / 4;
    }
    .entries .less {
      display: block;
      grid-column: 4;
      text-align: center;
      color: var(--_muted);
    }
    .entries .less[aria-pressed="true"] {
      background: var(--_ink);
      color: var(--_paper);
    }
    .label {
      white-space: pre;
    }
    .shares .label {
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .marked .label {
      font-weight: 600;
    }
    .marked .track i {
      background: var(--_accent);
    }
    /* In a high-contrast theme a chosen row has the colour of that bar. */
    @media (forced-colors: active) {
      [aria-pressed="true"] .track i {
        background: HighlightText;
      }
    }
  `;

  override render(): TemplateResult {
    const { layers, attribution, attributed } = this.session;
    return html`
      <section class="ruled" aria-label=${message("layers.title")}>
        ${layers ? this.renderEntries(layers) : note(message("figure.empty"))}
      </section>
      ${
        layers && attribution && attributed
          ? html`<section class="ruled" aria-label=${message("layers.parts")}>
                ${this.renderParts(attribution)}
              </section>
              ${this.renderKeys(attribution)}`
          : nothing
      }
    `;
  }

  /** Renders the likeliest entries of the selected cell. */
  private renderEntries({ lens, tokens }: ReadLayers): TemplateResult | typeof nothing {
    const { session } = this;
    const { depth, info, attributed } = session;
    if (!depth || !info) return nothing;
    const [, n = 0, ranks = 0] = lens.ids.shape;
    const cell = depth.layer * n + depth.position;
    const at = tokens[depth.position];
    const rows = Array.from({ length: ranks }, (_, rank) => {
      const id = lens.ids.data[cell * ranks + rank] ?? 0;
      const name = lens.names.get(id) ?? { id, text: `#${id}` };
      const probability = lens.probabilities.data[cell * ranks + rank] ?? NaN;
      const label = at ? predictionLabel({ ...name, logit: 0, probability }, at, info) : name.text;
      const isChosen = id === attributed?.asked.id;
      const isAgainst = id === attributed?.asked.against;
      const takeOff = message("layers.takeOff", { token: label });
      return html`<li class=${classMap({ marked: isChosen })}>
        <button aria-pressed=${isChosen} @click=${() => session.update({ entry: id })}>
          <span class="label cut" title=${label}><bdi>${label}</bdi></span>
          ${track(probability, 0)}
          <span class="end muted">${formatPercent(probability)}</span>
        </button>
        ${
          isChosen
            ? nothing
            : html`<button
                class="less"
                aria-label=${takeOff}
                title=${takeOff}
                aria-pressed=${isAgainst}
                @click=${() => session.update({ against: isAgainst ? null : id })}
              >
                −
              </button>`
        }
      </li>`;
    });
    return html`<h2>
        ${message("layers.best", {
          token: labelAt(tokens, depth.position),
          depth: depthName(depth.layer),
        })}
      </h2>
      <ol class="entries">
        ${rows}
      </ol>
      <dl class="small">
        <dt>${message("layers.entropy")}</dt>
        <dd>${message("measures.nats", { value: formatFixed(lens.entropy.data[cell] ?? NaN) })}</dd>
        <dt>${message("layers.divergence")}</dt>
        <dd>
          ${message("measures.nats", { value: formatFixed(lens.divergence.data[cell] ?? NaN) })}
        </dd>
      </dl>
      ${note(message("layers.choose"))}`;
  }

  /** The name of an entry, as the model writes it at the selected cell. */
  private nameOf(id: number): string {
    const { layers, computation, depth, info } = this.session;
    const name = layers?.lens.names.get(id);
    const at = depth && layers?.tokens[depth.position];
    if (name && at) return predictionLabel({ ...name, logit: 0, probability: 0 }, at, info);
    const text = computation.model?.decode([id]).trim() ?? "";
    return text === "" ? `#${id}` : text;
  }

  /** Renders what the parts add up to: a logit, or the difference of two. */
  private renderTitle(): TemplateResult {
    const { session } = this;
    const { id = 0, against } = session.attributed?.asked ?? {};
    const token = this.nameOf(id);
    if (against === undefined) return html`<h2>${message("layers.parts.title", { token })}</h2>`;
    return html`<h2>
        ${message("layers.parts.difference", { token, other: this.nameOf(against) })}
      </h2>
      <button class="act small" @click=${() => session.update({ against: null })}>
        ${message("layers.oneLogit", { token })}
      </button>`;
  }

  private renderParts({ logit, uncapped, sum, frozen, parts }: Attribution): TemplateResult {
    const { session } = this;
    const named = strongestParts(parts);
    const most = Math.max(...named.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
    const least = Math.min(0, ...named.map(({ value }) => value / most));
    const row = ({ label, value, head }: NamedPart): TemplateResult => {
      const bars = html`<span class="label">${label}</span>
        ${track(value / most, least)}
        <span class="end muted">${formatFixed(value, 2)}</span>`;
      if (!head) return html`<li>${bars}</li>`;
      const isShown = session.shown !== null && isSameHead(session.shown, head);
      return html`<li class=${classMap({ marked: isShown })}>
        <button aria-pressed=${isShown} @click=${() => session.update(head)}>${bars}</button>
      </li>`;
    };
    return html`${this.renderTitle()}
      <ol class="shares">
        ${named.map(row)}
      </ol>
      <p class="sum">
        ${message("layers.sum", { sum: formatFixed(sum), logit: formatFixed(uncapped) })}
        ${uncapped === logit ? nothing : message("layers.capped", { logit: formatFixed(logit) })}
      </p>
      ${note(message(frozen.includes("head-activation") ? "layers.frozenHead" : "layers.frozen"))}
      <button class="act small" id="integrated" @click=${() => this.openGradients()}>
        ${message("layers.integrated")}
      </button>`;
  }

  /** Opens the integrated gradients of the same logit, token by token. */
  private openGradients(): void {
    const { session } = this;
    const demos = withSettings(session.state.demos, "heads", new Map([["room", "gradients"]]));
    session.update({ experiment: "heads", demos });
  }

  /** Renders what the shown head adds by each key, beside its weight. */
  private renderKeys({ keys }: Attribution): TemplateResult | typeof nothing {
    const { shown, computation } = this.session;
    if (!keys || !shown || !computation.run) return nothing;
    const tokens = tokensOf(computation.run, shown.stack).keys;
    const rows = keys
      .map((key, at) => ({ ...key, token: labelAt(tokens, at) }))
      .toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value))
      .slice(0, LISTED_KEYS)
      .map(({ token, weight, value }) => [token, formatPercent(weight), formatFixed(value)]);
    const title = message("layers.keys", { layer: shown.layer + 1, head: shown.head + 1 });
    const columns = ["layers.token", "layers.weight", "layers.adds"] as const;
    return html`<section class="ruled keys">
      ${dataTable(
        title,
        columns.map((column) => message(column)),
        rows,
        { titled: true },
      )}
      ${note(message("layers.keysHint"))}
    </section>`;
  }
}

function isSameHead(one: HeadRef, other: HeadRef): boolean {
  return one.stack === other.stack && one.layer === other.layer && one.head === other.head;
}

function note(words: string): TemplateResult {
  return html`<p class="small muted">${words}</p>`;
}
