/**
 * The custom-elements manifest of the package, from which editors and catalogues read its tags.
 * Properties and events come from the classes; parts, the attributes of figures that work alone and
 * the properties of style sheets from www/elements/README.md, whose tables tests compare with the
 * elements.
 */

import { readFileSync } from "node:fs";

/** @import { Node } from "typescript" */
/** @typedef {typeof import("typescript")} TypeScript */

/**
 * An entry of a manifest, as far as it is read here.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} [kind]
 * @property {string} [description]
 * @property {{ name: string }} [inheritedFrom]
 */

/** @typedef {Entry & { attributes?: Entry[], events?: Entry[], members?: Entry[] }} Class */
/** @typedef {{ modules: { declarations?: Class[] }[] }} Manifest */

const readme = readFileSync("www/elements/README.md", "utf8");

/**
 * What stands between backticks.
 *
 * @param {string} text
 */
const coded = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/**
 * The names in the first column of a table, each with the text of the second.
 *
 * @param {string} title of the first column
 * @returns {Map<string, string>}
 */
function meaningsOf(title) {
  const [, after = ""] = readme.split(new RegExp(`^\\| ${title} +\\|[^|]*\\|\\n`, "m"));
  const [table = ""] = after.split("\n\n");
  const rows = table.split("\n").map((row) => /^\| (.*?) +\| (.*?) +\|$/.exec(row) ?? []);
  return new Map(
    rows.flatMap(([, names = "", text = ""]) => coded(names).map((name) => [name, text])),
  );
}

const PARTS = meaningsOf("part");
const ATTRIBUTES = [...meaningsOf("attribute")].map(([name, description]) => ({
  name,
  description,
}));
const [, section = ""] = readme.split("## Looks\n");
const CSS_PROPERTIES = coded(section.split("### Parts")[0] ?? "")
  .filter((name) => name.startsWith("--"))
  .map((name) => ({ name }));

const [, list = ""] = readme.split("work alone as soon as they have a `model` attribute:");
const ALONE = new Set(coded(list.split(".")[0] ?? ""));

/**
 * The parts of a tag. "The heatmap's" are those of the heatmap, but for some.
 *
 * @param {string} tag
 * @returns {string[]}
 */
function partsOf(tag) {
  const [, tables = ""] = readme.split("### Parts\n");
  const row = new RegExp(`^\\| \`<${tag}>\` +\\| (.*?) +\\|$`, "m").exec(tables);
  const [own = "", but = ""] = (row?.[1] ?? "").split(" but ");
  const shared = own.startsWith("the heatmap's") ? partsOf("headscope-heatmap") : [];
  const left = coded(but);
  return [...shared, ...coded(own)].filter((part) => !left.includes(part));
}

/** The tag of each class. @type {Map<string, string>} */
const tags = new Map();
/** The properties that a page may set, each as `Class.property`. @type {Set<string>} */
const settable = new Set();

const readSources = {
  name: "headscope-sources",
  /** @param {{ ts: TypeScript, node: Node }} phase */
  analyzePhase({ ts, node }) {
    if (ts.isCallExpression(node) && node.expression.getText() === "define") {
      const [tag, element] = node.arguments;
      if (tag && element && ts.isStringLiteral(tag)) tags.set(element.getText(), tag.text);
    }
    const isField = ts.isPropertyDeclaration(node) || ts.isGetAccessorDeclaration(node);
    if (isField && ts.isClassDeclaration(node.parent)) {
      const decorators = ts.getDecorators(node) ?? [];
      if (decorators.some((one) => /^@(given|property)\(/.test(one.getText())))
        settable.add(`${node.parent.name?.text}.${node.name.getText()}`);
    }
  },
};

/** One module, as the package has one entry for its elements. */
const describeEntry = {
  name: "headscope-entry",
  /** @param {{ customElementsManifest: Manifest }} phase */
  packageLinkPhase({ customElementsManifest }) {
    const classes = customElementsManifest.modules
      .flatMap(({ declarations = [] }) => declarations)
      .filter(({ name }) => tags.has(name))
      .map(describe);
    const entry = {
      kind: "javascript-module",
      path: "elements.js",
      declarations: classes,
      exports: classes.map(({ name, tagName }) => ({
        kind: "custom-element-definition",
        name: tagName,
        declaration: { name, module: "elements.js" },
      })),
    };
    customElementsManifest.modules = [entry];
  },
};

/**
 * What a page may use of an element.
 *
 * @param {Class} element
 */
function describe({ name, description = "", attributes = [], events = [], members = [] }) {
  const tagName = tags.get(name) ?? "";
  const isWhole = tagName === "head-scope";
  const isAlone = isWhole || ALONE.has(`<${tagName}>`);
  const parts = isWhole ? [...PARTS.keys()] : partsOf(tagName);
  const fields = members.filter((one) =>
    settable.has(`${one.inheritedFrom?.name ?? name}.${one.name}`),
  );
  return {
    kind: "class",
    customElement: true,
    tagName,
    name,
    description,
    attributes: merged([...attributes, ...(isAlone ? ATTRIBUTES : [])]),
    members: merged(fields),
    events: merged(events),
    slots: [],
    cssParts: [...parts, ...(isAlone && !isWhole ? ["notice"] : [])].map((part) => ({
      name: part,
      description: PARTS.get(part) ?? "",
    })),
    cssProperties: CSS_PROPERTIES,
  };
}

/**
 * Each name once, without the base class that it comes from, which the package does not name.
 *
 * @param {readonly Entry[]} entries
 * @returns {Entry[]}
 */
function merged(entries) {
  const byName = new Map(entries.map((one) => [one.name, { ...one }]));
  for (const one of byName.values()) delete one.inheritedFrom;
  return [...byName.values()];
}

export default {
  globs: ["www/elements/**/*.ts", "www/embed/{head-scope,entries/head-scope}.ts"],
  exclude: ["**/*.test.ts", "**/testing/**"],
  outdir: "dist/npm",
  litelement: true,
  plugins: [readSources, describeEntry],
};
