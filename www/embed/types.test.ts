// @vitest-environment happy-dom
// @isolate: the figures of the package work alone, which those of other files must not.
import type { JSX } from "react";
import { expect, expectTypeOf, it } from "vitest";
import { STATE_ATTRIBUTES } from "../state/index.js";
import * as runtime from "./index.js";
import type {} from "./react.js";
import type { HeadScope, HeadscopeHeatmap, HeadscopeTags } from "./types.js";
import type * as types from "./types.js";

const FIGURES =
  "Attribution Bars Chips Curves Difference Dimensions Effects Grid Heatmap Image Lens Lines Mask Numbers Positions Spectrum Steps Strip Sum Tokens";
const NAMES = ["HeadScope", ...FIGURES.split(" ").map((name) => `Headscope${name}`)];

it("the package defines and exports every element, which leave the attributes by which they work alone to their controller", () => {
  const { configure, ...elements } = runtime;
  expect(configure).toBeTypeOf("function");
  expect(Object.keys(elements).sort()).toEqual(NAMES.sort());
  for (const [name, element] of Object.entries(elements)) {
    const tag = name === "HeadScope" ? "head-scope" : name.replace("scope", "scope-").toLowerCase();
    expect(customElements.get(tag), tag).toBe(element);
    const own = element.observedAttributes.filter((one) => STATE_ATTRIBUTES.includes(one));
    expect(own, tag).toEqual([]);
  }
});

it("types the same names, every tag in the DOM, and every tag in TSX", () => {
  expectTypeOf<keyof typeof types>().toEqualTypeOf<keyof typeof runtime>();
  expectTypeOf<HTMLElementTagNameMap["head-scope"]>().toEqualTypeOf<HeadScope>();
  expectTypeOf<keyof HeadscopeTags>().toExtend<keyof JSX.IntrinsicElements>();
  const heatmap = {
    model: "models/en-fr",
    layer: 2,
    stage: "raw",
    "onheadscope-cell-lock": ({ detail }) => detail?.query,
    ref: (figure: HeadscopeHeatmap | null) => {
      expect(figure?.tensor).toBeNull();
    },
  } satisfies JSX.IntrinsicElements["headscope-heatmap"];
  expectTypeOf(heatmap.layer).toBeNumber();
  heatmap.ref(document.createElement("headscope-heatmap"));
  const scope = {
    layer: 2,
    state: { text: "A cat" },
    "onheadscope-state": ({ detail }) => detail.state,
  } satisfies JSX.IntrinsicElements["head-scope"];
  expectTypeOf(scope.state.text).toBeString();
  // Where an attribute has the name of a property, React sets the property.
  type Steps = JSX.IntrinsicElements["headscope-steps"];
  expectTypeOf<number>().not.toExtend<Steps["head"]>();
});
