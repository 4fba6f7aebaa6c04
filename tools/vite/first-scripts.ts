import { resolve } from "node:path";
import type { Rolldown } from "vite";

type Graph = Pick<Rolldown.ChunkingContext, "getModuleInfo">;
type Beginnings = Record<"page" | "embed" | "answer", Set<string>>;

/**
 * The modules that read and convert colours, in figures and in their colour maps. A module about
 * helices of colours is only used with the colour maps of later figures.
 */
const COLOURS = { name: "color", test: /[\\/]d3-color[\\/](?!.*cubehelix)/ };

/**
 * The modules for scales and colour maps of later figures. The maps of the first figures are in a
 * file that imports these modules too but does not use them.
 */
const LATER_SCALES = { name: "interpolate", test: /[\\/](d3-interpolate|cubehelix)[\\/.]/ };

const SOURCES = resolve(import.meta.dirname, "../../www");

/**
 * Groups the scripts of a first visit; by default there would be one script for each set of later
 * parts that share some of its modules. Every script is compressed and requested separately, so
 * modules that are always fetched together form one script: the start of the page and of figures in
 * other pages, the parts that read a model in both, and the start of the page alone.
 */
export function firstScripts(): Rolldown.CodeSplittingGroup[] {
  let known: Beginnings | null = null;
  const group = (
    name: string,
    priority: number,
    isIn: (id: string, beginnings: Beginnings) => boolean,
  ): Rolldown.CodeSplittingGroup => ({
    // A module belongs to the first group that takes it: a group imports only those before it.
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
    { ...COLOURS, priority: 5 },
    { ...LATER_SCALES, priority: 4 },
    group("figures", 3, (id, { embed }) => embed.has(id)),
    group("model", 2, (id, { answer }) => answer.has(id)),
    group("explorer", 1, () => true),
  ];
}

/** A module with all its static imports. */
function beginningOf(path: string, graph: Graph): Set<string> {
  const found = new Set([resolve(SOURCES, path)]);
  // Elements added to a set during iteration are visited too.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
