import type { AttentionEdit, KindParameters } from "../data/index.js";
import {
  ATTENTION_KINDS,
  kindEdit,
  kindValues,
  numbersOf,
  type KindNumber,
  type KindValues,
} from "./kind-rules.js";

/*
 * A kind of attention in an address, behind the scope that it holds for: `e2.~kind-sliding(w3,t0.5)`.
 *
 *   kind  = "~kind-" name [ "(" part *( "," part ) ")" ]
 *   part  = letter number | "x" ( number | "none" )        "x" is the scale, "t" the temperature, "p" and "q" rate and seed of the dropout
 */

const LETTERS: Readonly<Record<KindNumber, string>> = {
  width: "w",
  size: "b",
  neighbours: "n",
  features: "f",
  rank: "r",
  keys: "k",
  seed: "s",
};
const KIND = /^~kind-([a-z-]+)(?:\(([\w.,+-]*)\))?$/;

/** The part of an edit that says what kind it is. */
export function encodeKind(edit: AttentionEdit): string {
  const { kind, parameters, scale, temperature, rate, seed } = kindValues(edit);
  const parts = [
    ...numbersOf(kind).map(([name, { usual }]) => `${LETTERS[name]}${parameters[name] ?? usual}`),
    ...(scale === "model" ? [] : [`x${scale}`]),
    ...(temperature === 1 ? [] : [`t${temperature}`]),
    ...(rate === 0 ? [] : [`p${rate}`, `q${seed}`]),
  ];
  return `~kind-${kind}${parts.length === 0 ? "" : `(${parts.join(",")})`}`;
}

/** Reads it; undefined when it is none. */
export function decodeKind(
  text: string,
): Omit<AttentionEdit, "stack" | "layers" | "heads"> | undefined {
  const [, name, written = ""] = KIND.exec(text) ?? [];
  const kind = ATTENTION_KINDS.find((one) => one === name);
  if (!kind) return undefined;
  const parameters: KindParameters = {};
  const values: KindValues = { ...kindValues({ kind }) };
  for (const part of written === "" ? [] : written.split(",")) {
    const [letter, rest] = [part.slice(0, 1), part.slice(1)];
    const number = Number(rest);
    const own = numbersOf(kind).find(([one]) => LETTERS[one] === letter)?.[0];
    if (letter === "x" && rest === "none") values.scale = "none";
    else if (rest === "" || !Number.isFinite(number)) return undefined;
    else if (own) parameters[own] = number;
    else if (letter === "x") values.scale = number;
    else if (letter === "t") values.temperature = number;
    else if (letter === "p") values.rate = number;
    else if (letter === "q") values.seed = number;
    else return undefined;
  }
  const edit = kindEdit({ ...values, parameters }, {});
  // What is out of range, or of no account in this kind, was not asked for by this page.
  const held = kindValues(edit);
  const same =
    (["scale", "temperature", "rate"] as const).every((part) => held[part] === values[part]) &&
    (held.rate === 0 || held.seed === values.seed);
  return same &&
    numbersOf(kind).every(
      ([one]) => parameters[one] === undefined || parameters[one] === held.parameters[one],
    )
    ? edit
    : undefined;
}
