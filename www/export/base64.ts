/** As many arguments as a call may safely have. */
const BYTES_AT_ONCE = 0x8000;

/** Bytes as text, for a file within a file. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  return btoa(text);
}
