/**
 * Seeded random numbers: the same in every browser, since every operation is exact.
 *
 * The generator is `splitmix32`: a counter, whose bits are mixed by the finaliser of MurmurHash3
 * with the constants of C. Wellons ("hash prospector", 2018).
 */

export class Random {
  #state: number;

  /** A stream of numbers for a seed and further numbers, such as a step. */
  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => mixed(state ^ mixed(seed)), 0x2545f491);
  }

  /** A whole number of 32 bits, from 0. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mixed(this.#state);
  }

  /** A whole number from 0 to below `count`, all of them equally likely. */
  below(count: number): number {
    // The last numbers of 32 bits, beyond a multiple of the count, would favour the small ones.
    const end = 0x1_0000_0000 - (0x1_0000_0000 % count);
    for (;;) {
      const drawn = this.bits();
      if (drawn < end) return drawn % count;
    }
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** A number from −1 to below 1. */
  signed(): number {
    return this.bits() / 0x8000_0000 - 1;
  }

  /** One item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** The items of a list in a drawn order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] as Item, order[last] as Item];
    }
    return order;
  }
}

/** The bits of a number, mixed: each bit depends on all bits of the number. */
function mixed(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** A number of 32 bits that depends on every symbol of a list and on their order. */
export function hashOf(symbols: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const letter of symbols.join(" "))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return mixed(hash);
}
