import { describe, expect, it } from "vitest";
import { productsOf } from "./products.js";

describe("the products of a query and the keys", () => {
  it("are taken dimension by dimension", () => {
    const axes = ["position", "head_dim"];
    const query = { data: Float32Array.of(9, 9, 9, 1, -2, 3), shape: [2, 3], axes };
    const key = { data: Float32Array.of(1, 1, 1, 2, 0.5, -1), shape: [2, 3], axes };
    expect([...productsOf({ query, key }, 1)]).toEqual([1, -2, 3, 2, -1, -3]);
  });
});
