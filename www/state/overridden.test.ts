import { describe, expect, it } from "vitest";
import { decodeEdits } from "./edit-codec.js";
import { isOverridden } from "./overridden.js";
import { EDIT_LISTS, NO_EDITS } from "./state.js";

/** Of the edits that a link names, those that do nothing beside the others, list by list in their order. */
function overridden(link: string): string[] {
  const edits = decodeEdits(link) ?? NO_EDITS;
  return EDIT_LISTS.flatMap((list) =>
    edits[list].flatMap((_, index) =>
      isOverridden(edits, { list, index }, () => true) ? [`${list} ${index}`] : [],
    ),
  );
}

describe("an edit that another one contradicts", () => {
  it.each([
    ["one pattern after another", "e1.1~uniform;e1.1~diagonal", "heads 0"],
    ["a factor beside silence, whichever comes first", "e1.1x0;e1.1x2", "heads 1"],
    ["a factor of a head whose layer is silent", "e1.1x2;e1.x0", "heads 0"],
    ["a norm that is moved back", "e2.~norm-pre;e2.~norm-post", "blocks 0"],
    ["a norm of a sublayer, then of all", "e2.~norm-pre(f);e2.~norm-none", "blocks 0"],
    ["a kind after another", "e1.1~kind-sliding(w1);e1.1~kind-linear", "attention 0"],
    ["one scheme after another", "e.~at-none;e.~at-alibi", "positions 0"],
    ["cells opened and blocked again", "d.~open1-9;d.!1-9", "masks 0"],
    ["a rule before one that stands instead", "e.~window(w1);e.~replace-none", "masks 0"],
  ])("is %s", (_, link, which) => {
    expect(decodeEdits(link), link).toBeDefined();
    expect(overridden(link)).toEqual([which]);
  });

  it.each([
    ["factors, which multiply", "e1.1x2;e1.1x3"],
    ["a pattern of one head and of another", "e1.1~uniform;e1.2~uniform"],
    ["a pattern of a layer, then of one head of it", "e1.~uniform;e1.1~diagonal"],
    ["a factor and a pattern of one head", "e1.1x2;e1.1~uniform"],
    ["a residual and a norm", "e2.~residual-off;e2.~norm-pre"],
    ["norms of two sublayers", "e2.~norm-pre(f);e2.~norm-pre(s)"],
    ["a dropout, then a kind", "e1.1~kind-softmax(p0.5,q1);e1.1~kind-cosine"],
    ["a kind of a decoder, then one that decoders cannot have", "d.~kind-linear;.~kind-linformer"],
    ["cells of which one is opened again", "d.!1-9,2-9;d.~open1-9"],
    ["rules that narrow one another", "e.~window(w1);e.~causal"],
    ["schemes of two stacks", "e.~at-none;d.~at-none"],
  ])("is not %s", (_, link) => {
    expect(decodeEdits(link), link).toBeDefined();
    expect(overridden(link)).toEqual([]);
  });

  it("is none beside one that is left out itself", () => {
    const edits = decodeEdits("e1.1~uniform;e1.1~diagonal") ?? NO_EDITS;
    expect(isOverridden(edits, { list: "heads", index: 0 }, ({ index }) => index === 0)).toBe(
      false,
    );
  });
});
