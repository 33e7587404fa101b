import { concatBytes } from '../../primitives/bytes.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import type { Dict, DictType } from '../cell/Dict.ts'
import { type KeyCodec, uint64Key, uintKey } from '../cell/dictTypes.ts'

/** The last message, by logical time and then hash, that a shard has taken in. */
export type ProcessedUpto = { readonly lastMsgLt: bigint; readonly lastMsgHash: Uint8Array }

/** A shard, and the masterchain block by whose word it took its messages. */
export type ProcessedKey = { readonly shard: bigint; readonly mcSeqno: number }

export type ProcessedInfo = Dict<ProcessedKey, ProcessedUpto>

/** processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto; */
export const readProcessedUpto = (r: CellReader): ProcessedUpto => ({
  lastMsgLt: r.readUint64(),
  lastMsgHash: r.readBytes(32),
})

export const writeProcessedUpto = (w: CellWriter, { lastMsgLt, lastMsgHash }: ProcessedUpto): void => {
  w.writeUint64(lastMsgLt).writeBytes(lastMsgHash)
}

const mcSeqnoKey = uintKey(32)

/** Keys are [ shard:uint64 mc_seqno:uint32 ]. */
const processedKey: KeyCodec<ProcessedKey> = {
  bits: 96,
  encode: ({ shard, mcSeqno }) => concatBytes([uint64Key.encode(shard), mcSeqnoKey.encode(mcSeqno)]),
  decode: (key) => ({ shard: uint64Key.decode(key.subarray(0, 8)), mcSeqno: mcSeqnoKey.decode(key.subarray(8, 12)) }),
}

/** _ (HashmapE 96 ProcessedUpto) = ProcessedInfo; */
export const processedInfoType: DictType<ProcessedKey, ProcessedUpto> = {
  key: processedKey,
  value: { read: readProcessedUpto, write: writeProcessedUpto },
}
