import { concatBytes } from '../../primitives/bytes.ts'
import { findShardOfPrefix, formatShard, isValidShard, shardPrefix, shardPrefixLength } from '../../primitives/shard.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { int32Key, type KeyCodec, uint64Key } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'

/** A shard of a workchain; `shard` carries its terminating 1, which the wire form leaves out. */
export type ShardIdent = { readonly workchain: number; readonly shard: bigint }

/** shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent; */
export const readShardIdent = (r: CellReader): ShardIdent => {
  r.expectTag(0b00, 2)
  const length = r.readUint(6)
  const workchain = r.readInt(32)
  const prefix = r.readUint64()
  const shard = findShardOfPrefix(prefix, length)
  if (shard === undefined) {
    throw new CellError(
      `A shard prefix has at most 60 bits and zeros behind them, length ${length} of ${formatShard(prefix)} came.`,
    )
  }
  return { workchain, shard }
}

export const writeShardIdent = (w: CellWriter, { workchain, shard }: ShardIdent): void => {
  if (!isValidShard(shard)) {
    throw new CellError(`A shard is a prefix of at most 60 bits and a terminating 1, ${formatShard(shard)} came.`)
  }
  w.writeUint(0b00, 2).writeUint(shardPrefixLength(shard), 6).writeInt(workchain, 32).writeUint64(shardPrefix(shard))
}

/** Keys of 96 bits: workchain and shard, the terminating 1 included. */
export const shardIdentKey: KeyCodec<ShardIdent> = {
  bits: 96,
  encode: ({ workchain, shard }) => concatBytes([int32Key.encode(workchain), uint64Key.encode(shard)]),
  decode: (key) => ({ workchain: int32Key.decode(key.subarray(0, 4)), shard: uint64Key.decode(key.subarray(4, 12)) }),
}
