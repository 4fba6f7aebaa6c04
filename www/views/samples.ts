/** Sentences that show something: who does what to whom, where a clause points, what a pronoun means. */
export const SAMPLES: readonly string[] = [
  "The little black cat that I gave my sister doesn't like milk.",
  "The dog bites the man.",
  "The man bites the dog.",
  "The woman who sold me this car is my neighbor.",
  "He lost the key because he was in a hurry.",
  "Do you know where she bought her new shoes?",
  "I would like to eat something before we leave.",
  "If it rains tomorrow, we will stay at home.",
];
