// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { STATE_ATTRIBUTES } from "../state/index.js";
import { CLASSES } from "./attach.js";

describe("the figures that work alone", () => {
  it.each(CLASSES.map((figure) => [figure.name, figure]))(
    "%s leaves the attributes that ask for something to the feeder",
    (_, figure) => {
      expect(figure.observedAttributes.filter((name) => STATE_ATTRIBUTES.includes(name))).toEqual(
        [],
      );
    },
  );
});
