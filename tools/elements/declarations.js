/**
 * The declarations of the package as a project of others reads them, from those that TypeScript
 * writes of all sources: what the entries export and what that is made of. A property that an
 * element checks may be set to all that it takes (`Given` of www/elements/given.ts). Private and
 * protected members are left out, and with them what only they name.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve("dist/npm");
const folder = join(root, "types");
const GIVEN = join(folder, "elements/given.d.ts");

/** The properties that elements check, each as `Class.property`. */
const checked = new Set(
  sourcesIn("www/elements").flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022);
    return source.statements.filter(ts.isClassDeclaration).flatMap((element) =>
      element.members.filter(ts.isPropertyDeclaration).flatMap((member) => {
        const decorators = (ts.getDecorators(member) ?? []).map((one) => one.getText(source));
        const isChecked = decorators.some((text) => /^@given(Small)?\(/.test(text));
        return isChecked ? [`${element.name?.text}.${member.name.getText(source)}`] : [];
      }),
    );
  }),
);

/** @param {string} place */
function sourcesIn(place) {
  const names = readdirSync(place, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /(?<!\.test|\.d)\.ts$/.test(name)).map((name) => join(place, name));
}

const manifest = readFileSync(join(root, "package.json"), "utf8");
const entries = [...manifest.matchAll(/"types": "([^"]+)"/g)].map(([, path = ""]) =>
  join(root, path),
);
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  types: [],
});
const checker = program.getTypeChecker();
const printer = ts.createPrinter();

/** The kept statements of each file. @type {Map<ts.SourceFile, Set<ts.Statement>>} */
const kept = new Map();

/** @param {ts.Node} node */
const isOwn = (node) => node.getSourceFile().fileName.startsWith(`${folder}/`);

/** @param {ts.Statement} statement */
const isPassing = (statement) =>
  ts.isExportDeclaration(statement) || ts.isModuleDeclaration(statement);

/**
 * Keeps a file: what it passes on from others, and what it adds to other modules.
 *
 * @param {ts.SourceFile | undefined} file
 */
function keepFile(file) {
  if (!file || kept.has(file) || !isOwn(file)) return;
  kept.set(file, new Set());
  file.statements.filter(isPassing).forEach(keep);
}

/** Keeps a statement, and all that it names. @param {ts.Statement} statement */
function keep(statement) {
  const file = statement.getSourceFile();
  keepFile(file);
  const statements = kept.get(file);
  if (!statements || statements.has(statement)) return;
  statements.add(statement);
  if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    module?.declarations?.filter(ts.isSourceFile).forEach(keepFile);
    // Everything is passed on.
    if (!statement.exportClause && module)
      checker.getExportsOfModule(module).forEach((symbol) => keepSymbol(symbol));
  }
  follow(withPublicMembers(statement));
}

/** @param {ts.Node} node */
function follow(node) {
  if (ts.isIdentifier(node)) keepSymbol(checker.getSymbolAtLocation(node));
  // A module that is named as a whole: `typeof import("./a.js")`.
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const module = checker.getSymbolAtLocation(node.argument.literal);
    module?.declarations?.filter(ts.isSourceFile).forEach(keepFile);
  }
  ts.forEachChild(node, follow);
}

/** @param {ts.Symbol | undefined} symbol */
function keepSymbol(symbol) {
  if (!symbol) return;
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  for (const declaration of target.declarations ?? []) {
    if (!isOwn(declaration)) continue;
    if (ts.isSourceFile(declaration)) {
      keepFile(declaration);
      checker.getExportsOfModule(target).forEach((one) => keepSymbol(one));
      continue;
    }
    const statement = ts.findAncestor(declaration, ({ parent }) => ts.isSourceFile(parent));
    if (statement) keep(/** @type {ts.Statement} */ (statement));
  }
}

/**
 * A class without its private and protected members, and with what may be set of those that it
 * checks; any other statement as it is.
 *
 * @param {ts.Statement} statement
 * @returns {ts.Statement}
 */
function withPublicMembers(statement) {
  if (!ts.isClassDeclaration(statement)) return statement;
  const { modifiers, name, typeParameters, heritageClauses, members } = statement;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const shown = members
    .filter((one) => !(ts.getCombinedModifierFlags(one) & hidden))
    .filter((one) => !(one.name && ts.isPrivateIdentifier(one.name)))
    .flatMap((one) => accessors(name?.text ?? "", one));
  return ts.factory.updateClassDeclaration(
    statement,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    shown,
  );
}

/**
 * What is read and what may be set of a property that an element checks; any other member as it is.
 *
 * @param {string} element
 * @param {ts.ClassElement} member
 * @returns {ts.ClassElement[]}
 */
