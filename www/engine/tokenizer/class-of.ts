/**
 * The tokenizer class that AutoTokenizer of transformers 5.24 selects for a folder with a
 * tokenizer.json, without the library mistral-common. Source: `models/auto/tokenization_auto.py`.
 */

import { isRecord, textIn } from "../../data/shape.js";
import { refuse } from "../errors.js";
import { CLASSES, type TokenizerClass } from "./classes.js";
import type { Settings } from "./special-tokens.js";

/**
 * The default class of families, used if no file names one; other families read the file unchanged.
 */
const OF_FAMILY: readonly [name: string, families: readonly string[]][] = [
  ["BertTokenizer", ["bert", "distilbert", "electra", "ernie", "megatron-bert"]],
  ["GPT2Tokenizer", ["gpt2", "gpt_neo", "opt", "starcoder2"]],
  ["GemmaTokenizer", ["gemma", "gemma2", "gemma3_text"]],
  ["T5Tokenizer", ["t5", "mt5"]],
  ["Qwen2Tokenizer", ["qwen2", "qwen3"]],
  ["AlbertTokenizer", ["albert"]],
  ["RobertaTokenizer", ["bart", "roberta", "roberta-prelayernorm", "data2vec-text", "ibert"]],
  ["BigBirdTokenizer", ["big_bird"]],
  ["CamembertTokenizer", ["camembert"]],
  ["DebertaTokenizer", ["deberta"]],
  ["DebertaV2Tokenizer", ["deberta-v2"]],
  ["GPTNeoXTokenizer", ["gpt_neox"]],
  ["GPTSw3Tokenizer", ["gpt-sw3"]],
  ["M2M100Tokenizer", ["m2m_100"]],
  ["MarianTokenizer", ["marian"]],
  ["MBartTokenizer", ["mbart"]],
  ["MPNetTokenizer", ["mpnet"]],
  ["MvpTokenizer", ["mvp"]],
  ["PLBartTokenizer", ["plbart"]],
  ["XLMRobertaTokenizer", ["xlm-roberta"]],
];
/** Families whose file is read unchanged, whatever class their settings name. */
const BY_FILE: readonly string[] = [
  "ministral",
  "mistral",
  "modernbert",
  "internlm3",
  "olmo2",
  "phi3",
  "stablelm",
  "xlm-roberta-xl",
];
/** Families whose settings name a wrong class on the hub: the family's own class is used. */
const WRONGLY_NAMED: readonly string[] = ["qwen2", "internlm3", "modernbert", "phi3"];
/** Families without a tokenizer class in transformers. */
const WITHOUT: readonly string[] = ["eurobert", "llama", "seed_oss", "smollm3"];

/** Classes that read tokenizer.json and build another tokenizer from it, which is not supported. */
const NOT_COMPUTED: readonly string[] = [
  "BlenderbotTokenizer",
  "CLIPTokenizer",
  "CohereTokenizer",
  "DPRContextEncoderTokenizer",
  "DPRQuestionEncoderTokenizer",
  "DPRReaderTokenizer",
  "EsmcTokenizer",
  "FNetTokenizer",
  "FunnelTokenizer",
  "LasrTokenizer",
  "LayoutLMv2Tokenizer",
  "LayoutLMv3Tokenizer",
  "LayoutXLMTokenizer",
  "LukeTokenizer",
  "MLukeTokenizer",
  "MarkupLMTokenizer",
  "NougatTokenizer",
  "OpenAIGPTTokenizer",
  "PegasusTokenizer",
  "Qwen3_5Tokenizer",
  "ReformerTokenizer",
  "RemBertTokenizer",
  "RoFormerTokenizer",
  "SeamlessM4TTokenizer",
  "Siglip2Tokenizer",
  "SplinterTokenizer",
  "Tipsv2Tokenizer",
  "UdopTokenizer",
  "VideoPrismTokenizer",
  "WhisperTokenizer",
  "XLNetTokenizer",
];
/** Classes that read other files than tokenizer.json; the first two are supported. */
const OF_OTHER_FILES: readonly string[] = [
  "M2M100Tokenizer",
  "MarianTokenizer",
  "BartphoTokenizer",
  "BertGenerationTokenizer",
  "BertJapaneseTokenizer",
  "BertTokenizerLegacy",
  "BertweetTokenizer",
  "BioGptTokenizer",
  "BlenderbotSmallTokenizer",
  "ByT5Tokenizer",
  "CTRLTokenizer",
  "CanineTokenizer",
  "ClvpTokenizer",
  "CpmAntTokenizer",
  "CpmTokenizer",
  "DiaTokenizer",
  "EsmTokenizer",
  "FSMTTokenizer",
  "FastSpeech2ConformerTokenizer",
  "FlaubertTokenizer",
  "GPTNeoXJapaneseTokenizer",
  "GPTSw3Tokenizer",
  "MgpstrTokenizer",
  "MyT5Tokenizer",
  "PLBartTokenizer",
  "PerceiverTokenizer",
  "PhobertTokenizer",
  "ProphetNetTokenizer",
  "RoCBertTokenizer",
  "SiglipTokenizer",
  "Speech2TextTokenizer",
  "SpeechT5Tokenizer",
  "TapasTokenizer",
  "VitsTokenizer",
  "Wav2Vec2CTCTokenizer",
  "Wav2Vec2PhonemeCTCTokenizer",
  "XLMTokenizer",
];
/** Classes that read the file unchanged. */
const AS_IT_IS: readonly string[] = [
  "TokenizersBackend",
  "PreTrainedTokenizer",
  "PythonBackend",
  "BloomTokenizer",
  "ParakeetTokenizer",
];
const OWN_FILES = OF_OTHER_FILES.slice(0, 2);

