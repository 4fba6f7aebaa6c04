/**
 * Searches the held-out sentences of the bundled models for pairs of texts between which a patch
 * of one head recovers much of the effect, and writes the samples of the experiment with patches:
 *
 *     npm run samples
 *
 * A pair is a held-out sentence and the same one with one word exchanged for another word of the
 * held-out sentences. Of each kind the pair with the highest grade is taken, and nothing is chosen
 * by hand. The grade is the product of the largest recovered effect of a head (at most 1), the
 * fourth root of the product of the probabilities of both answers, and the probability of a token
 * of the exchanged sentence as a share of that of the sentence, by Tiny GPT.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Headscope from "../../www/headscope.js";
import type { At, Model, Prediction, Run, RunInput, Stack } from "../../www/headscope.js";
import type { PatchSample } from "../../www/session/models/patch-samples.js";

/** The repository, from which npm starts its scripts. */
const ROOT = pathToFileURL(`${process.cwd()}/`);
const PACKAGE = new URL("dist/npm/headscope.js", ROOT).href;
const { loadModel } = (await import(/* @vite-ignore */ PACKAGE)) as typeof Headscope;
const OUT = new URL("www/session/models/patch-samples.json", ROOT);

type Random = () => number;
type Words = readonly [one: string, other: string];

/** A pair of texts that may become a sample. */
interface Pair {
  clean: string;
  corrupted: string;
  /** The masked positions, in both texts. */
  masked?: number[];
  /** The texts of both answers, where they are given. */
  answers?: Words;
}

/** What makes pairs of the held-out sentences of a model. */
type Candidates = (sentences: readonly string[], random: Random, model: Model) => Pair[];

/** The answer to a text, with its probability there. */
type Answer = Pick<Prediction, "id" | "text" | "probability">;

/** The answers to both texts, and where they are given. */
interface Answers {
  one: Answer;
  other: Answer;
  position: number;
  /** What a translator's decoder reads up to there. */
  target: number[] | null;
}

/** The seed of the exchanged words. */
const SEED = 1;
/** A pair without a head of a recovered effect of this much is no sample. */
const LEAST_EFFECT = 0.2;
/** The most pairs of a kind that are run. */
const MOST_PAIRS = 2500;

const VERBS: readonly Words[] = [
  ["is", "are"],
  ["was", "were"],
  ["has", "have"],
];

const PRONOUNS: readonly Words[] = [
  ["he", "she"],
  ["his", "her"],
  ["him", "her"],
  ["himself", "herself"],
];

const PERSONS: readonly Words[] = [
  ["he", "she"],
  ["He", "She"],
  ["his", "her"],
  ["His", "Her"],
  ["man", "woman"],
  ["boy", "girl"],
  ["father", "mother"],
  ["brother", "sister"],
  ["son", "daughter"],
  ["husband", "wife"],
  ["Tom", "Mary"],
];

const ARTICLES = ["a", "an", "the", "my", "your", "his", "her", "our", "their"];

/** A word that begins no sentence, without signs. */
const WORD = /^[a-z]{3,}$/;
const SMALL = new Set(
  (
    "the and you that was for are with his her they have this from not but had what were when your " +
    "can said there use each which she how their will other about out many then them these some " +
    "would make like him into time has look two more write see could than been its who did get may " +
    "does don isn won very just also too never always must should might here why where because any " +
    "all our one only even still until such both own same"
  ).split(" "),
);

/** A generator of numbers below 1 (mulberry32), so that every search draws the same pairs. */
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function heldOut(name: string): string[] {
  const notes = readFileSync(new URL(`models/${name}/headscope.json`, ROOT), "utf8");
  const { sentences } = JSON.parse(notes) as Headscope.ModelNotes;
  return sentences.map(({ text }) => text);
}

const wordsIn = (sentence: string): string[] => sentence.replace(/[.!?]$/, "").split(" ");

const isContent = (word: string): boolean => WORD.test(word) && !SMALL.has(word);

/**
 * The last words of the sentences behind each article or possessive: words that can stand for one
 * another.
 */
