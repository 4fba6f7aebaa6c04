// @vitest-environment happy-dom
import type { JSX } from "react";
import { expect, expectTypeOf, it } from "vitest";
import { STATE_ATTRIBUTES } from "../state/index.js";
import * as runtime from "./index.js";
import type {} from "./react.js";
import type { HeadScope, HeadscopeHeatmap, HeadscopeTags } from "./types.js";
import type * as types from "./types.js";

const TAGS: Record<keyof HeadscopeTags, string> = {
  "head-scope": "HeadScope",
  "headscope-bars": "HeadscopeBars",
  "headscope-chips": "HeadscopeChips",
  "headscope-curves": "HeadscopeCurves",
  "headscope-difference": "HeadscopeDifference",
  "headscope-dimensions": "HeadscopeDimensions",
  "headscope-grid": "HeadscopeGrid",
  "headscope-heatmap": "HeadscopeHeatmap",
  "headscope-lines": "HeadscopeLines",
  "headscope-mask": "HeadscopeMask",
  "headscope-numbers": "HeadscopeNumbers",
  "headscope-positions": "HeadscopePositions",
  "headscope-spectrum": "HeadscopeSpectrum",
  "headscope-steps": "HeadscopeSteps",
  "headscope-strip": "HeadscopeStrip",
  "headscope-sum": "HeadscopeSum",
  "headscope-tokens": "HeadscopeTokens",
};

it.each(Object.entries(TAGS))("the package defines <%s> and exports %s", (tag, name) => {
  expect(customElements.get(tag)).toBe(Object.entries(runtime).find(([own]) => own === name)?.[1]);
  expect(Object.keys(runtime).toSorted()).toEqual([...Object.values(TAGS), "configure"].toSorted());
});

it("the elements leave the attributes by which they work alone to their controller", () => {
  const observed = Object.values(runtime).flatMap((element) =>
    "observedAttributes" in element ? element.observedAttributes : [],
  );
  expect(observed.filter((name) => STATE_ATTRIBUTES.includes(name))).toEqual([]);
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
  // Where an attribute has the name of a property, React sets the property.
  type Steps = JSX.IntrinsicElements["headscope-steps"];
  expectTypeOf<number>().not.toExtend<Steps["head"]>();
});
