/** In English: the page itself: its top bar, models, progress, footer and shortcuts. */
export const page = {
  "page.title": "Headscope: every attention head at work",
  "page.skip": "Skip to the attention picture",

  "model.label": "Model: {name}",
  "model.list": "Models",
  "models/en-fr.name": "English → French",
  "models/en-fr.does": "translates",
  "models/tiny-gpt.name": "Tiny GPT",
  "models/tiny-gpt.does": "goes on writing",
  "models/tiny-bert.name": "Tiny BERT",
  "models/tiny-bert.does": "fills gaps",
  "model.detail": "{does} · {family}",
  "model.ready": "loaded",
  "model.kept": "works offline",
  "model.opened": "from your disk",
  "model.warnings": "Without effect in config.json: {fields}",
  "model.yourFiles": "Your files",
  "model.open": "Open a folder…",
  "model.openHint":
    "Any BERT, GPT-2, Llama or Marian folder. It stays on your disk, so no link carries it.",
  "model.drop": "Drop a model’s folder here to open it.",

  "bar.openedDetail": "{detail} · from your disk, in no link",
  "bar.modelDetail":
    "{kind} · {parameters} parameters · {layers} {layers|layer|layers} × {heads} {heads|head|heads}",
  "bar.language": "Language",
  "bar.theme": "Theme",
  "bar.link": "Copy link",
  "bar.linkCopied": "Link copied",
  "bar.linkFailed": "Copy the address from the address bar.",
  "bar.keys": "Shortcuts",
  "bar.menu": "Menu",
  "menu.changed": "{count} changed",

  "theme.light": "Light",
  "theme.dark": "Dark",
  "theme.system": "System",

  "kind.encoder-decoder": "translator",
  "kind.encoder": "reader",
  "kind.decoder": "writer",

  "bar.tour": "Tour",

  "load.early": "Precomputed; model loading.",
  "load.model": "Loading the model",
  "load.bytes": "{loaded} of {total}",
  "load.cancel": "Cancel",
  "load.cancelled": "The model was not loaded. What you typed is kept.",
  "load.again": "Load the model",
  "load.back": "Go back",
  "load.backTo": "Back to {model}",
  "later.coming": "This part of the page is on its way.",

  "run.progress": "Computing: {done} of {total} {total|step|steps}",
  "run.layer": "Computing: {stack}, layer {layer} of {layers}",
  "run.stop": "Stop",
  "run.stopped": "Stopped. Type, or press the button, to compute again.",
  "run.again": "Compute again",

  "foot.kernel": "Kernel: {kernel}",
  "foot.executed": "{blocks} {blocks|block|blocks} computed, {reused} reused",
  "foot.executedKept":
    "{blocks} {blocks|block|blocks} computed, {tokens} {tokens|token|tokens} kept",
  "foot.private": "Nothing you type leaves this page.",
  "foot.offline": "It opens again without a network.",
  "foot.save": "Save page as file",
  "foot.open": "Open a saved page…",
} as const;
