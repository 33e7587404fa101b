import { readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readDict, writeDict } from '../cell/Dict.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type DispatchQueue, dispatchQueueType } from './DispatchQueue.ts'
import { readMaybe, writeMaybe } from './maybe.ts'
import { type OutMsgQueue, outMsgQueueType } from './OutMsgQueue.ts'
import { type ProcessedInfo, processedInfoType } from './ProcessedInfo.ts'

export type OutMsgQueueExtra = {
  readonly dispatchQueue: DispatchQueue
  /** Number of messages in the out queue; kept under capability 64. */
  readonly outQueueSize: number | undefined
}

export type OutMsgQueueInfo = {
  readonly outQueue: OutMsgQueue
  readonly procInfo: ProcessedInfo
  readonly extra: OutMsgQueueExtra | undefined
}

/** out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra; */
export const readOutMsgQueueExtra = (r: CellReader): OutMsgQueueExtra => {
  r.expectTag(0x0, 4)
  return {
    dispatchQueue: readAugDict(r, dispatchQueueType),
    outQueueSize: r.readBit() ? r.readUint(48) : undefined,
  }
}

export const writeOutMsgQueueExtra = (w: CellWriter, { dispatchQueue, outQueueSize }: OutMsgQueueExtra): void => {
  w.writeUint(0x0, 4)
  writeAugDict(w, dispatchQueue)
  w.writeBit(outQueueSize !== undefined)
  if (outQueueSize !== undefined) w.writeUint(outQueueSize, 48)
}

/** _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo; */
export const readOutMsgQueueInfo = (r: CellReader): OutMsgQueueInfo => ({
  outQueue: readAugDict(r, outMsgQueueType),
  procInfo: readDict(r, processedInfoType),
  extra: readMaybe(r, readOutMsgQueueExtra),
})

export const writeOutMsgQueueInfo = (w: CellWriter, { outQueue, procInfo, extra }: OutMsgQueueInfo): void => {
  writeAugDict(w, outQueue)
  writeDict(w, procInfo)
  writeMaybe(w, writeOutMsgQueueExtra, extra)
}

export const openOutMsgQueueInfo = (cell: Cell): OutMsgQueueInfo =>
  readWhole(cell, readOutMsgQueueInfo, 'An OutMsgQueueInfo')
