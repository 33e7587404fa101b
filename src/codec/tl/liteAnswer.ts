import { type TlResults, tlFunctions } from './generated/functions.ts'
import { type LiteServerError, readLiteServerError } from './generated/liteServer.ts'
import { tlIds } from './generated/objects.ts'
import type { LiteFunctionName } from './liteQuery.ts'
import { TlReader } from './TlReader.ts'

/** What came back for a call: its result, or the error by which a server may answer any call. */
export type LiteAnswer<K extends LiteFunctionName> =
  | { readonly ok: true; readonly result: TlResults[K] }
  | { readonly ok: false; readonly error: LiteServerError }

/** Decodes the answer to the named function; anything but its result and `liteServer.error` throws. */
export const decodeLiteAnswer = <K extends LiteFunctionName>(name: K, bytes: Uint8Array): LiteAnswer<K> => {
  const r = new TlReader(bytes)
  if (r.readUint() !== tlIds['liteServer.error']) return { ok: true, result: tlFunctions[name].decodeResult(bytes) }
  const error = readLiteServerError(r)
  r.expectEnd()
  return { ok: false, error }
}
