/** Sentences that show something: who does what to whom, where a clause points, what a pronoun means. */
export const SAMPLES: readonly string[] = [
  "She gave him the book that he wanted to read.",
  "The dog bites the man.",
  "The man bites the dog.",
  "The little black cat that I gave my sister doesn't like milk.",
  "I don't know what to do with these old books.",
  "Tom asked Mary to close the window because it was cold.",
  "Do you know where she bought her new shoes?",
  "Would you like to have dinner with me tonight?",
  "If it rains tomorrow, we will stay at home.",
];
