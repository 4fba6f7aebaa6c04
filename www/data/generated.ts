// Written by `cargo test bindings` with WRITE_BINDINGS=1 from the Rust types; not edited by hand.

/**
 * A tensor: numbers with their shape and the name of each axis, the input of every figure.
 */
export type Tensor = { 
/**
 * Row-major values.
 */
data: Float32Array, 
/**
 * How many there are along each axis, outermost first.
 */
shape: Array<number>, 
/**
 * One name per axis, for instance `["query", "key"]` or `["layer", "head", "query", "key"]`.
 */
axes: Array<string>, };

/**
 * An attention stack: the attention sites of one sort in all layers of a model.
 */
export type Stack = "encoder" | "decoder" | "cross";

/**
 * A stage of the computation of attention weights (Vaswani et al. 2017, section 3.2.1): a step
 * that is a pattern of one head.
 */
export type Stage = "raw" | "scores" | "masked" | "weights";

/**
 * One of the three projections of a head.
 */
export type Part = "query" | "key" | "value";

/**
 * One head.
 */
export type HeadRef = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, };

/**
 * The field of questions about a whole stack.
 */
export type StackRef = { 
/**
 * The stack.
 */
stack: Stack, };

/**
 * The field of questions about a stack with a residual stream, which cross-attention does not
 * have.
 */
export type StreamRef = { 
/**
 * The stack.
 */
stack: "encoder" | "decoder", };

/**
 * The address of an activation of a run. A stage of attention, a projection of a head and the
 * residual stream at a depth are activations too.
 */
export type At = { 
/**
 * The stack; `cross` for the cross-attention of a decoder's blocks.
 */
stack: Stack, 
/**
 * The index of the block, from 0.
 */
layer: number, 
/**
 * The step of the block.
 */
step: Step, 
/**
 * The index of the head: required for a pattern, optional where heads stand side by side,
 * refused elsewhere.
 */
head?: number, 
/**
 * The rows, from 0, in the order of the answer; by default all. They are positions of tokens,
 * for a pattern those of queries.
 */
positions?: number[], };

/**
 * The stacks of a model.
 */
export type Architecture = "encoder" | "decoder" | "encoder-decoder";

/**
 * The sizes of one attention stack.
 */
export type StackInfo = { 
/**
 * The number of layers.
 */
layers: number, 
/**
 * The number of query heads per layer.
 */
heads: number, 
/**
 * The number of key/value heads per layer; with fewer than `heads`, neighbouring heads share
 * one.
 */
kvHeads: number, 
/**
 * One head's width.
 */
headDim: number, };

/**
 * The attention stacks of a model.
 */
export type Stacks = { 
/**
 * Encoder self-attention.
 */
encoder?: StackInfo, 
/**
 * Decoder self-attention.
 */
decoder?: StackInfo, 
/**
 * Cross-attention.
 */
cross?: StackInfo, };

/**
 * The numbers of trained parameters, by component. Tied weights are counted once, where they are
 * read first; fixed sinusoids are not trained and not counted.
 */
export type Parameters = { 
/**
 * The sum of all components.
 */
total: number, 
/**
 * Token, position and token-type tables.
 */
embedding: number, 
/**
 * Encoder layers.
 */
encoder: number, 
/**
 * Decoder layers without cross-attention.
 */
decoder: number, 
/**
 * Cross-attention with its norms.
 */
cross: number, 
/**
 * The output head, unless tied to the embedding.
 */
output: number, };

/**
 * The effect in Hugging Face of a field that has none here.
 */
export type FieldEffect = "none" | "generation";

/**
 * A field of a model's file with a value that has no effect here.
 */
export type FieldWarning = { 
/**
 * The file's name, such as `config.json`, `tokenizer_config.json` or `model.gguf`.
 */
file: string, 
/**
 * The field's name, after the names of the objects that hold it: `rope_scaling.type`.
 */
field: string, 
/**
 * The field's value as JSON, shortened if long.
 */
value: string, 
/**
 * The field's effect in Hugging Face.
 */
effect: FieldEffect, };

/**
 * The conversion of an image to tokens: trained special tokens first, then one token per patch,
 * row after row.
 */
export type ImageConfig = { 
/**
 * The numbers per pixel.
 */
channels: number, 
/**
 * Height and width of an image, in pixels.
 */
size: [number, number], 
/**
 * Height and width of a patch, in pixels.
 */
patch: [number, number], 
/**
 * The numbers of rows and columns of patches.
 */
grid: [number, number], 
/**
 * Tokens before the first patch: the class token, in `DeiT` also the distillation token.
 */
specials: number, };

/**
 * The description of a model before it runs.
 */
export type ModelInfo = { 
/**
 * The family, as `model_type` in config.json.
 */
family: string, 
/**
 * The stacks of the model.
 */
architecture: Architecture, 
/**
 * The attention stacks of the model.
 */
stacks: Stacks, 
/**
 * The width of the residual stream.
 */
dModel: number, 
/**
 * The size of the vocabulary, or the number of an image's classes.
 */
vocabSize: number, 
/**
 * The conversion of an image to tokens, in a model that reads images.
 */
image: ImageConfig | null, 
/**
 * The longest text, in tokens.
 */
maxTokens: number, 
/**
 * The number of token types.
 */
tokenTypes: number, 
/**
 * The name of the positional encoding.
 */
positions: string, 
/**
 * The place of the norms: `post`, `pre` or `none`.
 */
norm: string, 
/**
 * The name of the activation inside the feed-forward network.
 */
activation: string, 
/**
 * Whether the output of a second map multiplies the activated numbers.
 */
gated: boolean, 
/**
 * Whether scores are `q · k ÷ √d_h`, without another scale, a soft cap or a relative-position
 * term.
 */
usualScores: boolean, 
/**
 * The numbers of trained parameters, by component.
 */
parameters: Parameters, 
/**
 * Whether the checkpoint has an output head.
 */
predicts: boolean, 
/**
 * What the folder has in place of an output head and is not computed: the class by which
 * Hugging Face reads the folder, or a tensor.
 */
missingHead: string | null, 
/**
 * The id of the token with which decoding begins.
 */
startToken: number | null, 
/**
 * The ids of the tokens that end a text.
 */
endTokens: Array<number>, 
/**
 * The id of the padding token.
 */
padToken: number | null, 
/**
 * The name of the backend.
 */
backend: string, 
/**
 * The name of the backend's kernel.
 */
kernel: string, 
/**
 * Warnings of the fields of the model's files that have no effect.
 */
warnings: Array<FieldWarning>, };

/**
 * How a mask rule joins the rules before it: `and` keeps visible the cells that both keep,
 * `or` the cells that either keeps, `replace` ignores all rules before, the model's own mask
 * included.
 */
export type MaskMode = "and" | "or" | "replace";

/**
 * The number that a masked cell adds to its score: minus infinity, which gives a fully masked
 * row the weights 0, or -1e9, which leaves such a row to the arithmetic.
 */
export type MaskFill = "-inf" | "-1e9";

/**
 * A rule for the keys that each query may attend to, with its numbers, all of them whole. `width`
 * counts the keys on each side of a query's own position, or before it if the window is
 * `oneSided`.
 */
export type MaskPreset = { "kind": "none" } | { "kind": "causal" } | { "kind": "padding", 
/**
 * The number of real tokens.
 */
length: number, } | { "kind": "window", 
/**
 * The number of keys on each side.
 */
width: number, 
/**
 * Whether later keys are masked.
 */
oneSided?: boolean, } | { "kind": "dilated", 
/**
 * The number of keys on each side.
 */
width: number, 
/**
 * The distance from one key to the next; at least 1.
 */
dilation: number, 
/**
 * Whether later keys are masked.
 */
oneSided?: boolean, } | { "kind": "global", 
/**
 * The positions of the global tokens.
 */
tokens: Array<number>, 
/**
 * The number of keys on each side; absent: no window.
 */
width?: number, 
/**
 * Whether later keys are masked in the window.
 */
oneSided?: boolean, } | { "kind": "random", 
/**
 * The positions of the global tokens; absent: none.
 */
tokens?: Array<number>, 
/**
 * The number of keys on each side; absent: no window.
 */
width?: number, 
/**
 * The number of keys drawn for each query.
 */
keys: number, 
/**
 * The seed of the draw.
 */
seed: number, 
/**
 * Whether later keys are masked in the window.
 */
oneSided?: boolean, } | { "kind": "block", 
/**
 * The number of tokens of a block; at least 1.
 */
size: number, } | { "kind": "strided", 
/**
 * The stride; at least 1.
 */
stride: number, 
/**
 * Whether later keys are masked.
 */
oneSided?: boolean, } | { "kind": "prefix", 
/**
 * The number of the first keys.
 */
length: number, };

/**
 * A change of the keys that queries may attend to: a preset is joined to the present mask, then
 * cells are closed and opened. The first present mask is the model's own.
 */
export type MaskEdit = { 
/**
 * The stack: `encoder`, `decoder` or `cross`; absent: all.
 */
stack?: Stack, 
/**
 * The layers, from 0; absent: all.
 */
layers?: Array<number>, 
/**
 * The heads, from 0; absent: all.
 */
heads?: Array<number>, 
/**
 * How the preset is joined to the present mask; absent: `and`. Refused without a preset.
 */
mode?: MaskMode, 
/**
 * Whether the preset is inverted: visible becomes masked and the reverse. Refused without a
 * preset.
 */
invert?: boolean, 
/**
 * The preset: a rule for all cells.
 */
preset?: MaskPreset, 
/**
 * Cells `[query, key]` to mask, whatever the preset says.
 */
block?: Array<[number, number]>, 
/**
 * Cells `[query, key]` to open, whatever the preset and the model's own mask say.
 */
allow?: Array<[number, number]>, 
/**
 * The fill: what every masked cell of these heads adds to its score, cells masked by the model
 * and by padding included; absent: unchanged, at first `-inf`.
 */
fill?: MaskFill, };

/**
 * A fixed pattern that is known by name.
 */
export type NamedPattern = "uniform" | "diagonal" | "previous";

/**
 * A gate or a fixed pattern of heads.
 */
export type HeadEdit = { 
/**
 * The stack: `encoder`, `decoder` or `cross`; absent: all.
 */
stack?: Stack, 
/**
 * The layers, from 0; absent: all.
 */
layers?: Array<number>, 
/**
 * The heads, from 0; absent: all.
 */
heads?: Array<number>, 
/**
 * The gate, a factor of the head's context: 0 ablates the head, 1 leaves it, 2 doubles it.
 */
gate?: number, 
/**
 * The pattern in place of the head's weights: equal weights for all open keys, the key at the
 * query's own position, the key before it, or a drawn matrix `[query][key]` of numbers from 0.
 */
pattern?: NamedPattern | number[][], };

/**
 * A part of a layer with a residual of its own.
 */
export type Sublayer = "self-attention" | "cross-attention" | "feed-forward";

/**
 * The place of a sublayer's norm: the model's, none, before the sublayer, after the sum.
 */
export type NormPlace = "model" | "none" | "pre" | "post";

/**
 * Residuals and norms of sublayers, left out or moved.
 */
export type BlockEdit = { 
/**
 * The stack: `encoder` or `decoder`; absent: both.
 */
stack?: Exclude<Stack, "cross">, 
/**
 * The layers, from 0; absent: all.
 */
layers?: Array<number>, 
/**
 * The sublayers; absent: all of a block.
 */
sublayers?: Array<Sublayer>, 
/**
 * Whether the input of a sublayer is added to its output.
 */
residual?: boolean, 
/**
 * The place of the sublayer's norm: the model's, none, before the sublayer, after the sum.
 */
norm?: NormPlace, };

/**
 * The names of the attention variants, each described in `src/variants`.
 */
export type VariantName = "softmax" | "cosine" | "additive" | "sliding" | "blocks" | "linear" | "performer" | "low-rank" | "linformer" | "chunked";

