/**
 * Beam search on the page's text: the tree of branches with their scores, what the chosen branch
 * looks at, and the complete texts in their order with and without the length penalty.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type {
  BeamEvent,
  BeamHypothesis,
  BeamStep,
  GenerationEvent,
  HeadRef,
  Token,
} from "../../data/index.js";
import "../../elements/bars.js";
import { predictionLabel, tokenLabel } from "../../elements/shared/templates.js";
import type { Model, RunInput } from "../../headscope.js";
import { formatFixed, message } from "../../i18n/index.js";
import "../../kit/beam-figure.js";
import { branchWords } from "../../kit/beam-figure.js";
import {
  type BeamTree,
  pathTo,
  rankingTable,
  type TreeBranch,
  treeOf,
} from "../../kit/beam-tree.js";
import type { Fields as DemoFields } from "../../kit/fields.js";
import { Fields, formStyles, oneOf, renderFailed } from "../../kit/form.js";
import "../../kit/save-figure.js";
import type { ShownOf } from "../../kit/save-figure.js";
import { Settings } from "../../kit/settings.js";
import { Study } from "../../kit/study.js";
import { inputOf } from "../../session/run/computation.js";
import { SessionPart } from "../../session/session.js";

const NAME = "beams";

/** The settings of the search, and the chosen branch from one; 0 for that of the best text. */
const FIELDS = {
  beams: { control: "number", opens: 3, least: 2, most: 16 },
  penalty: { control: "number", opens: 1, least: -10, most: 10, step: 0 },
  early: { control: "choice", opens: "false", options: ["false", "true", "never"] },
  tokens: { control: "number", opens: 12, least: 1, most: 100 },
  branch: { control: "number", opens: 0, least: 0, most: 9_999_999 },
} as const satisfies DemoFields;

/** A search that is over. */
interface Searched {
  input: RunInput;
  tree: BeamTree;
  hypotheses: readonly BeamHypothesis[];
  greedy: WrittenText;
}

/** A text that a model wrote, and the sum of its tokens' log-probabilities. */
type WrittenText = Pick<BeamHypothesis, "text" | "sum">;

/** What a branch's token was chosen by: the row of attention of one head. */
interface Look {
  branch: number;
  head: HeadRef;
  keys: readonly Token[];
  weights: readonly number[];
}

/** The beam search of the experiment with decoding. */
@customElement("headscope-beam-search")
export class HeadscopeBeamSearch extends SessionPart {
  static override styles = [
    formStyles,
    css`
      h3 {
        margin: 12px 0 4px;
      }
      :is(th, td) {
        padding: 2px 12px 2px 0;
        text-align: left;
        font-weight: normal;
      }
      .number {
        text-align: right;
      }
      tr[aria-current] {
        color: var(--_accent);
      }
    `,
  ];

  @property({ attribute: false }) model!: Model;
  @state() private hovered: number | null = null;

  private readonly fields = new Fields(this);
  private readonly settings = new Settings(this, NAME, FIELDS);
  private readonly search = new Study<Searched>(this);
  private readonly looking = new Study<Look | null>(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search.stop();
    this.looking.stop();
  }

  override render(): TemplateResult {
    this.ask();
    const { failure, stale, answer } = this.search;
    return html`${this.renderSettings()}
    ${
      failure !== null
        ? html`<p class="muted" role="alert">${renderFailed(failure)}</p>`
        : answer && !stale
          ? this.renderFound(answer)
          : html`<p class="muted">${message("demo.waiting")}</p>`
    }`;
  }

  private ask(): void {
    const { model, session } = this;
    const { beams, penalty, early, tokens } = this.settings.values;
    const { generate: _, ...input }: RunInput = inputOf(
      { ...session.state, target: null, sampling: null },
      model,
      session.shownImage,
    );
    const options = {
      num_beams: beams,
      length_penalty: penalty,
      early_stopping: early === "never" ? early : early === "true",
      max_new_tokens: tokens,
    };
    this.search.ask([model, input, options], async ({ signal }) => {
      const steps: BeamStep[] = [];
      let hypotheses: readonly BeamHypothesis[] = [];
      const events: AsyncIterable<BeamEvent | GenerationEvent> = model.generate(input, {
        ...options,
        signal,
      });
      for await (const event of events) {
        if (event.kind === "expand") steps.push(event);
        else if (event.kind === "finish") ({ hypotheses } = event);
      }
      const greedy = await greedyText(model, input, tokens, signal);
      return { input, tree: treeOf(steps), hypotheses, greedy };
    });
  }

