/** Sentences that show something: who gives what to whom, what an adjective agrees with, where a clause points. */
export const SAMPLES: readonly string[] = [
  "She gave him the book that he wanted to read.",
  "The little black cat doesn't like milk.",
  "My brother is taller than my sister.",
  "My sister is taller than my brother.",
  "I have never seen such a beautiful white horse.",
  "The woman who lives next door is a doctor.",
  "Do you know where she bought her new shoes?",
  "If it rains tomorrow, we will stay at home.",
];
