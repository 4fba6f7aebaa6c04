/** In English: notices and errors; a code without a sentence here shows the engine’s own sentence. */
export const notices = {
  "notice.label": "Notices",
  "notice.dismiss": "Dismiss",
  "notice.restarted":
    "The engine stopped unexpectedly and was restarted. Your text and edits are kept.",
  "notice.gpu/absent":
    "This browser gives no GPU. The CPU computes instead; your text and edits are kept.",
  "notice.gpu/unavailable":
    "The GPU cannot be used. The CPU computes instead; your text and edits are kept.",
  "notice.gpu/lost": "The GPU failed. The CPU goes on instead; your text and edits are kept.",
  "notice.gpu/silent":
    "The GPU stopped answering. The CPU goes on instead; your text and edits are kept.",
  "notice.hash": "Part of the link could not be read and was left at its usual value: {fields}.",
  "notice.hashVersion": "This link was made by a newer Headscope; what could be read was kept.",

  "notice.place.stack":
    "This model has no “{asked}”. “{stack}”, layer {layer}, head {head} is shown instead; choose another in the grid.",
  "notice.place.head":
    "“{stack}” has no layer {askedLayer}, head {askedHead} here. The nearest, layer {layer}, head {head}, is shown instead; choose another in the grid.",
  "notice.place.number":
    "The number that was to be held is not among the steps of this block, so the weight of the pair is shown instead. Click a number of the strip to hold it.",
  "notice.place.held":
    "A pair or token that was to be held is not in this text, so it is not held. Click a cell or a token to hold it.",

  "error.folder": "This folder cannot be opened: {message}",
  "error.attribute/unreadable": "The attribute {got} cannot be read. It is written so: {expected}.",
  "error.attribute/absent": "The attribute {got} asks for what is not there. There is: {expected}.",
  "error.input/too-long":
    "This text is too long for the model, which reads at most {limit} {limit|token|tokens}. Shorten it.",
  "error.tooManyTokens":
    "This text is too long for the model: it has {count} tokens, and the model reads at most {limit}. Shorten it by {over} or more.",
  "error.earlierText": "{sentence} The pictures show the last text that fitted.",
  "error.input/out-of-range":
    "A number here cannot be used: it should be {expected}, and is {got}. Change it.",
  "error.input/*":
    "The model cannot read this input: it takes {expected}, and was given {got}. Change the text.",
  "error.load/network":
    "This model is not on your device yet: {expected} could not be fetched. Check the connection and load it again.",
  "error.load/timeout":
    "The server of {expected} does not answer. Check the connection, or try again later.",
  "error.load/cross-origin":
    "The server of {expected} lets no page of another site read it. It must send the header Access-Control-Allow-Origin; or put the model on this site.",
  "error.load/blocked":
    "The content security policy of this site blocks {expected}. Allow it in the directive {got}, then load the model again.",
  "error.load/not-found":
    "There is no {expected}. Put the file there or correct the address, then load the model again.",
  "error.load/engine-not-found":
    "A file of Headscope is missing: {expected}. Put all of its files on the server, then load the model again.",
  "error.load/wasm":
    "This browser could not start WebAssembly with SIMD. A current Chromium, Firefox or Safari can.",
  "error.load/bad-tokenizer":
    "The model’s tokenizer.json cannot be used: it should hold {expected}, and holds {got}. Load the model again.",
  "error.tokenizer/*":
    "The model’s tokenizer.json cannot be used: it should hold {expected}, and holds {got}. Load the model again.",
  "error.load/*": "The model could not be loaded: {message} Load it again.",
  "error.checkpoint/*":
    "The model’s weights cannot be used: the file should hold {expected}, and holds {got}. Load the model again, in case it was cut short.",
  "error.config/*":
    "The model’s config.json cannot be used: it should hold {expected}, and holds {got}. Load the model again.",
  "error.edit/*":
    "An edit cannot be applied: it takes {expected}, and was given {got}. Take it back below the picture.",
  "error.selection/too-large": "This text is too long for what was asked. Shorten it.",
  "error.selection/*":
    "This model has no such head or position: it has {expected}, and was asked for {got}. Choose another head.",
  "error.output/*":
    "This model does not give what was asked for: {expected}. Choose another picture.",
  "error.run/not-finite":
    "This run came to NaN or infinity: weights or edits are too large. Undo an edit, or choose another model.",
  "error.notFiniteLayer":
    "{stack}, layer {layer}: the run came to NaN or infinity, as weights or edits are too large. The layers before it can be read. Undo an edit, or choose another model.",
  "error.gpu/absent": "This browser gives no GPU. Compute on the CPU instead.",
  "error.gpu/silent": "The GPU does not answer. Compute on the CPU instead.",
  "error.gpu/lost":
    "The GPU failed. The CPU goes on from here: change the text or press the button to try again.",
  "error.gpu/*": "The GPU cannot be used here. Compute on the CPU instead.",
  "error.engine/crashed":
    "The engine stopped unexpectedly. Change the text or press the button to try again.",
  "error.engine/not-restarted":
    "The engine stopped and could not be started again. Load the model again; what you typed is kept.",
  "error.engine/disposed": "The model was put away. Load it again; what you typed is kept.",
  "error.engine/*":
    "The engine made a mistake: {got}. Compute again; if it comes back, please report it.",
  "error.unexpected": "Something unexpected happened: {message}",

  "notice.noLink":
    "This page is too much for a link. Save it as a file: it can be opened here again, and by others.",
  "notice.hashTooLong": "This link is too long to be a page of Headscope, so it was not read.",

  "error.file/not-json":
    "This file is no saved page, or it was cut short: it does not hold JSON. Choose another.",
  "error.file/not-a-page": "This file is no saved page of Headscope. Choose another.",
  "error.file/too-large": "This file is too large to be a saved page. Choose another.",
  "error.file/unreadable": "This file could not be read. Choose it again.",
} as const;