/**
 * The kind of a raw score.
 */
export type RawScores = "products" | "meanProducts" | "other";

/**
 * The factor that the scale `model` of an edit stands for.
 */
export type ModelScale = "model" | "one" | "never";

/**
 * The rule that makes a row of weights.
 */
export type WeightRule = "softmax" | "features" | "segments" | "directions";

/**
 * A factor of scores that is known by name.
 */
export type ScaleName = "model" | "none";

/**
 * The numbers of attention variants; each variant takes its own and no others.
 */
export type VariantParameters = { 
/**
 * `additive`: the number of units of the network. `sliding`: the number of keys on each side.
 */
width?: number, 
/**
 * `blocks`: the number of tokens of a block. `chunked`: the number of keys of a chunk.
 */
size?: number, 
/**
 * `blocks`: the number of blocks on each side of a query's own.
 */
neighbours?: number, 
/**
 * `performer`: the number of random features.
 */
features?: number, 
/**
 * `low-rank`: the number of singular values that are kept.
 */
rank?: number, 
/**
 * `linformer`: the number of pooled keys.
 */
keys?: number, 
/**
 * `additive`, `performer`: the seed of the draw.
 */
seed?: number, };

/**
 * Random dropout of weights; the remaining weights are divided by `1 − rate`.
 */
export type Dropout = { 
/**
 * The share of weights that is dropped, from 0 to below 1.
 */
rate: number, 
/**
 * The seed of the draw.
 */
seed: number, };

/**
 * Changes of how heads compute weights from queries and keys. If several edits of one head set the
 * same field, the last one applies.
 */
export type AttentionEdit = { 
/**
 * The stack: `encoder`, `decoder` or `cross`; absent: all.
 */
stack?: Stack, 
/**
 * The layers, from 0; absent: all.
 */
layers?: Array<number>, 
/**
 * The heads, from 0; absent: all.
 */
heads?: Array<number>, 
/**
 * The variant; absent: unchanged, at first `softmax`, the model's own.
 */
kind?: VariantName, 
/**
 * The variant's numbers, all of them whole; an absent one has its default.
 */
parameters?: VariantParameters, 
/**
 * The factor of scores; absent: unchanged, at first `model`.
 */
scale?: ScaleName | number, 
/**
 * The divisor of scores before the softmax; absent: unchanged, at first 1.
 */
temperature?: number, 
/**
 * The random dropout of weights; absent: unchanged, at first none.
 */
dropout?: Dropout, };

/**
 * The numbers of all schemes. An absent number has the default of its paper, or of the model if
 * the model has the same scheme.
 */
export type PositionParameters = { 
/**
 * `sinusoidal`, `rotary`: the base of the wavelengths, above 0; absent: 10000.
 */
base?: number, 
/**
 * `sinusoidal`: whether sine and cosine of a pair are side by side; otherwise all sines are
 * first.
 */
interleaved?: boolean, 
/**
 * `learned`, `t5`, `transformer-xl`: the seed of the untrained numbers; absent: 1, except that
 * `learned` uses the model's own table if there is one.
 */
seed?: number, 
/**
 * `t5`: the number of buckets, an even number from 4; absent: 32.
 */
buckets?: number, 
/**
 * `t5`: the distance from which on all distances share a bucket; absent: 128.
 */
maxDistance?: number, };

/**
 * A scheme of positions: the model's, none, or a scheme of `positions`.
 */
export type PositionScheme = "model" | "none" | "sinusoidal" | "learned" | "rotary" | "alibi" | "t5" | "transformer-xl";

/**
 * Another scheme of positions, or another order of positions. Of several edits of a stack the last
 * one that names a scheme applies, and the last one that names an order.
 */
export type PositionEdit = { 
/**
 * The stack: `encoder` or `decoder`; absent: both.
 */
stack?: Exclude<Stack, "cross">, 
/**
 * The scheme of positions: the model's, none, or another.
 */
scheme?: PositionScheme, 
/**
 * The numbers of the scheme; numbers of other schemes are refused.
 */
parameters?: PositionParameters, 
/**
 * The position of each token, a permutation of the first positions; tokens after them keep
 * theirs.
 */
order?: Array<number>, };

/**
 * A patch: numbers in place of an activation, given or of the run of another input.
 */
export type PatchEdit = { 
/**
 * The address of the activation.
 */
at: At, 
/**
 * The numbers, a row for each position of the address, or an input of as many tokens, whose
 * run has them at the same address.
 */
from: { values: number[][] } | { text: string; textPair?: string; target?: string; edits?: Edits } | { ids: number[]; tokenTypeIds?: number[]; attentionMask?: (0 | 1)[]; targetIds?: number[]; edits?: Edits }, 
/**
 * The end of a path that alone carries the numbers: a head's input, by default all parts that
 * the path leads to, or the logits. `at` is then the `context` of a head. Absent: all that
 * follows from the activation is computed from the numbers.
 */
to?: { stack: Stack; layer: number; head: number; part?: Part } | "logits", };

/**
 * The edits of the mechanism, applied in the order of the lists.
 */
export type Edits = { 
/**
 * Changes of the keys that queries may attend to.
 */
masks?: Array<MaskEdit>, 
/**
 * Changes of whole heads.
 */
heads?: Array<HeadEdit>, 
/**
 * Changes of how sublayers are joined to the residual stream.
 */
blocks?: Array<BlockEdit>, 
/**
 * Changes of how weights are computed from queries and keys.
 */
attention?: Array<AttentionEdit>, 
/**
 * Changes of how positions are encoded.
 */
positions?: Array<PositionEdit>, 
/**
 * Activations that other numbers replace.
 */
patches?: Array<PatchEdit>, };

/**
 * The reason why an edit, or a part of it, is left out; the first three are for a whole edit.
 */
export type MisfitReason = "otherModel" | "inactive" | "impossible" | "partly" | "partlyModel" | "partlyTokens" | "partlyLength" | "partlyDrawn" | "partlyOrder" | "partlyStacks";

/**
 * The part of one edit that a run leaves out.
 */
export type EditMisfit = { 
/**
 * The list of the edit: `masks`, `heads`, `blocks`, `attention`, `positions` or `patches`.
 */
list: keyof Edits, 
/**
 * The index of the edit in that list.
 */
index: number, 
/**
 * The stable code of the misfit.
 */
code: "edit/not-in-model" | "edit/not-in-text" | "edit/not-possible", 
/**
 * The reason why it is left out.
 */
says: MisfitReason, 
/**
 * The numbers of cells, tokens, rows or columns that are kept: `count` of `all`, `rows` and
 * `columns` of `allRows` and `allColumns`.
 */
values: readonly (readonly [string, number])[], 
/**
 * The stacks in which the edit is kept.
 */
stacks: Array<Stack>, };

/**
 * The edits that a run has, and the parts of the sent edits that it leaves out.
 */
export type EditFit = { 
/**
 * The edits that are run.
 */
edits: Edits, 
/**
 * The edits, or parts of them, that are left out.
 */
misfits: Array<EditMisfit>, };

/**
 * How a model goes on writing, in the names of Hugging Face's `GenerationConfig`. An absent field
 * is what the model's files say; `do_sample`, if absent, is false, and `num_beams` 1, whatever
 * they say.
 */
export type GenerateRequest = { 
/**
 * The most new tokens; absent: as many as the model's generation settings say, else as its
 * positions allow.
 */
max_new_tokens?: number, 
/**
 * The fewest new tokens: until then no end token is written.
 */
min_new_tokens?: number, 
/**
 * Whether each token is drawn by its probability, instead of the likeliest one written.
 */
do_sample?: boolean, 
/**
 * The number that scores are divided by before a token is drawn, above 0.
 */
temperature?: number, 
/**
 * The number of likeliest tokens of which one is drawn; 0 for all. By default 50.
 */
top_k?: number, 
/**
 * The least probability, in total, of the likeliest tokens of which one is drawn: from 0 to 1.
 */
top_p?: number, 
/**
 * The least probability of a token that may be drawn, as a share of the likeliest one's: from
 * 0 to 1.
 */
min_p?: number, 
/**
 * The divisor of positive scores, and the factor of others, of tokens that the text has.
 */
repetition_penalty?: number, 
/**
 * The length of sequences of tokens that are never repeated; 0 for no limit.
 */
no_repeat_ngram_size?: number, 
/**
 * Sequences of token ids that are never written.
 */
bad_words_ids?: Array<Array<number>>, 
/**
 * Token ids that are never written.
 */
suppress_tokens?: Array<number>, 
/**
 * Token ids that are never written first.
 */
begin_suppress_tokens?: Array<number>, 
/**
 * The token id after a single first one.
 */
forced_bos_token_id?: number, 
/**
 * The token ids of which one ends a text of the greatest length.
 */
forced_eos_token_id?: Array<number>, 
/**
 * The token ids that end a text.
 */
eos_token_id?: Array<number>, 
/**
 * The seed of the drawn numbers, a whole number from 0 to 2⁵³ − 1; by default 0. The same seed
 * draws the same numbers on every machine.
 */
seed?: number, 
/**
 * The number of texts that beam search writes side by side; 1, by default, for no search.
 */
num_beams?: number, 
/**
 * The power of a text's length by which its sum of log-probabilities is divided: above 0 it
 * favours long texts.
 */
length_penalty?: number, 
/**
 * When the search ends, once as many texts are complete as there are beams: at once (`true`),
 * when no other is likely to become better (`false`), or when none can (`"never"`).
 */
early_stopping?: boolean | "never", 
/**
 * The number of complete texts that are returned; absent: as many as there are beams.
 */
num_return_sequences?: number, };

/**
 * A request as it is sent. Numbers arrive as f64 because that is what a page can send.
 */
export type RunRequest = { 
/**
 * The text's token ids, exactly as the model gets them; empty for an image.
 */
ids: Array<number>, 
/**
 * The segment type of each token, the first or second text; absent: the first for all tokens.
 */
tokenTypeIds?: Array<number>, 
/**
 * For each token 1 if it is real, 0 if it is padding; absent: all are real.
 */
attentionMask?: Array<number>, 
/**
 * The decoder's input, start token included.
 */
targetIds?: Array<number>, 
/**
 * Whether, how far and how the model goes on writing.
 */
generate?: GenerateRequest, 
/**
 * The edits of the mechanism.
 */
edits?: Edits, 
/**
 * Whether edits are cut down to what the model and the text have, instead of refused.
 */
lenient?: boolean, };

/**
 * One entry of the vocabulary with its score.
 */
export type Candidate = { 
/**
 * The id of the token.
 */
id: number, 
/**
 * The logit of the token, its score before softmax.
 */
logit: number, 
/**
 * The probability of the token after softmax over the whole vocabulary.
 */
probability: number, };

/**
 * A change of scores by a setting of Hugging Face's `GenerationConfig`.
 */
export type Processor = "model" | "repetition_penalty" | "no_repeat_ngram_size" | "bad_words_ids" | "min_length" | "forced_bos_token_id" | "forced_eos_token_id" | "suppress_tokens" | "begin_suppress_tokens" | "temperature" | "top_k" | "top_p" | "min_p";

/**
 * The best tokens after a change of scores.
 */
export type ScoreStage = { 
/**
 * The change.
 */
processor: Processor, 
/**
 * The number of tokens that may still be written.
 */
nPossible: number, 
/**
 * The best of them, with their changed scores as logits and the softmax of these.
 */
candidates: Array<Candidate>, };

/**
 * The number that was drawn for a token, and where it fell.
 */
export type Draw = { 
/**
 * The drawn number, from 0 to below 1.
 */
number: number, 
/**
 * The probability of all tokens before the drawn one, in the order of the vocabulary.
 */
from: number, 
/**
 * The probability of all tokens up to the drawn one, itself included.
 */
to: number, };

/**
 * One step of generation.
 */
