/**
 * The cards of the bundled models, in the order in which they are offered: known before any file of
 * a model is fetched. A test compares sizes and roles with the folders.
 */
import type { Architecture, Cell, HeadRef, Stack } from "../../data/index.js";
import type { MessageKey } from "../../i18n/index.js";
import type { BundledModel, RoleFilter } from "../../state/index.js";

/** A text that shows a property of a model, and the head and the cell that show it. */
export interface Sample extends HeadRef {
  text: string;
  locked: Cell;
  /**
   * The property that the sample shows, in one sentence under the text until the text is changed.
   */
  note?: MessageKey;
  /** The positions of tokens to mask, in a masked language model. */
  masked?: readonly number[];
  /** The text to compare the sample with. */
  other?: string;
}

/** The description of a bundled model before any of its files is fetched. */
export interface ModelCard {
  name: BundledModel;
  /** The architecture's own name, the same in every language. */
  family: string;
  architecture: Architecture;
  /** What the model reads. */
  reads: "text" | "image";
  /** The size of all fetched files together, in bytes. */
  bytes: number;
  /** The roles that a head of each stack has on held-out text. */
  roles: Readonly<Partial<Record<Stack, readonly RoleFilter[]>>>;
  /** The samples of the model; the first replaces a sample of another model. */
  samples: readonly Sample[];
  /** The pairs of texts to compare: words that change places, and a word with two meanings. */
  pairs: readonly (Sample & { other: string })[];
}