  /** Puts the texts with one beam and with several into the card of a question. */
  protected override updated(): void {
    const { answer, stale } = this.search;
    const best = answer?.hypotheses[0];
    if (this.session.state.tour === null || stale || !answer || !best) return;
    const { greedy } = answer;
    const { beams } = this.settings.values;
    const sumOf = ({ sum }: WrittenText): string => formatFixed(sum, 2);
    const [one, several] = [
      message("beams.brief.greedy", { sum: sumOf(greedy) }),
      message("beams.brief.best", { beams, sum: sumOf(best) }),
    ];
    this.session.putDemoAnswer(NAME, [
      { label: one, value: greedy.text, beside: best.text },
      { label: several, value: best.text, beside: greedy.text },
    ]);
  }

  private renderSettings(): TemplateResult {
    const { settings, fields } = this;
    const { beams, penalty, early, tokens } = settings.values;
    const number = (
      id: "beams" | "penalty" | "tokens",
      value: number,
      from: { least: number; most: number; step?: number },
    ): TemplateResult =>
      fields.render({
        control: "number",
        id,
        caption: message(`beams.${id}`),
        value,
        ...from,
        take: (next) => this.set(id, next),
      });
    const stops = oneOf("list", "beams.early", FIELDS.early.options, early, (next) =>
      this.set("early", next),
    );
    return html`<div class="controls inline">
        ${number("beams", beams, FIELDS.beams)} ${number("penalty", penalty, FIELDS.penalty)}
        ${fields.render({ ...stops, id: "early" })} ${number("tokens", tokens, FIELDS.tokens)}
      </div>
      ${fields.troubles()}`;
  }

  /** Changes a setting; the branches of another search are others. */
  private set<Key extends keyof typeof FIELDS>(
    key: Key,
    value: (typeof this.settings.values)[Key],
  ): void {
    this.settings.set(key, value);
    if (this.settings.values.branch !== 0) this.settings.set("branch", 0);
  }

  private renderFound({ input, tree, hypotheses, greedy }: Searched): TemplateResult {
    const chosen = this.chosenIn(tree, hypotheses);
    const shown = this.hovered ?? chosen;
    const nameOf = this.namer(tree);
    const branch = tree.branches.get(shown ?? -1);
    if (branch) this.askLook(input, tree, branch);
    const of = ofSearch(input);
    return html`<headscope-save-figure
        name="beams"
        .heading=${message("beams.tree")}
        .of=${of}
        .details=${this.details}
      >
        <headscope-beam-tree
          .tree=${tree}
          .chosen=${chosen}
          .nameOf=${nameOf}
          @headscope-branch=${({ detail }: CustomEvent<number>) =>
            this.settings.set("branch", detail + 1)}
          @headscope-branch-hover=${({ detail }: CustomEvent<number | null>) =>
            (this.hovered = detail)}
        ></headscope-beam-tree>
      </headscope-save-figure>
      ${branch ? html`<p class="status">${branchWords(branch, nameOf)}</p>` : nothing}
      ${this.renderLook(of)} ${this.renderRanking(hypotheses, chosen, of)}
      <p class="small">
        ${message("beams.greedy", { text: greedy.text, sum: formatFixed(greedy.sum, 3) })}
      </p>`;
  }

  /** The settings of the search, for files. */
  private get details(): string[] {
    const { beams, penalty, early, tokens } = this.settings.values;
    const values = { beams, penalty, early: message(`beams.early.${early}`), tokens };
    return Object.entries(values).map(
      ([name, value]) => `${message(`beams.${name as keyof typeof values}`)}: ${value}`,
    );
  }

  /** The chosen branch of a search: by default the last one of the best text. */
  private chosenIn(tree: BeamTree, hypotheses: readonly BeamHypothesis[]): number | null {
    const { branch } = this.settings.values;
    if (branch > 0 && tree.branches.has(branch - 1)) return branch - 1;
    return hypotheses[0]?.branch ?? null;
  }

  /** Names the token of a branch as it reads after the token before it. */
  private namer(tree: BeamTree): (branch: TreeBranch) => string {
    const { info } = this.model;
    return ({ token, parent }) => {
      const before = tree.branches.get(parent ?? -1)?.token;
      const role = info.endTokens.includes(token.id) ? "end" : null;
      const special = role !== null;
      const at: Token = { ...token, word: 0, special, role };
      return before || special ? predictionLabel(token, at, info) : tokenLabel(at);
    };
  }

