import { consume } from "@lit/context";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { currentLocale, laterMessage, message, type MessageKey } from "../i18n/index.js";
import { download } from "../export/download.js";
import {
  encodeAttributes,
  isBundled,
  isOpened,
  linkTo,
  type Picture,
  type State,
} from "../state/index.js";
import { pageHome } from "../session/models/home.js";
import { fittingState } from "../session/run/fitting.js";
import { type Session, sessionContext, type StillName } from "../session/session.js";
import type { ExportSubject } from "../session/subject.js";
import { PagePart } from "../ui/page-part.js";
import { escaped } from "../draw/text.js";
import { addressOf, isLinkedFrom } from "../session/models/addresses.js";
import { modelLabel } from "../session/models/models.js";
import type { FigureCode } from "./figure-code.js";
import styles from "./embed-buttons.css?inline";

type CopyKind = Embedded | "link";

const LABELS: Readonly<Partial<Record<CopyKind, MessageKey>>> = {
  link: "bar.link",
  grid: "embed.copyGrid",
  spectrum: "embed.copySpectrum",
  explorer: "embed.copyExplorer",
};

/** The number of copies that were asked for, by all these buttons. */
let copies = 0;

/**
 * Buttons that copy the link to the page with its pictures, and the HTML that embeds them in other
 * pages; if copying is not allowed, the text is shown for copying by hand. A page with a model from
 * the disk has no link: it is saved as a file.
 */
@customElement("headscope-embed-buttons")
export class HeadscopeEmbedButtons extends PagePart {
  static override styles = unsafeCSS(styles);

  @consume({ context: sessionContext, subscribe: true })
  @property({ attribute: false })
  session: Session | null = null;

  /** The State of the pictures, if it is not the page's. */
  @property({ attribute: false }) shown: State | null = null;
  /**
   * The kinds of text to copy; for a figure of the experiments the page with it, and an explorer
   * that shows it.
   */
  @property() kinds = "link explorer";
  /** The figure that the buttons belong to. */
  @property({ attribute: false }) heading = "";
  /** Receives the report of the last copy; without it the report is shown here. */
  @property({ attribute: false }) say: ((report: string) => void) | null = null;

  @state() private report: MessageKey | null = null;
  /** The text that could not be copied. */
  @state() private byHand: string | null = null;

  override render(): TemplateResult {
    const { heading, byHand, copied, report } = this;
    const kinds = this.kinds.split(" ") as CopyKind[];
    const words = report && laterMessage("notices", report);
    const isOwn = copied !== null && isOpened(copied.model);
    const button = (kind: CopyKind): TemplateResult => {
      const isSaved = isOwn && kind === "link";
      const own = heading === "" || kind === "link" ? LABELS[kind] : null;
      const label = isSaved
        ? message("foot.save")
        : laterMessage("notices", own ?? "embed.copyPicture");
      const named = heading === "" ? nothing : `${label}: ${heading}`;
      return html`<button
        aria-label=${named}
        @click=${() => (isSaved ? this.saveFile() : void this.copy(kind))}
      >
        ${label}
      </button>`;
    };
    // An explorer loads the model of its code by itself.
    const offered = kinds.filter((kind) => !isOwn || kind !== "explorer");
    return html`<div class="inline">${offered.map(button)}</div>
      ${
        byHand === null
          ? nothing
          : html`<textarea
              class="boxed small"
              readonly
              rows="5"
              aria-label=${words ?? nothing}
              .value=${byHand}
            ></textarea>`
      }
      ${this.say ? nothing : html`<p class="small muted" aria-live="polite">${words}</p>`}`;
  }

  /** The State whose pictures are copied. */
  private get copied(): State | null {
    return this.shown ?? this.session?.state ?? null;
  }

  private saveFile(): void {
    this.session?.command("save-page");
    this.tell("saving.own");
  }

  private tell(report: MessageKey): void {
    this.report = report;
    this.say?.(this.within(() => laterMessage("notices", report)));
  }

  private async copy(kind: CopyKind): Promise<void> {
    const turn = (copies += 1);
    this.byHand = null;
    const { session, copied: state } = this;
    if (!state) return;
    const isLink = kind === "link";
    // One side of a comparison has numbers of its own, which are not those of the page.
    const isOfPage = state.compare === session?.state.compare;
    // Waits for what is being computed, which the subject has then.
    const still = isLink || !isOfPage ? null : await this.stillOf(kind);
    // A figure refuses what its model and text do not have, which an explorer's State may hold for
    // another model.
    const subject = isLink || kind === "explorer" ? null : session?.firstSubject;
    const fitting = subject ? fittingState(state, subject.info, subject.run) : state;
    const home = session?.home ?? pageHome();
    const { model, otherModel, compare } = state;
    const second = compare === "other" ? (otherModel ?? model) : model;
    const isLinked = [model, second].every((name) => isLinkedFrom(name, home));
    const code = (): string | null => (isLink ? null : embedCode(kind, fitting, home, still));
    const link = isLinked ? linkTo(state, home) : null;
    const named = isLink ? link : this.within(code);
    const numbered = isOfPage && kind !== "link" && kind !== "explorer" ? session.subject : null;
    const numbers =
      named !== null || !numbered || isLink
        ? null
        : await this.numbersOf(kind as Exclude<Embedded, "explorer">, numbered, home, still);
    const text = named ?? numbers?.html;
    // What was asked for later may have been ready before: it stays in the clipboard.
    if (turn !== copies) return;
    if (!text) {
      this.tell(!isLink ? "embed.ownModel" : isLinked ? "notice.noLink" : "saving.ownModel");
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      for (const { name, text: file } of numbers?.files ?? [])
        await download(new Blob([file], { type: "application/json" }), name);
      if (numbers) this.tell("embed.copiedNumbers");
      else if (session?.hasOwnImage) this.tell("embed.sampleImage");
      else this.tell(isLink ? "bar.linkCopied" : "embed.copied");
    } catch {
      this.byHand = text;
      this.tell(isLink ? "saving.byHand" : "embed.byHand");
    }
  }