function lastNouns(sentences: readonly string[]): Map<string, Set<string>> {
  const nouns = new Map(ARTICLES.map((article) => [article, new Set<string>()]));
  for (const sentence of sentences) {
    const [article = "", noun = ""] = wordsIn(sentence).slice(-2);
    if (isContent(noun)) nouns.get(article)?.add(noun);
  }
  return nouns;
}

/** A sentence whose last noun is exchanged for another. */
interface Exchanged {
  sentence: string;
  words: string[];
  noun: string;
  other: string;
  changed: string[];
}

/** Each sentence with some others in place of its last noun. */
function exchanged(sentences: readonly string[], random: Random, count: number): Exchanged[] {
  const nouns = lastNouns(sentences);
  return sentences.filter(isPlain).flatMap((sentence) => {
    const words = wordsIn(sentence);
    const [article = "", noun = ""] = words.slice(-2);
    if (!isContent(noun)) return [];
    return shuffled([...(nouns.get(article) ?? [])], random)
      .filter((other) => other !== noun)
      .slice(0, count)
      .map((other) => ({ sentence, words, noun, other, changed: words.with(-1, other) }));
  });
}

/** Sentences of one clause of a few words. */
const isPlain = (sentence: string): boolean =>
  /^[A-Z][A-Za-z ]+\.$/.test(sentence) && wordsIn(sentence).length <= 9;

/**
 * A noun before its verb in the other number, or a person of the other gender before a pronoun; the
 * text ends before what agrees.
 */
function agreements(sentences: readonly string[]): Pair[] {
  return sentences.flatMap((sentence) => {
    const words = wordsIn(sentence);
    return words.flatMap((word, end) => {
      const agreeing = [...VERBS, ...PRONOUNS].find((pair) => pair.includes(word));
      if (!agreeing) return [];
      const [first, second] = agreeing;
      const answers: Words = word === first ? [first, second] : [second, first];
      const before = words.slice(0, end);
      const clean = before.join(" ");
      const pair = (at: number, other: string): Pair => {
        return { clean, corrupted: before.with(at, other).join(" "), answers };
      };
      if (VERBS.includes(agreeing))
        return before.flatMap((noun, at) => {
          const other = noun.endsWith("s") ? noun.slice(0, -1) : `${noun}s`;
          return at > 0 && isContent(noun) ? [pair(at, other)] : [];
        });
      return before.flatMap((person, at) => {
        const known = PERSONS.find((pair) => pair.includes(person));
        if (!known) return [];
        const [man, woman] = known;
        return [pair(at, person === man ? woman : man)];
      });
    });
  });
}

/**
 * A sentence that is said twice, and ends before a word that was another one the first time.
 */
const inductions: Candidates = (sentences, random) => {
  return exchanged(sentences, random, 6).map(({ sentence, words, noun, other, changed }) => {
    const again = words.slice(0, -1).join(" ");
    return {
      clean: `${sentence} ${again}`,
      corrupted: `${changed.join(" ")}. ${again}`,
      answers: [noun, other],
    };
  });
};

/**
 * A sentence in which what agrees with a noun or a person is masked.
 */
const maskedAgreements: Candidates = (sentences, _, model) => {
  return sentences.filter(isPlain).flatMap((sentence) => {
    const words = wordsIn(sentence);
    // Each word is one token, behind the start.
    if (model.tokenize(sentence).length !== words.length + 3) return [];
    return agreements([sentence]).map(({ clean, corrupted, answers }) => {
      const end = wordsIn(clean).length;
      const rest = sentence.slice(clean.length);
      const texts = { clean: sentence, corrupted: `${corrupted}${rest}` };
      return { ...texts, masked: [end + 1], ...(answers && { answers }) };
    });
  });
};

/**
 * A sentence of which the last noun is exchanged for another.
 */
