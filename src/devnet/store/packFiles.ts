import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { packEntryHead, packStart } from '../../codec/pack/packFormat.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { formatShard, wholeShard } from '../../primitives/shard.ts'
import type { BlockFiles, StoredFileKind } from './ChainStore.ts'

/** Masterchain blocks in a slice, and in a group where no key block begins a new one. */
const SLICE = 100
const GROUP = 20_000

type Place = { readonly path: string; readonly offset: number; readonly length: number }

export type PackFiles = BlockFiles & {
  /** Makes sure that everything is on the disk. */
  sync(): void
  close(): void
}

/**
 * Block files in archive packages, in the folders and under the names that nodes give them: slices of a hundred masterchain
 * blocks, each with a twin for the shard blocks that they include; a key block begins a new group of slices.
 */
export const createPackFiles = (root: string): PackFiles => {
  const places = new Map<string, Place>()
  const open = new Map<string, number>()
  let groups: number[] = [0]

  const openPack = (path: string): number => {
    const known = open.get(path)
    if (known !== undefined) return known
    // The current slice and the one before it are in use, with their twins.
    if (open.size >= 4) closeAll()
    mkdirSync(dirname(path), { recursive: true })
    const isNew = !existsSync(path)
    const file = openSync(path, isNew ? 'w+' : 'r+')
    if (isNew) writeSync(file, packStart())
    open.set(path, file)
    return file
  }
  const closeAll = (): void => {
    for (const file of open.values()) closeSync(file)
    open.clear()
  }
  const pathOf = (workchain: number, masterSeqno: number): string => {
    const group = Math.max(...groups.filter((start) => start <= masterSeqno), Math.floor(masterSeqno / GROUP) * GROUP)
    const slice = group + Math.floor((masterSeqno - group) / SLICE) * SLICE
    const folder = `arch${String(Math.floor(slice / 100_000)).padStart(4, '0')}`
    const twin = workchain === masterchain ? '' : `.${workchain}_${formatShard(wholeShard)}`
    return join(root, 'archive', 'packages', folder, `archive.${String(slice).padStart(5, '0')}${twin}.pack`)
  }

  return {
    startGroup: (masterSeqno) => {
      if (!groups.includes(masterSeqno)) groups = [...groups, masterSeqno]
    },
    put: (kind, id, bytes, masterSeqno) => {
      const key = keyOf(kind, id)
      if (places.has(key)) return
      const path = pathOf(id.workchain, masterSeqno)
      const file = openPack(path)
      const offset = fstatSync(file).size
      const head = packEntryHead(`${kind}_${formatBlockIdExt(id)}`, bytes.length)
      try {
        writeSync(file, head, 0, head.length, offset)
        writeSync(file, bytes, 0, bytes.length, offset + head.length)
      } catch (error) {
        // Half an entry would hide all that is written behind it.
        ftruncateSync(file, offset)
        throw error
      }
      places.set(key, { path, offset: offset + head.length, length: bytes.length })
    },
    get: (id) => {
      const place = places.get(keyOf('block', id))
      if (place === undefined) return undefined
      const bytes = new Uint8Array(place.length)
      const read = readSync(openPack(place.path), bytes, 0, place.length, place.offset)
      return read === place.length ? bytes : undefined
    },
    sync: () => {
      for (const file of open.values()) fsyncSync(file)
    },
    close: closeAll,
  }
}

const keyOf = (kind: StoredFileKind, id: BlockIdExt): string => `${kind}_${formatBlockIdExt(id)}`