export type GeneratedToken = { 
/**
 * The index of the step, from 0.
 */
step: number, 
/**
 * The id of the written token.
 */
chosen: number, 
/**
 * The model's probability of the written token.
 */
probability: number, 
/**
 * The natural logarithm of the token's probability.
 */
logProbability: number, 
/**
 * The best tokens that may be written, by the scores after all changes of the settings; the
 * written token is the first. Their numbers are the model's own, before any change.
 */
candidates: Array<Candidate>, 
/**
 * The best tokens by the model alone, and after each setting that changed a score; none where
 * no score was changed.
 */
stages: Array<ScoreStage>, 
/**
 * The drawn number, if the token was drawn by its probability.
 */
draw: Draw | null, };

/**
 * What becomes of a branch of beam search.
 */
export type BranchFate = "kept" | "finished" | "dropped";

/**
 * One continuation in beam search. The branches of all steps are a tree.
 */
export type Branch = { 
/**
 * The number of the branch in the search, from 0.
 */
id: number, 
/**
 * The branch that it continues; null at the first step.
 */
parent: number | null, 
/**
 * The token, with the model's own logit and probability.
 */
token: Candidate, 
/**
 * The natural logarithm of the token's probability, after the settings that change scores.
 */
logProbability: number, 
/**
 * The sum of the logarithms of all tokens of the branch.
 */
sum: number, 
/**
 * What becomes of the branch.
 */
fate: BranchFate, };

/**
 * A complete text of beam search.
 */
export type Hypothesis = { 
/**
 * The branch of the last token.
 */
branch: number, 
/**
 * The written tokens, the end token included.
 */
ids: Array<number>, 
/**
 * The sum of the logarithms of the tokens' probabilities.
 */
sum: number, 
/**
 * The sum divided by a power of the length, which ranks the text.
 */
score: number, 
/**
 * The place of the text, from 0, in the order of sums.
 */
rankBySum: number, };

/**
 * The probability of an entry of the vocabulary at a position.
 */
export type TokenProbability = { 
/**
 * The probability after softmax over the whole vocabulary.
 */
probability: number, 
/**
 * The natural logarithm of the probability, also if the probability is too small for a number.
 */
logProbability: number, };

/**
 * One block of a stack.
 */
export type BlockRef = { 
/**
 * The stack: `encoder` or `decoder`.
 */
stack: Stack, 
/**
 * The index of the block, from 0.
 */
layer: number, };

/**
 * The progress of a run, and the tokens written since the last report.
 */
export type StepReport = { 
/**
 * The number of computed rows of blocks. A head of low rank counts as much as a block's rows,
 * once its directions are computed.
 */
done: number, 
/**
 * The number of rows of blocks that are known to be needed; grows while a text is written.
 */
total: number, 
/**
 * The first block that has rows left to compute; null if every known token went through.
 */
at: BlockRef | null, 
/**
 * Whether the run is finished.
 */
finished: boolean, 
/**
 * Whether the first stack is complete, so that its patterns can be read.
 */
sourceReady: boolean, 
/**
 * The tokens written since the last report.
 */
generated: Array<GeneratedToken>, 
/**
 * The branches of each step of beam search since the last report.
 */
branches: Array<Array<Branch>>, 
/**
 * The complete texts of beam search, the best first; none before its end.
 */
hypotheses: Array<Hypothesis>, };

/**
 * The amount of work that a run computed.
 */
export type Executed = { 
/**
 * The number of blocks of which at least one row was computed.
 */
blocks: number, 
/**
 * The number of blocks that were taken over completely.
 */
reusedBlocks: number, 
/**
 * The number of tokens whose first block was taken over.
 */
reusedTokens: number, };

/**
 * A function of a head, the most specific first: a head with several roles is named by the
 * first.
 */
export type Role = "induction" | "duplicate" | "aligned" | "previous" | "next" | "self" | "separator" | "first" | "rare" | "near" | "positional" | "broad";

/**
 * The measures of one head.
 */
export type HeadMeasures = { 
/**
 * The index of the head's block.
 */
layer: number, 
/**
 * The index of the head in the block.
 */
head: number, 
/**
 * How wide the head attends: the mean entropy of its rows, in nats; null if every row is fully
 * masked. All measures are null if the head's attention variant has no weights that sum to 1.
 */
entropy: number | null, 
/**
 * How far the head attends: the mean distance from query to key, weighted, in tokens; null in
 * cross-attention.
 */
distance: number | null, 
/**
 * How far the head plays each role, from 0 to 1; null if the text has no query for which the
 * role is defined.
 */
roles: Record<Role, number | null>, };

/**
 * Sum and count of measurements; the mean of no measurement is undefined.
 */
export type Mean = { 
/**
 * The sum of the measurements.
 */
sum: number, 
/**
 * The number of measurements.
 */
count: number, };

/**
 * The sums of a head's measures on some texts.
 */
export type Tally = { 
/**
 * The mean score of each role, the most specific role first; empty for `positional`, which has
 * `offsets`.
 */
means: Array<Mean>, 
/**
 * The share of queries whose strongest key is at each offset from −3 to 3, among the queries
 * that see that offset. The role `positional` is the largest share of an offset that at least
 * half of the queries see.
 */
offsets: Array<Mean>, 
/**
 * The mean entropy of the rows, in nats.
 */
entropy: Mean, 
/**
 * The mean attention distance of the rows, in tokens; empty for cross-attention.
 */
distance: Mean, 
/**
 * The number of queries.
 */
nQueries: number, };

/**
 * One head's tally, which can be merged with the tallies of the same head on other texts.
 */
export type HeadTally = { 
/**
 * The index of the head's block.
 */
layer: number, 
/**
 * The index of the head in the block.
 */
head: number, 
/**
 * The head's sums so far.
 */
tally: Tally, };

/**
 * The divergence of a head from the requested one.
 */
export type HeadDivergence = { 
/**
 * The index of the head's block.
 */
layer: number, 
/**
 * The index of the head in the block.
 */
head: number, 
/**
 * The mean over queries of the Jensen-Shannon divergence between the two heads' rows, in nats:
 * 0 for equal heads, at most ln 2; null if every query is fully masked in one of the heads, or
 * if the attention variant of a head has no weights that sum to 1.
 */
divergence: number | null, };

/**
 * A layer type that can replace self-attention.
 */
export type LayerKind = "attention" | "recurrent" | "convolutional" | "restricted";

/**
 * One row of the paper's Table 1, with its numbers for a text of `n` tokens of width `d`.
 */
export type Layer = { 
/**
 * The layer type of the row.
 */
kind: LayerKind, 
/**
 * Complexity per layer: `n²d`, `nd²`, `knd²`, `rnd`.
 */
operations: number, 
/**
 * Operations that depend on each other: 1, `n`, 1, 1.
 */
sequential: number, 
/**
 * The longest path between two tokens, in layers: 1, `n`, `log_k n`, `n/r`.
 */
path: number, };

/**
 * The cost of one attention site, over all its heads.
 */
export type SiteCost = { 
/**
 * The number of pairs of a query and a key that are computed.
 */
cells: number, 
/**
 * The number of multiplications, each with its addition: `d_h` for the score of a pair and as
 * many for its value.
 */
multiplyAdds: number, 
/**
 * The bytes of the weights, in f32.
 */
weightBytes: number, 
/**
 * The bytes of queries, keys, values and context, in f32.
 */
vectorBytes: number, };

/**
 * The cost of one layer's attention at one length.
 */
export type AttentionCost = { 
/**
 * The number of tokens of the text.
 */
tokens: number, 
/**
 * The number of heads of the site.
 */
heads: number, 
/**
 * The cost under the active masks.
 */
masked: SiteCost, 
/**
 * Whether every row was counted; otherwise some rows are estimated from others.
 */
exact: boolean, 
/**
 * The cost with every pair.
 */
full: SiteCost, 
/**
 * The rows of the paper's Table 1; neighbourhoods are as large as the mask's rows on average.
 */
layers: Array<Layer>, };

/**
 * The distance of numbers from the exact ones.
 */
export type Departure = { 
/**
 * The largest absolute difference, `max |a − b|`.
 */
largest: number, 
/**
 * The relative error `‖a − b‖ / ‖b‖`, by the Frobenius norm; null if `b` is zero.
 */
relative: number | null, };

/**
 * The cost and error of one head, compared with exact attention under the same mask.
 */
export type HeadCost = { 
/**
 * The attention variant of the head.
 */
variant: VariantName, 
/**
 * Whether the weights are implied by the variant: it applies no softmax over a row's keys,
 * applies one over segments of them, or reduces the softmax's own pattern to a rank.
 */
implied: boolean, 
/**
 * Whether the head has weights that no model was trained with.
 */
untrained: boolean, 
/**
 * The number of operations: products with their sums, exponentials and quotients.
 */
operations: number, 
/**
 * The most bytes of numbers that are stored at once besides queries, keys, values and the
 * context.
 */
bytes: number, 
/**
 * The number of operations of exact attention.
 */
exactOperations: number, 
/**
 * The most bytes of exact attention that are stored at once.
 */
exactBytes: number, 
/**
 * The distance of the weights from the exact weights.
 */
pattern: Departure, 
/**
 * The distance of the context from the exact context.
 */
output: Departure, };

/**
 * The mean of one head's weights over many draws of its dropout, row-major.
 */
export type DropoutMean = { 
/**
 * The number of draws: the head's own seed and the seeds after it.
 */
draws: number, 
/**
 * The mean of the weights, `[query, key]`.
 */
mean: Array<number>, 
/**
 * The weights without dropout, `[query, key]`.
 */
undropped: Array<number>, 
/**
 * The factors of the head's own draw, `[query, key]`: 0, or `1 / (1 − rate)`; 1 in a row of a
 * fixed pattern.
 */
kept: Array<number>, };

/**
 * The singular values of a matrix, and how many of them hold 90 % of the sum of their squares.
 */
export type SingularValues = { 
/**
 * Singular values, largest first; as many as the shorter side has cells, or none if a number
 * of the matrix is not finite. A value that is no more than f32's rounding is 0.
 */
values: Array<number>, 
/**
 * The number of singular values that hold 90 % of the sum of all squares; 0 if there are none,
 * and for a matrix of zeros.
 */
rank90: number, };

/**
 * The singular values of the patterns of one head.
 */
export type Spectrum = { 
/**
 * The singular values of the scores before the mask.
 */
scores: SingularValues, 
/**
 * The singular values of the weights.
 */
weights: SingularValues, };

/**
 * How much of its own token a head's output keeps.
 */
export type ContentRetention = { 
/**
 * The number of positions whose output is nearest to their own value; of equal cosines none
 * is nearer.
 */
retained: number, 
/**
 * The number of positions with an output and a value; those of zeros have no direction.
 */
positions: number, };

/**
 * Measures of the stream at one depth, a number per token.
 */
export type StreamDepth = { 
/**
 * The index of the block.
 */
layer: number, 
/**
 * The step of the block whose rows are measured: its `input` in the first block, the last step
 * of each sublayer, `final` in the last block of a stack with a final norm.
 */
step: Step, 
/**
 * The mean of each token's numbers.
 */
mean: Array<number>, 
/**
 * The standard deviation of each token's numbers, over all of them.
 */
deviation: Array<number>, 
/**
 * The length of each token's vector.
 */
norm: Array<number>, 
/**
 * The length of the sublayer's output divided by the length of its input; null for an input of
 * zeros. The whole list is null at the embedding and after the final norm.
 */
share: Array<number | null> | null, 
/**
 * The mean cosine of each token with all other tokens; null for a single token and for a
 * vector of zeros.
 */
similarity: Array<number | null>, };

/**
 * A matrix that a layer computes, a row per token, in the order of computation. The family and
 * the layer's index decide which steps a layer has.
 */
