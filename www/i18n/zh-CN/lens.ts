import type { lens as english } from "../en/lens.js";

/** In simplified Chinese: tokens as words, several at once, without special tokens, without the sink. */
export const lens = {
  "lens.label": "如何看词元",
  "lens.menu": "词元",
  "lens.unit": "权重的单位",
  "lens.token": "词元",
  "lens.word": "词",
  "lens.ordinaryOnly": "隐去特殊词元",
  "lens.several": "多选",
  "lens.severalHint": "选中几个词元，看它们合起来看向哪里；按住 Shift 点击也一样。",
  "lens.byWord": "按词显示：对键的各个词元求和，对查询的各个词元取平均。",
  "lens.onlyWeights": "此处按词元显示：只有权重可以合并成词。",
  "lens.changed": "已去掉“{token}”并重新归一：不是模型本来的权重。",
  "lens.hiddenShare": "每行之和小于 1：平均有 {share} 给了隐去的词元。",
  "lens.renormalised": "重新归一",
  "lens.weightsWithout": "去掉“{token}”后重新归一的权重",
  "lens.emptied": "去掉“{token}”后什么也不剩",
  "lens.summaryByWord": "按词（键求和，查询取平均）",
  "lens.summaryOrdinary": "隐去特殊词元",
  "lens.summaryWithout": "去掉“{token}”后重新归一",

  "lens.exported": "显示方式：{view}",
  "lens.exportWeights": "所显示的权重：{view}",

  "sink.label": "注意力汇",
  "sink.what": "在可以看不止一个键的查询中，“{token}”平均占了 {share} 的权重：这是一个注意力汇。",
  "sink.why":
    "softmax 要求每个查询把权重全部分出去；不需要这个头的查询，就把权重都放在同一个词元上（Xiao 等，2023）。",
  "sink.without": "去掉“{token}”后重新归一",

  "together.title": "一起选中的",
  "together.from": "看向",
  "together.to": "被谁看",
  "together.looking": "方向",
  "together.pool": "合并方式",
  "together.sum": "求和",
  "together.mean": "平均",
  "together.release": "取消选中",
  "together.more": "{all} 个中最强的 {count} 个",

  "pieces.weight": "词与词之间的权重",
  "pieces.of": "对 {queries} 个查询词元取平均，对 {keys} 个键词元求和",
  "pieces.model": "其中最强的一对，{query} → {key}：",
  "pieces.without": "去掉“{token}”后重新归一",
} satisfies Record<keyof typeof english, string>;
