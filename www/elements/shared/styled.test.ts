// @vitest-environment happy-dom
import { html, render } from "lit";
import { describe, expect, it } from "vitest";
import { styled, type Styles } from "./styled.js";

describe("styles of an element", () => {
  it("are set, changed and taken back one by one", () => {
    const show = (styles: Styles): void =>
      void render(html`<i style=${styled(styles)}></i>`, document.body);
    show({ width: "4px", "--heads": "8" });
    const element = document.querySelector("i");
    expect([element?.style.width, element?.style.getPropertyValue("--heads")]).toEqual([
      "4px",
      "8",
    ]);
    show({ width: "6px" });
    expect([element?.style.width, element?.style.getPropertyValue("--heads")]).toEqual(["6px", ""]);
  });
});