export type Step = "embedded" | "embedded-normed" | "input" | "memory" | "entered" | "query" | "key" | "value" | "query-normed" | "key-normed" | "query-rotated" | "key-rotated" | "raw" | "scores" | "masked" | "weights" | "context" | "attended" | "attended-normed" | "sum" | "normed" | "cross-attended" | "cross-sum" | "cross-normed" | "ff-entered" | "ff-hidden" | "ff-activated" | "ff-linear" | "ff-gated" | "ff-output" | "ff-output-normed" | "ff-sum" | "ff-normed" | "neighbours" | "convolved" | "convolved-activated" | "convolved-sum" | "convolved-normed" | "final";

/**
 * A trained matrix of a layer.
 */
export type Weight = "query" | "key" | "value" | "output" | "embedding" | "inner" | "outer" | "linear" | "convolution";

/**
 * A term that relative positions add to a score, beside content with content.
 */
export type ScoreTerm = "contentPosition" | "positionContent" | "globalContent" | "globalPosition";

/**
 * The direction of a line's terms from the first.
 */
export type Along = "columns" | "rows" | "cell";

/**
 * The numbers that an attention variant computes from queries and keys before it multiplies them.
 */
export type MadePart = "unit" | "drawn" | "meanKey" | "queryFeature" | "keyFeature" | "left" | "right";

/**
 * The place of a line of numbers.
 */
export type TermSource = { "kind": "step", 
/**
 * The stack of the block.
 */
stack: Stack, 
/**
 * The index of the block.
 */
layer: number, 
/**
 * The index of the head from which the block is seen.
 */
head: number, 
/**
 * The step, which has the matrix.
 */
step: Step, 
/**
 * The row of the first term.
 */
row: number, 
/**
 * The column of the first term.
 */
column: number, 
/**
 * The direction from one term to the next.
 */
along: Along, } | { "kind": "weight", 
/**
 * The trained matrix.
 */
weight: Weight, 
/**
 * The index of the output, which is the column.
 */
column: number, } | { "kind": "token", 
/**
 * The id of the token.
 */
id: number, 
/**
 * The dimension.
 */
column: number, } | { "kind": "position", 
/**
 * The position.
 */
position: number, 
/**
 * The dimension.
 */
column: number, } | { "kind": "tokenType", 
/**
 * The segment type.
 */
id: number, 
/**
 * The dimension.
 */
column: number, } | { "kind": "made", 
/**
 * The stack of the block.
 */
stack: Stack, 
/**
 * The index of the block.
 */
layer: number, 
/**
 * The index of the head.
 */
head: number, 
/**
 * The step, which has the matrix.
 */
step: Step, 
/**
 * The row of the matrix.
 */
row: number, 
/**
 * The column of the first number that they are computed from.
 */
column: number, 
/**
 * The kind of computed numbers.
 */
part: MadePart, } | { "kind": "exponentials" } | { "kind": "pattern" };

/**
 * The operation that makes a cell of its lines.
 */
export type CellOperation = { "kind": "product", 
/**
 * The factor of the sum.
 */
factor: number, 
/**
 * The bias, added after the factor.
 */
bias: number | null, } | { "kind": "scale", 
/**
 * The factor `1/√d_h`.
 */
factor: number, 
/**
 * The sum of the terms of relative positions, if a run has them.
 */
bias: number | null, 
/**
 * The parts of the bias, if there are several.
 */
terms?: Array<[ScoreTerm, number]>, } | { "kind": "mask", 
/**
 * The number that the mask adds.
 */
added: number, } | { "kind": "softmax", 
/**
 * The largest number of the row.
 */
largest: number, 
/**
 * The sum of the exponentials.
 */
total: number, 
/**
 * The index of the term of this cell.
 */
term: number, 
/**
 * The factor of the quotient by dropout: 0 for a dropped weight, `1 / (1 − rate)` for a
 * kept one, 1 without dropout.
 */
kept: number, } | { "kind": "logarithm", 
/**
 * The sum `a` in f64, if it has more digits than the cell of the raw score.
 */
of: number | null, } | { "kind": "softCap", 
/**
 * The factor of the number.
 */
factor: number, 
/**
 * The soft cap, which no score exceeds.
 */
cap: number, } | { "kind": "shared", 
/**
 * The factor of the number.
 */
factor: number, 
/**
 * The number of keys in the segment.
 */
keys: number, } | { "kind": "given", 
/**
 * The name of the pattern: `uniform`, `diagonal`, `previous` or `drawn`.
 */
pattern: "uniform" | "diagonal" | "previous" | "drawn", 
/**
 * The sum of the row.
 */
total: number, 
/**
 * The index of the term of this cell.
 */
term: number, } | { "kind": "add" } | { "kind": "norm", 
/**
 * The mean `μ` of the row.
 */
mean: number, 
/**
 * The variance `σ²` of the row.
 */
variance: number, 
/**
 * The constant `ε` of the norm.
 */
epsilon: number, 
/**
 * The gain `γ` of the column.
 */
gain: number, 
/**
 * The bias `β` of the column.
 */
bias: number, 
/**
 * The index of the term of this cell.
 */
term: number, } | { "kind": "rmsNorm", 
/**
 * The mean square of the row.
 */
meanSquare: number, 
/**
 * The constant `ε` of the norm.
 */
epsilon: number, 
/**
 * The gain `γ` of the column.
 */
gain: number, 
/**
 * The index of the term of this cell.
 */
term: number, } | { "kind": "rotation", 
/**
 * The cosine of the pair's angle.
 */
cosine: number, 
/**
 * The sine of the pair's angle, negative in the first half of a head.
 */
sine: number, } | { "kind": "activation", 
/**
 * The common name of the function.
 */
function: string, } | { "kind": "embedding", 
/**
 * The factor of the token's number.
 */
scale: number, } | { "kind": "nearby" } | { "kind": "same" } | { "kind": "patched" };

/**
 * The question of the sinusoidal demo.
 */
export type WavesAsked = { 
/**
 * The number of positions, at least 1.
 */
length: number, 
/**
 * The number of dimensions `d`, at least 1.
 */
dim: number, 
/**
 * The base of the wavelengths, at least 0.000001; 10000 in the paper.
 */
base: number, 
/**
 * Whether all sines stand before all cosines, as in Marian; absent: side by side.
 */
halves?: boolean, };

/**
 * The answer of the sinusoidal demo.
 */
export type Waves = { 
/**
 * The table `[position, dimension]`, row-major.
 */
table: Array<number>, 
/**
 * The wavelength of each pair of dimensions, in positions.
 */
wavelengths: Array<number>, 
/**
 * The dot product of the first position with each. With an even width it is the dot product of
 * any two positions at that distance; with an odd width the last pair has no cosine.
 */
products: Array<number>, };

/**
 * The question of the similarity demo: a position table.
 */
export type SimilarityAsked = { 
/**
 * The table `[position, dimension]`, row-major.
 */
table: Array<number>, 
/**
 * The number of dimensions of a row.
 */
dim: number, };

/**
 * The answer of the similarity demo.
 */
export type Similarity = { 
/**
 * Dot products of all pairs of rows, `[position, position]`, row-major.
 */
products: Array<number>, 
/**
 * Cosines of all pairs of rows, `[position, position]`, row-major; NaN for a row of zeros.
 */
cosines: Array<number>, 
/**
 * The mean dot product by the distance of two positions, from 0.
 */
productsApart: Array<number>, 
/**
 * The mean cosine by the distance of two positions, without undefined ones.
 */
cosinesApart: Array<number>, };

/**
 * The question of the scores demo.
 */
export type ScoresAsked = { 
/**
 * The width of the head `d_k`, from 1 to 512.
 */
dim: number, 
/**
 * The seed of the draw, a whole number from 0.
 */
seed: number, };

/**
 * Measures of all rows of scores.
 */
export type ScoreRows = { 
/**
 * The variance of the scores, over all pairs.
 */
variance: number, 
/**
 * The entropy of a row's weights, in nats, averaged over the rows.
 */
entropy: number, 
/**
 * The norm of the softmax's derivative, `‖diag(p) − p pᵀ‖`, averaged over the rows.
 */
jacobian: number, 
/**
 * The weights of the first query, largest first.
 */
weights: Array<number>, };

/**
 * The measures of scores of one width, unscaled and divided by `√d_k`.
 */
export type ScoresAt = { 
/**
 * The width of the head `d_k`.
 */
dim: number, 
/**
 * The measures of `q·k`.
 */
plain: ScoreRows, 
/**
 * The measures of `q·k / √d_k`.
 */
scaled: ScoreRows, };

/**
 * The answer of the scores demo: the measures at the requested width and along all widths.
 */
export type Scores = { 
/**
 * The measures at the requested width.
 */
here: ScoresAt, 
/**
 * The measures by width, from 1 to 512: every width to 32, then sixteen per doubling.
 */
along: Array<ScoresAt>, 
/**
 * The entropy of a uniform row, `ln n`, in nats.
 */
widest: number, };

/**
 * The question of the rotary demo.
 */
export type RotaryAsked = { 
/**
 * The position `m` of the query, from 0 to 127.
 */
query: number, 
/**
 * The position `n` of the key, from 0 to 127.
 */
key: number, 
/**
 * The shift `s` of both positions, from 0 to 1024.
 */
shift: number, 
/**
 * The width of the head `d_h`, an even number from 2 to 128.
 */
headDim: number, 
/**
 * The base of the progression of frequencies, from 1; 10000 in the paper.
 */
base: number, 
/**
 * The seed of the draw, a whole number from 0.
 */
seed: number, 
/**
 * Whether the key is the same vector as the query.
 */
alike: boolean, };

/**
 * A query and a key, `[d_h]` each, the first numbers of all pairs before the second ones.
 */
export type TurnedPair = { 
/**
 * The query, `[d_h]`.
 */
query: Array<number>, 
/**
 * The key, `[d_h]`.
 */
key: Array<number>, 
/**
 * The product of query and key, `q·k`.
 */
score: number, };

/**
 * The answer of the rotary demo: query and key in three places, and their product at every
 * distance.
 */
export type Rotary = { 
/**
 * The frequency of each pair: its rotation from one position to the next, in radians.
 */
speeds: Array<number>, 
/**
 * Query and key as drawn, without rotation.
 */
drawn: TurnedPair, 
/**
 * Query and key, rotated to `m` and `n`.
 */
here: TurnedPair, 
/**
 * Query and key, rotated to `m + s` and `n + s`.
 */
shifted: TurnedPair, 
/**
 * The difference of the scores before and after the shift.
 */
residue: number, 
/**
 * The score by `m − n`, from −127 to 127.
 */
scores: Array<number>, };

/**
 * The question of the `ALiBi` demo.
 */
export type AlibiAsked = { 
/**
 * The number of heads, from 1 to 64.
 */
heads: number, 
/**
 * The number of tokens, from 1 to 128.
 */
length: number, 
/**
 * The head whose matrix is computed, from 0.
 */
head: number, };

/**
 * The answer of the `ALiBi` demo: slopes and biases.
 */
export type Alibi = { 
/**
 * The slope of each head.
 */
slopes: Array<number>, 
/**
 * The bias of each head by distance, `[head, distance]`, distances from 0.
 */
biases: Array<number>, 
/**
 * The biases of the requested head, `[query, key]`; both sides count alike.
 */
matrix: Array<number>, };

/**
 * The question of the T5 bucket demo.
 */
export type BucketsAsked = { 
/**
 * The number of buckets, an even number from 4 to 128; 32 in T5.
 */
buckets: number, 
/**
 * The distance from which on all distances share a bucket, from half the buckets and one to
 * 4096; 128 in T5.
 */
maxDistance: number, 
/**
 * Whether later keys have buckets of their own, as in an encoder.
 */
bothSides: boolean, 
/**
 * The number of heads, from 1 to 16.
 */
heads: number, 
/**
 * The head whose matrix is computed, from 0.
 */
head: number, 
/**
 * The number of tokens, from 1 to 128.
 */
length: number, 
/**
 * The seed of the draw, a whole number from 0.
 */
seed: number, };

/**
 * The first distance of a bucket.
 */
