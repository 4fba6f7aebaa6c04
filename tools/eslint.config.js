import js from "@eslint/js";
import { configs as lit } from "eslint-plugin-lit";
import tseslint from "typescript-eslint";

/**
 * The limit of line length; long sentences and patterns are exempt, since the formatter does not
 * break them.
 */
const LINES = {
  code: 100,
  ignorePattern: "eslint-disable",
  ignoreRegExpLiterals: true,
  ignoreStrings: true,
  ignoreTemplateLiterals: true,
};

export default tseslint.config(
  {
    ignores: [
      "dist",
      "target",
      "www/engine/wasm",
      "www/data/generated.ts",
      "tools/train",
      "playwright-report",
      "test-results",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}/..` },
    },
    rules: {
      // A number or a boolean in a template string is what the template is for.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => void doIt()` and arrow shorthands that return void are the plainest event handlers.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      // A global interface takes its members from a type that lists them once.
      "@typescript-eslint/no-empty-object-type": [
        "error",
        { allowInterfaces: "with-single-extends" },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "max-len": ["error", LINES],
      eqeqeq: "error",
      "no-console": "error",
      // `styleMap` writes a style attribute, which a page that embeds a figure may forbid.
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "lit/directives/style-map.js", message: "Use elements/shared/templates.ts." },
          ],
        },
      ],
    },
  },
  {
    files: ["www/{elements,embed,experiments,explorer,kit,panels,session,ui}/**/*.ts"],
    ignores: ["**/*.test.ts"],
    extends: [lit["flat/recommended"]],
    // A template literal there is a template of elements, which the formatter breaks.
    rules: {
      "max-len": ["error", { ...LINES, ignoreStrings: false, ignoreTemplateLiterals: false }],
    },
  },
);
