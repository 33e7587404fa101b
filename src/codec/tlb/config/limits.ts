import type { ValueCodec } from '../../cell/dictTypes.ts'
import { maybe, record, tagged, uint8, uint16, uint32, type ValueOf } from '../record.ts'
import { unknownTag } from '../scalars.ts'

/** param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits; */
const paramLimits = tagged(0xc3, 8, record({ underload: uint32, soft: uint32, hard: uint32 }))

const blockLimitFields = record({ bytes: paramLimits, gas: paramLimits, ltDelta: paramLimits })

/** imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits; */
const importedMsgQueueLimits = tagged(0xd3, 8, record({ maxBytes: uint32, maxMessages: uint32 }))

/** Fields that the second form (#5e) adds. */
const blockLimitsExtension = record({ collatedData: paramLimits, importedMsgQueue: importedMsgQueueLimits })

export type BlockLimits = ValueOf<typeof blockLimitFields> & {
  readonly extension: ValueOf<typeof blockLimitsExtension> | undefined
}

/**
 * block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
 * block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits collated_data:ParamLimits
 *   imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;
 * (ConfigParam 22 for the masterchain, 23 for the others)
 */
export const blockLimits: ValueCodec<BlockLimits> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag !== 0x5d && tag !== 0x5e) throw unknownTag('A BlockLimits', '#5d or #5e', tag, 8)
    return { ...blockLimitFields.read(r), extension: tag === 0x5e ? blockLimitsExtension.read(r) : undefined }
  },
  write: (w, limits) => {
    w.writeUint(limits.extension === undefined ? 0x5d : 0x5e, 8)
    blockLimitFields.write(w, limits)
    if (limits.extension !== undefined) blockLimitsExtension.write(w, limits.extension)
  },
}

const sizeLimitFields = record({
  maxMsgBits: uint32,
  maxMsgCells: uint32,
  maxLibraryCells: uint32,
  maxVmDataDepth: uint16,
  maxExtMsgSize: uint32,
  maxExtMsgDepth: uint16,
})

/** Fields that the second form (#02) adds. */
const sizeLimitsExtension = record({
  maxAccountStateCells: uint32,
  maxMcAccountStateCells: uint32,
  maxAccountPublicLibraries: uint32,
  deferOutQueueSizeLimit: uint32,
  maxMsgExtraCurrencies: uint32,
  maxAccountFixedPrefixLength: uint8,
  accountStateCellsForStorageDict: uint32,
  maxTransactionLibraryLoads: maybe(uint32),
})

/** For all messages of a transaction; in the third form (#03) only. */
const totalMsgLimits = record({ maxBits: uint32, maxCells: uint32 })

export type SizeLimits = ValueOf<typeof sizeLimitFields> & {
  /** Absent in the first form (#01). */
  readonly extension:
    | (ValueOf<typeof sizeLimitsExtension> & { readonly totalMsg: ValueOf<typeof totalMsgLimits> | undefined })
    | undefined
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
export const sizeLimits: ValueCodec<SizeLimits> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag < 0x01 || tag > 0x03) throw unknownTag('A SizeLimitsConfig', '#01, #02 or #03', tag, 8)
    const fields = sizeLimitFields.read(r)
    if (tag === 0x01) return { ...fields, extension: undefined }
    const extension = sizeLimitsExtension.read(r)
    return { ...fields, extension: { ...extension, totalMsg: tag === 0x03 ? totalMsgLimits.read(r) : undefined } }
  },
  write: (w, limits) => {
    const { extension } = limits
    w.writeUint(extension === undefined ? 0x01 : extension.totalMsg === undefined ? 0x02 : 0x03, 8)
    sizeLimitFields.write(w, limits)
    if (extension !== undefined) sizeLimitsExtension.write(w, extension)
    if (extension?.totalMsg !== undefined) totalMsgLimits.write(w, extension.totalMsg)
  },
}
