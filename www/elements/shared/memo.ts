/** Keeps the result of a costly step for as long as its inputs are the very same values. */
export class Memo<Result> {
  private last: { inputs: readonly unknown[]; result: Result } | null = null;

  get(inputs: readonly unknown[], make: () => Result): Result {
    const { last } = this;
    if (last && inputs.every((input, index) => Object.is(input, last.inputs[index])))
      return last.result;
    const result = make();
    this.last = { inputs, result };
    return result;
  }
}
