// Numbers of all heads of a stack, and of one head as a whole.
import { ROLES, type HeadLikeness, type HeadMeasures, type Tensor } from "../../data/index.js";
import type { Axis, Provenance } from "../../export/exhibit.js";
import { message } from "../../i18n/index.js";
import { THUMBNAIL_SIZE } from "../run/figures.js";
import { counted, exhibit, type NumbersChoice } from "./choice.js";
import { provenanceOf, type ExportSubject } from "./subject.js";

const MATRICES = ["scores", "weights"] as const;
const MEASURES = ["entropy", "distance"] as const;
const ALL_HEADS = [counted("layer"), counted("head")] as const;

/** Small pictures of all heads, what each of them does on the text, and how unlike each is to the head that is shown. */
export function stackChoices(subject: ExportSubject): NumbersChoice[] {
  const { run, info, head } = subject;
  const { stack } = head;
  const { layers = 0, heads = 0 } = info.stacks[stack] ?? {};
  const all = [layers, heads];
  const choice = (
    id: string,
    label: string,
    more: readonly Axis[],
    sizes: readonly number[],
    of: Partial<Pick<Provenance, "layer" | "head">>,
    read: () => Promise<Tensor>,
  ): NumbersChoice => ({
    id,
    label,
    group: "stack",
    shape: [...all, ...sizes],
    pattern: false,
    read: async () =>
      exhibit(
        await read(),
        [...ALL_HEADS, ...more],
        provenanceOf(subject, { quantity: id, stack, ...of }),
      ),
  });
  const names = [...MEASURES, ...ROLES.map(({ role }) => role)];
  return [
    choice(
      "thumbnails",
      message("export.thumbnails"),
      [counted("query"), counted("key")],
      [THUMBNAIL_SIZE, THUMBNAIL_SIZE],
      {},
      () => run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
    ),
    choice(
      "measures",
      message("export.measures"),
      [{ name: "measure", labels: names, first: 1 }],
      [names.length],
      {},
      async () => placed(await run.measures({ stack }), all, names.length, measured),
    ),
    choice(
      "divergence",
      message("export.divergence", { layer: head.layer + 1, head: head.head + 1 }),
      [],
      [],
      head,
      async () =>
        placed(await run.likeness(head), all, 1, ({ divergence }: HeadLikeness) => [divergence]),
    ),
  ];
}

/** The singular values of a head's scores and of its weights, largest first. */
export function singularChoice(subject: ExportSubject): NumbersChoice {
  const { run, head, figures } = subject;
  const count = Math.min(figures.queries.length, figures.keys.length);
  return {
    id: "singular-values",
    label: message("export.other.spectrum"),
    group: "head",
    shape: [MATRICES.length, count],
    pattern: false,
    read: async () => {
      const read = await run.spectrum(head);
      // A matrix with a number that is not finite has none.
      const data = Float32Array.from(
        MATRICES.flatMap((matrix) =>
          Array.from({ length: count }, (_, index) => read[matrix].values[index] ?? NaN),
        ),
      );
      const tensor = { data, shape: [MATRICES.length, count], axes: ["matrix", "index"] };
      return exhibit(
        tensor,
        [{ name: "matrix", labels: MATRICES, first: 1 }, counted("index")],
        provenanceOf(subject, { quantity: "singular-values", ...head }),
      );
    },
  };
}

function measured({ entropy, distance, roles }: HeadMeasures): (number | null)[] {
  return [entropy, distance, ...ROLES.map(({ role }) => roles[role])];
}

/** So many numbers of each head in the head's place; what is not defined is no number. */
function placed<Head extends { layer: number; head: number }>(
  read: readonly Head[],
  [layers = 0, heads = 0]: readonly number[],
  count: number,
  numbersOf: (head: Head) => readonly (number | null)[],
): Tensor {
  const data = new Float32Array(layers * heads * count).fill(NaN);
  for (const one of read)
    numbersOf(one).forEach(
      (value, at) => (data[(one.layer * heads + one.head) * count + at] = value ?? NaN),
    );
  const several = count > 1;
  return {
    data,
    shape: [layers, heads, ...(several ? [count] : [])],
    axes: ["layer", "head", ...(several ? ["measure"] : [])],
  };
}
