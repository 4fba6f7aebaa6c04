#!/usr/bin/env node
/** The program `headscope` of the package. */
import { main } from "./command.js";

process.exitCode = await main(process.argv.slice(2));