export type BucketBorder = { 
/**
 * The distance from key back to query, in tokens; negative for a later key.
 */
distance: number, 
/**
 * The bucket from this distance on.
 */
bucket: number, };

/**
 * The answer of the T5 bucket demo: buckets by distance and by pair.
 */
export type Bucketed = { 
/**
 * The first distance of every bucket, the farthest later key first; the first and the last
 * distance are listed too.
 */
borders: Array<BucketBorder>, 
/**
 * The bucket of each pair, `[query, key]`.
 */
matrix: Array<number>, 
/**
 * The bias of each head and bucket, `[head, bucket]`; drawn by seed, untrained.
 */
biases: Array<number>, 
/**
 * The biases of the requested head, `[query, key]`.
 */
bias: Array<number>, };

/**
 * The question of the four-terms demo.
 */
export type FourTermsAsked = { 
/**
 * The number of tokens, from 1 to 64.
 */
length: number, 
/**
 * The width of the head `d_h`, from 1 to 128.
 */
dim: number, 
/**
 * The seed of the draw, a whole number from 0.
 */
seed: number, };

/**
 * The answer of the four-terms demo: matrices `[query, key]`.
 */
export type FourTerms = { 
/**
 * The terms (a) to (d), each divided by `√d_h`.
 */
terms: Array<Array<number>>, 
/**
 * The scores that the mechanism computes, in f32.
 */
scores: Array<number>, 
/**
 * The largest difference between the sum of the four terms and a score.
 */
residue: number, };

/**
 * A question to one of the demos.
 */
export type DemoQuestion = { "what": "waves" } & WavesAsked | { "what": "similarity" } & SimilarityAsked | { "what": "calculator" } & CalculationAsked | { "what": "overflow" } & OverflowAsked | { "what": "scores" } & ScoresAsked | { "what": "rotary" } & RotaryAsked | { "what": "alibi" } & AlibiAsked | { "what": "buckets" } & BucketsAsked | { "what": "fourTerms" } & FourTermsAsked;

/**
 * The question of the attention calculator: the user's matrices.
 */
export type CalculationAsked = { 
/**
 * The words `X`, `[word, dimension]`.
 */
x: Array<Array<number>>, 
/**
 * The query projection `W_Q`.
 */
query: Array<Array<number>>, 
/**
 * The key projection `W_K`.
 */
key: Array<Array<number>>, 
/**
 * The value projection `W_V`.
 */
value: Array<Array<number>>, 
/**
 * The output projection `W_O`; without it the head outputs side by side are the output.
 */
output: Array<Array<number>> | null, 
/**
 * The mask that is added to the scores, `[query, key]`; -∞ masks a cell.
 */
mask: Array<Array<number>>, 
/**
 * The number of heads that share the columns.
 */
nHeads: number, 
/**
 * The divisor of the scores; none for `√d_h`.
 */
divisor: number | null, };

/**
 * The answer of the attention calculator: all intermediate matrices.
 */
export type Calculation = { 
/**
 * The divisor of the scores.
 */
divisor: number, 
/**
 * The queries `X W_Q` of all heads.
 */
query: Array<Array<number>>, 
/**
 * The keys `X W_K` of all heads.
 */
key: Array<Array<number>>, 
/**
 * The values `X W_V` of all heads.
 */
value: Array<Array<number>>, 
/**
 * The matrices of each head.
 */
heads: Array<CalculationHead>, 
/**
 * The outputs of all heads side by side.
 */
joined: Array<Array<number>>, 
/**
 * The output `joined · W_O`; none without a `W_O`.
 */
output: Array<Array<number>> | null, 
/**
 * The operations from `Q` and `K` to the head outputs, of all heads.
 */
attention: Operations, };

/**
 * The matrices of one head, `[query, key]` unless otherwise stated.
 */
export type CalculationHead = { 
/**
 * Raw scores, `QKᵀ`.
 */
raw: Array<Array<number>>, 
/**
 * Raw scores divided by the divisor.
 */
scores: Array<Array<number>>, 
/**
 * Scores plus the mask.
 */
masked: Array<Array<number>>, 
/**
 * The maximum of each row of masked scores; -∞ for a fully masked row.
 */
tops: Array<number>, 
/**
 * The exponentials `exp(masked - top)`.
 */
exponentials: Array<Array<number>>, 
/**
 * The sum of each row of exponentials.
 */
totals: Array<number>, 
/**
 * Attention weights, `exponentials / total`.
 */
weights: Array<Array<number>>, 
/**
 * The head's output, `[query, dimension]`.
 */
context: Array<Array<number>>, };

/**
 * The number of operations of a computation, by type.
 */
export type Operations = { 
/**
 * Products of two numbers.
 */
multiplications: number, 
/**
 * Sums and differences of two numbers.
 */
additions: number, 
/**
 * Quotients of two numbers.
 */
divisions: number, 
/**
 * Exponentials.
 */
exponentials: number, };

/**
 * The question of the overflow demo: scores and their factor.
 */
export type OverflowAsked = { 
/**
 * The scores, `[query, key]`; -∞ is a masked cell and stays -∞.
 */
scores: Array<Array<number>>, 
/**
 * The factor of the scores, a finite number.
 */
times: number, };

/**
 * The result of one way to compute a softmax.
 */
export type SoftmaxWay = { 
/**
 * The weights, `[query, key]`; NaN where ∞ was divided by ∞, or 0 by 0.
 */
weights: Array<Array<number>>, 
/**
 * The number of infinite exponentials.
 */
infinite: number, 
/**
 * The number of rows with an infinite sum, also of finite exponentials.
 */
infiniteSums: number, 
/**
 * The number of weights that are NaN.
 */
notNumbers: number, };

/**
 * The answer of the overflow demo: four ways to compute a softmax.
 */
export type Overflow = { 
/**
 * The scores after multiplication.
 */
scores: Array<Array<number>>, 
/**
 * Softmax by its formula in f32.
 */
plainSingle: SoftmaxWay, 
/**
 * Softmax by its formula in f64.
 */
plainDouble: SoftmaxWay, 
/**
 * Softmax in f32 with the maximum subtracted: the engine's own kernel.
 */
shiftedSingle: SoftmaxWay, 
/**
 * Softmax in f64 with the maximum subtracted.
 */
shiftedDouble: SoftmaxWay, 
/**
 * The largest score with a finite exponential in f32.
 */
largestSingle: number, 
/**
 * The largest score with a finite exponential in f64.
 */
largestDouble: number, 
/**
 * The factor beyond which an exponential or a row's sum of exponentials is infinite in f32;
 * none without a score above 0.
 */
fromSingle: number | null, 
/**
 * The factor beyond which an exponential or a row's sum of exponentials is infinite in f64;
 * none without a score above 0.
 */
fromDouble: number | null, };

/**
 * One matrix of a block.
 */
export type StepTensor = { 
/**
 * The step whose matrix it is.
 */
step: Step, 
/**
 * The numbers of the matrix, a row per token; columns of heads are side by side.
 */
tensor: Tensor, };

/**
 * Every matrix of a block, in the order in which the block computes them.
 */
export type Steps = StepTensor[];

/**
 * A line of numbers with its place.
 */
export type TermLine = { 
/**
 * The place of the first number, and the direction of the others.
 */
source: TermSource, 
/**
 * The numbers, one per term.
 */
values: Float32Array, };

/**
 * One cell and the operation that made it.
 */
export type Explanation = { 
/**
 * The operation that made the cell.
 */
operation: CellOperation, 
/**
 * The operands of the operation. Lines of one explanation have the same length: the number of
 * terms.
 */
lines: Array<TermLine>, 
/**
 * The number in the cell, as the picture shows it.
 */
value: number, };

/**
 * A way to join the patterns of several heads.
 */
export type Aggregation = "mean" | "maximum" | "rollout" | "flow";

/**
 * The fields of the question `aggregate`.
 */
export type AggregateAsked = { 
/**
 * The stack in which the heads attend.
 */
stack: Stack, 
/**
 * The way to join the patterns.
 */
how: Aggregation, 
/**
 * For a mean or a maximum the block of the heads, by default all blocks; for rollout and flow
 * the block whose output is followed down to the input, by default the last.
 */
layer?: number, 
/**
 * For a mean or a maximum the index of the heads in their blocks, by default all heads.
 */
head?: number, };

/**
 * The fields of the question `attention`.
 */
export type AttentionAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The stage of the pattern, by default the weights.
 */
stage?: Stage, 
/**
 * The query rows that are computed, by default all.
 */
rows?: readonly [number, number], };

/**
 * The fields of the question `cost`.
 */
export type CostAsked = { 
/**
 * The stack of the attention.
 */
stack: Stack, 
/**
 * The block of the attention, from 0.
 */
layer: number, 
/**
 * The lengths of the texts, in tokens.
 */
lengths: number[], };

/**
 * The fields of the question `qkv`.
 */
export type QkvAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The projection: queries, keys or values.
 */
part: Part, 
/**
 * Whether queries and keys are turned by rotary positions, by default true.
 */
rotated?: boolean, };

/**
 * The fields of the question `hidden`.
 */
export type HiddenAsked = { 
/**
 * The stack of the residual stream.
 */
stack: "encoder" | "decoder", 
/**
 * The block that the stream enters; the number of blocks for the stream that leaves the last.
 */
layer: number, };

/**
 * The predictions of a run's depths: a row of each tensor is a depth, a column a position, in the
 * order asked.
 */
export type Lens = { 
/**
 * Whether the states of all depths go through the stack's final norm. A stack without one has
 * its norms in its blocks: its states are read as they are.
 */
finalNorm: boolean, 
/**
 * The ids of the likeliest entries, likeliest first, `[layer, position, rank]`.
 */
ids: Tensor, 
/**
 * The logits of these entries, `[layer, position, rank]`.
 */
logits: Tensor, 
/**
 * The probabilities of these entries, `[layer, position, rank]`.
 */
probabilities: Tensor, 
/**
 * The entropy of each distribution, in nats, `[layer, position]`.
 */
entropy: Tensor, 
/**
 * The Kullback-Leibler divergence of the last depth's distribution from each, in nats,
 * `[layer, position]`.
 */
divergence: Tensor, 
/**
 * The chosen entries; null if none were named.
 */
chosen: LensChosen | null, };

/**
 * The chosen entries in the predictions of a run's depths.
 */
export type LensChosen = { 
/**
 * The probability of the chosen entry, `[layer, position]`.
 */
probabilities: Tensor, 
/**
 * The number of entries before the chosen one in the order of `ids`, `[layer, position]`.
 */
ranks: Tensor, };

/**
 * The fields of the question `lens`.
 */
export type LensAsked = { 
/**
 * The depths, as `hidden` counts them: 0 is the embedding, the number of blocks the output of
 * the stack. By default all.
 */
layers?: number[], 
/**
 * The positions that predict, by default all.
 */
positions?: number[], 
/**
 * The number of predictions for each depth and position.
 */
topK: number, 
/**
 * A chosen entry of the vocabulary for each position.
 */
ids?: number[], };

/**
 * The fields of the question `attribution`.
 */
export type AttributionAsked = { 
/**
 * The position that predicts.
 */
position: number, 
/**
 * The entry of the vocabulary whose logit is a sum of parts.
 */
id: number, 
/**
 * The entry whose logit is subtracted; none by default.
 */
against?: number, 
/**
 * The head whose part is also given as a sum over the keys it attends to.
 */
head?: HeadRef, };

/**
 * What a part of a logit comes from.
 */
export type LogitPartKind = "token" | "position" | "token-type" | "embedding-bias" | "head" | "attention-bias" | "attention-norm-bias" | "feed-forward" | "feed-forward-bias" | "feed-forward-norm-bias" | "convolution" | "convolution-norm-bias" | "patch" | "final-norm-bias" | "unembedding-bias";

/**
 * A scale that an attribution holds as this run has it.
 */
