import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { unknownTag } from '../unknownTag.ts'

export type ParamLimits = { readonly underload: number; readonly soft: number; readonly hard: number }

export type ImportedMsgQueueLimits = { readonly maxBytes: number; readonly maxMessages: number }

/** What the second form (#5e) adds. */
export type BlockLimitsExtension = {
  readonly collatedData: ParamLimits
  readonly importedMsgQueue: ImportedMsgQueueLimits
}

export type BlockLimits = {
  readonly bytes: ParamLimits
  readonly gas: ParamLimits
  readonly ltDelta: ParamLimits
  readonly extension: BlockLimitsExtension | undefined
}

/** param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits; */
const readParamLimits = (r: CellReader): ParamLimits => {
  r.expectTag(0xc3, 8)
  return { underload: r.readUint(32), soft: r.readUint(32), hard: r.readUint(32) }
}

const writeParamLimits = (w: CellWriter, { underload, soft, hard }: ParamLimits): void => {
  w.writeUint(0xc3, 8).writeUint(underload, 32).writeUint(soft, 32).writeUint(hard, 32)
}

/** imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits; */
const readImportedMsgQueueLimits = (r: CellReader): ImportedMsgQueueLimits => {
  r.expectTag(0xd3, 8)
  return { maxBytes: r.readUint(32), maxMessages: r.readUint(32) }
}

/**
 * block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
 * block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits collated_data:ParamLimits
 *   imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;
 * (ConfigParam 22 for the masterchain, 23 for the others)
 */
export const readBlockLimits = (r: CellReader): BlockLimits => {
  const tag = r.readUint(8)
  if (tag !== 0x5d && tag !== 0x5e) throw unknownTag('A BlockLimits', '#5d or #5e', tag, 8)
  return {
    bytes: readParamLimits(r),
    gas: readParamLimits(r),
    ltDelta: readParamLimits(r),
    extension:
      tag === 0x5e ? { collatedData: readParamLimits(r), importedMsgQueue: readImportedMsgQueueLimits(r) } : undefined,
  }
}

export const writeBlockLimits = (w: CellWriter, { bytes, gas, ltDelta, extension }: BlockLimits): void => {
  w.writeUint(extension === undefined ? 0x5d : 0x5e, 8)
  writeParamLimits(w, bytes)
  writeParamLimits(w, gas)
  writeParamLimits(w, ltDelta)
  if (extension === undefined) return
  const { maxBytes, maxMessages } = extension.importedMsgQueue
  writeParamLimits(w, extension.collatedData)
  w.writeUint(0xd3, 8).writeUint(maxBytes, 32).writeUint(maxMessages, 32)
}
