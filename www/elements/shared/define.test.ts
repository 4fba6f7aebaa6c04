// @vitest-environment happy-dom
import { ReactiveElement } from "lit";
import { afterEach, describe, expect, it } from "vitest";
import { define, meet } from "./define.js";

afterEach(() => document.body.replaceChildren());

describe("define", () => {
  it("keeps the first class of a tag and does not complain about a second", () => {
    class First extends ReactiveElement {}
    class Second extends ReactiveElement {}
    define("headscope-defined", First);
    define("headscope-defined", Second);
    expect(customElements.get("headscope-defined")).toBe(First);
  });
});

describe("meet", () => {
  it("finds what is in the page already, in a shadow root that nobody can look into too, and what comes, each once", () => {
    class Met extends ReactiveElement {}
    class Another extends ReactiveElement {}
    define("headscope-met", Met);
    define("headscope-another", Another);
    const closed = document.createElement("div").attachShadow({ mode: "closed" });
    document.body.append(closed.host);
    const [inside, gone, other] = [new Met(), new Met(), new Another()];
    closed.append(inside);
    document.body.append(gone, other);
    gone.remove();
    const met: ReactiveElement[] = [];
    meet(Met, (one) => met.push(one));
    expect(met).toEqual([inside]);
    const later = new Met();
    document.body.append(later);
    expect(met).toEqual([inside, later]);
  });
});
