import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { choice } from "../../ui/choice.js";
import { SessionPart } from "../../session/session.js";
import { demosIn, type Demo } from "./demo.js";
import type { Fields } from "../../kit/fields.js";
import { Settings } from "../../kit/settings.js";
import styles from "./demo-lists.css?inline";

/** The demos of a folder that are listed, in their order. */
function listed(files: Readonly<Record<string, object>>) {
  return demosIn(files)
    .flatMap((demo) => (demo.listed ? [{ name: demo.name, ...demo.listed, demo }] : []))
    .sort((one, other) => one.place - other.place);
}

const MASK_DEMOS = listed(import.meta.glob<object>("./masks/*.ts", { eager: true }));
const POSITION_DEMOS = listed(import.meta.glob<object>("./positions/*.ts", { eager: true }));

/** The settings of the lists in the address. */
export const MASKS = {
  open: { control: "some", opens: [], options: MASK_DEMOS.map(({ name }) => name) },
} as const satisfies Fields;
export const POSITIONS = {
  open: { control: "flag", opens: false },
  part: {
    control: "choice",
    opens: "sinusoidal",
    options: POSITION_DEMOS.map(({ name }) => name),
  },
} as const satisfies Fields;

abstract class DemoList extends SessionPart {
  static override styles = unsafeCSS(styles);

  protected renderFold(
    title: MessageKey,
    open: boolean,
    put: (open: boolean) => void,
    content: () => unknown,
  ): TemplateResult {
    const toggled = ({ currentTarget }: Event): void => {
      const now = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
      if (now !== open) put(now);
    };
    return html`<details ?open=${open} @toggle=${toggled}>
      <summary>${message(title)}</summary>
      ${open ? content() : nothing}
    </details>`;
  }

  protected renderDemo(demo: Demo): TemplateResult {
    return html`${keyed(demo, html`<headscope-demo .demo=${demo}></headscope-demo>`)}`;
  }
}

/**
 * The demos of mask rules besides the picture of the head: each computes only while it is unfolded.
 */
@customElement("headscope-mask-demos")
export class HeadscopeMaskDemos extends DemoList {
  private readonly settings = new Settings(this, "masks", MASKS);

  override render(): TemplateResult {
    const { open } = this.settings.values;
    return html`${MASK_DEMOS.map(({ name, title, demo }) => {
      const put = (now: boolean): void =>
        this.settings.set("open", now ? [...open, name] : open.filter((one) => one !== name));
      return this.renderFold(title, open.includes(name), put, () => this.renderDemo(demo));
    })}`;
  }
}

/** The demos of positional schemes, apart from any text; the learned table alone is the model's. */
@customElement("headscope-position-demos")
export class HeadscopePositionDemos extends DemoList {
  private readonly settings = new Settings(this, "places", POSITIONS);

  override render(): TemplateResult {
    const { settings } = this;
    const { open, part } = settings.values;
    const titles = new Map(POSITION_DEMOS.map(({ name, title }) => [name, message(title)]));
    return this.renderFold(
      "posDemo.title",
      open,
      (now) => settings.set("open", now),
      () =>
        html`<p class="small muted">${message("posDemo.intro")}</p>
          ${choice(
            message("posDemo.which"),
            [...titles.keys()],
            part,
            (name) => titles.get(name) ?? name,
            (name) => settings.set("part", name),
            "tabs",
          )}
          ${POSITION_DEMOS.filter(({ name }) => name === part).map(({ demo }) =>
            this.renderDemo(demo),
          )}`,
    );
  }
}
