/**
 * The setup of tests that draw their inputs: each round draws the same ones, so that a failure
 * comes from a change. `FUZZ_RUNS` makes more than the short round, and other inputs.
 */
import fc from "fast-check";

if (process.env.FUZZ_RUNS === undefined) fc.configureGlobal({ seed: 1 });
