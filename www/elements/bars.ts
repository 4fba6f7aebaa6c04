import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { BarItem } from "../draw/charts.js";
import { barShare } from "../draw/layout.js";
import { CheckedElement, givenSmall, listOf } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { styled } from "./shared/templates.js";
import styles from "./bars.css?inline";

export type { BarItem };

/**
 * The place of a bar in its track, from zero to its share; `least` is the most negative share of
 * all bars.
 */
export function track(share: number, least: number): TemplateResult {
  const percent = (of: number): string => `${(of / (1 - least)) * 100}%`;
  const signed = least < 0;
  const bar = {
    width: percent(Math.abs(share)),
    ...(signed && { "margin-left": percent(Math.min(0, share) - least) }),
  };
  return html`<span
    class=${classMap({ track: true, signed })}
    style=${styled({ "--_zero": percent(-least) })}
    aria-hidden="true"
    ><i part="bar" class=${classMap({ below: share < 0 })} style=${styled(bar)}></i
  ></span>`;
}

/** A short list of bars, such as the weights of a query or the next tokens. */
export class HeadscopeBars extends CheckedElement {
  static override styles = unsafeCSS(styles);
  @givenSmall(listOf({ label: "text", value: "number", text: "text" })) items: BarItem[] = [];
  @property() heading = "";
  /** The value of a bar of full length. */
  @property({ type: Number }) max = 1;

  protected override render(): TemplateResult {
    const shares = this.items.map(({ value }) => barShare(value, this.max));
    const least = Math.min(0, ...shares);
    const row = ({ label, text, marked = false }: BarItem, index: number): TemplateResult =>
      html`<li class=${classMap({ marked })}>
        <span class="label cut" part="label" title=${label}><bdi>${label}</bdi></span>
        ${track(shares[index] ?? 0, least)}
        <span class="text end muted" part="value">${text}</span>
      </li>`;
    return html`
      ${this.heading === "" ? nothing : html`<h3 part="caption">${this.heading}</h3>`}
      <ol>
        ${this.items.map(row)}
      </ol>
    `;
  }
}

define("headscope-bars", HeadscopeBars);