export const MODEL_CARDS: readonly ModelCard[] = [
  {
    name: "models/en-fr",
    family: "Marian",
    architecture: "encoder-decoder",
    reads: "text",
    bytes: 8810000,
    roles: {
      encoder: [
        "broad",
        "none"
      ],
      decoder: [
        "none"
      ],
      cross: [
        "aligned",
        "next",
        "near",
        "broad",
        "none"
      ]
    },
    samples: [
      {
        text: "She gave him the book that he wanted to read.",
        note: "sample.en-fr.alignment",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 4,
          key: 4
        }
      },
      {
        text: "The boy loves the girl.",
        note: "sample.en-fr.order",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 1,
          key: 1
        }
      },
      {
        text: "The girl loves the boy.",
        note: "sample.en-fr.order",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 1,
          key: 1
        }
      },
      {
        text: "The dog bites the man.",
        note: "sample.en-fr.bite",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 1,
          key: 1
        }
      },
      {
        text: "The man bites the dog.",
        note: "sample.en-fr.bite",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 6,
          key: 5
        }
      },
      {
        text: "I have a black cat and a white dog.",
        note: "sample.en-fr.adjective",
        stack: "cross",
        layer: 2,
        head: 5,
        locked: {
          query: 5,
          key: 3
        }
      },
      {
        text: "The white house is old.",
        note: "sample.en-fr.agreement",
        stack: "cross",
        layer: 2,
        head: 0,
        locked: {
          query: 0,
          key: 2
        }
      },
      {
        text: "He took the apple and ate it.",
        note: "sample.en-fr.it",
        stack: "encoder",
        layer: 2,
        head: 2,
        locked: {
          query: 6,
          key: 3
        }
      },
      {
        text: "The bank is on the bank of the river.",
        note: "sample.en-fr.bank",
        stack: "encoder",
        layer: 2,
        head: 6,
        locked: {
          query: 5,
          key: 8
        }
      },
      {
        text: "The girl who knows the boys is happy.",
        note: "sample.en-fr.distance",
        stack: "encoder",
        layer: 1,
        head: 5,
        locked: {
          query: 6,
          key: 1
        }
      },
      {
        text: "He does not speak French.",
        note: "sample.en-fr.negation",
        stack: "cross",
        layer: 1,
        head: 7,
        locked: {
          query: 1,
          key: 2
        }
      }
    ],
    pairs: [
      {
        text: "The dog bites the man.",
        other: "The man bites the dog.",
        stack: "cross",
        layer: 1,
        head: 4,
        locked: {
          query: 1,
          key: 1
        }
      },
      {
        text: "She sits on the bank of the river.",
        other: "She has money in the bank.",
        stack: "encoder",
        layer: 2,
        head: 6,
        locked: {
          query: 5,
          key: 8
        }
      }
    ]
  },
  {
    name: "models/tiny-gpt",
    family: "GPT-2",
    architecture: "decoder",
    reads: "text",
    bytes: 2820000,
    roles: {
      decoder: [
        "induction",
        "previous",
        "self",
        "first",
        "positional",
        "broad",
        "none"
      ]
    },
    samples: [
      {
        text: "I don't want to go to school. I don't want to go to",
        note: "sample.gpt.induction",
        stack: "decoder",
        layer: 2,
        head: 2,
        locked: {
          query: 16,
          key: 8
        }
      },
      {
        text: "She lives in a small house near the river. She lives in a small",
        note: "sample.gpt.induction",
        stack: "decoder",
        layer: 1,
        head: 1,
        locked: {
          query: 15,
          key: 6
        }
      },
      {
        text: "I don't like milk, but I like",
        note: "sample.gpt.negation",
        stack: "decoder",
        layer: 2,
        head: 2,
        locked: {
          query: 9,
          key: 5
        }
      },
      {
        text: "The bank is on the bank of the",
        note: "sample.gpt.bank",
        stack: "decoder",
        layer: 1,
        head: 1,
        locked: {
          query: 8,
          key: 6
        }
      },
      {
        text: "The girl who knows the boys",
        note: "sample.gpt.distance",
        stack: "decoder",
        layer: 1,
        head: 3,
        locked: {
          query: 6,
          key: 2
        }
      },
      {
        text: "My dog is big, but it is gentle.",
        note: "sample.gpt.it",
        stack: "decoder",
        layer: 3,
        head: 2,
        locked: {
          query: 7,
          key: 2
        }
      }
    ],
    pairs: [
      {
        text: "The dog bites the man",
        other: "The man bites the dog",
        stack: "decoder",
        layer: 1,
        head: 1,
        locked: {
          query: 5,
          key: 2
        }
      },
      {
        text: "She sits on the bank of the river",
        other: "She has money in the bank",
        stack: "decoder",
        layer: 1,
        head: 1,
        locked: {
          query: 8,
          key: 6
        }
      }
    ]
  },
  {
    name: "models/tiny-bert",
    family: "BERT",
    architecture: "encoder",
    reads: "text",
    bytes: 2780000,
    roles: {
      encoder: [
        "previous",
        "next",
        "self",
        "positional",
        "broad",
        "none"
      ]
    },
    samples: [
      {
        text: "He does not speak French.",
        note: "sample.bert.object",
        stack: "encoder",
        layer: 3,
        head: 1,
        locked: {
          query: 4,
          key: 5
        },
        masked: [
          4
        ]
      },
      {
        text: "He is taller than his brother.",
        note: "sample.bert.comparison",
        stack: "encoder",
        layer: 2,
        head: 3,
        locked: {
          query: 4,
          key: 3
        },
        masked: [
          4
        ]
      },
      {
        text: "I don't like milk.",
        note: "sample.bert.negation",
        stack: "encoder",
        layer: 2,
        head: 0,
        locked: {
          query: 5,
          key: 2
        },
        masked: [
          5
        ]
      },
      {
        text: "The dog bites the man.",
        note: "sample.bert.order",
        stack: "encoder",
        layer: 1,
        head: 3,
        locked: {
          query: 2,
          key: 6
        },
        masked: [
          2
        ]
      },
      {
        text: "The bank is on the bank of the river.",
        note: "sample.bert.bank",
        stack: "encoder",
        layer: 1,
        head: 3,
        locked: {
          query: 6,
          key: 9
        },
        masked: [
          6
        ]
      },
      {
        text: "The books that my brother bought are on the table.",
        note: "sample.bert.distance",
        stack: "encoder",
        layer: 3,
        head: 2,
        locked: {
          query: 7,
          key: 6
        },
        masked: [
          7
        ]
      }
    ],
    pairs: [
      {
        text: "The dog bites the man.",
        other: "The man bites the dog.",
        stack: "encoder",
        layer: 1,
        head: 3,
        locked: {
          query: 6,
          key: 2
        }
      },
      {
        text: "She sits on the bank of the river.",
        other: "She has money in the bank.",
        stack: "encoder",
        layer: 1,
        head: 3,
        locked: {
          query: 6,
          key: 9
        }
      }
    ]
  },
  {
    name: "models/tiny-vit",
    family: "ViT",
    architecture: "encoder",
    reads: "image",
    bytes: 311000,
    roles: {},
    samples: [],
    pairs: [],
  },
];
