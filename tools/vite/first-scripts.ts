import { resolve } from "node:path";
import type { Rolldown } from "vite";

type Graph = Pick<Rolldown.ChunkingContext, "getModuleInfo">;

/**
 * The modules for colours and scales of later parts. The colour maps of the first figures are in a
 * file that imports these modules too but does not use them.
 */
const LATER_COLOURS = { name: "colours", test: /[\\/]d3-(color|interpolate)[\\/]/, priority: 9 };

const SOURCES = resolve(import.meta.dirname, "../../www");
const PAGE = ["explorer/explorer.ts", "explorer/page.ts"];

/**
 * Groups the scripts of a first visit; by default there would be one script for each set of later
 * parts that share some of its modules. Every script is compressed and requested separately, so
 * modules that are always fetched together form one script: here all that the page starts with.
 */
export const pageScripts = (): Rolldown.CodeSplittingGroup[] => [
  LATER_COLOURS,
  beginning("explorer", 1, PAGE),
];

/**
 * The same for figures in other pages: their start, the parts that read a model, and the rest of an
 * explorer.
 */
export const figureScripts = (): Rolldown.CodeSplittingGroup[] => [
  LATER_COLOURS,
  beginning("figures", 3, ["embed/index.ts"]),
  beginning("model", 2, ["embed/answer.ts"]),
  beginning("explorer", 1, ["explorer/explorer.ts"]),
];

/**
 * A group of some modules and all that they import; a module belongs to the first group that takes
 * it. An entry stays in the script of its name, from whose address it finds other files.
 */
function beginning(
  name: string,
  priority: number,
  paths: readonly string[],
): Rolldown.CodeSplittingGroup {
  let known: Set<string> | null = null;
  return {
    priority,
    debugName: name,
    name: (id, graph) => {
      known ??= importedBy(paths, graph);
      return known.has(id) && graph.getModuleInfo(id)?.isEntry !== true ? name : null;
    },
  };
}

/** Modules with all their static imports. */
function importedBy(paths: readonly string[], graph: Graph): Set<string> {
  const found = new Set(paths.map((path) => resolve(SOURCES, path)));
  // Elements added to a set during iteration are visited too.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
