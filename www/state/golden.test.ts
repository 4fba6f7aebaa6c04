import { expect, it } from "vitest";
import { golden, jsonText } from "../../tests/golden/golden.js";
import recorded from "../../tests/golden/states.json" with { type: "json" };
import { decodeFile, encodeFile } from "./file.js";
import { decodeState, encodeState } from "./link.js";
import { DEFAULT_STATE, type State } from "./index.js";

/*
 * The States that 200 links open, in JSON that does not depend on how an address is written: the
 * grammar of addresses may change, what they mean may not. After a change of the grammar
 * `GOLDEN=addresses` writes the addresses from the States.
 */

type Fields = Record<string, unknown>;

const defaults = fieldsOf(DEFAULT_STATE);

/**
 * The fields of a State that differ from `usual`: demos by name and setting, infinities as
 * text.
 */
function fieldsOf(state: State, usual: Fields = {}): Fields {
  const settingsOf = (text = ""): Fields =>
    Object.fromEntries(
      text.split(",").map((setting) => setting.split(/-(.*)/).slice(0, 2) as [string, string]),
    );
  const demos = [...(state.demos ?? "").matchAll(/(\w+)\(([^()]*)\)/g)].map(
    ([, name = "", settings]) => [name, settingsOf(settings)] as const,
  );
  const fields = { ...state, demos: state.demos && Object.fromEntries(demos) };
  const json = JSON.stringify(fields, (_, value: unknown): unknown =>
    value === -Infinity ? "-Infinity" : value,
  );
  return Object.fromEntries(
    Object.entries(JSON.parse(json) as Fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key]),
    ),
  );
}

/** The State with these fields. */
function stateOf(fields: Fields): State {
  const { demos, ...others } = JSON.parse(JSON.stringify(fields), (_, value: unknown): unknown =>
    value === "-Infinity" ? -Infinity : value,
  ) as Fields;
  const texts = Object.entries((demos ?? {}) as Record<string, Fields>).map(
    ([name, settings]) =>
      `${name}(${Object.entries(settings)
        .map((setting) => setting.join("-"))
        .join()})`,
  );
  return { ...DEFAULT_STATE, ...others, demos: demos ? texts.join("") : null };
}

it("a link opens the State that it did", () => {
  const links = (recorded.links as { address: string; state: Fields }[]).map((link) => {
    const address =
      process.env.GOLDEN === "addresses" ? encodeState(stateOf(link.state)) : link.address;
    return { address, state: fieldsOf(decodeState(address).state, defaults) };
  });
  const now = { defaults, links };
  expect(now).toEqual(JSON.parse(golden("states.json", jsonText(now))));
  for (const { state } of links) {
    const hash = `#${encodeState(stateOf(state))}`;
    expect(fieldsOf(decodeState(hash).state, defaults)).toEqual(state);
    // No browser rewrites it.
    expect(new URL(hash, "https://example.org/").hash).toBe(hash);
    const read = decodeFile(encodeFile(stateOf(state)));
    expect(typeof read === "string" ? read : fieldsOf(read.state, defaults)).toEqual(state);
  }
});
