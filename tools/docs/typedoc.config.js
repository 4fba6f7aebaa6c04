// The documentation as a site: guide, gallery, references and the TypeScript API made of the
// comments of the sources. `npm run build:docs` writes it into the built page, under docs/, where
// its figures find the script and the models in the folder above.
import { OptionDefaults } from "typedoc";
import { writeGallery } from "./gallery.js";
import { explorer, headings, liveFigures, scripts } from "./plugin.js";

writeGallery();

export default {
  name: "Headscope",
  entryPoints: ["../../www/headscope.ts"],
  tsconfig: "../tsconfig.types.json",
  out: "../../dist/site/docs",
  readme: "../../docs/guide/home.md",
  projectDocuments: [
    "../../docs/figures.md",
    "../../docs/guide/docs-tools.md",
    "../../docs/guide/recipes.md",
    "../../target/gallery/gallery.md",
    "../../docs/package.md",
    "../../www/elements/README.md",
    "../../python/README.md",
    "../../docs/api.md",
    "../../docs/glossary.md",
    "../../docs/roles.md",
    "../../docs/lessons.md",
    "../../docs/training.md",
    "../../docs/studies.md",
    "../../docs/differences.md",
    "../../docs/performance.md",
  ],
  plugin: [explorer, headings, scripts],
  markdownItOptions: { html: true, linkify: false },
  markdownItLoader: liveFigures,
  favicon: "../../docs/examples/icon.svg",
  customCss: "./docs.css",
  highlightLanguages: [...OptionDefaults.highlightLanguages, "python", "toml", "rst", "md"],
  excludePrivate: true,
  excludeProtected: true,
  disableSources: true,
  blockTags: [...OptionDefaults.blockTags, "@fires"],
  // Types of arguments that callers write as literals.
  intentionallyNotExported: [
    "www/engine/errors.ts:Failure",
    "www/engine/protocol.ts:DemoCalls",
    "www/engine/contract.ts:Which",
  ],
  treatWarningsAsErrors: true,
  // `npm run build:types` has checked the same program.
  skipErrorChecking: true,
};
