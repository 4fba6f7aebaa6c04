/** What the chosen head reads and writes by its weights alone, without any text. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Circuit, Circuits, HeadRef } from "../data/index.js";
import "../elements/spectrum.js";
import type { SingularList } from "../elements/spectrum.js";
import { HeadscopeError, type Model, type NamedPair } from "../headscope.js";
import { formatFixed, formatNumber, message, type MessageKey } from "../i18n/index.js";
import { describeFailure, isExpected } from "../session/run/failures.js";
import { SessionPart } from "../session/session.js";
import { nameOfHead } from "../state/index.js";

/** The largest vocabulary whose pairs the engine lists. */
const LARGEST_VOCABULARY = 8192;
const LISTED_PAIRS = 8;
const CIRCUITS = ["query-key", "value-output"] as const satisfies readonly Circuit[];

/** The numbers of one head, or why there are none. */
interface Answer {
  circuits: Circuits | null;
  pairs: readonly (readonly [Circuit, readonly NamedPair[]])[];
  failure: unknown;
}

@customElement("headscope-head-circuits")
export class HeadscopeHeadCircuits extends SessionPart {
  static override styles = css`
    :host > * + * {
      margin-top: 8px;
    }
    ol {
      columns: 2;
    }
  `;

  @state() private answer: Answer | null = null;
  /** The model and the head of the answer, or of the question that is asked. */
  private asked: { model: Model; head: string } | null = null;

  protected override willUpdate(): void {
    const { computation, chosen: head } = this.session;
    const { model } = computation;
    if (!model || !head || this.isAbout(model, head)) return;
    this.asked = { model, head: nameOfHead(head) };
    this.answer = null;
    void this.read(model, head);
  }

  private async read(model: Model, head: HeadRef): Promise<void> {
    const answer: Answer = { circuits: null, pairs: [], failure: null };
    try {
      answer.circuits = await model.circuits(head);
      answer.pairs = await readPairs(model, head);
    } catch (thrown) {
      if (!isExpected(thrown)) answer.failure = thrown;
    }
    if (this.isAbout(model, head)) this.answer = answer;
  }

  private isAbout(model: Model, head: HeadRef): boolean {
    return this.asked?.model === model && this.asked.head === nameOfHead(head);
  }

  override render(): TemplateResult {
    const { answer } = this;
    if (!answer) return html`<p class="small muted">${message("circuits.working")}</p>`;
    const { circuits, failure } = answer;
    if (!circuits)
      return html`<p class="small muted">${failure ? describeFailure(failure).sentence : ""}</p>`;
    return html`<headscope-spectrum .lists=${listsOf(circuits)}></headscope-spectrum>
      ${this.renderScores(circuits)} ${this.renderPairs(answer)}`;
  }

  private renderScores(circuits: Circuits): TemplateResult {
    const { sharedRank, copying, tokenCopying, previousToken, induction } = circuits;
    const scores = [
      ["copying", copying],
      ["tokenCopying", tokenCopying],
      ["previous", previousToken],
    ] as const;
    const through = induction && {
      matching: formatFixed(induction.matching),
      previous: formatFixed(induction.previousToken),
      layer: induction.layer + 1,
      head: induction.head + 1,
    };
    const rank = (rank: number, of: number): string => message("circuits.rankOf", { rank, of });
    const score = (name: string, hint: MessageKey, words: string): TemplateResult =>
      html`<dt title=${message(hint)}>${message(`circuits.${name}` as MessageKey)}</dt>
        <dd data-circuit=${name}>${words}</dd>`;
    return html`<dl class="small">
      ${
        sharedRank
          ? html`<dt>${message("circuits.shared")}</dt>
              <dd>${rank(sharedRank.rank90, sharedRank.of)}</dd>`
          : nothing
      }
      ${scores.map(([name, value]) =>
        score(
          name,
          `circuits.${name}Hint`,
          value === null ? message("circuits.undefined") : formatFixed(value),
        ),
      )}
      ${score(
        "induction",
        "circuits.inductionHint",
        through ? message("circuits.through", through) : message("circuits.undefined"),
      )}
    </dl>`;
  }

  private renderPairs({ pairs }: Answer): TemplateResult {
    const count = this.session.info?.vocabSize ?? 0;
    const most = formatNumber(LARGEST_VOCABULARY);
    const none =
      count > LARGEST_VOCABULARY
        ? message("circuits.tooLarge", { most, count: formatNumber(count) })
        : message("circuits.noTokens");
    const list = (all: readonly NamedPair[]): TemplateResult =>
      html`<ol class="small">
        ${all.map(
          ({ fromText: from, toText: to, value }) =>
            html`<li>
              <bdi>${message("circuits.pair", { from, to })}</bdi> ${formatFixed(value)}
            </li>`,
        )}
      </ol>`;
    return html`<h3>${message("circuits.pairs")}</h3>
      ${
        pairs.length === 0
          ? html`<p class="small muted">${none}</p>`
          : pairs.map(
              ([circuit, all]) =>
                html`<p class="small muted">${message(`circuits.${circuit}`)}</p>
                  ${list(all)}`,
            )
      }`;
  }
}

/** The pairs of each circuit that the head has over the vocabulary. */
async function readPairs(model: Model, head: HeadRef): Promise<Answer["pairs"]> {
  const read = async (circuit: Circuit): Promise<Answer["pairs"]> => {
    try {
      const all = await model.tokenPairs({ ...head, circuit, topK: LISTED_PAIRS });
      return [[circuit, all]];
    } catch (thrown) {
      const { code = "" } = thrown instanceof HeadscopeError ? thrown : {};
      if (code === "selection/too-large" || code === "selection/bad-stack") return [];
      throw thrown;
    }
  };
  return (await Promise.all(CIRCUITS.map(read))).flat();
}

function listsOf({ queryKey, valueOutput }: Circuits): SingularList[] {
  return [
    { of: "scores", heading: message("circuits.queryKey"), ...ranked(queryKey) },
    { of: "weights", heading: message("circuits.valueOutput"), ...ranked(valueOutput) },
  ];
}

function ranked({ values, rank90 }: Circuits["queryKey"]): Pick<SingularList, "values" | "rank"> {
  return { values, rank: rank90 };
}
