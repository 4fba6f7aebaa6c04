import type { inspector as english } from "../en/inspector.js";

/** In simplified Chinese: the inspector: a pair, and what a head is like. */
export const inspector = {
  "inspect.title": "指针所指",
  "inspect.pair": "这一对词元",
  "inspect.looksAt": "看向",
  "inspect.empty": "指向一个格子，或在图中按方向键。",
  "inspect.raw": "q · k",
  "inspect.scaled": "÷ √{size}",
  "inspect.mask": "掩码",
  "inspect.softmax": "对 {count} 个键做 softmax",
  "inspect.rowMasked": "这个查询什么也不能看，所以它的权重全为 0。",
  "inspect.topKeys": "这个查询看向",
  "inspect.next": "模型在“{token}”之后会写",
  "inspect.nextNone": "这个模型没有输出层，所以不作预测。",
  "inspect.nextHint": "选择解码器或交叉注意力，就能看到模型在某个词元之后会写什么。",

  "measures.title": "这个头在当前文本上",
  "measures.entropy": "熵",
  "measures.distance": "平均距离",
  "measures.nats": "{value} 奈特",
  "measures.bits": "= {value} 比特",
  "measures.tokens": "{value} 个词元",
  "measures.noDistance": "两段文本之间没有定义",

  "spectrum.title": "奇异值",
  "spectrum.scores": "分数，掩码与 softmax 之前",
  "spectrum.weights": "权重，掩码与 softmax 之后",
  "spectrum.scores.edited": "分数，掩码之前",
  "spectrum.weights.edited": "权重，由你的改动得出",
  "spectrum.none": "没有奇异值：其中有的数不是有限数。",
  "spectrum.holds": "{rank} / {count} 个占 {share}",
  "spectrum.label":
    "{name}：{count} 个奇异值，从 {largest} 降到 {smallest}；前 {rank} 个占平方和的 {share}",
  "spectrum.hint": "每一条是矩阵的一个方向，线性刻度。颜色较强的几条合占平方和的 {share}。",
  "spectrum.working": "正在计算…",
  "spectrum.table": "全部奇异值",
  "spectrum.index": "序号",

  "like.title": "与第 {layer} 层 · 第 {head} 头相似的头",
  "like.hint":
    "它们的权重在当前文本上相差多少：Jensen–Shannon 散度，单位为奈特，从 0（相同）到 ln 2 ≈ {most}。",
  "like.none": "当前文本上没有可以比较的其他头。",
} satisfies Record<keyof typeof english, string>;
