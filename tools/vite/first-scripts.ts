import { resolve } from "node:path";
import type { Rolldown } from "vite";

type Graph = Pick<Rolldown.ChunkingContext, "getModuleInfo">;
type Beginnings = Record<"page" | "embed" | "answer", Set<string>>;

/**
 * The modules for colours and scales of later parts. The colour maps of the first figures are in a
 * file that imports these modules too but does not use them.
 */
const LATER_COLOURS = { name: "colours", test: /[\\/]d3-(color|interpolate)[\\/]/ };

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
        page: beginningOf(["explorer/explorer.ts", "explorer/page.ts"], graph),
        embed: beginningOf(["embed/index.ts"], graph),
        answer: beginningOf(["embed/answer.ts"], graph),
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

/** Modules with all their static imports. */
function beginningOf(paths: readonly string[], graph: Graph): Set<string> {
  const found = new Set(paths.map((path) => resolve(SOURCES, path)));
  // Elements added to a set during iteration are visited too.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
