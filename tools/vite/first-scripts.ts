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
/** Modules of the engine's entry that no first visit runs. */
const LATER = ["engine/trainer.ts"];

/**
 * Groups the scripts of a first visit; by default there would be one script for each set of later
 * parts that share some of its modules. Every script is compressed and requested separately, so
 * modules that are always fetched together form one script: here all that the page starts with.
 */
export const pageScripts = (): Rolldown.CodeSplittingOptions =>
  byName([LATER_COLOURS, beginning("explorer", 1, PAGE, { except: LATER })]);

/** What every figure needs, what fills it with numbers of its page, and all other elements. */
const FIGURE = ["embed/entries/heatmap.ts"];
const NUMBERS = ["embed/given/filling.ts"];
const ELEMENTS = ["elements/index.ts"];

/**
 * The same for figures in other pages: what waits for a figure to come near, the start of every
 * figure, what reads numbers, what reads a model, and the rest of an explorer. Each other element
 * has a script of its own.
 */
const figureGroups = (): Rolldown.CodeSplittingGroup[] => [
  LATER_COLOURS,
  beginning("near", 8, ["embed/loader.ts"]),
  beginning("figure", 4, FIGURE),
  beginning("numbers", 3, NUMBERS, { without: ELEMENTS }),
  beginning("model", 2, ["embed/model-filling.ts"], { without: ELEMENTS }),
  beginning("explorer", 1, ["explorer/explorer.ts"], { without: ELEMENTS }),
];

/** What a module of a group imports belongs to it only if the group names it. */
const byName = (groups: Rolldown.CodeSplittingGroup[]): Rolldown.CodeSplittingOptions => ({
  includeDependenciesRecursively: false,
  groups,
});

/** The scripts of figures in pages of others. */
export const figureScripts = (): Rolldown.CodeSplittingOptions => byName(figureGroups());

/** The same for the package, in which the engine is an entry beside the figures. */
export const packageScripts = (): Rolldown.CodeSplittingOptions =>
  byName([
    beginning("data", 7, ["headscope.ts"], { within: FIGURE }),
    beginning("files", 6, ["headscope.ts"], { within: NUMBERS }),
    beginning("engine", 5, ["headscope.ts"]),
    ...figureGroups(),
  ]);

/**
 * What a group leaves out: what is not within the imports of some modules, or is among them; and
 * some modules alone.
 */
interface Limits {
  within?: readonly string[];
  without?: readonly string[];
  except?: readonly string[];
}

/**
 * A group of some modules and all that they import, within limits; a module belongs to the first
 * group that takes it. An entry stays in the script of its name, from whose address it finds other
 * files.
 */
function beginning(
  name: string,
  priority: number,
  paths: readonly string[],
  { within, without = [], except = [] }: Limits = {},
): Rolldown.CodeSplittingGroup {
  let known: Set<string> | null = null;
  const find = (graph: Graph): Set<string> => {
    const left = importedBy(without, graph);
    for (const path of except) left.add(resolve(SOURCES, path));
    const limit = within && importedBy(within, graph);
    const all = [...importedBy(paths, graph)];
    return new Set(all.filter((id) => !left.has(id) && (limit?.has(id) ?? true)));
  };
  return {
    priority,
    debugName: name,
    name: (id, graph) => {
      known ??= find(graph);
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
