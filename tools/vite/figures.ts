/**
 * `figures.js`, and in a folder beside the package the extension of Quarto, which has a copy of it.
 */
import { copyFileSync, cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { mergeConfig, type Plugin } from "vite";
import { outputFolder } from "./plugins.ts";
import { singleFile } from "./single-file.ts";

const EXTENSION = "quarto/_extensions/headscope";

function quartoExtension(): Plugin {
  const root = resolve(import.meta.dirname, "../..");
  let output = "";
  return {
    name: "headscope-quarto-extension",
    configResolved: (config) => {
      output = outputFolder(config);
    },
    writeBundle() {
      const folder = resolve(root, "dist", EXTENSION);
      cpSync(resolve(root, EXTENSION), folder, { recursive: true });
      copyFileSync(join(output, "figures.js"), join(folder, "headscope-figures.js"));
    },
  };
}

export default mergeConfig(singleFile("figures", "embed/figures.ts"), {
  plugins: [quartoExtension()],
});
