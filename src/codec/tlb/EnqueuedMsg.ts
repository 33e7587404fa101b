import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import type { ValueCodec } from '../cell/dictTypes.ts'

/** A message in a queue; `outMsg` is its envelope. */
export type EnqueuedMsg = { readonly enqueuedLt: bigint; readonly outMsg: Cell }

/** _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg; */
export const readEnqueuedMsg = (r: CellReader): EnqueuedMsg => ({
  enqueuedLt: r.readUint64(),
  outMsg: r.readRefCell(),
})

export const writeEnqueuedMsg = (w: CellWriter, { enqueuedLt, outMsg }: EnqueuedMsg): void => {
  w.writeUint64(enqueuedLt).writeRef(outMsg)
}

export const enqueuedMsgCodec: ValueCodec<EnqueuedMsg> = { read: readEnqueuedMsg, write: writeEnqueuedMsg }
