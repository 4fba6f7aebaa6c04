/**
 * What is known of a model's heads from more than the present text: roles, typical texts and
 * effects of patches, from a study's file that the user opens, or studied here, on the model's own
 * thread between the runs of the page. No part of the State: a link does not have it.
 */
import type { RoleScores } from "../data/index.js";
import { HeadscopeError, type Model } from "../headscope.js";
import { assignedRoles, computeBlocks, studyOf } from "../studies/computations.js";
import { demandModel } from "../studies/of-model.js";
import type { PooledGrid } from "../studies/pooling.js";
import {
  blocksOf,
  demandRead,
  pooledEffects,
  pooledRoles,
  type ReadStudy,
  readStudy,
  type TypicalTexts,
  typicalTexts,
} from "../studies/reading.js";
import {
  type ByHead,
  type StudyBlock,
  type StudyHeader,
  type StudyName,
  type StudyText,
  textsIn,
} from "../studies/study.js";
import type { State } from "../state/index.js";
import { folderName } from "./origin.js";
import type { StudiedTexts } from "./run/head-order.js";
import { measureRoles } from "./run/role-study.js";

/** What was studied of the heads of a model, each with the texts that it was studied on. */
export interface Studied {
  model: Model;
  /** The role scores; `texts` is null for the sample text of the page. */
  roles?: { scores: ByHead<RoleScores>; texts: StudiedTexts | null };
  typical?: { byHead: ByHead<TypicalTexts | null>; texts: StudiedTexts };
  effects?: { grids: readonly PooledGrid[]; texts: StudiedTexts };
}

/** A study that is being computed. */
export interface Studying {
  /** The file of the texts; null for the sample text of the page. */
  name: string | null;
  done: number;
  total: number;
  stopping: AbortController;
}

/** The session whose model is studied. */
interface Host {
  readonly state: Pick<State, "model">;
  readonly computation: { readonly model: Model | null };
  readonly page: { reveal?: (tag: string) => void };
  studied: Studied | null;
  studying: Studying | null;
  update(change: Partial<State>): void;
}

/** The tools of a study: its end if the user stops it, and its progress. */
interface Following {
  signal: AbortSignal;
  follow: (done: number, total: number) => void;
}

/** The least time between two values of the progress. */
const BETWEEN_VALUES_MILLIS = 120;

/** The ways to learn more of the heads of the session's model than its present text says. */
export const STUDIES = { open, measure, compute };

/** Reads the file of a study, of which all blocks must be there. */
function open(host: Host, file: File): Promise<void> {
  return study(host, file.name, async (model) => {
    const read = readStudy(await file.text(), file.name);
    const { stacks } = model.info;
    const name = folderName(host.state.model);
    demandModel(read, file.name, { name, stacks, files: await model.fingerprints() });
    const opened = openedAs(read, file.name);
    if (opened.effects) {
      host.update({ experiment: "patching" });
      host.page.reveal?.("headscope-edits-panel");
    }
    return opened;
  });
}

function openedAs(read: ReadStudy, name: string): Omit<Studied, "model"> {
  const texts = textsOf(read);
  switch (read.header.study) {
    case "roles":
      return { roles: { scores: pooledRoles(read, name), texts } };
    case "typical":
      return { typical: { byHead: typicalTexts(read, name), texts } };
    case "patch":
      return { effects: { grids: pooledEffects(read, name), texts } };
  }
}

/** Measures the roles on the sample text of the page and on repeated random tokens. */
function measure(host: Host): Promise<void> {
  return study(host, null, async (model, { signal }) => {
    return { roles: { scores: await measureRoles(model, signal), texts: null } };
  });
}

/**
 * Finds the typical texts of a file, as `headscope study typical` does. The roles are those of an
 * opened study or of the model's notes; without them they are studied first, on the same texts.
 */
function compute(host: Host, file: File): Promise<void> {
  return study(host, file.name, async (model, { signal, follow }) => {
    const texts = textsIn(await file.text(), file.name);
    const known = host.studied?.model === model ? host.studied.roles : undefined;
    const before = known?.texts ? known.scores : model.notes?.roles;
    const total = texts.length * (before ? 1 : 2);
    let done = 0;
    const read = async (name: StudyName, roles?: StudyHeader["roles"]): Promise<ReadStudy> => {
      const header = headerOf(name, file.name, texts, roles);
      const blocks: StudyBlock[] = [];
      const write = (line: StudyBlock): void => {
        blocks.push(line);
        follow((done += 1), total);
      };
      const all = [...texts.keys()];
      await computeBlocks(studyOf(name, roles), [model], { texts, blocks: all }, write, signal);
      return { header, blocks, total: blocksOf(header) };
    };
    const ofRoles = before ? null : await read("roles");
    const scores = before ?? (ofRoles && pooledRoles(ofRoles, file.name)) ?? {};
    const typical = await read("typical", assignedRoles(scores));
    demandRead(typical, file.name);
    return {
      ...(ofRoles && { roles: { scores, texts: textsOf(ofRoles) } }),
      typical: { byHead: typicalTexts(typical, file.name), texts: textsOf(typical) },
    };
  });
}

/** The header of a study of the page, in blocks of one text, between which it can be stopped. */
function headerOf(
  study: StudyName,
  name: string,
  texts: readonly StudyText[],
  roles?: StudyHeader["roles"],
): StudyHeader {
  return {
    format: 1,
    study,
    model: { name: "", files: {} },
    texts: { name, sha256: "", count: texts.length },
    blockSize: 1,
    ...(roles && { roles }),
    shard: [1, 1],
  };
}

function textsOf({ header: { texts }, blocks }: ReadStudy): StudiedTexts {
  const failed = blocks.reduce((sum, block) => sum + block.failed.length, 0);
  return { name: texts.name, count: texts.count, failed };
}

/**
 * Keeps what `read` learns of the model, in place of the same of an earlier study. Rejects with
 * what failed, unless the study was stopped or the model is another one meanwhile. A study that is
 * being computed is stopped.
 */
async function study(
  host: Host,
  name: string | null,
  read: (model: Model, following: Following) => Promise<Omit<Studied, "model">>,
): Promise<void> {
  const { model } = host.computation;
  if (!model) throw refuseNoModel(name ?? "");
  // The last one that was asked for counts.
  host.studying?.stopping.abort();
  const stopping = new AbortController();
  const { signal } = stopping;
  const isOver = (): boolean => signal.aborted || host.computation.model !== model;
  signal.addEventListener("abort", () => (host.studying = null));
  let shown = -Infinity;
  const follow = (done: number, total: number): void => {
    if (isOver()) stopping.abort();
    if (signal.aborted || performance.now() - shown < BETWEEN_VALUES_MILLIS) return;
    shown = performance.now();
    host.studying = { name, done, total, stopping };
  };
  follow(0, 1);
  try {
    const found = await read(model, { signal, follow });
    if (isOver()) return;
    const { studied } = host;
    host.studied = { ...(studied?.model === model && studied), ...found, model };
  } catch (thrown) {
    if (!isOver()) throw thrown;
  } finally {
    if (!signal.aborted) host.studying = null;
  }
}

/** The error for a file that is opened before there is a model. */
function refuseNoModel(name: string): HeadscopeError {
  const [expected, got] = ["a model in use", "none yet"];
  const message = `${name}: expected ${expected}, found ${got}.`;
  return new HeadscopeError({ code: "study/other-model", doing: name, expected, got, message });
}
