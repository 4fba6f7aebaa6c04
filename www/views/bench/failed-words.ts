import { sentenceOf } from "../explorer/failure-words.js";
import { asFailure } from "../run/failures.js";

/** What failed on the bench, in the page's words: no text is too long for it, and no folder is to blame. */
export function failedWords(thrown: unknown): string {
  return sentenceOf(asFailure(thrown), { maxTokens: 0, showsEarlierText: false, ownFolder: false });
}