export type FrozenScale = "final-norm" | "block-norms" | "embedding-norm" | "head-norm" | "head-activation";

/**
 * One part of a logit.
 */
export type LogitPart = { 
/**
 * What it comes from.
 */
kind: LogitPartKind, 
/**
 * The stack of a part of a block; `cross` for cross-attention.
 */
stack: Stack | null, 
/**
 * The index of the block.
 */
layer: number | null, 
/**
 * The index of the head.
 */
head: number | null, 
/**
 * What it adds to the logit.
 */
value: number, };

/**
 * What one key adds to a logit through one head.
 */
export type KeyPart = { 
/**
 * The head's weight of the key.
 */
weight: number, 
/**
 * What it adds to the logit.
 */
value: number, };

/**
 * A logit, or the difference of two, as a sum of parts.
 */
export type Attribution = { 
/**
 * The logit that the model gives, or the difference of two.
 */
logit: number, 
/**
 * The logit before the model's soft cap, the sum of the parts; without a cap, `logit`.
 */
uncapped: number, 
/**
 * The sum of the parts.
 */
sum: number, 
/**
 * The scales that are held as this run has them.
 */
frozen: Array<FrozenScale>, 
/**
 * The parts, from the embedding upwards.
 */
parts: Array<LogitPart>, 
/**
 * The share of each key in the part of the head that was named, and its weight; null if none
 * was named, if a patch replaces the head's output, or if the output head reads two tokens.
 */
keys: Array<KeyPart> | null, };

/**
 * The fields of the question `direct`.
 */
export type DirectAsked = { 
/**
 * The senders: the addresses of heads' `context`, at least one.
 */
from: Array<At>, 
/**
 * The receiver: the address of queries, keys or values as they enter the products, or of the
 * stream that leaves a block.
 */
to: At, 
/**
 * The run whose outputs the senders have.
 */
other: number, };

/**
 * The fields of the question `patched`.
 */
export type PatchedAsked = { 
/**
 * The addresses of the patched activations, one for each cell.
 */
at: Array<At>, 
/**
 * The run whose numbers are put there.
 */
other: number, 
/**
 * The position that predicts.
 */
position: number, 
/**
 * The entries of the vocabulary whose probabilities are read.
 */
ids: number[], };

/**
 * The fields of the question `logits`.
 */
export type LogitsAsked = { 
/**
 * The positions of the scored tokens, by default all.
 */
positions?: number[], };

/**
 * The fields of the question `predictions`.
 */
export type PredictionsAsked = { 
/**
 * The positions that predict.
 */
positions: number[], 
/**
 * The number of predictions for each position.
 */
topK: number, };

/**
 * The fields of the question `probabilities`.
 */
export type ProbabilitiesAsked = { 
/**
 * The positions that predict.
 */
positions: number[], 
/**
 * The entry of the vocabulary for each position.
 */
ids: number[], };

/**
 * The numbers of a head that thumbnails show.
 */
export type ThumbnailStage = "raw" | "scores" | "masked" | "weights" | "norms";

/**
 * The fields of the question `thumbnails`.
 */
export type ThumbnailsAsked = { 
/**
 * The stack in which the heads attend.
 */
stack: Stack, 
/**
 * The cells of a thumbnail's side.
 */
size: number, 
/**
 * The numbers of the thumbnails, by default the weights.
 */
stage?: ThumbnailStage, };

/**
 * The fields of the question `effects`.
 */
export type EffectsAsked = { 
/**
 * The stack in which the heads attend.
 */
stack: Stack, 
/**
 * The heads' block, from 0, by default all blocks.
 */
layer?: number, 
/**
 * The head's index in its block, from 0, by default all heads.
 */
head?: number, 
/**
 * The entry of the vocabulary whose logit is moved, by default of each row the likeliest
 * there.
 */
id?: number, 
/**
 * The entry whose logit is subtracted; none by default.
 */
against?: number, };

/**
 * The fields of the question `dropoutMean`.
 */
export type DropoutMeanAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The number of draws of the dropout.
 */
draws: number, };

/**
 * The fields of the question `explain`: one cell of a step's matrix.
 */
export type ExplainAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The step whose matrix has the cell.
 */
step: Step, 
/**
 * The row of the cell, from 0.
 */
row: number, 
/**
 * The column of the cell, from 0.
 */
column: number, };

/**
 * The fields of the question `cosines`.
 */
export type CosinesAsked = { 
/**
 * The stack of the residual stream.
 */
stack: "encoder" | "decoder", 
/**
 * The positions of this run's word.
 */
positions: number[], 
/**
 * The other run of the comparison.
 */
other: number, 
/**
 * The positions of the other run's word.
 */
otherPositions: number[], };

/**
 * The fields of the question `distances`.
 */
export type DistancesAsked = { 
/**
 * The stack of the residual stream.
 */
stack: "encoder" | "decoder", 
/**
 * The other run of the comparison.
 */
other: number, 
/**
 * For each token the position of its counterpart in the other run, by default the same
 * position.
 */
order?: number[], };

/**
 * The fields of the question `runDivergences`.
 */
export type RunDivergencesAsked = { 
/**
 * The stack in which the heads attend.
 */
stack: Stack, 
/**
 * The other run of the comparison.
 */
other: number, };

/**
 * A question to a run.
 */
export type Question = { "what": "activation" } & At | { "what": "attention" } & AttentionAsked | { "what": "norms" } & HeadRef | { "what": "effects" } & EffectsAsked | { "what": "mask" } & HeadRef | { "what": "aggregate" } & AggregateAsked | { "what": "fullyMasked" } & HeadRef | { "what": "cost" } & CostAsked | { "what": "qkv" } & QkvAsked | { "what": "hidden" } & HiddenAsked | { "what": "logits" } & LogitsAsked | { "what": "lens" } & LensAsked | { "what": "attribution" } & AttributionAsked | { "what": "direct" } & DirectAsked | { "what": "patched" } & PatchedAsked | { "what": "predictions" } & PredictionsAsked | { "what": "probabilities" } & ProbabilitiesAsked | { "what": "positions" } & StackRef | { "what": "thumbnails" } & ThumbnailsAsked | { "what": "measures" } & StackRef | { "what": "tallies" } & StackRef | { "what": "headDivergences" } & HeadRef | { "what": "spectrum" } & HeadRef | { "what": "contentRetention" } & HeadRef | { "what": "headCost" } & HeadRef | { "what": "dropoutMean" } & DropoutMeanAsked | { "what": "steps" } & HeadRef | { "what": "explain" } & ExplainAsked | { "what": "cosines" } & CosinesAsked | { "what": "residuals" } & StreamRef | { "what": "distances" } & DistancesAsked | { "what": "runDivergences" } & RunDivergencesAsked;

/**
 * The number of an entry whose gradient is computed.
 */
export type GradientOf = "logit" | "log-probability";

/**
 * The number whose gradient is computed: that of an entry of the vocabulary at a position, or its
 * difference from that of another entry.
 */
export type GradientTarget = { 
/**
 * The position that predicts.
 */
position: number, 
/**
 * The entry of the vocabulary.
 */
id: number, 
/**
 * The entry whose number is subtracted; none by default.
 */
against?: number, 
/**
 * The number of the entry: by default its logit.
 */
of?: GradientOf, };

/**
 * The fields of the question `gradient`.
 */
export type GradientAsked = { 
/**
 * The number whose gradient is computed.
 */
target: GradientTarget, 
/**
 * The addresses of the activations.
 */
at: Array<At>, };

/**
 * The gradients with respect to activations, each in the shape of the activation.
 */
export type Gradients = Tensor[];

/**
 * The fields of the question `weightedGradient`.
 */
export type WeightedGradientAsked = { 
/**
 * The number whose gradient is computed.
 */
target: GradientTarget, 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, };

/**
 * The fields of the question `relevance`.
 */
export type RelevanceAsked = { 
/**
 * The number for which tokens are relevant.
 */
target: GradientTarget, 
/**
 * The stack in which the heads attend: the relevance of an encoder's tokens in each other, of
 * a decoder's, or, of `cross`, of the source's tokens in those of the target text.
 */
stack: Stack, };

/**
 * The fields of the question `integratedGradients`.
 */
export type IntegratedGradientsAsked = { 
/**
 * The number that is attributed.
 */
target: GradientTarget, 
/**
 * The stack whose text is compared with the baseline; the text of another stack stays.
 */
stack: "encoder" | "decoder", 
/**
 * The entry of the vocabulary whose embedding is the baseline of each token; absent: zeros.
 */
baseline?: number, 
/**
 * The number of points between baseline and text, from 1 to 1,000.
 */
steps: number, };

/**
 * Integrated gradients of a text.
 */
export type IntegratedGradients = { 
/**
 * The number of each token.
 */
tokens: Array<number>, 
/**
 * The target for the text.
 */
target: number, 
/**
 * The target for the baseline. With enough steps the numbers of all tokens sum up to the
 * difference of both targets.
 */
baseline: number, };

/**
 * The fields of the question `patchEstimates`.
 */
export type PatchEstimatesAsked = { 
/**
 * The number that the patches change.
 */
target: GradientTarget, 
/**
 * The run whose numbers would be put there.
 */
other: number, 
/**
 * The addresses of the activations, each of a patch of its own.
 */
at: Array<At>, };

/**
 * The fields of the question `gradientNorms`.
 */
export type GradientNormsAsked = { 
/**
 * The number whose gradient is computed.
 */
target: GradientTarget, 
/**
 * The stack of the residual stream.
 */
stack: "encoder" | "decoder", };

/**
 * A question to a run whose operations are recorded.
 */
export type GradientQuestion = { "what": "gradient" } & GradientAsked | { "what": "weightedGradient" } & WeightedGradientAsked | { "what": "relevance" } & RelevanceAsked | { "what": "integratedGradients" } & IntegratedGradientsAsked | { "what": "patchEstimates" } & PatchEstimatesAsked | { "what": "gradientNorms" } & GradientNormsAsked;

/**
 * The rule of an update.
 */
export type MethodName = "adamw" | "sgd";

/**
 * The settings of a training.
 */
export type TrainerSettings = { 
/**
 * The rule of an update.
 */
method: MethodName, 
/**
 * The largest learning rate, η.
 */
learningRate: number, 
/**
 * The number of steps in which the learning rate rises to the largest; by default 0.
 */
warmUp?: number, 
/**
 * The number of the step at which the learning rate has fallen to 0 along half a cosine; by
 * default it stays the largest.
 */
cosineUntil?: number, 
/**
 * The greatest length of a gradient, to which longer ones are scaled; by default none are.
 */
clip?: number, 
/**
 * Of `adamw`: the decays β₁ and β₂ of the moments, by default 0.9 and 0.999.
 */
betas?: [number, number], 
/**
 * Of `adamw`: the term ε of the divisor, by default 1e-8.
 */
epsilon?: number, 
/**
 * Of `adamw`: the decay of weights λ, by default 0.01.
 */
weightDecay?: number, 
/**
 * Of `sgd`: the share μ of the former step that is kept, by default 0.
 */
momentum?: number, 
/**
 * The share of each target's probability that is spread over all entries, by default 0.
 */
labelSmoothing?: number, 
/**
 * The share of numbers of the embeddings, and of what attention and feed-forward network add
 * to the residual stream, that is dropped in each step, by default 0.
 */
dropout?: number, 
/**
 * The share of attention weights that is dropped in each step, by default 0.
 */
attentionDropout?: number, 
/**
 * The seed of both, a whole number below 2³², by default 0.
 */
seed?: number, };

/**
 * A text to learn from.
 */
export type TrainingExample = { 
/**
 * The text's token ids, exactly as the model gets them.
 */
ids: Array<number>, 
/**
 * The ids that the decoder of a translator reads, start token included.
 */
targetIds?: Array<number>, 
/**
 * The positions whose prediction is learned, each with the id that is right; of a translator
 * positions of the target.
 */
targets: Array<[number, number]>, };

