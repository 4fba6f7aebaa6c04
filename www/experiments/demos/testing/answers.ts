// Answers of the demos' questions as a core would give them: numbers of the right sizes.
export type Question = Record<string, number>;
export const counted = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + at);
const some = (count: number): number[] => new Array<number>(count).fill(0.5);

/** A query along the first number of each pair and a key half a turn away, both of length 2. */
function turned(dim: number, score: number): object {
  const along = (length: number): number[] => counted(dim).map((at) => (at < dim / 2 ? length : 0));
  return { query: along(2), key: along(-2), score };
}

export const ANSWERS: Readonly<Record<string, (question: Question) => unknown>> = {
  waves: ({ length = 0, dim = 0 }) => ({ table: counted(length * dim), wavelengths: some(dim) }),
  similarity: (question) => {
    const { table, dim } = question as unknown as { table: number[]; dim: number };
    const length = table.length / dim;
    const each = some((table.length / dim) ** 2);
    const cosinesApart = [1, 0.25, ...some(length - 2)];
    return { products: each, cosines: each, productsApart: some(length), cosinesApart };
  },
  rotary: ({ headDim = 0 }) => ({
    speeds: counted(headDim / 2).map((pair) => 1 / (pair + 1)),
    drawn: turned(headDim, 3),
    here: turned(headDim, 1.25),
    shifted: turned(headDim, 1.2500001),
    residue: 1e-7,
    scores: counted(255, -127),
  }),
  alibi: ({ heads = 0, length = 0, head = 0 }) => ({
    slopes: counted(heads).map((at) => 2 ** -(at + 1)),
    biases: counted(heads * length).map((at) => -at),
    matrix: counted(length * length).map((at) => -head - at),
  }),
  buckets: ({ buckets: count = 1, heads = 0, length = 0 }) => {
    const each = some(length * length);
    const borders = [{ distance: 0, bucket: 0 }];
    return { borders, matrix: each, biases: counted(heads * count), bias: each };
  },
  fourTerms: ({ length = 0 }) => {
    const each = (number: number): number[] =>
      counted(length * length).map((at) => number + at / 100);
    return { terms: [each(1), each(-2), each(0.5), each(4)], scores: each(3.5), residue: 2e-7 };
  },
};
