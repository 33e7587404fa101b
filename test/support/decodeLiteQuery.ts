import { type LiteCall, type LiteQuery, splitWaitPrefix } from '../../src/codec/tl/liteQuery.ts'
import { TlError } from '../../src/codec/tl/TlError.ts'
import { TlReader } from '../../src/codec/tl/TlReader.ts'
import { readTlArguments } from '../../src/codec/tl/tlObject.ts'
import type { TlArguments, TlObject } from '../../src/codec/tl/tlTypes.ts'

/** Offsets in its errors count from the call, behind the prefix, as those in a node's own answers do. */
export const decodeLiteQuery = (data: Uint8Array): LiteQuery => {
  const { wait, rest } = splitWaitPrefix(data)
  const r = new TlReader(rest)
  const call = readTlArguments(r, r.readUint())
  if (!isLiteCall(call)) {
    throw new TlError('unknown_constructor', 0, `Expected a function of liteServer, got ${call.kind}`)
  }
  r.expectEnd()
  return wait === undefined ? { call } : { wait, call }
}

const isLiteCall = (call: TlObject<keyof TlArguments>): call is LiteCall => call.kind.startsWith('liteServer.')
