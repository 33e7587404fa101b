import type { DictType } from '../../cell/Dict.ts'
import { int32Key, uintValue, type ValueCodec } from '../../cell/dictTypes.ts'
import { bits256, bool, int32, record, tagged, uint8, uint32, uint64, type ValueOf } from '../record.ts'
import { unknownTag } from '../scalars.ts'

/** wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1; */
const basicFormat = tagged(1, 4, record({ vmVersion: int32, vmMode: uint64 }))

/** wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12) workchain_type_id:(## 32) = WorkchainFormat 0; */
const extendedFormat = tagged(
  0,
  4,
  record({
    minAddressLength: uintValue(12),
    maxAddressLength: uintValue(12),
    addressLengthStep: uintValue(12),
    workchainTypeId: uint32,
  }),
)

type WorkchainFormat =
  | ({ readonly kind: 'basic' } & ValueOf<typeof basicFormat>)
  | ({ readonly kind: 'extended' } & ValueOf<typeof extendedFormat>)

/**
 * In seconds:
 * wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32 min_split_merge_interval:uint32
 *   max_split_merge_delay:uint32 = WcSplitMergeTimings;
 */
const splitMergeTimings = tagged(
  0,
  4,
  record({ delay: uint32, interval: uint32, minInterval: uint32, maxDelay: uint32 }),
)

/** Fields that the second form (#a7) adds. */
const workchainExtension = record({ splitMergeTimings, persistentStateSplitDepth: uint8 })

const splitFields = record({ enabledSince: uint32, monitorMinSplit: uint8, minSplit: uint8, maxSplit: uint8 })

const stateFields = record({
  isActive: bool,
  acceptsMessages: bool,
  flags: uintValue(13),
  zerostateRootHash: bits256,
  zerostateFileHash: bits256,
  version: uint32,
})

export type WorkchainDescr = ValueOf<typeof splitFields> &
  ValueOf<typeof stateFields> & {
    readonly format: WorkchainFormat
    readonly extension: ValueOf<typeof workchainExtension> | undefined
  }

/**
 * workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8)
 *   basic:(## 1) active:Bool accept_msgs:Bool flags:(## 13) zerostate_root_hash:bits256 zerostate_file_hash:bits256
 *   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
 * workchain_v2#a7 … split_merge_timings:WcSplitMergeTimings persistent_state_split_depth:(## 8) = WorkchainDescr;
 */
export const workchainDescr: ValueCodec<WorkchainDescr> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag !== 0xa6 && tag !== 0xa7) throw unknownTag('A WorkchainDescr', '#a6 or #a7', tag, 8)
    const split = splitFields.read(r)
    const isBasic = r.readBit()
    const state = stateFields.read(r)
    const format: WorkchainFormat = isBasic
      ? { kind: 'basic', ...basicFormat.read(r) }
      : { kind: 'extended', ...extendedFormat.read(r) }
    return { ...split, ...state, format, extension: tag === 0xa7 ? workchainExtension.read(r) : undefined }
  },
  write: (w, descr) => {
    const { format, extension } = descr
    splitFields.write(w.writeUint(extension === undefined ? 0xa6 : 0xa7, 8), descr)
    stateFields.write(w.writeBit(format.kind === 'basic'), descr)
    if (format.kind === 'basic') basicFormat.write(w, format)
    else extendedFormat.write(w, format)
    if (extension !== undefined) workchainExtension.write(w, extension)
  },
}

/** The workchains besides the masterchain, by number: _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12; */
export const workchainsType: DictType<number, WorkchainDescr> = { key: int32Key, value: workchainDescr }
