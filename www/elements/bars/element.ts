import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { baseStyles } from "../shared/base-styles.js";
import { styled } from "../shared/styled.js";
import { barsStyles } from "./styles.js";
import { CheckedElement, NUMBER, TEXT, given, listOf, record } from "../shared/checked.js";

/** One bar: its length is `value` of the element's `max`, to the left of zero where it is negative, and `text` is the number as read. */
export interface BarItem {
  label: string;
  value: number;
  text: string;
  /** One to find among the others, such as the right answer. */
  marked?: boolean;
}

/** A short list of shares: what a query looks at, what the model would write next. */
export class HeadscopeBars extends CheckedElement {
  static override styles = [baseStyles, barsStyles];

  @given(listOf(record({ label: TEXT, value: NUMBER, text: TEXT }))) items: BarItem[] = [];
  @property() heading = "";
  /** The value of a bar of full length. Shares of one whole keep 1, so that lengths compare between lists. */
  @property({ type: Number }) max = 1;

  protected override render(): TemplateResult {
    const least = Math.min(0, ...this.items.map(({ value }) => this.share(value)));
    return html`
      ${this.heading === "" ? nothing : html`<h3 part="caption">${this.heading}</h3>`}
      <ol class=${classMap({ signed: least < 0 })} style=${styled({ "--_zero": percent(zeroOf(least)) })}>
        ${this.items.map(
          (item) => html`<li class=${classMap({ marked: item.marked ?? false })}>
            <span class="label" part="label" title=${item.label}><bdi>${item.label}</bdi></span>
            <span class="track" aria-hidden="true"><i part="bar" style=${styled(placed(this.share(item.value), least))}></i></span>
            <span class="text" part="value">${item.text}</span>
          </li>`,
        )}
      </ol>
    `;
  }

  /** A value as a share of the longest bar, at most that to either side of zero. */
  private share(value: number): number {
    return this.max > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(1, value / this.max)) : 0;
  }
}

/** Where zero is in the track: at its start, unless there are bars to the left of it. */
function zeroOf(least: number): number {
  return -least / (1 - least);
}

function placed(share: number, least: number): Record<string, string> {
  const width = Math.abs(share) / (1 - least);
  return {
    width: percent(width),
    ...(least < 0 && { "margin-left": percent(zeroOf(least) - (share < 0 ? width : 0)) }),
  };
}

function percent(share: number): string {
  return `${share * 100}%`;
}
