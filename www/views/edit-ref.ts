import { EDIT_LISTS, type EditRef } from "../state/index.js";

/** The edit that a chip stands for. */
export function refOf(id: string): EditRef | undefined {
  const [name, index] = id.split(":");
  const list = EDIT_LISTS.find((one) => one === name);
  return list && { list, index: Number(index) };
}
