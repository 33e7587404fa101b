import { join } from 'node:path'
import { masterchain } from '../../primitives/BlockId.ts'
import { formatShard, wholeShard } from '../../primitives/shard.ts'

/** Masterchain blocks in a slice, and in a group where no key block begins a new one. */
const SLICE = 100
const GROUP = 20_000

/** The slice of a masterchain block, by the key block that came last (or is the block itself). */
export const sliceOf = (masterSeqno: number, keyBlockSeqno: number): number => {
  const group = Math.max(keyBlockSeqno, Math.floor(masterSeqno / GROUP) * GROUP)
  return group + Math.floor((masterSeqno - group) / SLICE) * SLICE
}

/** Where the packages of a chain lie in its folder. */
export const packagesFolder = (root: string): string => join(root, 'archive', 'packages')

/** The package of a slice, as nodes name it: one for the masterchain, and a twin for each other workchain. */
export const packPath = (root: string, slice: number, workchain: number): string => {
  const folder = `arch${String(Math.floor(slice / 100_000)).padStart(4, '0')}`
  const twin = workchain === masterchain ? '' : `.${workchain}_${formatShard(wholeShard)}`
  return join(packagesFolder(root), folder, `archive.${String(slice).padStart(5, '0')}${twin}.pack`)
}

/** Whether a file, by its name alone, may be one of these packages. */
export const isPackName = (name: string): boolean => /^archive\.[0-9]{5,10}(\.-?[0-9]+_[0-9a-f]{16})?\.pack$/.test(name)
