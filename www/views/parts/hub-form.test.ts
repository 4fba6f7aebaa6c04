// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { HUB } from "../../engine/remote-folder.js";
import { modelLabel } from "../models.js";
import { modelOf } from "./hub-form.js";

const MAIN = "https://huggingface.co/org/name/resolve/main/";

it.each([
  [" org/name ", MAIN, "org/name"],
  ["https://huggingface.co/org/name/", MAIN, "org/name"],
  ["https://huggingface.co/org/name/tree/main", MAIN, "org/name"],
  ["https://huggingface.co/org/name/tree/v2", MAIN.replace("main", "v2"), "org/name"],
  ["gpt2", "https://huggingface.co/gpt2/resolve/main/", "gpt2"],
  ["org/name/a.gguf", `${MAIN}a.gguf`, "org/name/a.gguf"],
  ["https://huggingface.co/org/name/blob/main/a.gguf", `${MAIN}a.gguf`, "org/name/a.gguf"],
  ["https://other.example/m", "https://other.example/m", "https://other.example/m"],
])("%s names the model at %s, %s on the page", (text, address, label) => {
  const model = modelOf(text, HUB);
  expect([model, modelLabel(model)]).toEqual([`at/${address}`, label]);
});
