import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { unknownTag } from '../scalars.ts'

export type ParamLimits = { readonly underload: number; readonly soft: number; readonly hard: number }

export type ImportedMsgQueueLimits = { readonly maxBytes: number; readonly maxMessages: number }

/** Fields that the second form (#5e) adds. */
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

export type TotalMsgLimits = { readonly maxBits: number; readonly maxCells: number }

/** Fields that later forms add. */
export type SizeLimitsExtension = {
  readonly maxAccountStateCells: number
  readonly maxMcAccountStateCells: number
  readonly maxAccountPublicLibraries: number
  readonly deferOutQueueSizeLimit: number
  readonly maxMsgExtraCurrencies: number
  readonly maxAccountFixedPrefixLength: number
  readonly accountStateCellsForStorageDict: number
  readonly maxTransactionLibraryLoads: number | undefined
  /** For all messages of a transaction; in the third form (#03) only. */
  readonly totalMsg: TotalMsgLimits | undefined
}

export type SizeLimits = {
  readonly maxMsgBits: number
  readonly maxMsgCells: number
  readonly maxLibraryCells: number
  readonly maxVmDataDepth: number
  readonly maxExtMsgSize: number
  readonly maxExtMsgDepth: number
  /** Absent in the first form (#01). */
  readonly extension: SizeLimitsExtension | undefined
}

const readExtension = (r: CellReader, hasTotals: boolean): SizeLimitsExtension => ({
  maxAccountStateCells: r.readUint(32),
  maxMcAccountStateCells: r.readUint(32),
  maxAccountPublicLibraries: r.readUint(32),
  deferOutQueueSizeLimit: r.readUint(32),
  maxMsgExtraCurrencies: r.readUint(32),
  maxAccountFixedPrefixLength: r.readUint(8),
  accountStateCellsForStorageDict: r.readUint(32),
  maxTransactionLibraryLoads: r.readBit() ? r.readUint(32) : undefined,
  totalMsg: hasTotals ? { maxBits: r.readUint(32), maxCells: r.readUint(32) } : undefined,
})

const writeExtension = (w: CellWriter, limits: SizeLimitsExtension): void => {
  w.writeUint(limits.maxAccountStateCells, 32).writeUint(limits.maxMcAccountStateCells, 32)
  w.writeUint(limits.maxAccountPublicLibraries, 32).writeUint(limits.deferOutQueueSizeLimit, 32)
  w.writeUint(limits.maxMsgExtraCurrencies, 32).writeUint(limits.maxAccountFixedPrefixLength, 8)
  w.writeUint(limits.accountStateCellsForStorageDict, 32)
  w.writeBit(limits.maxTransactionLibraryLoads !== undefined)
  if (limits.maxTransactionLibraryLoads !== undefined) w.writeUint(limits.maxTransactionLibraryLoads, 32)
  if (limits.totalMsg !== undefined) w.writeUint(limits.totalMsg.maxBits, 32).writeUint(limits.totalMsg.maxCells, 32)
}

/**
 * size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
 *   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
 * size_limits_config_v2#02 … max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32 max_acc_public_libraries:uint32
 *   defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32 max_acc_fixed_prefix_length:uint8
 *   acc_state_cells_for_storage_dict:uint32 max_transaction_library_loads:(Maybe uint32) = SizeLimitsConfig;
 * size_limits_config_v3#03 … max_total_msg_bits:uint32 max_total_msg_cells:uint32 = SizeLimitsConfig;
 * (ConfigParam 43)
 */
export const readSizeLimits = (r: CellReader): SizeLimits => {
  const tag = r.readUint(8)
  if (tag < 0x01 || tag > 0x03) throw unknownTag('A SizeLimitsConfig', '#01, #02 or #03', tag, 8)
  return {
    maxMsgBits: r.readUint(32),
    maxMsgCells: r.readUint(32),
    maxLibraryCells: r.readUint(32),
    maxVmDataDepth: r.readUint(16),
    maxExtMsgSize: r.readUint(32),
    maxExtMsgDepth: r.readUint(16),
    extension: tag === 0x01 ? undefined : readExtension(r, tag === 0x03),
  }
}

export const writeSizeLimits = (w: CellWriter, limits: SizeLimits): void => {
  const { extension } = limits
  w.writeUint(extension === undefined ? 0x01 : extension.totalMsg === undefined ? 0x02 : 0x03, 8)
  w.writeUint(limits.maxMsgBits, 32).writeUint(limits.maxMsgCells, 32).writeUint(limits.maxLibraryCells, 32)
  w.writeUint(limits.maxVmDataDepth, 16).writeUint(limits.maxExtMsgSize, 32).writeUint(limits.maxExtMsgDepth, 16)
  if (extension !== undefined) writeExtension(w, extension)
}
