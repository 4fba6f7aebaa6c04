/**
 * A template as a tree. `@huggingface/jinja` 0.5.11 cuts it into tokens and makes the tree; what
 * its rules would read otherwise than Jinja 3.1.6 in Python is written otherwise beforehand, or
 * refused.
 */

import { parse, tokenize } from "@huggingface/jinja";
import { Unrendered } from "./values.js";

export interface Named {
  type: "Identifier";
  value: string;
}

export interface Call {
  type: "CallExpression";
  callee: Node;
  args: readonly Node[];
}

/** A node of the tree, as the library's parser makes it. */
export type Node =
  | Named
  | Call
  | { type: "Comment" | "Break" | "Continue" }
  | { type: "If"; test: Node; body: readonly Node[]; alternate: readonly Node[] }
  | For
  | { type: "Set"; assignee: Node; value: Node | null; body: readonly Node[] }
  | Macro
  | CallBlock
  | { type: "FilterStatement"; filter: Named | Call; body: readonly Node[] }
  | { type: "MemberExpression"; object: Node; property: Node; computed: boolean }
  | { type: "IntegerLiteral" | "FloatLiteral"; value: number }
  | { type: "StringLiteral"; value: string }
  | { type: "ArrayLiteral" | "TupleLiteral"; value: readonly Node[] }
  | { type: "ObjectLiteral"; value: ReadonlyMap<Node, Node> }
  | Binary
  | { type: "FilterExpression"; operand: Node; filter: Named | Call }
  | { type: "SelectExpression"; lhs: Node; test: Node }
  | { type: "TestExpression"; operand: Node; negate: boolean; test: Named }
  | { type: "UnaryExpression"; operator: { value: string }; argument: Node }
  | Slice
  | { type: "KeywordArgumentExpression"; key: Named; value: Node }
  | { type: "SpreadExpression" | "KeywordSpreadExpression"; argument: Node }
  | { type: "Ternary"; condition: Node; trueExpr: Node; falseExpr: Node };

export interface Binary {
  type: "BinaryExpression";
  operator: { value: string };
  left: Node;
  right: Node;
}

export interface For {
  type: "For";
  loopvar: Node;
  iterable: Node;
  body: readonly Node[];
  defaultBlock: readonly Node[];
}

export interface Macro {
  type: "Macro";
  name: Named;
  args: readonly Node[];
  body: readonly Node[];
}

export interface CallBlock {
  type: "CallStatement";
  call: Call;
  callerArgs: readonly Node[] | null;
  body: readonly Node[];
}

export interface Slice {
  type: "SliceExpression";
  start: Node | undefined;
  stop: Node | undefined;
  step: Node | undefined;
}

/**
 * The name by which a `{% generation %}` block is called. Transformers makes such a block a call of
 * its body, which marks what the model wrote and changes no text.
 */
export const GENERATION = "__generation__";

/** The names by which parentheses are called: around one expression, and around a tuple. */
export const GROUP = "__group__";
export const TUPLE = "__tuple__";

type Token = ReturnType<typeof tokenize>[number];

/** Words before which a parenthesis begins an expression; after other names it begins a call. */
const BEFORE_GROUPS = new Set(["and", "or", "not", "in", "is", "if", "elif", "else"]);

/**
 * Tokens in which parentheses are calls, so that the tree says where they stood: the parser drops
 * them, and joins and compares from left to right where Jinja does not.
 */
function withGroups(tokens: readonly Token[]): Token[] {
  const made: Token[] = [];
  const open: (Token | null)[] = [];
  for (const [at, token] of tokens.entries()) {
    const { type, value } = tokens[at - 1] ?? { type: "Text", value: "" };
    if (token.type === "OpenParen") {
      const isOfName = type === "Identifier" && !BEFORE_GROUPS.has(value);
      const isCall = isOfName || type === "CloseParen" || type === "CloseSquareBracket";
      const name = isCall ? null : { type: "Identifier" as const, value: GROUP };
      if (name !== null) made.push(name);
      open.push(name);
    } else if (token.type === "CloseParen") {
      const name = open.pop();
      if (name && (type === "Comma" || type === "OpenParen")) name.value = TUPLE;
    }
    made.push(token);
  }
  return made;
}

/** Words that may follow a number. */
const AFTER_NUMBERS = new Set(["and", "or", "not", "in", "is", "if", "else"]);

/** White space of one of the languages alone, and braces beside a hyphen, taken for marks. */
const SPACE = String.raw`\x1c-\x1f\x85\u2028\u2029\ufeff`;
const ODD = new RegExp(`[${SPACE}]|^[ \\t]+\\{-|-\\}\\n`, "mu");

/**
 * The tree of a template, with `trim_blocks` and `lstrip_blocks` as transformers sets them.
 * @throws Unrendered for what the library reads otherwise than Jinja, and the library's errors
 */
export function parsed(source: string): readonly Node[] {
  // Jinja makes every line end one of these first, also within texts.
  const lines = source.replace(/\r\n?/g, "\n");
  const odd = ODD.exec(lines);
  if (odd !== null) throw new Unrendered(`${JSON.stringify(odd[0])} in the template`);
  const called = lines
    .replace(/\{%([-+]?)\s*generation\s*([-+]?)%\}/g, `{%$1 call ${GENERATION}() $2%}`)
    .replace(/\{%([-+]?)\s*endgeneration\s*([-+]?)%\}/g, "{%$1 endcall $2%}");
  const tokens = tokenize(called, { lstrip_blocks: true, trim_blocks: true });
  for (const [at, { type, value }] of tokens.entries()) {
    if ((type === "Text" || type === "StringLiteral") && /[%#]\}/.test(value))
      throw new Unrendered(`the text ${JSON.stringify(value)}`);
    // The library cuts `1e2`, `1_000` and `0x1F` into a number and a name.
    const next = tokens[at + 1];
    if (type === "NumericLiteral" && next?.type === "Identifier" && !AFTER_NUMBERS.has(next.value))
      throw new Unrendered(`the number ${value}${next.value}`);
  }
  return parse(withGroups(tokens)).body as unknown as readonly Node[];
}
