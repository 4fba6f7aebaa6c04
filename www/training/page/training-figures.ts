import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell, Palette, Stack, Token } from "../../data/index.js";
import type { HeadDetail } from "../../elements/events.js";
import type { HeadscopeGrid } from "../../elements/grid/element.js";
import "../../elements/grid/element.js";
import { Memo } from "../../elements/shared/controllers.js";
import "../../elements/heatmap.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import { assignedRoles, roleCaptions, rolesByHead } from "../../session/run/head-order.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import type { Checkpoint } from "../checkpoints.js";
import { type StackPicture, stackIn } from "../picture.js";
import type { Training } from "../training.js";
import type { Measured } from "../training-run.js";
import { learnedRoles } from "./heads-forming.js";
import styles from "./training-figures.css?inline";

/**
 * What the heads of one training do at a checkpoint: the grid of all heads, the pattern of one of
 * them, and what the model answers.
 */
@customElement("headscope-training-figures")
export class HeadscopeTrainingFigures extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) training: Training | null = null;
  @property({ attribute: false }) checkpoint: Checkpoint | null = null;
  /** What was measured at each checkpoint so far. */
  @property({ attribute: false }) measured: readonly Measured[] = [];
  /** The name of the training beside another one; empty for one alone. */
  @property() label = "";
  @property() stack: Stack | null = null;
  @property({ attribute: false }) head: HeadDetail = { layer: 0, head: 0 };
  @property() colours: Palette = "blue";
  @property({ attribute: false }) chooseStack: (stack: Stack) => void = () => undefined;
  @property({ attribute: false }) chooseHead: (head: HeadDetail) => void = () => undefined;
  /** Shows the checkpoint of a step. */
  @property({ attribute: false }) chooseStep: (step: number) => void = () => undefined;
  @property({ attribute: false }) open: () => void = () => undefined;
  @property({ attribute: false }) save: () => void = () => undefined;
  @state() private hovered: Cell | null = null;
  @state() private locked: Cell | null = null;
  private readonly roles = new Memo<Pick<HeadscopeGrid, "roles" | "captions">>();
  private readonly tokens = new Memo<Record<"source" | "target", Token[]>>();

  protected override render(): TemplateResult | typeof nothing {
    const { training, checkpoint } = this;
    if (!training) return nothing;
    const picture = checkpoint && stackIn(checkpoint.picture, this.stack);
    return html`${this.renderHeads(picture)} ${this.renderPattern(training, picture)}`;
  }

  private renderHeads(picture: StackPicture | null): TemplateResult {
    const { checkpoint } = this;
    const { stacks = [] } = checkpoint?.picture ?? {};
    const step = checkpoint?.step ?? 0;
    const { roles, captions } = this.roles.get([picture, language()], () => {
      const own =
        picture && assignedRoles({ basis: "here", scores: rolesByHead(picture.measures) });
      return { roles: own, captions: roleCaptions(own) };
    });
    return html`<section class="heads">
      <div class="inline ends">
        <h3>
          ${
            this.label === ""
              ? message("training.heads", { step })
              : message("training.headsOf", { step, run: this.label })
          }
        </h3>
        ${
          stacks.length > 1
            ? choice(
                message("training.stack"),
                stacks.map(({ stack }) => stack),
                picture?.stack ?? "",
                (stack) => message(`stack.${stack}`),
                this.chooseStack,
                "segments",
              )
            : nothing
        }
      </div>
      <headscope-grid
        plain
        .thumbnails=${picture?.thumbnails ?? null}
        .selected=${this.head}
        .roles=${roles}
        .captions=${captions}
        .measures=${picture?.measures ?? null}
        .basis=${"here"}
        .stack=${picture?.stack ?? "decoder"}
        .colours=${this.colours}
        @headscope-head-select=${({ detail: { layer, head } }: CustomEvent<HeadDetail>) =>
          this.chooseHead({ layer, head })}
      ></headscope-grid>
      ${this.renderEvents(picture?.stack ?? "decoder")}
    </section>`;
  }

  /** Renders the heads that took a role, the newest first. */
  private renderEvents(stack: Stack): TemplateResult {
    return html`<ul class="events small" aria-label=${message("training.events")}>
      ${learnedRoles(this.measured, stack).map(
        ({ step, layer, head, role, score }) =>
          html`<li>
            <button
              class="link"
              @click=${() => {
                this.chooseStep(step);
                this.chooseHead({ layer, head });
              }}
            >
              ${message("training.event", {
                step,
                layer: layer + 1,
                head: head + 1,
                role: message(`role.${role}`),
                score: formatFixed(score, 2),
              })}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private renderPattern(training: Training, picture: StackPicture | null): TemplateResult {
    const { checkpoint } = this;
    const [layers = 0, heads = 0] = picture?.thumbnails.shape ?? [];
    const layer = Math.min(this.head.layer, layers - 1);
    const head = Math.min(this.head.head, heads - 1);
    const stack = picture?.stack ?? "decoder";
    const { source, target } = this.tokens.get([training], () => tokensOf(training));
    return html`<section class="pattern">
      <h3>${message("head.title", { layer: layer + 1, head: head + 1 })}</h3>
      <headscope-heatmap
        .tensor=${picture?.patterns[layer]?.[head] ?? null}
        .queries=${stack === "encoder" ? source : target}
        .keys=${stack === "decoder" ? target : source}
        .focused=${this.hovered ?? this.locked}
        .locked=${this.locked}
        .colours=${this.colours}
        comfortable-height="340"
        @headscope-cell-hover=${({ detail }: CustomEvent<Cell | null>) => (this.hovered = detail)}
        @headscope-cell-lock=${({ detail }: CustomEvent<Cell | null>) => (this.locked = detail)}
      ></headscope-heatmap>
      ${checkpoint ? renderAnswers(training, checkpoint) : nothing}
      <div class="inline apart">
        <button class="act" id="open" ?disabled=${!checkpoint} @click=${this.open}>
          ${message("training.open")}
        </button>
        <button class="act" ?disabled=${!checkpoint} @click=${this.save}>
          ${message("training.save")}
        </button>
      </div>
    </section>`;
  }
}

/** The tokens of the shown text: those of the source, and those of the target or the same. */
function tokensOf(training: Training): Record<"source" | "target", Token[]> {
  const { ids, targetIds } = training.run.course.text;
  const source = training.tokensOf(ids);
  return { source, target: targetIds ? training.tokensOf(targetIds) : source };
}

/** Renders what the model answers at the positions that are asked, and which is wrong. */
function renderAnswers(
  training: Training,
  { picture: { answers } }: Checkpoint,
): TemplateResult | typeof nothing {
  if (answers.length === 0) return nothing;
  const right = answers.filter((one) => one.given === one.right).length;
  const textOf = (id: number): string => training.tokensOf([id])[0]?.text ?? "";
  return html`<p class="answers small">
    <span class="muted"> ${message("training.answers", { right, count: answers.length })} </span>
    ${answers.map((one) =>
      one.given === one.right
        ? html`<span class="answer">${textOf(one.given)}</span>`
        : html`<span
            class="answer wrong"
            title=${message("training.wrong", { right: textOf(one.right) })}
            >${textOf(one.given)}<span class="visually-hidden"
              >${message("training.wrong", { right: textOf(one.right) })}</span
            ></span
          >`,
    )}
  </p>`;
}
