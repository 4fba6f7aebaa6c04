/** In English: rules of masks on the bench. */
export const masks = {
  "rule.intro":
    "Who may look at whom. Rules hold from top to bottom, and change what the model computes.",
  "rule.allowed":
    "Layer {layer} · head {head}: {allowed} of {all} {all|pair|pairs} allowed ({share})",
  "rule.noText": "Type a sentence first: rules are about its tokens.",
  "rule.unread": "This opens as soon as the model has read your sentence.",
  "rule.add": "Add a rule",
  "rule.choose": "choose…",
  "rule.title": "Rule {number}: {kind}",
  "rule.remove": "Take this rule away",
  "rule.joined": "How it joins what stands above",
  "rule.preset": "What it allows",
  "rule.invert": "inverted",
  "rule.for": "for",
  "rule.where": "Where it holds",
  "rule.reach.head": "layer {layer} · head {head}",
  "rule.reach.layer": "{stack}, layer {layer}",
  "rule.reach.stack": "{stack}, all layers",
  "rule.reach.everywhere": "all attention",
  "rule.none.hint":
    "Everybody may look at everybody. Instead of a decoder’s own mask it lets the decoder see the words that it is to predict.",
  "rule.causal.hint": "Nobody looks at a later token (Vaswani et al. 2017, section 3.2.3).",
  "rule.padding.hint":
    "Only the first tokens are real; nobody looks at the rest, as if they were padding in a batch.",
  "rule.prefix.hint":
    "The first tokens are seen by all, the others only by those after them (Raffel et al. 2020, section 3.2.1).",
  "rule.window.hint": "Each token looks at its neighbours (Beltagy et al. 2020, section 3.1).",
  "rule.dilated.hint":
    "A window with gaps: the same number of keys, from further away (Beltagy et al. 2020, section 3.1).",
  "rule.global.hint":
    "Some tokens look at all and are seen by all; the others have a window (Longformer, Beltagy et al. 2020, section 3.1).",
  "rule.random.hint":
    "Besides window and global tokens, a few keys are drawn for each query by the seed (BigBird, Zaheer et al. 2020, section 2).",
  "rule.block.hint": "Tokens look only at those of their own block.",
  "rule.strided.hint":
    "Each token looks at its nearest neighbours and, further away, at one key in every stride (Sparse Transformer, Child et al. 2019, section 4.3).",
  "rule.fill": "Forbidden cells add",
  "rule.fill.-inf": "−∞",
  "rule.fill.-1e9": "−10⁹",
  "rule.fill.-inf.hint":
    "exp(−∞) is 0, so a forbidden cell has no weight. A row that may look nowhere has no weights at all, and its head says nothing there.",
  "rule.fill.-1e9.hint":
    "exp(−10⁹) is 0 as well, so the weights are the same wherever a row has an open cell. Only a row without one differs: its scores drown in −10⁹, come out alike, and the row looks evenly at all that it was forbidden.",

  "paint.switch": "Paint cells",
  "paint.where": "Whom the strokes are for",
  "paint.hint":
    "Press and draw over the heatmap or the mask: the first cell decides whether the stroke blocks or opens. By keyboard, Shift with the arrows lays out a rectangle and Enter paints it.",
} as const;
