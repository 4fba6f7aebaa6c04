// deno run --allow-read --allow-env tokens.ts models/tiny-gpt
import { loadModel } from "headscope";

const model = await loadModel(Deno.args[0]);
const run = await model.run({ text: "A cat and a dog." });
console.log(run.tokens.map(({ text }) => text).join("|"));
model.dispose();
