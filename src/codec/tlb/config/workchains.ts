import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { int32Key } from '../../cell/dictTypes.ts'
import { unknownTag } from '../scalars.ts'

export type WorkchainFormat =
  | { readonly kind: 'basic'; readonly vmVersion: number; readonly vmMode: bigint }
  | {
      readonly kind: 'extended'
      readonly minAddressLength: number
      readonly maxAddressLength: number
      readonly addressLengthStep: number
      readonly workchainTypeId: number
    }

/** In seconds. */
export type SplitMergeTimings = {
  readonly delay: number
  readonly interval: number
  readonly minInterval: number
  readonly maxDelay: number
}

/** Fields that the second form (#a7) adds. */
export type WorkchainExtension = {
  readonly splitMergeTimings: SplitMergeTimings
  readonly persistentStateSplitDepth: number
}

export type WorkchainDescr = {
  readonly enabledSince: number
  readonly monitorMinSplit: number
  readonly minSplit: number
  readonly maxSplit: number
  readonly isActive: boolean
  readonly acceptsMessages: boolean
  readonly flags: number
  readonly zerostateRootHash: Uint8Array
  readonly zerostateFileHash: Uint8Array
  readonly version: number
  readonly format: WorkchainFormat
  readonly extension: WorkchainExtension | undefined
}

/**
 * wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
 * wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12) workchain_type_id:(## 32) = WorkchainFormat 0;
 */
const readWorkchainFormat = (r: CellReader, basic: boolean): WorkchainFormat => {
  r.expectTag(basic ? 1 : 0, 4)
  return basic
    ? { kind: 'basic', vmVersion: r.readInt(32), vmMode: r.readUint64() }
    : {
        kind: 'extended',
        minAddressLength: r.readUint(12),
        maxAddressLength: r.readUint(12),
        addressLengthStep: r.readUint(12),
        workchainTypeId: r.readUint(32),
      }
}

const writeWorkchainFormat = (w: CellWriter, format: WorkchainFormat): void => {
  if (format.kind === 'basic') w.writeUint(1, 4).writeInt(format.vmVersion, 32).writeUint64(format.vmMode)
  else {
    w.writeUint(0, 4).writeUint(format.minAddressLength, 12).writeUint(format.maxAddressLength, 12)
    w.writeUint(format.addressLengthStep, 12).writeUint(format.workchainTypeId, 32)
  }
}

/**
 * wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32 min_split_merge_interval:uint32
 *   max_split_merge_delay:uint32 = WcSplitMergeTimings;
 */
const readExtension = (r: CellReader): WorkchainExtension => {
  r.expectTag(0, 4)
  return {
    splitMergeTimings: {
      delay: r.readUint(32),
      interval: r.readUint(32),
      minInterval: r.readUint(32),
      maxDelay: r.readUint(32),
    },
    persistentStateSplitDepth: r.readUint(8),
  }
}

const writeExtension = (w: CellWriter, { splitMergeTimings, persistentStateSplitDepth }: WorkchainExtension): void => {
  const { delay, interval, minInterval, maxDelay } = splitMergeTimings
  w.writeUint(0, 4).writeUint(delay, 32).writeUint(interval, 32).writeUint(minInterval, 32).writeUint(maxDelay, 32)
  w.writeUint(persistentStateSplitDepth, 8)
}

/**
 * workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8)
 *   basic:(## 1) active:Bool accept_msgs:Bool flags:(## 13) zerostate_root_hash:bits256 zerostate_file_hash:bits256
 *   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
 * workchain_v2#a7 … split_merge_timings:WcSplitMergeTimings persistent_state_split_depth:(## 8) = WorkchainDescr;
 */
export const readWorkchainDescr = (r: CellReader): WorkchainDescr => {
  const tag = r.readUint(8)
  if (tag !== 0xa6 && tag !== 0xa7) throw unknownTag('A WorkchainDescr', '#a6 or #a7', tag, 8)
  const enabledSince = r.readUint(32)
  const monitorMinSplit = r.readUint(8)
  const minSplit = r.readUint(8)
  const maxSplit = r.readUint(8)
  const isBasic = r.readBit()
  return {
    enabledSince,
    monitorMinSplit,
    minSplit,
    maxSplit,
    isActive: r.readBit(),
    acceptsMessages: r.readBit(),
    flags: r.readUint(13),
    zerostateRootHash: r.readBytes(32),
    zerostateFileHash: r.readBytes(32),
    version: r.readUint(32),
    format: readWorkchainFormat(r, isBasic),
    extension: tag === 0xa7 ? readExtension(r) : undefined,
  }
}

export const writeWorkchainDescr = (w: CellWriter, descr: WorkchainDescr): void => {
  w.writeUint(descr.extension === undefined ? 0xa6 : 0xa7, 8).writeUint(descr.enabledSince, 32)
  w.writeUint(descr.monitorMinSplit, 8).writeUint(descr.minSplit, 8).writeUint(descr.maxSplit, 8)
  w.writeBit(descr.format.kind === 'basic')
    .writeBit(descr.isActive)
    .writeBit(descr.acceptsMessages)
  w.writeUint(descr.flags, 13).writeBytes(descr.zerostateRootHash).writeBytes(descr.zerostateFileHash)
  w.writeUint(descr.version, 32)
  writeWorkchainFormat(w, descr.format)
  if (descr.extension !== undefined) writeExtension(w, descr.extension)
}

/** The workchains besides the masterchain, by number. */
export type Workchains = Dict<number, WorkchainDescr>

export const workchainsType: DictType<number, WorkchainDescr> = {
  key: int32Key,
  value: { read: readWorkchainDescr, write: writeWorkchainDescr },
}

/** _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12; */
export const readWorkchains = (r: CellReader): Workchains => readDict(r, workchainsType)

export const writeWorkchains = (w: CellWriter, workchains: Workchains): void => {
  writeDict(w, workchains)
}