/**
 * The texts of one step.
 */
export type TrainingBatch = { 
/**
 * The texts.
 */
examples: Array<TrainingExample>, 
/**
 * The edits under which the model computes them.
 */
edits?: Edits, };

/**
 * The length of the gradient of one part's parameters, before it is clipped.
 */
export type PartNorm = { 
/**
 * The stack of the part; null for the output head.
 */
stack: Stack | null, 
/**
 * The block, from 0; null for the embeddings and the last norm of a stack.
 */
layer: number | null, 
/**
 * The length of the gradient.
 */
norm: number, };

/**
 * The result of one step.
 */
export type StepOutcome = { 
/**
 * The number of the step, from 1.
 */
step: number, 
/**
 * The mean over all targets of the negative log-probability of the right entry, in nats; with
 * label smoothing, of the smoothed distribution's cross-entropy.
 */
loss: number, 
/**
 * The share of targets whose right entry is the likeliest.
 */
accuracy: number, 
/**
 * The length of the gradient of all parameters, before it is clipped.
 */
gradientNorm: number, 
/**
 * The length of the gradient of each part of the model, from the embeddings upwards.
 */
partNorms: Array<PartNorm>, };

/**
 * How a model does on examples that it does not learn from.
 */
export type Evaluation = { 
/**
 * The mean loss of all targets, as that of a step.
 */
loss: number, 
/**
 * The share of targets whose right entry is the likeliest.
 */
accuracy: number, };

/**
 * A trained part of a head.
 */
export type HeadWeight = "query" | "key" | "value" | "output" | "query-bias" | "key-bias" | "value-bias" | "output-bias";

/**
 * The fields of the question `weights`.
 */
export type WeightsAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The matrix or the bias.
 */
part: HeadWeight, };

/**
 * One of the two circuits of a head.
 */
export type Circuit = "query-key" | "value-output";

/**
 * How far a head completes repeated texts by its weights, through a head of an earlier block that
 * attends to the token before.
 */
export type Induction = { 
/**
 * The block of the earlier head.
 */
layer: number, 
/**
 * The index of the earlier head.
 */
head: number, 
/**
 * The earlier head's score of attending to the token before.
 */
previousToken: number, 
/**
 * How far a query matches a token that the earlier head has moved one position on, as the key:
 * `Σ λ / Σ |λ|` over the vocabulary.
 */
matching: number, };

/**
 * The rank of the sum of `W_Q W_Kᵀ` over the heads of a block.
 */
export type SharedRank = { 
/**
 * The number of singular values that hold 90 % of the sum of their squares.
 */
rank90: number, 
/**
 * The number of singular values.
 */
of: number, };

/**
 * What a head reads and writes by its weights alone.
 */
export type Circuits = { 
/**
 * The singular values of `W_Q W_Kᵀ`, `d_h` of them.
 */
queryKey: SingularValues, 
/**
 * The singular values of `W_V W_O`, `d_h` of them.
 */
valueOutput: SingularValues, 
/**
 * The eigenvalues of `W_V W_O` as real and imaginary parts, `d_h` of them, the largest first.
 */
eigenvalues: Array<[number, number]>, 
/**
 * How far `W_V W_O` keeps directions of the residual stream: `Σ λ / Σ |λ|` of its eigenvalues;
 * null if all are 0.
 */
copying: number | null, 
/**
 * How far a token that is attended to is predicted: `Σ λ / Σ |λ|` from token to logit; null
 * for a head that does not read tokens or whose stack does not predict by a linear map.
 */
tokenCopying: number | null, 
/**
 * The mean weight on the token before, in a text of 64 tokens or fewer without content: each
 * position has the mean of all token embeddings; null in cross-attention and of images.
 */
previousToken: number | null, 
/**
 * How far the head completes repeated texts; null outside of decoders and in their first
 * block.
 */
induction: Induction | null, 
/**
 * The rank of the block's `W_Q W_Kᵀ`, the sum over all heads; null for blocks with more than
 * 512 columns of queries.
 */
sharedRank: SharedRank | null, };

/**
 * The fields of the question `tokenPairs`.
 */
export type TokenPairsAsked = { 
/**
 * The stack in which the head attends.
 */
stack: Stack, 
/**
 * The head's block, from 0.
 */
layer: number, 
/**
 * The head's index in its block, from 0.
 */
head: number, 
/**
 * The circuit.
 */
circuit: Circuit, 
/**
 * The number of pairs, at most 100.
 */
topK: number, };

/**
 * Two entries of the vocabulary and their number in a circuit.
 */
export type TokenPair = { 
/**
 * The entry that attends, or the one that is attended to.
 */
from: number, 
/**
 * The entry that is attended to, or the one whose logit is raised.
 */
to: number, 
/**
 * The scaled score of the two, or what is added to the logit before the final norm's scale.
 */
value: number, };

/**
 * A question to a model.
 */
export type ModelQuestion = { "what": "weights" } & WeightsAsked | { "what": "circuits" } & HeadRef | { "what": "tokenPairs" } & TokenPairsAsked;

/** The fields and the answer of each question. */
export interface DemoQuestions {
  /**
   * Sinusoidal positional encoding.
   */
  waves: { fields: WavesAsked; answer: Waves };
  /**
   * The similarity of the rows of a position table.
   */
  similarity: { fields: SimilarityAsked; answer: Similarity };
  /**
   * Attention of numbers that the user supplies.
   */
  calculator: { fields: CalculationAsked; answer: Calculation };
  /**
   * Softmax with the maximum subtracted and without.
   */
  overflow: { fields: OverflowAsked; answer: Overflow };
  /**
   * Scores with and without their scale.
   */
  scores: { fields: ScoresAsked; answer: Scores };
  /**
   * Rotary position embedding (`RoPE`).
   */
  rotary: { fields: RotaryAsked; answer: Rotary };
  /**
   * The biases of `ALiBi`.
   */
  alibi: { fields: AlibiAsked; answer: Alibi };
  /**
   * T5's buckets.
   */
  buckets: { fields: BucketsAsked; answer: Bucketed };
  /**
   * Transformer-XL's four terms.
   */
  fourTerms: { fields: FourTermsAsked; answer: FourTerms };
}

/** The fields and the answer of each question. */
export interface ModelQuestions {
  /**
   * A head's part of the weights, widened to f32: `"query"`, `"key"` and `"value"` are
   * `[model_dim, head_dim]`, so that a row of the stream times the matrix is the head's vector;
   * `"output"` is `[head_dim, model_dim]`. Heads that share keys and values have the same of
   * them. `"query-bias"`, `"key-bias"` and `"value-bias"` are `[head_dim]`, `"output-bias"`,
   * which is added once for all heads, `[model_dim]`; zeros where the model has none.
   */
  weights: { fields: WeightsAsked; answer: Tensor };
  /**
   * What a head reads and writes by its weights alone: the spectra of `W_Q W_Kᵀ` and `W_V W_O`,
   * how far it copies, attends to the token before, and completes repeated texts (Elhage et al.
   * 2021), and the rank of its block's `W_Q W_Kᵀ` (Cordonnier et al. 2020). A score that is not
   * defined for the head is null.
   */
  circuits: { fields: HeadRef; answer: Circuits };
  /**
   * The pairs of entries of the vocabulary with the largest numbers in one of a head's circuits,
   * largest first, each entry read alone and without a position: `"query-key"` from an attending
   * to an attended token, `"value-output"` from an attended to a predicted one. @throws
   * selection/too-large for a vocabulary of more than 8,192 entries; selection/bad-stack where
   * the head does not read, or write, tokens
   */
  tokenPairs: { fields: TokenPairsAsked; answer: Array<TokenPair> };
}

/** The names of these questions. */
export const MODEL_QUESTIONS = ["weights", "circuits", "tokenPairs"] as const;

/** The fields and the answer of each question. */
export interface RunQuestions {
  /**
   * The activation at an address: `[position, …]` with all heads side by side, or the part of
   * one head; a pattern is `[query, key]`. Every matrix of `steps` has an address.
   */
  activation: { fields: At; answer: Tensor };
  /**
   * `[query, key]`. Default stage `"weights"`; a forbidden cell is -Infinity in `"masked"`,
   * exactly 0 in `"weights"`. With `rows`, a first query and the one behind the last, of those
   * alone: no other row is computed.
   */
  attention: { fields: AttentionAsked; answer: Tensor };
  /**
   * `[query, key]`: the length of what each key adds to the residual stream through the head,
   * `‖g · α · v W_O‖` with the head's gate `g` (Kobayashi et al. 2020), before any norm that
   * follows and any patch of the head's output; of values with their bias.
   */
  norms: { fields: HeadRef; answer: Tensor };
  /**
   * `[query, key]`: how far each key moves a logit of its query's position through the head,
   * along the direction and with the frozen scales of `attribution`: of `id`, or by default of
   * what each position predicts; `[layer, head, query, key]` of all heads, without the axis of
   * what is named. Rows of positions that predict nothing are 0. @throws output/unavailable for
   * a model without a head; selection/bad-stack for a stack that does not predict;
   * selection/bad-head where a patch replaces the only head's output, or the output head reads
   * two tokens; selection/too-large
   */
  effects: { fields: EffectsAsked; answer: Tensor };
  /**
   * `[query, key]`: 0 where a query may attend to a key, -Infinity where not.
   */
  mask: { fields: HeadRef; answer: Tensor };
  /**
   * `[query, key]`: the patterns of several heads joined, in f64. A mean and a maximum take the
   * heads of `layer` (by default of all), of them `head` alone if it is given; rollout and flow
   * (Abnar & Zuidema 2020) say what reaches the output of `layer` (by default the last) from
   * each input token. Weights before dropout; gates do not enter. @throws selection/bad-head
   * where a variant has no weights that sum to 1; selection/bad-stack for rollout or flow of
   * cross-attention; selection/too-large for the flow of more than 64 tokens
   */
  aggregate: { fields: AggregateAsked; answer: Tensor };
  /**
   * Query rows whose every key is masked; their weights are 0.
   */
  fullyMasked: { fields: HeadRef; answer: Array<number> };
  /**
   * What a layer's attention costs under the active masks, for texts of so many tokens (at most
   * 100,000), beside other kinds of layers.
   */
  cost: { fields: CostAsked; answer: Array<AttentionCost> };
  /**
   * `[position, head_dim]`. In models with rotary positions as they are compared, or, with
   * `rotated: false`, as they were projected.
   */
  qkv: { fields: QkvAsked; answer: Tensor };
  /**
   * The same numbers as Hugging Face's `hidden_states[layer]`; of an image the last are its
   * `last_hidden_state`.
   */
  hidden: { fields: HiddenAsked; answer: Tensor };
  /**
   * `[position, vocabulary]`, for all positions by default; of an image for the class token,
   * position 0, alone.
   */
  logits: { fields: LogitsAsked; answer: Tensor };
  /**
   * What each depth predicts at each position (the logit lens): its hidden state through the
   * final norm, if the stack has one, and the model's output head, so that the last depth has
   * the numbers of `logits`. Layers count as in `hidden`. @throws output/unavailable for a model
   * without a head
   */
  lens: { fields: LensAsked; answer: Lens };
  /**
   * The logit of `id` at `position`, or its difference from that of `against`, as the sum of
   * what embedding, heads, feed-forward networks and biases add to it, with the scales of norms
   * held as they are; with `head`, its part by keys. @throws output/unavailable for a model
   * without a head
   */
  attribution: { fields: AttributionAsked; answer: Attribution };
  /**
   * The activation at `to` if the head at `from` had its output of the other run and that
   * reached `to` through the residual stream alone, all other components keeping their outputs:
   * what a path patch puts there (Wang et al. 2022; Goldowsky-Dill et al. 2023). @throws
   * selection/bad-layer where no direct path leads to the receiver; selection/bad-stage for a
   * step that neither sends nor receives
   */
  direct: { fields: DirectAsked; answer: Tensor };
  /**
   * For each of the first addresses `at`, as many as are computed side by side and at least one,
   * probabilities of entries of the vocabulary at `position`, in f64, if the activation there
   * had its numbers of the other run, as a patch of this run: cells of `patchGrid`, side by
   * side. @throws selection/other-length for a run of another length; edit/unsupported for a
   * step that cannot be patched; output/unavailable for a model without a head
   */
  patched: { fields: PatchedAsked; answer: Array<TokenProbability> };
  /**
   * For each position the most probable next tokens, best first.
   */
  predictions: { fields: PredictionsAsked; answer: Array<Array<Candidate>> };
  /**
   * Probabilities of entries of the vocabulary, `ids[i]` at `positions[i]`, in f64, after
   * softmax over the whole vocabulary.
   */
  probabilities: { fields: ProbabilitiesAsked; answer: Array<TokenProbability> };
  /**
   * `[position, model_dim]`: the positional encoding that was added; with rotary positions
   * `[position, head_dim]`, the cosines and sines; with relative ones `[distance, head]`, what
   * joins the scores, or `[distance, model_dim]`, the keys of distances.
   */
  positions: { fields: StackRef; answer: Tensor };
  /**
   * `[layer, head, size, size]`, reduced in the engine: of a stage, or of `norms`.
   */
  thumbnails: { fields: ThumbnailsAsked; answer: Tensor };
  /**
   * Of every head, block by block: entropy in nats, mean distance in tokens, role scores from 0
   * to 1; `rare` needs the model's notes.
   */
  measures: { fields: StackRef; answer: Array<HeadMeasures> };
  /**
   * The sums that the measures of every head are made of, block by block, to be added to those
   * of other texts.
   */
  tallies: { fields: StackRef; answer: Array<HeadTally> };
  /**
   * The Jensen-Shannon divergence, in nats, of every head of the stack from this one, block by
   * block, itself included.
   */
  headDivergences: { fields: HeadRef; answer: Array<HeadDivergence> };
  /**
   * Singular values of scores before the mask and of weights. @throws selection/too-large beyond
   * 512 queries and keys
   */
  spectrum: { fields: HeadRef; answer: Spectrum };
  /**
   * The number of positions at which a head's output is nearest to the value of its own token,
   * by the cosine, among the values of the text. @throws selection/bad-stack in cross-attention
   */
  contentRetention: { fields: HeadRef; answer: ContentRetention };
  /**
   * Multiply-adds and bytes of a head, by the formula of its attention variant, and its error
   * against exact attention under the same mask.
   */
  headCost: { fields: HeadRef; answer: HeadCost };
  /**
   * `[query, key]`, row after row: the mean of a head's weights over `draws` dropout masks, and
   * the weights without dropout.
   */
  dropoutMean: { fields: DropoutMeanAsked; answer: DropoutMean };
  /**
   * Every matrix between a block's input and its output, in the order of the computation, as one
   * head sees it.
   */
  steps: { fields: HeadRef; answer: Steps };
  /**
   * How one cell of `steps` was computed: the operation, its terms, and where each of them
   * stands.
   */
  explain: { fields: ExplainAsked; answer: Explanation };
  /**
   * Cosines of a word's hidden states (the mean of its tokens') with those of another run's
   * word, layer by layer; null where a state is zero.
   */
  cosines: { fields: CosinesAsked; answer: Array<number | null> };
  /**
   * Statistics of the residual stream, a number per token: after the embedding, each sublayer,
   * and the last norm.
   */
  residuals: { fields: StreamRef; answer: Array<StreamDepth> };
  /**
   * `[layer, position]`: ‖Δ‖ of each token's `hidden[layer]` from that of the other run's token,
   * or its token `order[t]`.
   */
  distances: { fields: DistancesAsked; answer: Tensor };
  /**
   * The Jensen-Shannon divergence, in nats, of every head from itself in another run of the same
   * model and of texts as long.
   */
  runDivergences: { fields: RunDivergencesAsked; answer: Array<HeadDivergence> };
}

