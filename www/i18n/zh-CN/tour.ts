import type { tour as english } from "../en/tour.js";

/** In simplified Chinese: the tour: every claim about a model is tested against its numbers. */
export const tour = {
  "tour.count": "第 {step} 步，共 {count} 步",
  "tour.back": "上一步",
  "tour.next": "下一步",
  "tour.finish": "完成",
  "tour.leave": "离开导览",
  "tour.again": "恢复这一步的画面",
  "tour.row.title": "一行，就是一个词在看哪里",
  "tour.row.words":
    "每一行代表一个词元，也就是一个词或词的一部分，显示模型在理解它时看向哪里：颜色越强，看得越多。这个头只学会了一件事：看前一个词。顺着有颜色的台阶往下看：“plays”看向“brother”，“piano”看向“the”。",
  "tour.match.title": "查询遇上键",
  "tour.match.words":
    "“plays”怎么知道该往哪里看？它提出自己想找什么，这叫查询；每个词元亮出自己有什么，这叫键。两者各是 32 个数，逐对相乘再加起来，得到一个数 q · k：两者越契合，它越大。在这个头里，与“plays”最契合的是“brother”，也就是弹琴的人。",
  "tour.softmax.title": "从分数到份额",
  "tour.softmax.words":
    "32 个乘积加在一起容易很大，所以先除以 √32，这就是分数。接着 softmax 把每一行变成总和为 1 的份额：分数高出 1，份额就是 2.7 倍。在图的上方选“权重”看看：“brother”的分数比“my”高 1，最后是 0.57 对 0.21。",
  "tour.heads.title": "许多头，各有所问",
  "tour.heads.words":
    "这个模型有四层，每层四个头，每个头想找的都不一样。这个头看后一个词；别的头有的看前一个词，有的看自己，有的同时看大半个句子。把指针移到小图上，或选中一个：下方写着测出来它在做什么。",
  "tour.mask.title": "谁不能看谁",
  "tour.mask.words":
    "这个模型一个词接一个词地写，所以每个词都不能看排在它后面的词：要猜“Mary”之后是什么，就不能先看到“went”。画斜线的格子是禁止的，分数变成负无穷，经过 softmax，份额恰好是 0。按下“屏蔽格子”，你还可以再屏蔽几个。",
  "tour.order.title": "词序从哪里来",
  "tour.order.words":
    "在注意力眼里，句子只是一袋词：谁认识谁，它分不出来。所以每个词元都要加上一串代表位置的数；这里用的是有快有慢的波，任何两个位置都不一样。把上面句子里的“woman”和“man”对调，译文也会跟着对调。",
  "tour.cross.title": "解码器看编码器",
  "tour.cross.words":
    "翻译模型分成两半：编码器读英语句子，解码器一个词一个词地写法语句子。图中每一行是刚刚写下的那个词，它看向哪些英语词，下一个词就从哪里译出来：“lui”看向“gave”，接着写出“donna”。换一句你自己的话，看看它看向哪里。",
  "tour.edit.title": "改一改，看一看",
  "tour.edit.words":
    "在“old”之后，这个模型最看好“car”，给它约 70%，因为这个短语前面读到过。图中这个头告诉每个词它前面是什么，后面各层的头由此找到第一个“old”之后的“car”。按下“让这个头静默”，“car”就没了；按“撤销”，它又回来。",
} satisfies Record<keyof typeof english, string>;
