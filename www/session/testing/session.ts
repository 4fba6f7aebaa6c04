import { ContextProvider } from "@lit/context";
import { FakeModel } from "../../../tests/support/fake-model.js";
import type { State } from "../../state/index.js";
import { mount } from "../../elements/testing/mount.js";
import { Session, sessionContext, type SessionPart } from "../session.js";

/**
 * A session without a model for tests of panels: `known` stands in for what would follow from a
 * run. Without it the session is what a page has that waits for its model.
 */
export function sessionWith(
  state: Partial<State> = {},
  known: Partial<Record<keyof Session, unknown>> = {},
): Session {
  const session = new Session({ load: () => new Promise(() => undefined) });
  session.store.replace({ ...session.state, ...state });
  return Object.create(session, {
    ...Object.getOwnPropertyDescriptors(session),
    ...Object.getOwnPropertyDescriptors(known),
  }) as Session;
}

/** A session that has begun to ask a fake model. */
export function newSession(state: Partial<State> = {}, model = new FakeModel()): Session {
  const session = new Session({ load: () => Promise.resolve(model) });
  session.store.replace({ ...session.state, ...state });
  session.begin();
  return session;
}

/** A session whose fake model has answered, and in which all that is read of the run is there. */
export async function sessionOf(...given: Parameters<typeof newSession>): Promise<Session> {
  const session = newSession(...given);
  const { computation } = session;
  // A part of the page that is fetched first may delay the model by more than a moment.
  while (computation.model === null && computation.failure === null)
    await new Promise((resolve) => setTimeout(resolve, 1));
  await answered(session);
  return session;
}

/** Waits until nothing of a session is computed, read or fetched, and all of it is shown. */
export async function answered(session: Session): Promise<void> {
  // What was just asked for begins in a moment.
  await new Promise((resolve) => setTimeout(resolve));
  while (session.busy) await new Promise((resolve) => setTimeout(resolve, 1));
}

let provider: ContextProvider<typeof sessionContext> | null = null;

/** Puts a panel on the page whose explorer has this session. */
export function show<Part extends SessionPart>(
  part: Part,
  session: Session,
  properties: Partial<Part> = {},
): Promise<Part> {
  provide(session);
  return mount(part, properties);
}

/** Gives the elements of the page this session. */
export function provide(session: Session): void {
  provider ??= new ContextProvider(document.body, { context: sessionContext });
  provider.setValue(session);
}