const translations: Candidates = (sentences, random) => {
  const found = exchanged(sentences, random, 6);
  // Behind “a” stand many words that are no nouns: a lot, a while.
  const nouns = found.filter(({ words }) => !["a", "an"].includes(words.at(-2) ?? ""));
  return nouns.map(({ sentence, changed }) => {
    return { clean: sentence, corrupted: `${changed.join(" ")}.` };
  });
};

/** The last position that predicts, or the one before the first token that differs. */
function positionOf({ info: { architecture } }: Model, clean: Run, corrupted: Run): number {
  if (architecture === "encoder")
    return clean.tokens.findLastIndex(({ maskedId }) => maskedId !== undefined);
  if (architecture === "decoder") return clean.targetTokens.length - 1;
  const first = clean.targetTokens.findIndex(({ id }, at) => id !== corrupted.targetTokens[at]?.id);
  return first - 1;
}

async function likeliest(run: Run, position: number): Promise<Answer | undefined> {
  const [entries = []] = await run.predictions({ positions: [position], topK: 1 });
  return entries[0];
}

/**
 * Two words behind a text, each with its probability in its own text; none where one of them is
 * the likelier one in the other text too.
 */
async function givenAnswers(
  model: Model,
  text: string,
  words: Words,
  { clean, corrupted, position }: { clean: Run; corrupted: Run; position: number },
): Promise<Answer[]> {
  const isMasked = clean.tokens.some(({ maskedId }) => maskedId !== undefined);
  const ids = words.flatMap((word) => {
    if (isMasked) return model.tokenize(word)[1]?.id ?? [];
    const tokens = model.tokenize(`${text} ${word}`);
    return tokens.length === clean.targetTokens.length + 1 ? (tokens.at(-1)?.id ?? []) : [];
  });
  if (ids.length < words.length) return [];
  const read = async (run: Run): Promise<number[]> => {
    const found = await run.probabilities({ positions: ids.map(() => position), ids });
    return found.map(({ probability }) => probability);
  };
  const [one = 0, less = 0] = await read(clean);
  const [notOne = 0, other = 0] = await read(corrupted);
  if (one <= less || other <= notOne) return [];
  return words.map((word, at) => {
    return { id: ids[at] ?? 0, text: word, probability: at === 0 ? one : other };
  });
}

/** The answers of a pair and their probabilities; null where there are not two. */
async function answersOf(model: Model, pair: Pair): Promise<Answers | null> {
  const { masked, answers } = pair;
  const [length, otherLength] = [pair.clean, pair.corrupted].map((text) => {
    return model.tokenize(text).length;
  });
  if (length !== otherLength) return null;
  const gaps = masked ? { masked } : {};
  const clean = await model.run({ text: pair.clean, ...gaps });
  const corrupted = await model.run({ text: pair.corrupted, ...gaps });
  try {
    // A translation that differs in one token alone is one of the exchanged word.
    if (model.info.architecture === "encoder-decoder") {
      const [one, other] = [clean.targetTokens, corrupted.targetTokens];
      const differ = one.filter(({ id }, at) => id !== other[at]?.id).length;
      if (one.length !== other.length || differ !== 1) return null;
    }
    const position = positionOf(model, clean, corrupted);
    if (position < 0) return null;
    const [one, other] = answers
      ? await givenAnswers(model, pair.clean, answers, { clean, corrupted, position })
      : [await likeliest(clean, position), await likeliest(corrupted, position)];
    if (!one || !other || one.id === other.id) return null;
    const isPlainWord = ({ text }: Answer): boolean => /^ ?[a-zà-ÿ]{2,}$/i.test(text);
    if (![one, other].every(isPlainWord)) return null;
    const read = model.info.architecture === "encoder-decoder" ? clean.targetTokens : null;
    const target = read?.slice(0, position + 1).map(({ id }) => id) ?? null;
    return { one, other, position, target };
  } finally {
    clean.release();
    corrupted.release();
  }
}

/** A head and what its patch recovers. */
interface Recovered {
  at: At;
  recovered: number;
}

