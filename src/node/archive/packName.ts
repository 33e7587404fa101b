import { parseShard } from '../../primitives/shard.ts'

/**
 * What a package is, by the name of its file. `slice`: blocks that are part of the chain, those of masterchain blocks from `id`
 * on to the next slice and of the shard blocks these include; `shard` where it holds only blocks of that shard. `key`: proofs of
 * key blocks. `temporary`: everything received lately, also blocks that never become part of the chain. `other`: a package that
 * no node named so.
 */
export type PackName =
  | { readonly kind: 'slice'; readonly id: number; readonly shard: PackShard | undefined }
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'temporary'; readonly id: number }
  | { readonly kind: 'other' }

export type PackShard = { readonly workchain: number; readonly shard: bigint }

// Newer nodes put `_` before the shard, older ones `:`.
const pattern = /^(key\.|temp\.)?archive\.([0-9]{5,10})(?:\.(-?[0-9]{1,10})[_:]([0-9a-fA-F]{16}))?\.pack$/

/** Reads the name of a file, without its folder; `undefined` where it is no package. */
export const parsePackName = (file: string): PackName | undefined => {
  const [, prefix, id, workchain, shard] = pattern.exec(file) ?? []
  if (id === undefined || (prefix !== undefined && shard !== undefined)) {
    return file.endsWith('.pack') ? { kind: 'other' } : undefined
  }
  if (prefix === 'key.') return { kind: 'key', id: Number(id) }
  if (prefix === 'temp.') return { kind: 'temporary', id: Number(id) }
  const only =
    workchain === undefined || shard === undefined
      ? undefined
      : { workchain: Number(workchain), shard: parseShard(shard) }
  return { kind: 'slice', id: Number(id), shard: only }
}
