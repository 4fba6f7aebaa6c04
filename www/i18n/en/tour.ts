/** In English: the tour: every claim about a model is tested against its numbers. */
export const tour = {
  "tour.count": "{step} of {count}",
  "tour.back": "Back",
  "tour.next": "Next",
  "tour.finish": "Finish",
  "tour.leave": "Leave",
  "tour.again": "Show this step again",
  "tour.row.title": "A row is where a word looks",
  "tour.row.words":
    "Each row belongs to one token, a word or a piece of one, and shows where the model looks while it works out what that token means: the stronger the colour of a cell, the more. This head has learned one thing, to look at the word before. Follow the coloured stairs down: “plays” looks at “brother”, “piano” at “the”.",
  "tour.match.title": "A query meets a key",
  "tour.match.words":
    "How does “plays” know where to look? It asks something, its query, and every token says what it has to offer, its key: two lists of 32 numbers, multiplied pair by pair and added up to a single number, q · k. The better the two fit, the larger it is, and in this head nothing fits “plays” better than “brother”, the one who plays.",
  "tour.softmax.title": "From scores to shares",
  "tour.softmax.words":
    "Sums of 32 products grow large, so each is divided by √32; these are the scores. Softmax then turns every row into shares that add up to 1: whoever scores one higher gets 2.7 times the share. Choose “weights” above the picture: “brother” was one ahead of “my” and ends with 0.57 against 0.21.",
  "tour.heads.title": "Many heads, many questions",
  "tour.heads.words":
    "This model has four layers of four heads, and every head asks something else. This one looks at the word after; others look at the word before, at the token itself, or at much of the sentence at once. Move over the small pictures or choose one: below them stands what that head was found to do.",
  "tour.mask.title": "Who may not look",
  "tour.mask.words":
    "This model writes one word after another, so no word may look at those behind it: to guess what follows “Mary”, it must not see “went”. The hatched cells are forbidden. Their scores become minus infinity, and softmax makes of that a share of exactly 0; with “Block cells” you can forbid more.",
  "tour.order.title": "Where the order comes from",
  "tour.order.words":
    "To attention a sentence is a bag of words: who knows whom, it could not tell. So every token gets numbers added that stand for its place, here waves, some quick and some slow, which no two places share. Exchange “woman” and “man” in the sentence above, and the translation exchanges them too.",
  "tour.cross.title": "The decoder looks at the encoder",
  "tour.cross.words":
    "A translator has two halves: the encoder reads the English sentence, the decoder writes the French one, word by word. Here each row is what was written last, and looks at the English words from which the next one is made: “lui” at “gave”, to write “donna”. Type a sentence of your own and see where it looks.",
  "tour.edit.title": "Change something and watch",
  "tour.edit.words":
    "After “old” this model expects “car”, with about 70%, because it has read the phrase before. The head that you see tells every word what stands in front of it, and by that later heads find the “car” that came after the first “old”. Press “Silence this head” and “car” is gone; “Undo” brings it back.",
} as const;
