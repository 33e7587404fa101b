import { concatBytes } from '../../primitives/bytes.ts'
import type { LiteServerError, LiteServerWaitMasterchainSeqno } from './liteServerTypes.ts'
import { TlReader } from './TlReader.ts'
import { TlWriter } from './TlWriter.ts'
import { tlFunctions, tlRows, writeTlObject } from './tlObject.ts'
import type { TlFunctionName, TlObject, TlResults } from './tlTypes.ts'

/** All functions of liteServer, including the wrappers, which are not calls. */
type AnyLiteFunctionName = Extract<TlFunctionName, `liteServer.${string}`>

/** The functions that a client calls and a server answers. */
export type LiteFunctionName = Exclude<
  AnyLiteFunctionName,
  'liteServer.query' | 'liteServer.queryPrefix' | 'liteServer.waitMasterchainSeqno'
>

/** A function with its arguments; `kind` says which. */
export type LiteCall<K extends AnyLiteFunctionName = AnyLiteFunctionName> = TlObject<K>

const waitRow = tlRows['liteServer.waitMasterchainSeqno']
const errorRow = tlRows['liteServer.error']

/** The content of `data` in `liteServer.query`: a call, and the masterchain block to wait for before it. */
export type LiteQuery = {
  readonly wait?: LiteServerWaitMasterchainSeqno | undefined
  readonly call: LiteCall
}

/** Takes the optional `liteServer.waitMasterchainSeqno` off the front; `rest` is a view of the same bytes. */
export const splitWaitPrefix = (
  data: Uint8Array,
): { readonly wait?: LiteServerWaitMasterchainSeqno; readonly rest: Uint8Array } => {
  const r = new TlReader(data)
  if (r.remaining < 4 || r.readUint() !== waitRow.id) return { rest: data }
  const wait = waitRow.read(r)
  return { wait, rest: data.subarray(r.offset) }
}

/** The inverse of `decodeLiteQuery`; the result goes into `data` of `liteServer.query`. */
export const encodeLiteQuery = ({ wait, call }: LiteQuery): Uint8Array => {
  const w = new TlWriter()
  if (wait !== undefined) {
    w.writeUint(waitRow.id)
    waitRow.write(w, wait)
  }
  writeTlObject(w, call)
  return w.finish()
}

/** Puts `liteServer.waitMasterchainSeqno` before an encoded call: the inverse of `splitWaitPrefix`. */
export const prependWait = (wait: LiteServerWaitMasterchainSeqno, data: Uint8Array): Uint8Array => {
  const w = new TlWriter()
  w.writeUint(waitRow.id)
  waitRow.write(w, wait)
  return concatBytes([w.finish(), data])
}

/** The answer to a call: its result, or the error by which a server may answer any call. */
export type LiteAnswer<K extends LiteFunctionName> =
  | { readonly ok: true; readonly result: TlResults[K] }
  | { readonly ok: false; readonly error: LiteServerError }

/** Decodes the answer to the named function; anything but its result and `liteServer.error` throws. */
export const decodeLiteAnswer = <K extends LiteFunctionName>(name: K, bytes: Uint8Array): LiteAnswer<K> => {
  const r = new TlReader(bytes)
  if (r.readUint() !== errorRow.id) return { ok: true, result: tlFunctions[name].decodeResult(bytes) }
  const error = errorRow.read(r)
  r.expectEnd()
  return { ok: false, error }
}
