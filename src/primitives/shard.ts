import { ParseError } from './errors.ts'

// A shard is an unsigned 64-bit integer: the bits of its account prefix, a single 1, then zeros. The arithmetic below is
// meant for valid shards (`isValidShard`), where it neither overflows nor meets a shard without a 1.

/** The shard of a whole workchain: the empty prefix. */
export const wholeShard = 0x8000_0000_0000_0000n

const maxPrefixLength = 60
const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const lowestBit = (shard: bigint): bigint => shard & -shard

/** Whether a node takes it for a shard: it is not zero, and its prefix has at most 60 bits. */
export const isValidShard = (shard: bigint): boolean => shard !== 0n && (shard & 7n) === 0n && u64(shard) === shard

/** Number of bits in the account prefix; 0 for the whole workchain. */
export const shardPrefixLength = (shard: bigint): number => {
  const low = Number(BigInt.asIntN(32, shard))
  if (low !== 0) return 32 + Math.clz32(low & -low)
  const high = Number(BigInt.asIntN(32, shard >> 32n))
  return Math.clz32(high & -high)
}

/** The shard this one was split from, or `undefined` for the whole workchain. */
export const findShardParent = (shard: bigint): bigint | undefined => {
  if (shard === wholeShard) return undefined
  const low = lowestBit(shard)
  return (shard - low) | (low << 1n)
}

/** The two shards this one splits into: accounts that go on with a 0 bit, then those that go on with a 1. */
export const shardChildren = (shard: bigint): readonly [left: bigint, right: bigint] => {
  const half = lowestBit(shard) >> 1n
  return [shard - half, shard + half]
}

/** Whether `shard` is `ancestor` itself or came from it by splits, so that `ancestor` covers all its accounts. */
export const isShardAncestor = (ancestor: bigint, shard: bigint): boolean =>
  lowestBit(ancestor) >= lowestBit(shard) && shardContains(ancestor, shard)

/** Whether accounts whose address starts with the 64 bits `accountPrefix` belong to the shard. */
export const shardContains = (shard: bigint, accountPrefix: bigint): boolean =>
  u64((accountPrefix ^ shard) & -(lowestBit(shard) << 1n)) === 0n

/** The prefix bits, left-aligned in 64 bits as ShardIdent holds them next to `shardPrefixLength`. */
export const shardPrefix = (shard: bigint): bigint => shard - lowestBit(shard)

/** The shard of a left-aligned prefix and its length, or `undefined` if the length is over 60 or bits follow the prefix. */
export const findShardOfPrefix = (prefix: bigint, length: number): bigint | undefined => {
  if (!Number.isInteger(length) || length < 0 || length > maxPrefixLength || u64(prefix) !== prefix) return undefined
  const low = 1n << BigInt(63 - length)
  return (prefix & ((low << 1n) - 1n)) === 0n ? prefix | low : undefined
}

/** The 64-bit two's complement reading, as TL and the live interface carry shards. */
export const toSignedShard = (shard: bigint): bigint => BigInt.asIntN(64, shard)

/** The unsigned shard of a 64-bit two's complement reading. */
export const fromSignedShard = (signed: bigint): bigint => u64(signed)

/** 16 lower-case hex digits. */
export const formatShard = (shard: bigint): string => shard.toString(16).padStart(16, '0')

/** A shard, valid or not, from exactly 16 hex digits in either case. */
export const parseShard = (text: string): bigint => {
  if (!/^[0-9a-fA-F]{16}$/.test(text)) throw new ParseError('a shard as 16 hex digits', text)
  return BigInt(`0x${text}`)
}

/** Signed decimal: `-9223372036854775808` is the whole workchain. */
export const formatSignedShard = (shard: bigint): string => toSignedShard(shard).toString()

/** A shard, valid or not, from a signed 64-bit decimal without leading zeros. */
export const parseSignedShard = (text: string): bigint => {
  if (/^(0|-?[1-9][0-9]{0,18})$/.test(text)) {
    const signed = BigInt(text)
    if (BigInt.asIntN(64, signed) === signed) return fromSignedShard(signed)
  }
  throw new ParseError('a shard as a signed 64-bit decimal number', text)
}
