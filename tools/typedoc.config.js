// The pages of the TypeScript API, made of the comments of the sources: `npm run docs:api`. The
// elements are described by their manifest and by www/elements/README.md.
import { OptionDefaults } from "typedoc";

export default {
  name: "headscope",
  entryPoints: ["../www/headscope.ts"],
  tsconfig: "tsconfig.types.json",
  out: "../target/docs-api",
  readme: "../docs/package.md",
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
};
