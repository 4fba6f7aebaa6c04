import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { live } from "lit/directives/live.js";
import type { Printable } from "../../elements/shared/figure.js";
import { formatBytes, message } from "../../i18n/index.js";
import { choice } from "../../ui/choice.js";
import {
  GROUPS,
  numbersChoices,
  numbersSnapshot,
  regionChoice,
  type NumbersChoice,
} from "./numbers.js";
import {
  pairParts,
  partState,
  pictureChoices,
  type PairPart,
  type PictureChoice,
} from "./pictures.js";
import {
  formatButtons,
  NUMBER_FORMATS,
  PAPERS,
  PICTURE_FORMATS,
  save,
  type Format,
  type Outcome,
  type Paper,
  type Snapshot,
} from "../../kit/save.js";
import { BOUNDS, LAYOUTS, type PictureLayout, PRESETS } from "../../kit/picture-layout.js";
import type { ExportSubject } from "../../session/subject.js";
import { equals } from "../../data/equal.js";
import { SessionPart } from "../../session/session.js";
import "../../kit/embed-buttons.js";
import styles from "./export-sheet.css?inline";

/** The extents to save of a pattern that is shown in part: that part, or all of it. */
const EXTENTS = ["part", "whole"] as const;
const partWords =
  (offered: readonly PairPart[]) =>
  (one: PairPart): string =>
    message(
      one !== "all"
        ? `pairs.${one}`
        : offered.includes("difference")
          ? "pairs.part.all"
          : "pairs.part.both",
    );
const paperWords = (one: Paper): string => message(`export.paper.${one}`);
const extentWords = (one: (typeof EXTENTS)[number]): string => message(`export.extent.${one}`);
/** What a layout can have or not. */
const SHOWN_ON_SHEET = [
  "title",
  "caption",
  "colourBar",
  "legend",
  "held",
  "outlines",
  "inParts",
] as const;
/** The size from which a file is announced as large. */
const LARGE_BYTES = 5_000_000;
/** The average bytes of a number in CSV and JSON, and in .npy. */
const TEXT_BYTES = 13;
const NPY_BYTES = 4;

/**
 * The pictures and the numbers that can be saved. When opened again, the sheet offers the present
 * picture, on the same paper.
 */
