import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../../src/codec/cell/CellWriter.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import { wholeShard } from '../../../src/primitives/shard.ts'
import { Random } from '../../hostile/Random.ts'

export type SampleMessage = {
  readonly kind: 'internal' | 'externalOut'
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly createdAt: number
  readonly source: Uint8Array
  /** Of internal ones. */
  readonly destination: Uint8Array
  readonly value: bigint
  readonly body: Cell | undefined
}

export type SampleTransaction = {
  readonly lt: bigint
  readonly now: number
  readonly account: Uint8Array
  readonly hash: Uint8Array
  readonly prevLt: bigint
  readonly prevHash: Uint8Array
  readonly block: BlockIdExt
  readonly received: SampleMessage | { readonly kind: 'externalIn' | 'system'; readonly hash: Uint8Array } | undefined
  readonly sent: readonly SampleMessage[]
  readonly balance: bigint
  readonly dataHash: Uint8Array
}

export type SampleBlock = { readonly id: BlockIdExt; readonly previous: readonly BlockIdExt[] }

export type SampleBlockSet = {
  readonly seqno: number
  readonly genUtime: number
  readonly blocks: readonly SampleBlock[]
  readonly tops: readonly BlockIdExt[]
  /** By lt. */
  readonly transactions: readonly SampleTransaction[]
}

export type WorldOptions = {
  readonly seed: number
  readonly blockSets: number
  readonly width: number
  readonly first?: number
  /** How many block sets messages are under way, as likely as they are often here. */
  readonly delays?: readonly number[]
  /** The same for how many a transaction sends. */
  readonly sends?: readonly number[]
}

const LEFT = wholeShard >> 1n
const RIGHT = wholeShard | LEFT

/**
 * A chain of a masterchain and two shards, in which accounts message each other at random: at once, block sets later, or never. It has
 * all that the index keeps and nothing else: hashes are random and belong to no cells.
 */
export const makeWorld = ({
  seed,
  blockSets,
  width,
  first = 1,
  delays = [0, 0, 0, 1, 1, 2, 7, 1000],
  sends = [0, 0, 1, 1, 1, 2, 4],
}: WorldOptions): readonly SampleBlockSet[] => {
  const random = new Random(seed, blockSets)
  const hash = (): Uint8Array => random.bytes(32)
  const accounts = Array.from({ length: Math.max(4, Math.ceil(width / 2)) }, () =>
    Uint8Array.of(0, ...random.bytes(32)),
  )
  const makeBody = (): Cell => new CellWriter().writeBytes(random.bytes(random.pick([4, 20, 60]))).toCell()
  const bodies = Array.from({ length: 5 }, makeBody)
  const tops = new Map<bigint, BlockIdExt>()
  const states = new Map<Uint8Array, { lt: bigint; hash: Uint8Array }>()
  let masterchain: BlockIdExt = {
    workchain: -1,
    shard: wholeShard,
    seqno: first - 1,
    rootHash: hash(),
    fileHash: hash(),
  }
  for (const shard of [LEFT, RIGHT])
    tops.set(shard, { workchain: 0, shard, seqno: 0, rootHash: hash(), fileHash: hash() })
  let underWay: { readonly message: SampleMessage; readonly from: number }[] = []
  let lt = 1000n

  const addTransaction = (seqno: number, genUtime: number, block: BlockIdExt): SampleTransaction => {
    lt += BigInt(random.between(1, 3))
    const isHere = (account: Uint8Array): boolean => (account[1]! < 128 ? LEFT : RIGHT) === block.shard
    const ready = underWay.filter(({ message, from }) => from <= seqno && isHere(message.destination))
    const taken = ready.length > 0 && !random.once(4) ? random.pick(ready) : undefined
    underWay = underWay.filter((other) => other !== taken)
    const here = accounts.filter(isHere)
    const account = taken?.message.destination ?? random.pick(here.length > 0 ? here : accounts)
    const txLt = lt
    const root = random.pick(['none', 'externalIn', 'system'] as const)
    const sent = Array.from(
      { length: random.pick(sends) },
      (): SampleMessage => ({
        kind: random.pick(['internal', 'internal', 'internal', 'externalOut'] as const),
        hash: hash(),
        lt: ++lt,
        createdAt: genUtime,
        source: account,
        destination: random.pick(accounts),
        value: BigInt(random.below(1e9)),
        body: random.once(3) ? undefined : random.once(3) ? random.pick(bodies) : makeBody(),
      }),
    )
    for (const message of sent) {
      const from = seqno + random.pick(delays)
      if (message.kind === 'internal') underWay.push({ message, from })
    }
    const before = states.get(account) ?? { lt: 0n, hash: new Uint8Array(32) }
    const transaction: SampleTransaction = {
      lt: txLt,
      now: genUtime,
      account,
      hash: hash(),
      prevLt: before.lt,
      prevHash: before.hash,
      block,
      received: taken?.message ?? (root === 'none' ? undefined : { kind: root, hash: hash() }),
      sent,
      balance: BigInt(random.below(1e9)),
      dataHash: hash(),
    }
    states.set(account, transaction)
    return transaction
  }

  return Array.from({ length: blockSets }, (_, k): SampleBlockSet => {
    const seqno = first + k
    const genUtime = 1_700_000_000 + seqno * 5
    const previous = masterchain
    masterchain = { ...masterchain, seqno, rootHash: hash(), fileHash: hash() }
    const blocks: SampleBlock[] = [{ id: masterchain, previous: [previous] }]
    const transactions: SampleTransaction[] = []
    for (const shard of [LEFT, RIGHT]) {
      // Shards do not keep pace with the masterchain.
      for (let count = random.pick([0, 1, 1, 1, 2]); count > 0; count--) {
        const top = tops.get(shard)!
        const id = { ...top, seqno: top.seqno + 1, rootHash: hash(), fileHash: hash() }
        tops.set(shard, id)
        blocks.push({ id, previous: [top] })
        for (let n = random.below(width + 1); n > 0; n--) transactions.push(addTransaction(seqno, genUtime, id))
      }
    }
    return { seqno, genUtime, blocks, tops: [...tops.values()].filter((top) => top.seqno > 0), transactions }
  })
}

/** Whether it is the last of its account in its block, after which the block tells the account's state. */
export const isLastInBlock = (blockSet: SampleBlockSet, transaction: SampleTransaction): boolean =>
  !blockSet.transactions.some(
    (other) =>
      other.lt > transaction.lt && other.block === transaction.block && bytesEqual(other.account, transaction.account),
  )