  /** The code of figures that carry their numbers; null where they are none of one figure. */
  private async numbersOf(
    kind: Exclude<Embedded, "explorer">,
    subject: ExportSubject,
    home: string,
    still: string | null,
  ): Promise<FigureCode | null> {
    const [{ figuresOf }, { codeOf }] = await Promise.all([
      import("./figure-numbers.js"),
      import("./figure-code.js"),
    ]);
    const locale = currentLocale();
    const figures = await figuresOf(kind, subject);
    return figures.length === 0 ? null : locale.within(() => codeOf(figures, home, still));
  }

  /** The picture that the code has inside; null where there is none. */
  private async stillOf(kind: Embedded): Promise<string | null> {
    try {
      const still = (await this.session?.page.still?.(STILLS[kind])) ?? null;
      if (!still) return null;
      const { stillHtml } = await import("./still.js");
      return await stillHtml(still);
    } catch {
      return null; // The code has words in its place.
    }
  }
}

/**
 * Attributes that a figure in another page does not get: its tag names the picture, and the page
 * sets its appearance.
 */
const APART = new Set([
  "picture",
  "theme",
  "language",
  "tour",
  "lesson",
  "sort",
  "role-filter",
  "picked",
  "experiment",
  "demos",
  "numbers",
]);
/** Attributes of a comparison alone: every other figure is of one run. */
const OF_TWO = new Set(["compare", "other", "othermodel", "otherhead", "aligned", "pairs"]);
const IN_PARTS = new Set(["headscope-heatmap", "headscope-mask", "headscope-difference"]);

/**
 * The kinds of embeds: the shown picture, all heads, a head's singular values, the tokens of a text
 * or of both texts of a translator, or the explorer.
 */
export type Embedded = "picture" | "grid" | "spectrum" | "tokens" | "both-tokens" | "explorer";

/** The figure that shows each picture of the page in other pages: its tag without `headscope-`. */
const FIGURES: Readonly<Record<Picture, string>> = {
  heatmap: "heatmap",
  lines: "lines",
  dimensions: "dimensions",
  steps: "steps",
  mask: "mask",
  positions: "positions",
  image: "image",
  layers: "lens",
};

/** The picture of the page that stands for each kind of embed. */
const STILLS: Readonly<Record<Embedded, StillName>> = {
  picture: "shown",
  grid: "grid",
  spectrum: "spectrum",
  tokens: "tokens",
  "both-tokens": "tokens",
  explorer: "shown",
};

/**
 * The HTML that embeds a State in another page, with the script and the models of `home`, and for
 * where that script does not run the picture `still` and words; null if it needs a model that only
 * the user has.
 */
export function embedCode(
  what: Embedded,
  state: State,
  home: string,
  still: string | null = null,
): string | null {
  const explorer = what === "explorer";
  const two = explorer || (what === "picture" && state.compare !== null);
  if (isOpened(state.model) || (two && state.otherModel !== null && isOpened(state.otherModel)))
    return null;
  const unlocked = { ...state, locked: null };
  const one = (name: string): [tag: string, shown: State][] => [[`headscope-${name}`, state]];
  const figures: Record<Embedded, [tag: string, shown: State][]> = {
    explorer: [["head-scope", state]],
    picture: one(state.compare === null ? FIGURES[state.picture] : "difference"),
    grid: one("grid"),
    spectrum: one("spectrum"),
    // Texts are shown without the locked pair of a head.
    tokens: [["headscope-tokens", unlocked]],
    "both-tokens": [
      ["headscope-tokens", { ...unlocked, stack: "encoder" }],
      ["headscope-tokens", { ...unlocked, stack: "decoder" }],
    ],
  };
  const elements = figures[what].map(([tag, shown], at) => {
    const { text, stack, layer, head } = shown;
    // Written even at the defaults, so that the code can be read and changed.
    const attributes = new Map([
      ["model", ""],
      ...Object.entries({ text, stack, layer: `${layer + 1}`, head: `${head + 1}` }),
    ]);
    for (const [name, value] of encodeAttributes(shown)) {
      const belongs =
        !APART.has(name) && (two || !OF_TWO.has(name)) && (name !== "region" || IN_PARTS.has(tag));
      if (explorer || belongs) attributes.set(name, value);
    }
    // A folder with a relative URL on this page has another one in other pages.
    for (const [name, model] of [
      ["model", shown.model] as const,
      ["othermodel", shown.otherModel] as const,
    ])
      if (model && attributes.has(name))
        attributes.set(name, isBundled(model) ? model : addressOf(model, home));
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    // The figure says which model and head it shows; an explorer shows both by itself.
    if (!explorer) written.push(" caption");
    // The picture of two texts has both.
    const picture = still !== null && at === 0 ? `\n${still}\n` : "";
    return `<${tag}${written.join("")}>${picture}${escaped(instead(shown))}</${tag}>\n`;
  });
  const script = escaped(new URL("embed.js", home).href);
  return `<script type="module" src="${script}"></script>\n${elements.join("")}`;
}

/** What a page shows in place of a figure where its script does not run. */
function instead({ model, stack, layer, head }: State): string {
  const place = message("head.title", { layer: layer + 1, head: head + 1 });
  const about = [modelLabel(model), message(`stack.${stack}`), place].join(" · ");
  return message("embed.instead", { about });
}