function accessors(element, member) {
  if (!ts.isPropertyDeclaration(member) || !member.type) return [member];
  if (!checked.has(`${element}.${member.name.getText()}`)) return [member];
  const { factory } = ts;
  const read = factory.createGetAccessorDeclaration([], member.name, [], member.type, undefined);
  const given = factory.createTypeReferenceNode("Given", [member.type]);
  const value = factory.createParameterDeclaration([], undefined, "value", undefined, given);
  // The comment of a property stands before its first accessor.
  ts.setOriginalNode(read, member);
  ts.setTextRange(read, member);
  const name = factory.createIdentifier(member.name.getText());
  return [read, factory.createSetAccessorDeclaration([], name, [value], undefined)];
}

/**
 * A file with its kept statements, and the imports of what they name.
 *
 * @param {ts.SourceFile} file
 * @param {ReadonlySet<ts.Statement>} statements
 */
function textOf(file, statements) {
  const shown = file.statements.filter((one) => statements.has(one)).map(withPublicMembers);
  /** @type {Set<string>} */
  const named = new Set();
  /** @param {ts.Node} node */
  const name = (node) => {
    if (ts.isIdentifier(node)) named.add(node.text);
    ts.forEachChild(node, name);
  };
  shown.forEach(name);
  const imports = file.statements.filter(ts.isImportDeclaration).flatMap((one) => {
    const needed = importOf(one, named);
    return needed ? [needed] : [];
  });
  const body = [...imports, ...shown].map((one) =>
    printer.printNode(ts.EmitHint.Unspecified, one, file),
  );
  if (named.has("Given") && file.fileName !== GIVEN && !importsGiven(file)) {
    const path = relative(dirname(file.fileName), GIVEN).replace(/\.d\.ts$/, ".js");
    body.unshift(`import type { Given } from "${path.startsWith(".") ? path : `./${path}`}";`);
  }
  const isModule = shown.some((one) => ts.canHaveModifiers(one) && isExported(one));
  if (!isModule && !shown.some(ts.isExportDeclaration)) body.push("export {};");
  return `${body.join("\n")}\n`;
}

/** @param {ts.HasModifiers} node */
const isExported = (node) =>
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** @param {ts.SourceFile} file */
const importsGiven = (file) =>
  file.statements.some((one) => ts.isImportDeclaration(one) && /\bGiven\b/.test(one.getText()));

/**
 * An import of the names that are needed; null if none is. What it is imported from declares or
 * passes on each of them, as that is kept, too.
 *
 * @param {ts.ImportDeclaration} statement
 * @param {ReadonlySet<string>} named
 * @returns {ts.ImportDeclaration | null}
 */
function importOf(statement, named) {
  const { importClause, moduleSpecifier } = statement;
  if (!importClause) return null;
  const module = checker.getSymbolAtLocation(moduleSpecifier);
  const { namedBindings } = importClause;
  /** @type {ts.NamedImportBindings | undefined} */
  let bindings;
  if (namedBindings && ts.isNamespaceImport(namedBindings)) {
    if (named.has(namedBindings.name.text)) bindings = namedBindings;
  } else if (namedBindings) {
    const elements = namedBindings.elements.filter(({ name }) => named.has(name.text));
    if (elements.length > 0) bindings = ts.factory.createNamedImports(elements);
  }
  const own =
    importClause.name && named.has(importClause.name.text) ? importClause.name : undefined;
  if (!bindings && !own) return null;
  module?.declarations?.filter(ts.isSourceFile).forEach(keepFile);
  const clause = ts.factory.createImportClause(importClause.phaseModifier, own, bindings);
  return ts.factory.createImportDeclaration([], clause, moduleSpecifier);
}

keepFile(program.getSourceFile(GIVEN));
for (const entry of entries) {
  const file = program.getSourceFile(entry);
  const symbol = file && checker.getSymbolAtLocation(file);
  keepFile(file);
  if (symbol) checker.getExportsOfModule(symbol).forEach((one) => keepSymbol(one));
}
/** @type {Map<string, string>} */
const texts = new Map();
const count = () => [...kept.values()].reduce((sum, { size }) => sum + size + 1, 0);
// An import keeps the file that it names, with what that passes on.
for (let before = 0; before !== count();) {
  before = count();
  for (const [file, statements] of kept) texts.set(file.fileName, textOf(file, statements));
}
for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  const path = join(folder, name);
  const text = texts.get(path);
  if (text !== undefined) writeFileSync(path, text);
  else if (name.endsWith(".d.ts")) rmSync(path);
}
