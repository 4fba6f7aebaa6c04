import { noChange } from "lit";
import { directive, Directive, type AttributePart } from "lit/directive.js";

/** CSS properties by their names in CSS, custom ones included. */
export type Styles = Readonly<Record<string, string>>;

/**
 * Sets an element's own styles one by one: `style=${styled({ width: "4px" })}`. A page may forbid style attributes (with
 * `style-src 'self'`), which Lit's own `styleMap` writes when it renders first; this way is always allowed.
 */
class Styled extends Directive {
  private last: Styles = {};
  private element: HTMLElement | null = null;

  override update({ element }: AttributePart, [styles]: [Styles]): typeof noChange {
    this.element = element instanceof HTMLElement ? element : null;
    return this.render(styles);
  }

  override render(styles: Styles): typeof noChange {
    const { element } = this;
    if (!element) return noChange;
    for (const name of Object.keys(this.last))
      if (!(name in styles)) element.style.removeProperty(name);
    for (const [name, value] of Object.entries(styles))
      if (this.last[name] !== value) element.style.setProperty(name, value);
    this.last = styles;
    return noChange;
  }
}

export const styled = directive(Styled);
