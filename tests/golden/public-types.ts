import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * The public types of a built package as one text: what each entry exports, then every declaration
 * that an export is made of, sorted, without comments, constructors, and private and protected
 * members, then what is declared globally.
 */
export function publicTypes(folder: URL): string {
  const manifest = JSON.stringify(
    JSON.parse(readFileSync(new URL("package.json", folder), "utf8")),
  );
  const entries = [...new Set([...manifest.matchAll(/"types":"([^"]+)"/g)].map(([, path]) => path))]
    .filter((path) => path !== undefined)
    .sort();
  const root = fileURLToPath(folder);
  const pathOf = (entry: string): string => fileURLToPath(new URL(entry, folder));
  const program = ts.createProgram(entries.map(pathOf), {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: [],
  });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const print = (node: ts.Node): string =>
    printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  const isOwn = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(root);
  const targetOf = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const exportsOf = (entry: string): ts.Symbol[] => {
    const file = program.getSourceFile(pathOf(entry));
    const symbol = file && checker.getSymbolAtLocation(file);
    return symbol ? checker.getExportsOfModule(symbol) : [];
  };
  const listed = entries.flatMap((entry) =>
    exportsOf(entry)
      .map(({ name }) => `// ${entry}: ${name}`)
      .sort(),
  );
  const texts = new Map<ts.Node, string>();
  const declare = (symbol: ts.Symbol): void => {
    for (const declaration of targetOf(symbol).declarations ?? []) {
      // A module that is imported as a whole.
      if (ts.isSourceFile(declaration)) continue;
      const isMember =
        !ts.isSourceFile(declaration.parent) && !ts.isVariableDeclaration(declaration);
      if (isMember || !isOwn(declaration) || texts.has(declaration)) continue;
      const shown = ts.isClassDeclaration(declaration)
        ? withPublicMembers(declaration)
        : declaration;
      texts.set(
        declaration,
        printer.printNode(ts.EmitHint.Unspecified, shown, declaration.getSourceFile()),
      );
      follow(shown);
    }
  };
  const follow = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol) declare(symbol);
    ts.forEachChild(node, follow);
  };
  entries.flatMap(exportsOf).forEach(declare);
  const globals = program
    .getSourceFiles()
    .filter(isOwn)
    .flatMap(({ statements }) => statements.filter(ts.isModuleDeclaration).map(print));
  return [...listed, ...[...texts.values()].sort(), ...globals.sort(), ""].join("\n");
}

function withPublicMembers(declaration: ts.ClassDeclaration): ts.ClassDeclaration {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const { modifiers, name, typeParameters, heritageClauses, members } = declaration;
  const shown = members.filter(
    (member) =>
      !ts.isConstructorDeclaration(member) &&
      !(ts.getCombinedModifierFlags(member) & hidden) &&
      !(member.name && ts.isPrivateIdentifier(member.name)),
  );
  return ts.factory.updateClassDeclaration(
    declaration,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    shown,
  );
}
