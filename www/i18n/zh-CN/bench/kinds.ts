import type { kinds as english } from "../../en/bench/kinds.js";

/** In simplified Chinese: kinds of attention on the bench. */
export const kinds = {
  "kindBench.intro": "注意力头怎样得到它的权重。对同一个头，以最后一条为准，模型就照此计算。",
  "kindBench.title": "方式 {number}：{kind}",
  "kindBench.kind": "注意力方式",
  "kindBench.scores": "打分函数",
  "kindBench.cheaper": "更省的注意力",
  "kindBench.add": "把这个头改为",
  "kindBench.remove": "撤掉这种方式",
  "kindBench.scale": "缩放",
  "kindBench.scale.model": "÷ √d",
  "kindBench.scale.none": "不缩放",
  "kindBench.scale.by": "指定倍数",
  "kindBench.factor": "乘以",
  "kindBench.temperature": "温度",
  "kindBench.rate": "丢弃率",
  "kindBench.seed": "丢弃的种子",
  "kindBench.disabled":
    "不能选的方式需要一次看到所有词元：只在整段一起读入的地方有效，逐词写出的地方无效。",
  "kindBench.notEverywhere":
    "它需要一次看到所有词元：只在整段一起读入的地方有效，逐词写出的地方无效。",
  "kind.softmax.hint":
    "查询乘以键；÷ √d 使分数的幅度不随 d 变化（Vaswani 等 2017，3.2.1 节）。不缩放就是普通点积。",
  "kind.cosine.hint":
    "只看方向，不看长度：分数在 −1 与 1 之间，因此乘以 5 或 10 才能恢复反差（Graves 等 2014，式 6）。这里模型自身的缩放为 1。",
  "kind.additive.hint":
    "对查询和键用一个小网络：vᵀ tanh(W q + U k)（Bahdanau 等 2015，A.1.2）。权重由种子抽取，未经训练。",
  "kind.sliding.hint": "每个查询只与邻近的键比较，其余根本不计算（Beltagy 等 2020，3.1 节）。",
  "kind.blocks.hint": "查询分块，只与本块及相邻块的键比较（Zaheer 等 2020，附录 D）。",
  "kind.linear.hint":
    "用 elu + 1 代替指数：一个累加和供所有查询使用（Katharopoulos 等 2020，式 7）。",
  "kind.performer.hint": "随机的正特征，其乘积平均等于指数（Choromanski 等 2021，2.3 与 2.4 节）。",
  "kind.low-rank.hint":
    "softmax 的图样只保留最大的几个奇异值。权重可能为负，各行之和也不一定是 1（Eckart 与 Young 1936）。",
  "kind.linformer.hint": "键和值按文本分段取平均，查询看的是各段（Wang 等 2020，第 4 节，池化）。",
  "kind.chunked.hint":
    "精确的 softmax，每次处理一段键，并记录当前的最大值与总和：内存更少，除舍入外结果相同（Rabe 与 Staats 2021）。",
  "kindReport.title": "第 {layer} 层 · 第 {head} 头：{kind}",
  "kindReport.untrained": "未经训练：这些权重是抽取的，没有模型用它们学习过。",
  "kindReport.implied.features": "这种方式不对整行取 softmax：图中是它所蕴含的图样。",
  "kindReport.implied.rank": "图中是 softmax 自身的图样，只保留到这个秩。",
  "kindReport.implied.segments": "这种方式对各段取 softmax：图中把每段的权重平均分给段内的各个键。",
  "kindReport.here": "此处",
  "kindReport.exact": "精确",
  "kindReport.ratio": "此处 ÷ 精确",
  "kindReport.operations": "运算次数",
  "kindReport.bytes": "同时占用的字节",
  "kindReport.pattern": "权重与精确值最多相差 {largest}，总体相差 {relative}。",
  "kindReport.output": "该头取得的内容最多相差 {largest}，总体相差 {relative}。",
  "kindReport.rounding": "舍入误差",
  "kindReport.counted": "由引擎在计算这个头时计数：乘加、指数和除法，以及当时占用的缓冲区。",
  "kindReport.inAll": "“总体”指 ‖Δ‖ ÷ ‖精确‖（Frobenius 范数）。",
  "kindReport.notRead": "无法读取这个头的开销。",
  "kindReport.dropout": "随机丢弃",
  "kindReport.dropoutHint":
    "被丢弃的格子画有斜线；留下的除以 1 − 丢弃率，因此各行之和只在平均意义上为 1。每行旁边标出其和。",
  "kindReport.mean":
    "对 {draws} 个种子取平均，各权重与未丢弃时最多相差 {furthest}。本次抽取的各行之和为 {least} … {most}。",
  "kindReport.tooLong":
    "{draws} 个种子的平均只对不超过 {most} 格的头给出；这个头有 {cells} 格。缩短文字即可看到。",
  "kindReport.thisDraw": "本次抽取",
  "kindReport.meanOf": "{draws} 个种子的平均",
  "kindReport.undropped": "不丢弃",
  "kindReport.rows": "和 · 查询",
  "kindReport.columns": "键",
  "scoreLab.title": "为什么要除以 √d",
  "scoreLab.intro":
    "64 个查询对 32 个键，每个数都按均值 0、方差 1 抽取（Vaswani 等 2017，3.2.1 节，脚注 4）：",
  "scoreLab.dim": "每个头的维数 d",
  "scoreLab.plain": "q · k",
  "scoreLab.scaled": "q · k ÷ √d",
  "scoreLab.variance": "分数的方差",
  "scoreLab.entropy": "一行的熵（奈特）",
  "scoreLab.jacobian": "‖diag(p) − ppᵀ‖",
  "scoreLab.weights": "一行中最大的权重，{side}",
  "scoreLab.widest": "平均看所有键",
  "scoreLab.hint":
    "分数幅度太大时，softmax 几乎只选一个键：熵下降，其雅可比矩阵的范数也下降，而梯度正是由此传回。除以 √d 之后，二者都不随 d 变化。",
} satisfies Record<keyof typeof english, string>;
