import { encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../../../src/codec/tl/liteQuery.ts'
import { TlError } from '../../../src/codec/tl/TlError.ts'
import { type TlFieldDescription, tlSchema } from '../../../src/codec/tl/tlObject.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import type { Random } from '../Random.ts'

/** Things of a chain that exist: questions that are only partly wrong come furthest. */
export type Known = { readonly blocks: readonly BlockIdExt[]; readonly accounts: readonly Uint8Array[] }

const WRAPPERS = /^liteServer\.(query|queryPrefix|waitMasterchainSeqno)$/

const liteFunctionNames = (Object.keys(tlSchema) as (keyof typeof tlSchema)[]).filter(
  (name): name is LiteFunctionName =>
    name.startsWith('liteServer.') && tlSchema[name].result !== undefined && !WRAPPERS.test(name),
)

const INTS = [0, 1, -1, 2, 16, 64, 255, 256, 257, 1000, 1001, 0x7fff_ffff, -0x8000_0000]
const LONGS = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 1_000_000n, 2n ** 32n]

/** The function bytes of a question that decodes and means as little as it likes. */
export const makeHostileCall = (random: Random, known: Known): Uint8Array => {
  const name = random.pick(liteFunctionNames)
  const given = new Map<string, unknown>()
  for (const field of tlSchema[name].fields) {
    if (field.isOptional !== true || random.once(2)) given.set(field.key, makeField(random, field, known))
  }
  const encode = (): Uint8Array =>
    encodeLiteQuery({ call: { kind: name, ...Object.fromEntries(given) } as unknown as LiteCall })
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof TlError)) throw error
    // A bit of the mode is set whose field was left out.
    for (const field of tlSchema[name].fields)
      if (!given.has(field.key)) given.set(field.key, makeField(random, field, known))
    return encode()
  }
}

const makeField = (random: Random, { type, isVector }: TlFieldDescription, known: Known): unknown => {
  if (isVector !== true) return makeValue(random, type, known)
  const count = random.pick([0, 1, 2, 16, 17, 256, 257, 3000])
  return Array.from({ length: count }, () => makeValue(random, type, known))
}

const makeValue = (random: Random, type: string, known: Known): unknown => {
  switch (type) {
    case '#':
      return random.once(3)
        ? random.next()
        : random.pick([0, 1, 2, 3, 4, 5, 7, 16, 32, 39, 128, 255, 256, 0x1001, 0x8000])
    case 'int':
      return random.once(3) ? random.next() | 0 : random.pick(INTS)
    case 'long':
      return random.once(3) ? makeLong(random) : random.pick(LONGS)
    case 'shard':
      return BigInt.asUintN(64, random.once(3) ? makeLong(random) : random.pick([...LONGS, 1n << 62n, 3n << 62n]))
    case 'int256':
      return random.once(2) ? random.pick(known.accounts) : random.bytes(32)
    case 'bytes':
      return random.bytes(random.pick([0, 1, 4, 100, 70_000]))
    case 'Bool':
    case 'true':
      return type === 'true' ? true : random.once(2)
    case 'tonNode.blockIdExt':
      return makeId(random, known)
    case 'tonNode.blockId':
      return makeId(random, known)
    case 'liteServer.accountId':
      return { workchain: random.pick([0, 0, -1, 5]), id: random.pick(known.accounts) }
    case 'liteServer.transactionId3':
      return { account: random.pick(known.accounts), lt: random.pick(LONGS) }
    default:
      throw new Error(`Nothing hostile is known of a field of type ${type}.`)
  }
}

const makeLong = (random: Random): bigint => BigInt.asIntN(64, (BigInt(random.next()) << 32n) | BigInt(random.next()))

const makeId = (random: Random, known: Known): BlockIdExt => {
  const id = random.pick(known.blocks)
  switch (random.below(10)) {
    case 0:
      return { ...id, seqno: random.pick(INTS) }
    case 1:
      return { ...id, shard: BigInt.asUintN(64, random.pick(LONGS)) }
    case 2:
      return { ...id, workchain: random.pick(INTS) }
    case 3:
      return { ...id, rootHash: random.bytes(32) }
    case 4:
      return { ...id, fileHash: new Uint8Array(32) }
    default:
      return id
  }
}

/** Bytes that are no question: an unknown constructor, or one with too few or too many bytes behind it. */
export const makeHostileBytes = (random: Random, known: Known): Uint8Array => {
  if (random.once(3)) return random.bytes(random.pick([0, 1, 3, 4, 5, 8, 100, 5000]))
  const call = makeHostileCall(random, known)
  if (random.once(2)) return call.subarray(0, random.below(call.length))
  return concatBytes([call, random.bytes(1 + random.below(40))])
}
