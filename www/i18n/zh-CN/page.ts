import type { page as english } from "../en/page.js";

/** In simplified Chinese: the page itself: its top bar, models, progress, footer and shortcuts. */
export const page = {
  "page.title": "Headscope：看见每一个注意力头",
  "page.skip": "跳到注意力图",

  "model.label": "模型：{name}",
  "model.list": "模型",
  "models/en-fr.name": "英语 → 法语",
  "models/en-fr.does": "翻译",
  "models/tiny-gpt.name": "小 GPT",
  "models/tiny-gpt.does": "续写",
  "models/tiny-bert.name": "小 BERT",
  "models/tiny-bert.does": "填空",
  "model.detail": "{does} · {family}",
  "model.ready": "已加载",
  "model.kept": "可离线使用",
  "model.opened": "来自你的磁盘",
  "model.warnings": "config.json 中不起作用的字段：{fields}",
  "model.yourFiles": "你的文件",
  "model.open": "打开文件夹…",
  "model.openHint":
    "任何 BERT、GPT-2、Llama 或 Marian 文件夹都可以。它只留在你的磁盘上，所以链接里不会带上它。",
  "model.drop": "把模型文件夹拖到这里即可打开。",

  "bar.openedDetail": "{detail} · 来自你的磁盘，不随链接分享",
  "bar.modelDetail": "{kind} · {parameters}个参数 · {layers} 层 × {heads} 头",
  "bar.language": "语言",
  "bar.theme": "主题",
  "bar.link": "复制链接",
  "bar.linkCopied": "链接已复制",
  "bar.linkFailed": "请从地址栏复制地址。",
  "bar.keys": "快捷键",
  "bar.menu": "菜单",
  "menu.changed": "已改动 {count} 项",

  "theme.light": "浅色",
  "theme.dark": "深色",
  "theme.system": "跟随系统",

  "kind.encoder-decoder": "翻译模型",
  "kind.encoder": "编码模型",
  "kind.decoder": "生成模型",

  "bar.tour": "导览",

  "load.early": "事先算好；模型正在加载。",
  "load.model": "正在加载模型",
  "load.bytes": "{loaded} / {total}",
  "load.cancel": "取消",
  "load.cancelled": "模型未加载。你输入的内容仍然保留。",
  "load.again": "加载模型",
  "load.back": "返回",
  "load.backTo": "返回“{model}”",
  "later.coming": "正在加载页面的这一部分。",

  "run.progress": "正在计算：第 {done} 步，共 {total} 步",
  "run.layer": "正在计算：{stack}，第 {layer} 层，共 {layers} 层",
  "run.stop": "停止",
  "run.stopped": "已停止。继续输入或按下按钮即可重新计算。",
  "run.again": "重新计算",

  "foot.kernel": "计算内核：{kernel}",
  "foot.executed": "计算了 {blocks} 个块，复用了 {reused} 个",
  "foot.executedKept": "计算了 {blocks} 个块，保留了 {tokens} 个词元",
  "foot.private": "你输入的内容不会离开此页面。",
  "foot.offline": "没有网络也能再次打开。",
  "foot.save": "将页面保存为文件",
  "foot.open": "打开已保存的页面…",
} satisfies Record<keyof typeof english, string>;
