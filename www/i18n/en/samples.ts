/** In English: what each sample sentence shows, and where the small model fails. */
export const samples = {
  "sample.en-fr.alignment":
    "Each row looks at the English word from which it writes the next French one.",
  "sample.en-fr.order":
    "Only the order says who loves whom: exchange the two words and the translation exchanges them too.",
  "sample.en-fr.bite":
    "The order is right: whoever bites comes first, and each noun finds its own. Only a small word slips when the man bites: “du” should be “le”.",
  "sample.en-fr.adjective":
    "French puts the colour after its noun: in the rows that write the two colours, the strongest cells step back.",
  "sample.en-fr.agreement":
    "“La”, “blanche” and “vieille” agree with “maison”. English says nothing of gender: the row that writes “La” looks ahead at “house”.",
  "sample.en-fr.it":
    "“It” could be the book or the table. This head looks from “it” most at the table, and “elle” means the table; yet “lourd” fits only the book.",
  "sample.en-fr.bank":
    "One word, two meanings: from the second “bank” this head looks at the river, from the first it does not. Yet both become “banque”.",
  "sample.en-fr.distance":
    "“Is” belongs to “girl”, not to the nearer “boys”: from “is” this head looks back at “girl”, and “heureuse” agrees with it.",
  "sample.en-fr.negation":
    "One English “not” becomes two French words: this head looks at it in the row that writes “ne”, head 1 of the same layer in the row that writes “pas”.",
  "sample.gpt.induction":
    "A phrase that was there before: this induction head finds it and looks at what followed, and the model writes that.",
  "sample.gpt.negation":
    "“Milk” followed “like” before, so this induction head looks at it. The model does not understand “don’t … but” and goes on with a bare guess.",
  "sample.gpt.bank":
    "“Bank” followed “the” before, so this head looks there. That the river is meant, so small a model does not know.",
  "sample.gpt.distance":
    "“Girl” rules the verb, but “boys” stands nearer: this head looks at both alike, and the first verb that the model thinks of is “are”.",
  "sample.gpt.it":
    "“It” could be the dog or the cat. The model goes on with “was” and never has to decide.",
  "sample.bert.object":
    "With “speak” hidden, this head looks from the gap at “French”: the model fills in what one does with a language.",
  "sample.bert.comparison":
    "With “than” hidden, this head looks from the gap at “taller”: the comparison asks for the word.",
  "sample.bert.negation":
    "With “like” hidden, this head looks from the gap back at “don’t”; what is filled in goes with it.",
  "sample.bert.order":
    "With “dog” hidden, only the words around it say who it could be. So small a model hardly knows who bites.",
  "sample.bert.bank":
    "With the second “bank” hidden, this head looks at the river, and yet the model thinks of an end or a middle.",
  "sample.bert.distance":
    "With “are” hidden: it belongs to “books”, but the gap looks at “bought” right before it, and the model fails.",
} as const;
