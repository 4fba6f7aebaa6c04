/** Patterns as pictures show them: by word, without special tokens, without the sink. */
export { groupsOf, groupTokens, type Groups } from "./groups.js";
export { joinWeights, pickCells, pickRows, poolWeights, rowSums } from "./pattern.js";
export { sinkOf, type Sink } from "./sink.js";
export { wordsOf, type Word } from "./words.js";
