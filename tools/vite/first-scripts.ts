import { resolve } from "node:path";
import type { Rolldown } from "vite";

type Graph = Pick<Rolldown.ChunkingContext, "getModuleInfo">;
type Beginnings = Record<"page" | "embed" | "answer", Set<string>>;

/**
 * Colour maps of later figures are made with it. The maps of the first ones are in a file that
 * imports it, too, and do without.
 */
const LATER_COLOURS = { name: "color", test: /[\\/]d3-(?:color|interpolate)[\\/]/ };

const SOURCES = resolve(import.meta.dirname, "../../www");

/**
 * The scripts of a first visit, of which there would be one for each set of later parts that share
 * some of its modules. Every script is compressed by itself, and asked for by itself, so what is
 * always fetched together is one script: what the page and the figures in other pages begin with,
 * what both read a model with, and what only the page begins with.
 */
export function firstScripts(): Rolldown.CodeSplittingGroup[] {
  let known: Beginnings | null = null;
  const group = (
    name: string,
    priority: number,
    isIn: (id: string, beginnings: Beginnings) => boolean,
  ): Rolldown.CodeSplittingGroup => ({
    // What a group takes, the next ones do not: each imports only those before it.
    priority,
    name: (id, graph) => {
      known ??= {
        page: beginningOf("explorer/explorer.ts", graph),
        embed: beginningOf("embed/index.ts", graph),
        answer: beginningOf("embed/answer.ts", graph),
      };
      return known.page.has(id) && isIn(id, known) ? name : null;
    },
  });
  return [
    { ...LATER_COLOURS, priority: 4 },
    group("figures", 3, (id, { embed }) => embed.has(id)),
    group("model", 2, (id, { answer }) => answer.has(id)),
    group("explorer", 1, () => true),
  ];
}

/** A module with all that it imports at once. */
function beginningOf(path: string, graph: Graph): Set<string> {
  const found = new Set([resolve(SOURCES, path)]);
  // What is added to a set while one goes through it, comes last.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
