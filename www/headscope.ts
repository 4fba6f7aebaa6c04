/** The public entry of the npm package: everything the page itself uses of the engine. */
export type * from "./data/index.js";
export { ROLES, assignedRole } from "./data/index.js";
export * from "./engine/index.js";
