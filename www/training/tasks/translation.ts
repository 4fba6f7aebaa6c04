/**
 * Translation: 500 English sentences and their Spanish ones, of a small grammar. In Spanish
 * articles, nouns and adjectives agree in gender and number, adjectives follow their noun, and the
 * verb agrees with its subject.
 */
import { Random } from "../random.js";
import { type Exercise, listed, type Task, type TaskKind } from "./task.js";

export const TRANSLATION: TaskKind = {
  kinds: ["encoder-decoder", "decoder"],
  // The words of the longest sentence.
  lengths: { least: 7, usual: 7, most: 7 },
  open,
};

const SENTENCES = 500;
const HELD_OUT = 100;
const SEED = 1;

/** A noun: singular and plural in English, and in Spanish, whose gender the articles show. */
type Noun = readonly [one: string, many: string, uno: string, muchos: string, gender: 0 | 1];

const SUBJECTS: readonly Noun[] = [
  ["cat", "cats", "gato", "gatos", 0],
  ["dog", "dogs", "perro", "perros", 0],
  ["boy", "boys", "niño", "niños", 0],
  ["girl", "girls", "niña", "niñas", 1],
  ["woman", "women", "mujer", "mujeres", 1],
];

const OBJECTS: readonly Noun[] = [
  ["book", "books", "libro", "libros", 0],
  ["hat", "hats", "sombrero", "sombreros", 0],
  ["house", "houses", "casa", "casas", 1],
  ["table", "tables", "mesa", "mesas", 1],
  ["flower", "flowers", "flor", "flores", 1],
];

/** A verb: singular and plural in English, and in Spanish. */
const VERBS = [
  ["sees", "see", "ve", "ven"],
  ["wants", "want", "quiere", "quieren"],
  ["finds", "find", "encuentra", "encuentran"],
  ["paints", "paint", "pinta", "pintan"],
] as const;

/** An adjective in English, and its Spanish stem, to which -o, -a, -os or -as is added. */
const ADJECTIVES = [
  ["red", "roj"],
  ["small", "pequeñ"],
  ["new", "nuev"],
  ["black", "negr"],
] as const;

/** The articles in English, singular and plural, and in Spanish by gender and number. */
const ARTICLES = [
  ["the", "the", "el", "los", "la", "las"],
  ["a", "some", "un", "unos", "una", "unas"],
] as const;

function open(): Task {
  const random = new Random(SEED);
  const sentences = new Map<string, Exercise>();
  while (sentences.size < SENTENCES) {
    const sentence = drawnSentence(random);
    sentences.set(sentence.question.join(" "), sentence);
  }
  const all = [...sentences.values()];
  const words = all.flatMap(({ question, answer }) => [...question, ...answer]);
  const lists = { training: all.slice(HELD_OUT), heldOut: all.slice(0, HELD_OUT) };
  return listed(lists, [...new Set(words)].toSorted(), true);
}

/** One sentence: who does what to what. */
function drawnSentence(random: Random): Exercise {
  const subject = drawnPhrase(random, SUBJECTS);
  const object = drawnPhrase(random, OBJECTS);
  const [does, they, hace, hacen] = random.pick(VERBS);
  return {
    question: [...subject.english, subject.isPlural ? they : does, ...object.english, "."],
    answer: [...subject.spanish, subject.isPlural ? hacen : hace, ...object.spanish, "."],
    from: 0,
  };
}

/** An article and a noun, half of the time with an adjective. */
function drawnPhrase(
  random: Random,
  nouns: readonly Noun[],
): { english: string[]; spanish: string[]; isPlural: boolean } {
  const number = random.below(2) as 0 | 1;
  const [one, many, uno, muchos, gender] = random.pick(nouns);
  const article = random.pick(ARTICLES);
  const [adjective, stem] = random.pick(ADJECTIVES);
  const isDescribed = random.below(2) === 0;
  const ending = `${gender === 0 ? "o" : "a"}${number === 0 ? "" : "s"}`;
  return {
    english: [article[number], ...(isDescribed ? [adjective] : []), number === 0 ? one : many],
    spanish: [
      article[(2 + 2 * gender + number) as 2 | 3 | 4 | 5],
      number === 0 ? uno : muchos,
      ...(isDescribed ? [`${stem}${ending}`] : []),
    ],
    isPlural: number === 1,
  };
}
