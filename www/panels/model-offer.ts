/** What is known of a model before it is downloaded, and is shown to its reader. */
import { html, nothing, type TemplateResult } from "lit";
import { MOST_WEIGHT_BYTES } from "../data/generated.js";
import { measureModel, type ModelSize } from "../engine/measure.js";
import { missingRoom, removeStored } from "../engine/stored.js";
import { formatBytes, message } from "../i18n/index.js";
import { modelLabel } from "../session/models/models.js";
import { asFailure, describeFailure, type Refusal } from "../session/run/failures.js";
import type { Session } from "../session/session.js";
import type { AddressedModel } from "../state/index.js";

/** The facts about a model before it is loaded. */
export interface Offer {
  model: AddressedModel;
  size: ModelSize;
  /** The bytes to download, of the files whose size is known. */
  bytes: number;
  /** Whether the server states the size of each file to download. */
  isWhole: boolean;
  /** The bytes that the storage lacks. */
  missing: number;
}

/** Asks the server of a model for its sizes. */
export async function offerOf(
  model: AddressedModel,
  session: Pick<Session, "addressOf" | "models">,
  signal: AbortSignal,
): Promise<Offer> {
  const size = await measureModel(session.addressOf(model), { ...session.models.hub, signal });
  const coming = size.files.filter(({ stored }) => stored !== "yes");
  const bytes = coming.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const isWhole = coming.every((file) => file.bytes !== null);
  const missing = await missingRoom(bytes).catch(() => 0);
  return { model, size, bytes, isWhole, missing };
}

/** Removes stored files of an earlier version: files of two versions do not fit together. */
export async function removeEarlier({ size }: Offer, address: string): Promise<void> {
  if (size.files.some(({ stored }) => stored === "earlier"))
    await removeStored(address.replace(/[^/]+\.gguf$/, ""));
}

/** Why a model has no offer: a server that cannot be reached is named, and the model. */
export function refusalOf(thrown: unknown, model: AddressedModel, address: string): Refusal {
  const { code } = asFailure(thrown);
  if (code !== "load/network") return describeFailure(thrown);
  const { host } = new URL(address);
  return { sentence: message("hub.unreached", { host, model: modelLabel(model) }), code };
}

/** Renders the files of an offer, their sizes, and what they need. */
export function renderFacts({ size, bytes, missing }: Offer): TemplateResult {
  const { files, memoryBytes } = size;
  const most = offeredMemory();
  const isTooLarge = memoryBytes !== null && memoryBytes > most;
  return html`<dl>
      ${files.map(
        (file) =>
          html`<dt>${file.name}</dt>
            <dd>${file.stored === "yes" ? message("hub.stored") : shownBytes(file.bytes)}</dd>`,
      )}
      <dt class="strong">${message("hub.download")}</dt>
      <dd class="strong">${shownBytes(bytes)}</dd>
      <dt class="strong">${message("hub.memory")}</dt>
      <dd class="strong">
        ${
          memoryBytes === null
            ? shownBytes(null)
            : message("hub.of", { bytes: shownBytes(memoryBytes), most: shownBytes(most) })
        }
      </dd>
    </dl>
    ${isTooLarge ? html`<p class="problem">${message("hub.tooLarge")}</p>` : nothing}
    ${
      missing > 0
        ? html`<p class="problem">${message("hub.noRoom", { bytes: shownBytes(missing) })}</p>`
        : nothing
    }`;
}

function shownBytes(count: number | null): string {
  return count === null ? message("hub.unknown") : formatBytes(count);
}

/**
 * The memory that a model may take: no more than the device has, as far as the browser states it.
 */
function offeredMemory(): number {
  const { deviceMemory = 4 } = navigator as { deviceMemory?: number };
  return Math.min(MOST_WEIGHT_BYTES, deviceMemory * 2 ** 30);
}