/** The heads whose patch recovers something, those that recover most first. */
async function headsOf(
  model: Model,
  { clean, corrupted, masked }: Pair,
  { one, other, position, target }: Answers,
): Promise<Recovered[]> {
  const input = (text: string): RunInput => ({
    ...(masked && { masked }),
    ...(target ? { ids: model.tokenize(text).map(({ id }) => id), targetIds: target } : { text }),
  });
  const own = Object.keys(model.info.stacks) as Stack[];
  const stacks: Stack[] = target ? ["encoder", "cross"] : own;
  const cells: Recovered[] = [];
  for (const stack of stacks)
    for await (const { at, recovered } of model.patchGrid({
      clean: input(clean),
      corrupted: input(corrupted),
      target: { id: one.id, minus: other.id, position },
      what: "head",
      stack,
    }))
      if (recovered !== null) cells.push({ at, recovered });
  return cells.sort((first, second) => second.recovered - first.recovered);
}

/** The mean log-probability of the tokens of a text behind its first one. */
async function plausibility(writer: Model, text: string): Promise<number> {
  const run = await writer.run({ text });
  const ids = run.targetTokens.slice(2).map(({ id }) => id);
  const found = await run.probabilities({ positions: ids.map((_, at) => at + 1), ids });
  run.release();
  return found.reduce((sum, { logProbability }) => sum + logProbability, 0) / ids.length;
}

/** Reads the pairs that a model answers differently, and grades them by the effects of heads. */
async function search(
  name: string,
  kind: PatchSample["kind"],
  candidates: Candidates,
  writer: Model,
): Promise<PatchSample> {
  const model = await loadModel(folderOf(name));
  const random = generator(SEED);
  const sentences = heldOut(name);
  const pairs = shuffled(candidates(sentences, random, model), random).slice(0, MOST_PAIRS);
  const found: { pair: Pair; answers: Answers; best: Recovered; grade: number }[] = [];
  for (const pair of pairs) {
    const answers = await answersOf(model, pair);
    if (!answers) continue;
    const [best] = await headsOf(model, pair, answers);
    if (!best || best.recovered < LEAST_EFFECT) continue;
    const likely = await plausibility(writer, pair.corrupted);
    const asLikely = Math.min(1, Math.exp(likely - (await plausibility(writer, pair.clean))));
    const sure = (answers.one.probability * answers.other.probability) ** 0.25;
    found.push({ pair, answers, best, grade: sure * asLikely * Math.min(1, best.recovered) });
  }
  model.dispose();
  found.sort((one, other) => other.grade - one.grade);
  report(`${kind} of ${name}: ${pairs.length} pairs, ${found.length} with a head`);
  for (const { pair, answers, best, grade } of found.slice(0, 3)) {
    const { stack, layer, head } = best.at;
    const texts = `${pair.clean} | ${pair.corrupted} → ${answers.one.text} | ${answers.other.text}`;
    const place = `${stack} ${layer + 1}.${(head ?? 0) + 1}: ${best.recovered.toFixed(3)}`;
    report(`  ${grade.toFixed(3)} ${texts} ${place}`);
  }
  const [first] = found;
  if (!first) throw new Error(`No pair of ${kind} has a head with such an effect.`);
  const { pair, best, answers } = first;
  const { stack, layer, head = 0 } = best.at;
  const { clean, corrupted, masked = [] } = pair;
  const entry = answers.one.id;
  return { kind, clean, corrupted, masked, entry, against: answers.other.id, stack, layer, head };
}

const folderOf = (name: string): string => fileURLToPath(new URL(`models/${name}/`, ROOT));

const report = (line: string): boolean => process.stdout.write(`${line}\n`);

const writer = await loadModel(folderOf("tiny-gpt"));
const samples = {
  "models/en-fr": [await search("en-fr", "translation", translations, writer)],
  "models/tiny-gpt": [
    await search("tiny-gpt", "agreement", agreements, writer),
    await search("tiny-gpt", "induction", inductions, writer),
  ],
  "models/tiny-bert": [await search("tiny-bert", "agreement", maskedAgreements, writer)],
};
writer.dispose();
writeFileSync(OUT, `${JSON.stringify(samples, null, 2)}\n`);