/**
 * How a folder's tokenizer.json is read: unchanged, rebuilt by a class, or not at all, since the
 * class reads other files.
 */
export type Reading = "as it is" | "other files" | TokenizerClass;

/**
 * How AutoTokenizer reads a folder's tokenizer.json.
 * @param settings tokenizer_config.json
 * @param config config.json
 * @param json tokenizer.json
 * @throws load/bad-tokenizer for a class that is not computed
 */
export function readingOf(settings: Settings, config: Settings, json: string): Reading {
  const name = nameOf(settings, config, json);
  const found = CLASSES.find(({ names }) => names.includes(name));
  if (found !== undefined) return found;
  if (OWN_FILES.includes(name)) return "other files";
  const why = OF_OTHER_FILES.includes(name)
    ? "reads other files"
    : "makes other tokens of the file";
  if (isComputed(name)) return "as it is";
  const remedy = 'write "TokenizersBackend" there to read tokenizer.json as it is';
  const expected = `another \`tokenizer_class\`, since this one ${why}; ${remedy}`;
  throw refuse("load/bad-tokenizer", "tokenizer_config.json", expected, name);
}

/** Whether the tokenizer that a class builds is supported. */
const isComputed = (name: string): boolean =>
  OWN_FILES.includes(name) || ![...NOT_COMPUTED, ...OF_OTHER_FILES].includes(name);

/** Whether AutoTokenizer's class for a folder without a tokenizer.json is supported. */
export const isComputedWithoutFile = (settings: Settings, config: Settings): boolean =>
  isComputed(nameOf(settings, config, ""));

/** The class's name, without the ending `Fast`; empty if no class is selected. */
function nameOf(settings: Settings, config: Settings, json: string): string {
  const family = textIn(config.model_type);
  const [own = ""] = OF_FAMILY.find(([, all]) => all.includes(family)) ?? [];
  const given = textIn(settings.tokenizer_class) || textIn(config.tokenizer_class);
  const said = given.replace(/Fast$/, "");
  if (hasOwnCode(settings)) {
    // For a family without a class, transformers asks whether the folder's code may run.
    if (WITHOUT.includes(family) && !isKnown(settings.tokenizer_class)) throw ownCode();
    return said === "" ? ofConfig(family, own) : said;
  }
  const isMistral = family === "mistral" || family === "ministral";
  const isLlama = said === "LlamaTokenizer" && !isMistral && !WRONGLY_NAMED.includes(family);
  if (isLlama && json.includes('"ByteLevel"')) return "";
  if (said === "") return ofConfig(family, own);
  if (BY_FILE.includes(family)) return "";
  return WRONGLY_NAMED.includes(family) ? own : said;
}

/** The default class by the config; a GPT-SW3 has the config of a GPT-2. */
const ofConfig = (family: string, own: string): string =>
  family === "gpt-sw3" ? "GPT2Tokenizer" : own;

/** Whether transformers has a class of a name. */
function isKnown(name: unknown): boolean {
  const wanted = textIn(name).replace(/Fast$/, "");
  const computed = CLASSES.flatMap(({ names }) => names);
  return [...computed, ...NOT_COMPUTED, ...OF_OTHER_FILES, ...AS_IT_IS].includes(wanted);
}

/** Whether a folder has code for its tokenizer. */
function hasOwnCode({ auto_map: map }: Settings): boolean {
  return Array.isArray(map) || (isRecord(map) && (map.AutoTokenizer ?? null) !== null);
}

function ownCode(): Error {
  const expected =
    "no code of its own as `auto_map`, which is not run; remove the field to read tokenizer.json as it is";
  return refuse("load/bad-tokenizer", "tokenizer_config.json", expected, "AutoTokenizer in it");
}
