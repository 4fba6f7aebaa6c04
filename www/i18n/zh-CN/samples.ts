import type { samples as english } from "../en/samples.js";

/** In simplified Chinese: what each sample sentence shows, and where the small model fails. */
export const samples = {
  "sample.en-fr.alignment": "每一行都看向一个英语词，并由它写出下一个法语词。",
  "sample.en-fr.order": "谁爱谁只由词序决定：两个词一换，译文也跟着换。",
  "sample.en-fr.bite":
    "词序对了：谁咬人谁在前面，两个名词也各得其所。只有人咬狗时一个小词出了错：“du”应当是“le”。",
  "sample.en-fr.adjective":
    "法语把颜色放在名词后面：在写出两种颜色的那两行里，颜色最强的格子往回退了一步。",
  "sample.en-fr.agreement":
    "“La”、“blanche”和“vieille”都与“maison”一致。英语不分阴阳性：写出“La”的那一行提前看向“house”。",
  "sample.en-fr.it":
    "“it”可以指书，也可以指桌子。这个头从“it”最多看向桌子，“elle”指的也是桌子；“lourd”却只能形容书。",
  "sample.en-fr.bank":
    "一个词，两个意思：这个头从第二个“bank”看向河，从第一个则不然。可是两个都译成了“banque”。",
  "sample.en-fr.distance":
    "“is”说的是“girl”，不是离得更近的“boys”：这个头从“is”回头看向“girl”，“heureuse”也与它一致。",
  "sample.en-fr.negation":
    "英语的一个“not”变成法语的两个词：这个头在写出“ne”的那一行看向它，同层第 1 头则在写出“pas”的那一行看向它。",
  "sample.gpt.induction":
    "这个短语前面出现过：这个归纳头找到它，看向当时跟在后面的词，模型就写下那个词。",
  "sample.gpt.negation":
    "前面“like”之后是“milk”，所以这个归纳头看向它。模型不懂“don’t … but”的转折，只能随便猜着往下写。",
  "sample.gpt.bank":
    "前面“the”之后是“bank”，所以这个头看向那里。说的是河岸，这么小的模型并不知道。",
  "sample.gpt.distance":
    "动词该由“girl”决定，“boys”却离得更近：这个头对两者一视同仁，模型首先想到的动词是“are”。",
  "sample.gpt.it": "“it”可以指狗，也可以指猫。模型接着写“was”，根本不必作出判断。",
  "sample.bert.object":
    "把“speak”藏起来，这个头从空缺处看向“French”：模型填上的是人们对一门语言会做的事。",
  "sample.bert.comparison": "把“than”藏起来，这个头从空缺处看向“taller”：比较级需要这个词。",
  "sample.bert.negation": "把“like”藏起来，这个头从空缺处回看“don’t”；填上的词也与它相配。",
  "sample.bert.order":
    "把“dog”藏起来，就只有周围的词能说明那是谁。这么小的模型几乎不知道是谁在咬。",
  "sample.bert.bank": "把第二个“bank”藏起来，这个头看向了河，模型想到的却是“尽头”或“中间”。",
  "sample.bert.distance":
    "把“are”藏起来：它说的是“books”，空缺处却看向紧挨在前的“bought”，于是模型填错了。",
} satisfies Record<keyof typeof english, string>;
