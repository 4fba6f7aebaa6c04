import type { maskLabs as english } from "../../en/bench/mask-labs.js";

/** In simplified Chinese: what the bench shows of masks besides their rules: stages, cost, cheating, padding. */
export const maskLabs = {
  "lab.waiting": "正在计算……",
  "lab.failed": "无法计算。改一改文本或规则再试。",

  "stages.title": "这些规则在这里做了什么",
  "stages.intro":
    "第 {layer} 层 · 第 {head} 头，从分数到权重。指向一个格子：四幅图里是同一对词元。",
  "stages.scores": "加掩码之前的分数",
  "stages.mask": "+ 掩码",
  "stages.masked": "= 加掩码之后的分数",
  "stages.weights": "→ 经 softmax 得到权重",

  "cost.title": "注意力的代价",
  "cost.intro":
    "第 {layer} 层，{heads} 个头，每个头 {size} 个数：时间按 n² · d 增长，内存按 n² · h + n · d 增长。对每种长度，都逐行统计现有规则所允许的格子。",
  "cost.quantity": "数什么",
  "cost.pairs": "一个头的词元对",
  "cost.operations": "一层的乘加次数",
  "cost.memory": "一层的内存",
  "cost.axis": "词元数",
  "cost.here": "此处",
  "cost.line.full": "所有词元对",
  "cost.line.masked": "按照规则",
  "cost.line.vectors": "Q、K、V、上下文",
  "cost.line.recurrent": "循环，n · d²",
  "cost.line.convolutional": "卷积",
  "cost.table": "一个头，f32",
  "cost.tokens": "词元数",
  "cost.allPairs": "所有词元对",
  "cost.openPairs": "允许的",
  "cost.share": "比例",
  "cost.headMemory": "全部内存",
  "cost.openMemory": "允许的内存",
  "cost.estimated":
    "≈：这里的规则要逐格合并，所以规则点名的行逐行数，其余的行每隔若干行取一行代表相邻的行。",
  "cost.paper": "Vaswani 等 2017，表 1 中的各种层，n = {tokens}，d = {size}",
  "cost.layers": "论文中的其他层",
  "cost.layer": "层",
  "cost.perLayer": "复杂度",
  "cost.sequential": "必须先后进行的操作",
  "cost.path": "最长路径",
  "cost.kind.attention": "自注意力",
  "cost.kind.recurrent": "循环",
  "cost.kind.convolutional": "卷积（k = 3，空洞）",
  "cost.kind.restricted": "受限的自注意力",
  "cost.paperNote": "r 是按现有规则一个查询平均可以看的键数：{neighbours}。",

  "cheat.title": "作弊：去掉因果掩码",
  "cheat.intro":
    "解码器训练时要说出下一个词，却看不到它。去掉它的掩码，要预测的词就在它能看的词之中。不过，从没学过向后看的模型，未必懂得利用它。",
  "cheat.encoder": "这个模型没有解码器：什么都没有对它隐藏，也就无从作弊。",
  "cheat.remove": "去掉解码器自己的掩码",
  "cheat.sum":
    "猜中下一个词：{all} 个中 {before} 个 → {after} 个。给真正出现的词的平均概率：{meanBefore} → {meanAfter}。",
  "cheat.sumPlain":
    "猜中下一个词：{all} 个中 {before} 个。给真正出现的词的平均概率：{meanBefore}。",
  "cheat.table": "每个位置的下一个词：没有你的改动时和有改动时",
  "cheat.comes": "之后 → 出现",
  "cheat.before": "原模型预测",
  "cheat.after": "改动后预测",
  "cheat.truth": "给真正的词",

  "pad.title": "填充：一批里的两段文本",
  "pad.intro":
    "一批文本是一张表，所以较短的文本要补齐。谁也不能看补上的部分：这样，除舍入误差外，每段文本得到的数与单独计算时相同。你的句子是第一段；这里不计你的改动。",
  "pad.other": "第二段文本",
  "pad.missing": "请写好两段文本。",
  "pad.failed": "这两段文本无法一起计算：也许其中一段对模型来说太长。",
  "pad.batch": "这一批，每行一段文本",
  "pad.table": "两段文本都补到 {tokens} 个词元，与各自单独计算相比：最后隐藏状态的最大差",
  "pad.numbers": "两段文本与各自单独计算",
  "pad.text": "文本",
  "pad.tokens": "词元",
  "pad.pads": "填充",
  "pad.masked": "遮住填充",
  "pad.open": "看得到填充",
  "pad.largest": "最大的状态",
  "pad.causal": "这个解码器只看前文：末尾的填充无论有没有掩码都看不到。",
} satisfies Record<keyof typeof english, string>;
