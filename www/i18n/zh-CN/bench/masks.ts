import type { masks as english } from "../../en/bench/masks.js";

/** In simplified Chinese: rules of masks on the bench. */
export const masks = {
  "rule.intro": "谁可以看谁。规则自上而下依次生效，会真正改变模型的计算。",
  "rule.allowed": "第 {layer} 层 · 第 {head} 头：允许 {allowed} / {all} 对（{share}）",
  "rule.noText": "请先输入句子：规则是针对词元的。",
  "rule.unread": "模型读完你的句子后，这里就会打开。",
  "rule.add": "添加规则",
  "rule.choose": "请选择…",
  "rule.title": "规则 {number}：{kind}",
  "rule.remove": "删除这条规则",
  "rule.joined": "与上面规则的组合方式",
  "rule.preset": "允许的范围",
  "rule.invert": "取反",
  "rule.for": "用于",
  "rule.where": "规则的作用范围",
  "rule.reach.head": "第 {layer} 层 · 第 {head} 头",
  "rule.reach.layer": "{stack}第 {layer} 层",
  "rule.reach.stack": "{stack}所有层",
  "rule.reach.everywhere": "全部注意力",
  "rule.none.hint":
    "任何词元都可以看任何词元。若用它取代解码器自身的掩码，解码器就能偷看到它要预测的词。",
  "rule.causal.hint": "不能看后面的词元（Vaswani 等 2017，3.2.3 节）。",
  "rule.padding.hint": "只有前面的词元是真实的；其余如同批次中的填充，谁也不能看。",
  "rule.prefix.hint": "前几个词元人人可见，其余的只有后面的词元能看（Raffel 等 2020，3.2.1 节）。",
  "rule.window.hint": "每个词元只看左右邻居（Beltagy 等 2020，3.1 节）。",
  "rule.dilated.hint": "带间隔的窗口：键的数量不变，看得更远（Beltagy 等 2020，3.1 节）。",
  "rule.global.hint":
    "全局词元看得到所有词元，也被所有词元看到；其余词元只有窗口（Longformer，Beltagy 等 2020，3.1 节）。",
  "rule.random.hint":
    "除窗口和全局词元外，再按种子为每个查询随机抽取几个键（BigBird，Zaheer 等 2020，第 2 节）。",
  "rule.block.hint": "词元只看同一块里的词元。",
  "rule.strided.hint":
    "每个词元看最近的几个，再往外每隔固定步长看一个（Sparse Transformer，Child 等 2019，4.3 节）。",
  "rule.fill": "禁止的格子加上",
  "rule.fill.-inf": "−∞",
  "rule.fill.-1e9": "−10⁹",
  "rule.fill.-inf.hint":
    "e 的 −∞ 次方等于 0，所以被禁止的格子没有权重。哪里都不能看的一行完全没有权重，这个头在那里什么也不说。",
  "rule.fill.-1e9.hint":
    "e 的 −10⁹ 次方同样等于 0，所以只要一行里有开放的格子，权重就完全相同。差别只在全被禁止的行：各个分数淹没在 −10⁹ 里变得一样，于是这一行平均地看所有被禁止的词元。",

  "paint.switch": "涂格子",
  "paint.where": "这一笔对谁有效",
  "paint.hint":
    "在热力图或掩码图上按住拖动：第一个格子决定这一笔是屏蔽还是放开。用键盘时，按住 Shift 用方向键选出矩形，再按 Enter 涂上。",
} satisfies Record<keyof typeof english, string>;
