/** What a page may set of the properties of elements, beside their types. */
import type { Tensor, Token } from "../data/index.js";

type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array;

/** An array of numbers of any type. */
export type NumberList = readonly number[] | TypedArray;

/** Numbers in lists of lists, as deep as a tensor has axes. */
export type NestedNumbers = readonly (number | TypedArray | NestedNumbers)[];

/** Numbers that an element takes for a tensor; without names of axes, those that it expects. */
export type Numbers =
  | Tensor
  | NestedNumbers
  | { readonly data: NumberList; readonly shape: readonly number[]; readonly axes?: string[] };

/**
 * What an element takes for a property of a type: also lists of lists of numbers for a tensor, any
 * array of numbers for numbers, a string for a token that is a word on its own, and nothing for a
 * list.
 */
export type Given<Type> = Accepted<Type> | (null extends Type ? undefined : never);

type Accepted<Type> = Type extends Tensor
  ? Numbers
  : Type extends Token
    ? Token | string
    : Type extends Float32Array
      ? NumberList
      : Type extends readonly (infer One)[]
        ? number extends Type["length"]
          ? readonly Given<One>[] | null | undefined
          : Type
        : Type extends ((...given: never[]) => unknown) | TypedArray
          ? Type
          : Type extends object
            ? { readonly [Name in keyof Type]: Given<Type[Name]> }
            : Type;
