import { basename } from 'node:path'
import { type PackShard, parsePackName } from './packName.ts'

/** The packages that share an id: one for the masterchain, in older databases for all chains, and any number for shards. */
export type Slice = { readonly id: number; readonly packs: readonly SlicePack[] }
export type SlicePack = { readonly path: string; readonly shard: PackShard | undefined }

export type PackGroups = {
  /** By id. */
  readonly slices: readonly Slice[]
  /** By id. */
  readonly keys: readonly { readonly id: number; readonly path: string }[]
  readonly temporary: readonly string[]
  readonly others: readonly string[]
}

export const noPacks: PackGroups = { slices: [], keys: [], temporary: [], others: [] }

/** Sorts files by what their names say; files that are no packages are left out. */
export const groupPacks = (paths: Iterable<string>): PackGroups => {
  const slices = new Map<number, SlicePack[]>()
  const keys: { id: number; path: string }[] = []
  const temporary: string[] = []
  const others: string[] = []
  for (const path of [...paths].sort()) {
    const name = parsePackName(basename(path))
    if (name === undefined) continue
    if (name.kind === 'key') keys.push({ id: name.id, path })
    else if (name.kind === 'temporary') temporary.push(path)
    else if (name.kind === 'other') others.push(path)
    else {
      const pack = { path, shard: name.shard }
      const packs = slices.get(name.id)
      if (packs === undefined) slices.set(name.id, [pack])
      else packs.push(pack)
    }
  }
  return {
    slices: Array.from(slices, ([id, packs]) => ({ id, packs })).sort((a, b) => a.id - b.id),
    keys: keys.sort((a, b) => a.id - b.id),
    temporary,
    others,
  }
}

/** Position of the last of these with an id of at most `id`, or -1. */
export const findLastUpTo = (sorted: readonly { readonly id: number }[], id: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]!.id <= id) low = middle + 1
    else high = middle
  }
  return low - 1
}
