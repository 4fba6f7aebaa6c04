import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/**
 * The page shows what the engine computed. It may multiply two numbers to show their product, but it takes no
 * exponential and adds no products up: a sum of products in a loop over numbers that are looked up is a matrix product.
 */

/** BLEU is a geometric mean of counts of words and a penalty for short texts: what it takes the exponential of is nothing that a model computed. */
const ALLOWED = [`${join("views", "demos", "bleu.ts")}:`];

/** The functions that a softmax, or an activation, cannot do without. */
const TRANSCENDENTAL = new Set(["exp", "E", "expm1", "tanh", "log1p", "sinh", "cosh"]);

/** What a source does that only a forward pass does, by line. */
function offences(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (node: ts.Node, what: string): void =>
    void found.push(
      `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`,
    );
  const visit = (node: ts.Node): void => {
    const taken = takenFromMath(node);
    if (taken && TRANSCENDENTAL.has(taken)) note(node, `Math.${taken}`);
    if (ts.isBinaryExpression(node) && addsTo(node) && multipliesLookedUp(node.right))
      note(node, "adds products up");
    if (ts.isCallExpression(node) && isReduceOfProducts(node)) note(node, "reduces products");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What of `Math` a source names: by its name, by a text, or by taking it out. */
function takenFromMath(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "Math")
    return node.name.text;
  if (ts.isElementAccessExpression(node) && node.expression.getText() === "Math")
    return ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : "exp";
  if (ts.isVariableDeclaration(node) && node.initializer?.getText() === "Math") return "exp";
  return null;
}

/** `sum += …`, and `sum = sum + …`. */
function addsTo({ left, operatorToken, right }: ts.BinaryExpression): boolean {
  if (operatorToken.kind === ts.SyntaxKind.PlusEqualsToken) return true;
  return (
    operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isBinaryExpression(right) &&
    right.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    right.left.getText() === left.getText()
  );
}

/** Whether both factors of a product somewhere inside are looked up by an index. */
function multipliesLookedUp(node: ts.Node): boolean {
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.AsteriskToken &&
    looksUp(node.left) &&
    looksUp(node.right)
  )
    return true;
  return ts.forEachChild(node, (child) => multipliesLookedUp(child) || undefined) ?? false;
}

function looksUp(node: ts.Node): boolean {
  if (ts.isElementAccessExpression(node)) return true;
  return ts.forEachChild(node, (child) => looksUp(child) || undefined) ?? false;
}

/** `xs.reduce((sum, x, i) => sum + x * ys[i])` in any spelling. */
function isReduceOfProducts(node: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== "reduce")
    return false;
  const [body] = node.arguments;
  if (!body || !ts.isArrowFunction(body)) return false;
  const [sum, element] = body.parameters.map((parameter) => parameter.name.getText());
  const adds = (inner: ts.Node): boolean => {
    if (
      ts.isBinaryExpression(inner) &&
      inner.operatorToken.kind === ts.SyntaxKind.PlusToken &&
      inner.left.getText() === sum
    )
      return timesLookedUp(inner.right, element ?? "");
    return ts.forEachChild(inner, (child) => adds(child) || undefined) ?? false;
  };
  return adds(body.body);
}

function timesLookedUp(node: ts.Node, element: string): boolean {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) {
    const [left, right] = [node.left, node.right];
    return (
      (left.getText() === element && looksUp(right)) ||
      (right.getText() === element && looksUp(left))
    );
  }
  return ts.forEachChild(node, (child) => timesLookedUp(child, element) || undefined) ?? false;
}

const root = dirname(fileURLToPath(import.meta.url));

/** All that the page consists of: neither tests nor the engine's own wasm. */
const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".ts") &&
    !file.endsWith(".test.ts") &&
    !file.startsWith(join("engine", "wasm")) &&
    !file.split(sep).includes("testing"),
);

describe("there is no second forward pass", () => {
  it("finds neither a matrix product nor a softmax in the page", () => {
    expect(sources.length).toBeGreaterThan(150);
    const found = sources.flatMap((file) => offences(file, readFileSync(join(root, file), "utf8")));
    expect(
      found.filter((offence) => !ALLOWED.some((allowed) => offence.startsWith(allowed))),
    ).toEqual([]);
  });

  it.each([
    ["a softmax", "const e = row.map((x) => Math.exp(x - max));"],
    ["a product in loops", "for (let k = 0; k < d; k += 1) sum += a[i * d + k] * b[k * n + j];"],
    ["a product with defaults", "sum += (a[i] ?? 0) * (b[i] ?? 0);"],
    ["a dot product by reduce", "const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);"],
    ["a GELU", "const y = x * Math.tanh(x);"],
    ["an exponential by its base", "const e = Math.E ** x;"],
    ["an exponential by a text", 'const e = Math["exp"](x);'],
    ["an exponential taken out", "const { exp } = Math;"],
    ["a sum that is written out", "sum = sum + a[i] * b[j];"],
  ])("would find %s", (_, text) => {
    expect(offences("made-up.ts", text)).toHaveLength(1);
  });

  it.each([
    ["single products", "const products = keys.map((value, index) => value * query[index]);"],
    ["a sum of weights", "for (const value of row) mass += value;"],
    ["a position on the screen", "x += columns * cellWidth;"],
  ])("lets %s be", (_, text) => {
    expect(offences("made-up.ts", text)).toEqual([]);
  });
});
