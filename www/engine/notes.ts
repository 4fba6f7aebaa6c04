import { type CoreInfo, type ModelNotes, ROLES } from "../data/index.js";
import { fit, isRecord, listOfLength, Misfit, orNull, rule, type Shape } from "../data/shape.js";
import { describe } from "./errors.js";

/** The file beside a model's weights with the notes on its heads. */
export const NOTES_FILE = "headscope.json";

/** Notes, or the reason why they cannot be read; both null if the folder has no such file. */
export interface FoundNotes {
  notes: ModelNotes | null;
  problem: string | null;
}

export const NO_NOTES: FoundNotes = { notes: null, problem: null };

/**
 * Parses the text of the notes. The model works without notes, so a problem is returned, not
 * thrown.
 */
export function readNotes(json: string, info: CoreInfo): FoundNotes {
  let path = "";
  let expected = "JSON";
  let got: string;
  try {
    const notes: unknown = JSON.parse(json);
    const fitted = fit(notes, shapeOf(info, notes));
    // The shape is that of the type.
    if (!(fitted instanceof Misfit)) return { notes: notes as ModelNotes, problem: null };
    ({ path, expected, got } = fitted);
  } catch (thrown) {
    got = describe(thrown);
  }
  const where = path === "" ? "the file" : path.slice(1);
  return { notes: null, problem: `${NOTES_FILE}, ${where}: expected ${expected}, found ${got}.` };
}

const VERSION = rule("1, the only one that is known here", (value) => value === 1);
const SCORE = rule(
  "a number from 0 to 1, or null",
  (value) => value === null || (typeof value === "number" && value >= 0 && value <= 1),
);
const ROLE = rule("a role", (value) => ROLES.some(({ role }) => role === value));
const SCORES: Shape = Object.fromEntries(ROLES.map(({ role }) => [role, SCORE]));

function shapeOf({ architecture, stacks, vocabSize }: CoreInfo, notes: unknown): Shape {
  const roles = Object.fromEntries(
    Object.entries(stacks).map(([stack, { layers, heads }]) => [
      stack,
      listOfLength(layers, listOfLength(heads, SCORES)),
    ]),
  );
  const sentences = isRecord(notes) && Array.isArray(notes.sentences) ? notes.sentences.length : 0;
  const index = rule(
    `an index of one of ${sentences} sentences`,
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < sentences,
  );
  const scored: Shape = [[index, SCORE]];
  const typical = Object.fromEntries(
    Object.entries(stacks).map(([stack, { layers, heads }]) => [
      stack,
      listOfLength(
        layers,
        listOfLength(heads, orNull({ role: ROLE, most: scored, least: scored })),
      ),
    ]),
  );
  const others = (value: unknown): boolean =>
    isRecord(value) && Object.keys(value).some((stack) => !(stack in roles));
  // Of a translator on both sides: what is read of one says nothing of the other.
  const target = architecture === "encoder-decoder" ? "count" : "count?";
  return {
    version: VERSION,
    heldOut: { sentences: "count", seed: "count", note: "text" },
    longest: orNull({ source: "count", target }),
    roles: (value) => (others(value) ? new Misfit("the model's own stacks", value) : roles),
    unigrams: listOfLength(vocabSize, "count"),
    sentences: [{ text: "text", targets: orNull(["text"]) }],
    typical: orNull(typical),
  };
}