  /** Reads what the token of a branch was chosen by: the row of the token before it. */
  private askLook(input: RunInput, tree: BeamTree, branch: TreeBranch): void {
    const { model } = this;
    const head = this.headOf();
    const before = pathTo(tree, branch.id)
      .slice(0, -1)
      .map(({ token }) => token.id);
    this.looking.ask([model, input, branch.id, before, head], async ({ signal }) => {
      const run = await model.run(runInputOf(model, input, before), { signal });
      try {
        const isCross = head.stack === "cross";
        const keys = isCross ? run.tokens : run.targetTokens;
        const last = run.targetTokens.length - 1;
        const rows = [last, last + 1] satisfies [number, number];
        const { data } = await run.attention({ ...head, rows });
        return { branch: branch.id, head, keys, weights: [...data.subarray(0, keys.length)] };
      } finally {
        run.release();
      }
    });
  }

  /** The page's head where it looks at what the decoder reads, else the first one that does. */
  private headOf(): HeadRef {
    const { head } = this.session.onPage;
    if (head && head.stack !== "encoder") return head;
    const stack = this.model.info.architecture === "encoder-decoder" ? "cross" : "decoder";
    return { stack, layer: 0, head: 0 };
  }

  private renderLook(of: ShownOf): TemplateResult {
    const { answer, failure } = this.looking;
    if (failure !== null) return html`<p role="alert">${renderFailed(failure)}</p>`;
    if (!answer) return html`<p class="muted">${message("demo.waiting")}</p>`;
    const { keys, weights, head } = answer;
    const heading = message("beams.look", {
      stack: message(`stack.${head.stack}`),
      layer: head.layer + 1,
      head: head.head + 1,
    });
    const items = keys.map((token, at) => ({
      label: tokenLabel(token),
      value: weights[at] ?? 0,
      text: formatFixed(weights[at] ?? 0, 3),
    }));
    return html`<headscope-save-figure name="beams-attention" .heading=${heading} .of=${of}>
      <headscope-bars .items=${items} .max=${1} .heading=${heading}></headscope-bars>
    </headscope-save-figure>`;
  }

  private renderRanking(
    hypotheses: readonly BeamHypothesis[],
    chosen: number | null,
    of: ShownOf,
  ): TemplateResult {
    if (hypotheses.length === 0) return html`<p class="muted">${message("beams.none")}</p>`;
    const { penalty } = this.settings.values;
    const row = (one: BeamHypothesis, at: number): TemplateResult => {
      const choose = (): void => this.settings.set("branch", one.branch + 1);
      return html`<tr aria-current=${one.branch === chosen ? "true" : nothing}>
        <td class="number">${at + 1}</td>
        <td class="number">${one.rankBySum + 1}</td>
        <td>
          <button class="link" @click=${choose}><bdi>${one.text}</bdi></button>
        </td>
        <td class="number">${formatFixed(one.score, 4)}</td>
        <td class="number">${formatFixed(one.sum, 3)}</td>
        <td class="number">${one.ids.length}</td>
      </tr>`;
    };
    return html`<h3>${message("beams.ranking")}</h3>
      <p class="small muted">${message("beams.score", { penalty: formatFixed(penalty, 2) })}</p>
      <headscope-save-figure
        name="beams-ranking"
        .heading=${message("beams.ranking")}
        .of=${of}
        .table=${rankingTable(hypotheses)}
      >
        <div class="scroll">
          <table>
            <tr class="small muted">
              ${(["rank", "bySum", "text", "scored", "sum", "length"] as const).map(
                (name) => html`<th scope="col">${message(`beams.column.${name}`)}</th>`,
              )}
            </tr>
            ${hypotheses.map(row)}
          </table>
        </div>
      </headscope-save-figure>`;
  }
}

/** The text of the likeliest token at each step. */
async function greedyText(
  model: Model,
  input: RunInput,
  tokens: number,
  signal: AbortSignal,
): Promise<WrittenText> {
  const ids: number[] = [];
  let sum = 0;
  for await (const event of model.generate(input, { max_new_tokens: tokens, signal })) {
    ids.push(event.chosen.id);
    sum += Math.log(event.probability);
  }
  return { text: model.decode(ids, { target: true }).trim(), sum };
}

/** The text of a search, for files. */
const ofSearch = ({ text = "", edits = {} }: RunInput): ShownOf => ({
  text,
  target: null,
  masked: [],
  edits,
  compared: null,
  aligned: null,
});

/** The input of a run of the text, and of the tokens that a branch has behind it. */
function runInputOf(model: Model, input: RunInput, written: readonly number[]): RunInput {
  const { architecture, startToken } = model.info;
  if (architecture === "encoder-decoder") {
    const start = startToken === null ? [] : [startToken];
    return { ...input, targetIds: [...start, ...written] };
  }
  const { text = "", specialTokens = true, ...more } = input;
  const ids = model.tokenize(text, undefined, { specialTokens }).map(({ id }) => id);
  return { ...more, ids: [...ids, ...written] };
}
