/** In English: the laboratory of positions on the bench. */
export const positionsLab = {
  "posLab.title": "Laboratory: how each scheme works",
  "posLab.intro":
    "Apart from any text: turn the numbers of a scheme and see what it makes of them.",
  "posLab.which": "Scheme of positions",
  "posLab.sinusoidal": "Sinusoidal",
  "posLab.learned": "Learned",
  "posLab.rotary": "Rotary",
  "posLab.alibi": "ALiBi",
  "posLab.buckets": "T5",
  "posLab.fourTerms": "Transformer-XL",
  "posLab.dim": "dimensions d",
  "posLab.base": "base b",
  "posLab.length": "positions",
  "posLab.table": "The table",
  "posLab.sinusoidal.paper":
    "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin: Attention Is All You Need. NIPS 2017, section 3.5 (b = 10,000).",
  "posLab.sinusoidal.intro":
    "Each pair of dimensions is a wave, the first pair the shortest. Nothing is learned, and no position is the last. Positions and dimensions count from 1 in the figures, p and i in the formulas from 0.",
  "posLab.wave": "Waves of one pair",
  "posLab.pair": "pair i",
  "posLab.wavelength": "The waves of pair {pair} come back after λ = {length} positions.",
  "posLab.sine": "sine",
  "posLab.cosine": "cosine",
  "posLab.product": "dot product",
  "posLab.products": "Dot products of positions",
  "posLab.products.hint":
    "Along each diagonal the number is the same: it depends on the distance alone.",
  "posLab.products.odd":
    "The last pair has no cosine: along a diagonal the numbers are not quite the same, the less so the smaller d and b are.",
  "posLab.profile": "Mean dot product by distance",
  "posLab.apart": "positions apart",
  "posLab.noModel": "Load a model first: this is its own table.",
  "posLab.noTable":
    "The loaded model adds no table to its tokens. Its positions are {scheme}: they turn queries and keys instead.",
  "posLab.learned.paper":
    "Jonas Gehring, Michael Auli, David Grangier, Denis Yarats, Yann N. Dauphin: Convolutional Sequence to Sequence Learning. ICML 2017, section 3.1. In Transformers: Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova: BERT. NAACL 2019, section 3.",
  "posLab.learned.count":
    "Positions and dimensions count from 1 in the figures, p and q in the formulas from 0.",
  "posLab.learned.own":
    "The loaded model has learned a row of {dimensions} numbers for each of its {positions} positions, and knows no further one.",
  "posLab.learned.computed":
    "The loaded model has learned no table: its own is computed by sines and cosines. It differs from the laboratory’s by at most {difference}.",
  "posLab.learned.alike":
    "Neighbours have a cosine of {near} on the average, positions {far} apart one of {value}.",
  "posLab.cosines": "Similarity of positions",
  "posLab.cosines.hint":
    "The cosine of the angle between two rows: 1 where they point the same way, 0 where they share nothing.",
  "posLab.cosineOf": "cosine",
  "posLab.cosineProfile": "Mean cosine by distance",
} as const;
