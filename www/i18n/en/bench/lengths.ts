/** In English: texts that are longer than a model's positions, on the bench. */
export const lengths = {
  "lengths.title": "Lengths beyond training",
  "lengths.intro":
    "The loss at each token of a text that is longer than any in training, under one scheme after the other (Press et al. 2022). The model was trained with its own scheme only; the others are put in its place untrained.",
  "lengths.trainedTo":
    "The longest text that this model was trained on had {trained} tokens; it has {positions} positions.",
  "lengths.trainedUnknown":
    "It has {positions} positions; how long its texts in training were it does not say, so they are taken to have been that long.",
  "lengths.translator":
    "Of the translator it is the decoder’s loss on the translation of many sentences in one; each scheme takes the place of its own in encoder and decoder. The encoder reads all those sentences at once: where they have more than {source} tokens, it is beyond training from the decoder’s first row on, so that “within” speaks of the translation alone.",
  "lengths.gaps":
    "This model fills gaps, so it is the loss of a hidden token: every {apart}th token of the text is hidden at a time, in {apart} runs, so that each is hidden once and named from both sides (as in Salazar et al. 2020). The {around} tokens that stand around every text are not counted below.",
  "lengths.noMask":
    "This model fills gaps, but has no token that hides another, so there is no loss to read.",
  "lengths.silent": "This model has no output over a vocabulary, so there is no loss to read.",
  "lengths.text": "Text",
  "lengths.text.heldOut": "held-out sentences",
  "lengths.text.own": "your own text",
  "lengths.text.hint": "A text of more than {positions} tokens",
  "lengths.length": "Up to",
  "lengths.times": "{tokens} tokens, {times} × the positions",
  "lengths.schemes": "Schemes to compare",
  "lengths.go": "Read under {count} {count|scheme|schemes}",
  "lengths.goOn": "Go on with {count} {count|scheme|schemes}",
  "lengths.progress": "Tokens read",
  "lengths.done": "{done} of {all} tokens",
  "lengths.stop": "Stop",
  "lengths.window": "Mean over",
  "lengths.window.none": "each token",
  "lengths.anew": "the model’s own, begun anew",
  "lengths.x": "tokens read before",
  "lengths.x.gaps": "place in the text",
  "lengths.y": "loss, nats per token",
  "lengths.trained": "longest in training",
  "lengths.last": "last position",
  "lengths.fares": "Losses within the length of training and beyond it",
  "lengths.column.scheme": "Scheme",
  "lengths.column.rows": "Tokens read",
  "lengths.column.within": "Loss within",
  "lengths.column.beyond": "Loss beyond",
  "lengths.column.rise": "Rise",
  "lengths.rise": "{scheme} ({rise})",
  "lengths.hold":
    "Beyond {trained} tokens the loss rises by no more than {threshold} nats under {schemes}.",
  "lengths.break":
    "Beyond {trained} tokens it breaks, rising by more than {threshold} nats so that tokens become less than half as likely, under {schemes}.",
  "lengths.already":
    "Already within {trained} tokens it loses more than {threshold} nats above the same tokens read anew under {schemes}.",
  "lengths.end": "Positions end at {positions} under {schemes}.",
  "lengths.short":
    "The text is no longer than the {trained} tokens that training went to, so nothing can be said of what lies beyond them.",
  "lengths.empty": "There is nothing to foresee: a text needs two tokens at least.",
  "lengths.empty.gaps": "There is nothing to hide: a text needs one token at least.",
  "lengths.noSentences":
    "This model came without sentences and their translations, and the loss is read on such: there is nothing to read here.",
  "lengths.how":
    "“Begun anew” reads the same tokens with the model’s own positions, from the first one on: a writer by windows that overlap by half, a translator sentence by sentence, a model that fills gaps by windows that overlap by half too, of which only the middle is counted, so that both sides of a hidden token are there. The rise is how much more a scheme loses beyond {trained} tokens than within, each against that; so a harder stretch of text does not count as breaking.",
  "lengths.refused":
    "Where a learned table ends, it has no further row: the engine refuses a longer text, and what has room was read. Waves and turns could go on: sinusoidal and rotary do.",
  "lengths.refused.computed":
    "The model’s own positions are computed and could go on, but it is set up for {positions}: the engine refuses a longer text, and what has room was read.",
} as const;