/** The names of these questions. */
export const RUN_QUESTIONS = ["activation", "attention", "norms", "effects", "mask", "aggregate", "fullyMasked", "cost", "qkv", "hidden", "logits", "lens", "attribution", "direct", "patched", "predictions", "probabilities", "positions", "thumbnails", "measures", "tallies", "headDivergences", "spectrum", "contentRetention", "headCost", "dropoutMean", "steps", "explain", "cosines", "residuals", "distances", "runDivergences"] as const;

/** The fields and the answer of each question. */
export interface GradientQuestions {
  /**
   * The derivative of a target by every number of some activations, each tensor in the shape of
   * its activation: see `activation` for shapes and addresses. The target is the logit of `id`
   * at `position` or its log-probability, or with `against` the difference from that of another
   * entry. One reverse pass gives all addresses (Griewank & Walther 2008, section 3.2); an
   * activation on which the target does not depend has zeros. @throws selection/bad-stage for a
   * step that the run does not keep; edit/unsupported under an attention variant other than the
   * softmax of products; output/unavailable for a model without a head
   */
  gradient: { fields: GradientAsked; answer: Gradients };
  /**
   * `[query, key]`: the weights of a head times the derivative of the target by each of them,
   * cell by cell. @throws the codes of `gradient`
   */
  weightedGradient: { fields: WeightedGradientAsked; answer: Tensor };
  /**
   * `[query, key]`: the relevance of each token in each position for the target, by the positive
   * parts of weights times gradients, propagated through all blocks (Chefer, Gur & Wolf 2021).
   * The row of the position that predicts explains the target; `cross` is of the source's tokens
   * in those of the target text. @throws the codes of `gradient`
   */
  relevance: { fields: RelevanceAsked; answer: Tensor };
  /**
   * How much each token moves the target on the straight way from a baseline to the text
   * (Sundararajan et al. 2017): a number per token, and the target for the text and for the
   * baseline, whose difference is the sum of all tokens as far as the steps suffice. @throws
   * selection/bad-size for no step or more than 1,000; input/wrong-kind for an entry of the
   * vocabulary as the baseline of an image; the codes of `gradient`
   */
  integratedGradients: { fields: IntegratedGradientsAsked; answer: IntegratedGradients };
  /**
   * What the target would change by under each patch with the numbers of the other run, to first
   * order: the sum over the activation of the difference times the gradient (Nanda 2023).
   * @throws selection/other-length for a run of another length; the codes of `gradient`
   */
  patchEstimates: { fields: PatchEstimatesAsked; answer: Array<number> };
  /**
   * `[layer, position]`: the length of the derivative of the target by the residual stream of
   * each position, as it enters each block and as it leaves the last one, before the final norm.
   * @throws the codes of `gradient`
   */
  gradientNorms: { fields: GradientNormsAsked; answer: Tensor };
}

/** The names of these questions. */
export const GRADIENT_QUESTIONS = ["gradient", "weightedGradient", "relevance", "integratedGradients", "patchEstimates", "gradientNorms"] as const;

/**
 * Every role with the score from which a head wears it; the most specific first, which is
 * the one that a head wears which reaches several.
 */
export const ROLES: readonly { readonly role: Role; readonly threshold: number }[] = [
  { role: "induction", threshold: 0.5 },
  { role: "duplicate", threshold: 0.5 },
  { role: "aligned", threshold: 0.5 },
  { role: "previous", threshold: 0.5 },
  { role: "next", threshold: 0.5 },
  { role: "self", threshold: 0.5 },
  { role: "separator", threshold: 0.5 },
  { role: "first", threshold: 0.5 },
  { role: "rare", threshold: 0.5 },
  { role: "near", threshold: 0.5 },
  { role: "positional", threshold: 0.9 },
  { role: "broad", threshold: 0.8 },
];

export const LARGEST_BASE = 1000000000000;
export const LARGEST_CELL = 1000000;
export const LARGEST_DISTANCE = 1048576;
export const LARGEST_FACTOR = 1000;
export const LARGEST_GATE = 1000;
export const LARGEST_RATE = 0.99;
export const LARGEST_SIDE = 256;
export const LARGEST_WHOLE = 4294967295;
export const LEAST_SCORE = -100000000;
export const MOST_BUCKETS = 512;
export const MOST_PRESETS = 256;
export const MOST_RANDOM_KEYS = 64;
export const MOST_UNITS = 1024;
export const MOST_WEIGHT_BYTES = 4026531840;
export const SMALLEST_BASE = 0.000001;

/**
 * Each attention variant: its numbers; what its raw scores, the scale `model` and its weights are;
 * whether it has rows of weights of which some can be dropped; whether it is there to compute or
 * to hold less; where it makes sense.
 */
export const VARIANT_PARTS: Readonly<Record<VariantName, {
  readonly numbers: { readonly [Name in keyof VariantParameters]: { least: number, most: number, usual: number } },
  readonly raw: RawScores, readonly scale: ModelScale, readonly weights: WeightRule, readonly dropped: boolean,
  readonly cheap: boolean, readonly stacks: readonly Stack[],
}>> = {
  "softmax": { numbers: { }, raw: "products", scale: "model", weights: "softmax", dropped: true, cheap: false, stacks: ["encoder", "decoder", "cross"] },
  "cosine": { numbers: { }, raw: "other", scale: "one", weights: "softmax", dropped: true, cheap: false, stacks: ["encoder", "decoder", "cross"] },
  "additive": { numbers: { seed: { least: 0, most: 4294967295, usual: 1 }, }, raw: "other", scale: "one", weights: "softmax", dropped: true, cheap: false, stacks: ["encoder", "decoder", "cross"] },
  "sliding": { numbers: { width: { least: 0, most: 1024, usual: 2 }, }, raw: "products", scale: "model", weights: "softmax", dropped: true, cheap: true, stacks: ["encoder", "decoder", "cross"] },
  "blocks": { numbers: { size: { least: 1, most: 1024, usual: 4 }, neighbours: { least: 0, most: 1024, usual: 1 }, }, raw: "products", scale: "model", weights: "softmax", dropped: true, cheap: true, stacks: ["encoder", "decoder", "cross"] },
  "linear": { numbers: { }, raw: "other", scale: "never", weights: "features", dropped: false, cheap: true, stacks: ["encoder", "decoder", "cross"] },
  "performer": { numbers: { features: { least: 1, most: 1024, usual: 64 }, seed: { least: 0, most: 4294967295, usual: 1 }, }, raw: "other", scale: "model", weights: "features", dropped: false, cheap: true, stacks: ["encoder", "decoder", "cross"] },
  "low-rank": { numbers: { rank: { least: 0, most: 1024, usual: 4 }, }, raw: "products", scale: "model", weights: "directions", dropped: false, cheap: true, stacks: ["encoder"] },
  "linformer": { numbers: { keys: { least: 1, most: 1024, usual: 4 }, }, raw: "meanProducts", scale: "model", weights: "segments", dropped: false, cheap: true, stacks: ["encoder", "cross"] },
  "chunked": { numbers: { size: { least: 1, most: 1024, usual: 16 }, }, raw: "products", scale: "model", weights: "softmax", dropped: false, cheap: true, stacks: ["encoder", "decoder", "cross"] },
};

/** Every step that a block can have. */
export const STEPS: readonly Step[] = ["embedded", "embedded-normed", "input", "memory", "entered", "query", "key", "value", "query-normed", "key-normed", "query-rotated", "key-rotated", "raw", "scores", "masked", "weights", "context", "attended", "attended-normed", "sum", "normed", "cross-attended", "cross-sum", "cross-normed", "ff-entered", "ff-hidden", "ff-activated", "ff-linear", "ff-gated", "ff-output", "ff-output-normed", "ff-sum", "ff-normed", "neighbours", "convolved", "convolved-activated", "convolved-sum", "convolved-normed", "final"];

/** The values of `model_type` in config.json of the families that read images. */
export const TYPES_OF_IMAGES: readonly string[] = ["deit", "vit"];