@customElement("headscope-export-sheet")
export class HeadscopeExportSheet extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Finds the figure on the screen; in a comparison, one of both runs' or all together. */
  @property({ attribute: false }) figure: (part: PairPart) => Printable | null = () => null;

  @property({ type: Boolean }) open = false;

  /** The picture to save: the shown figure, or one beside it. */
  @state() private picture = "shown";
  @state() private pairPart: PairPart = "all";
  /** The chosen numbers; without a choice, those of the picture. */
  @state() private chosen: string | null = null;
  @state() private extent: (typeof EXTENTS)[number] = "part";
  @state() private paper: Paper = "white";
  @state() private layout: PictureLayout = LAYOUTS.own;
  /** The outcome of the last saved file, also while the sheet was closed. */
  @state() private report: string | TemplateResult = "";
  private saving: Promise<Outcome> | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    this.picture = "shown";
    this.pairPart = "all";
    this.chosen = null;
    this.extent = "part";
    if (!this.saving) this.report = "";
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("open")) this.renderRoot.querySelector<HTMLElement>(".formats button")?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { subject, block, attributed, attribution } = this.session;
    if (!subject || !this.open) return nothing;
    const { paper, extent, pairPart } = this;
    const choices = numbersChoices(
      subject,
      block?.figures === subject.figures ? block.steps : [],
      attributed && attribution && { asked: attributed.asked, attribution },
    );
    const pictures = pictureChoices(subject);
    // The chosen picture may have disappeared.
    const picture = pictures.find(({ name }) => name === this.picture) ?? pictures[0];
    const { name, code, numbers } = picture;
    const id = this.chosen ?? numbers;
    const chosen = choices.find((one) => one.id === id) ?? choices[0];
    const part = chosen ? regionChoice(chosen, subject) : null;
    const selected = extent === "part" ? (part ?? chosen) : chosen;
    // The State of an embed: of two runs the saved one, or else their difference.
    const { compared, state } = subject;
    const ofPart = compared && name === "shown" ? partState(pairPart, subject, compared) : null;
    const parts = compared && name === "shown" ? pairParts(subject, compared) : [];
    const groups = GROUPS.map((group) => choices.filter((one) => one.group === group));
    return html`
      <h3>${message("export.picture")}</h3>
      <select
        class="boxed"
        aria-label=${message("export.whichPicture")}
        @change=${({ target }: Event) => (this.picture = (target as HTMLSelectElement).value)}
      >
        ${pictures.map(
          (one) =>
            html`<option value=${one.name} .selected=${one === picture}>
              ${message(`export.other.${one.name}`)}
            </option>`,
        )}
      </select>
      ${
        parts.length > 0
          ? choice(
              message("pairs.part"),
              parts,
              pairPart,
              partWords(parts),
              (one) => (this.pairPart = one),
            )
          : nothing
      }
      <div class="formats">
        ${formatButtons(
          PICTURE_FORMATS,
          message("export.picture"),
          (format) => this.savePicture(picture, format),
          "boxed",
        )}
      </div>
      ${choice(message("export.paper"), PAPERS, paper, paperWords, (one) => (this.paper = one))}
      ${this.renderLayout()}
      <h3 id="numbers">${message("export.numbers")}</h3>
      <select
        class="boxed"
        aria-label=${message("export.which")}
        @change=${({ target }: Event) => (this.chosen = (target as HTMLSelectElement).value)}
      >
        ${groups.map(
          (options) =>
            options[0] &&
            html`<optgroup label=${groupLabel(options[0].group, subject)}>
              ${options.map(
                (one) =>
                  html`<option value=${one.id} .selected=${one === chosen}>${one.label}</option>`,
              )}
            </optgroup>`,
        )}
      </select>
      ${
        part
          ? choice(
              message("export.extent"),
              EXTENTS,
              extent,
              extentWords,
              (one) => (this.extent = one),
            )
          : nothing
      }
      ${selected ? html`<p class="small muted">${describe(selected)}</p>` : nothing}
      <div class="formats">
        ${formatButtons(
          NUMBER_FORMATS,
          message("export.numbers"),
          (format) =>
            selected && this.keep(() => save([numbersSnapshot(subject, selected)], format)),
          "boxed",
        )}
      </div>
      <h3 class="share ruled">${message("embed.share")}</h3>
      <div class="codes inline link">
        ${keyed(
          name,
          html`<headscope-embed-buttons
            .shown=${ofPart ?? state}
            kinds=${code ? `link ${code}` : "link"}
          ></headscope-embed-buttons>`,
        )}
      </div>
      <p class="report small muted" role="status">${this.report}</p>
    `;
  }

  /** Renders the layout of saved pictures: one to begin with, and what can be changed of it. */
  private renderLayout(): TemplateResult {
    const { layout } = this;
    const change = (more: Partial<PictureLayout>): void =>
      void (this.layout = { ...layout, ...more });
    const preset = PRESETS.find((name) => equals(LAYOUTS[name], layout));
    const size = (name: keyof typeof BOUNDS): TemplateResult => {
      const { least, most } = BOUNDS[name];
      const take = ({ target }: Event): void => {
        const { value } = target as HTMLInputElement;
        const number = Number(value);
        if (layout.print && number >= least && number <= most)
          change({ print: { ...layout.print, [name]: number } });
        else this.requestUpdate();
      };
      return html`<label
        >${message(`export.${name}`)}
        <input
          type="number"
          min=${least}
          max=${most}
          step="any"
          .value=${live(String(layout.print?.[name] ?? ""))}
          @change=${take}
      /></label>`;
    };
    const toggle = (words: string, on: boolean, act: (on: boolean) => void): TemplateResult =>
      html`<label class="on"
        ><input
          type="checkbox"
          .checked=${live(on)}
          @change=${({ target }: Event) => act((target as HTMLInputElement).checked)}
        />
        ${words}</label
      >`;
    return html`${choice(
        message("export.layout"),
        PRESETS,
        preset ?? "",
        (one) => message(`export.preset.${one}`),
        (one) => (this.layout = LAYOUTS[one]),
      )}
      <details class="layout small">
        <summary>${message("export.details")}</summary>
        ${toggle(message("export.inMillimetres"), layout.print !== null, (on) =>
          change({ print: on ? LAYOUTS.column.print : null }),
        )}
        ${layout.print ? html`${size("millimetres")} ${size("points")}` : nothing}
        ${SHOWN_ON_SHEET.map((name) =>
          toggle(message(`export.with.${name}`), layout[name], (on) => change({ [name]: on })),
        )}
      </details>`;
  }

  private savePicture({ name, read }: PictureChoice, format: Format): void {
    const { pairPart } = this;
    const figure = this.figure(name === "shown" ? pairPart : "all");
    if (!figure) return;
    const { inks } = figure;
    const taken = async (): Promise<Snapshot[]> => [{ ...(await read(figure, pairPart)), inks }];
    void this.keep(() => save(taken(), format, this.paper, this.layout));
  }

  private async keep(begin: () => Promise<Outcome>): Promise<void> {
    const saving = this.within(begin);
    this.saving = saving;
    this.report = this.within(() => message("export.working"));
    const { report } = await saving;
    if (this.saving !== saving) return;
    this.saving = null;
    this.report = report;
  }
}

function groupLabel(group: NumbersChoice["group"], { head }: ExportSubject): string {
  return message(`export.group.${group}`, {
    stack: message(`stack.${head.stack}`),
    layer: head.layer + 1,
    head: head.head + 1,
  });
}

function describe({ axes }: NumbersChoice): string {
  const sizes = axes.map(({ size }) => size);
  const count = sizes.reduce((product, size) => product * size, 1);
  const table = count * TEXT_BYTES;
  const npy = count * NPY_BYTES;
  const shape = message("export.shape", { shape: sizes.join(" × ") });
  return Math.max(table, npy) < LARGE_BYTES
    ? shape
    : `${shape}. ${message("export.large", { table: formatBytes(table), npy: formatBytes(npy) })}`;
}
