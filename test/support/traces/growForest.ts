import type { Random } from '../../hostile/Random.ts'
import type { MessageKind, PlainMessage, PlainTransaction } from './PlainTransaction.ts'

export type ForestOptions = {
  readonly blockSets: number
  /** How many transactions there are in a block set at most. */
  readonly width: number
  /** How many different beginnings hashes have. Few make them collide wherever only a part of them is looked at. */
  readonly beginnings: number
}

const ROOTS: readonly MessageKind[] = ['none', 'externalIn', 'system', 'elsewhere', 'externalIn']

/** Transactions that message each other at random: at once, block sets later, or never, in chains and wide trees. */
export const growForest = (random: Random, { blockSets, width, beginnings }: ForestOptions): PlainTransaction[] => {
  const heads = Array.from({ length: beginnings }, () => random.bytes(8))
  const hash = (): Uint8Array => {
    const bytes = random.bytes(32)
    bytes.set(random.pick(heads))
    return bytes
  }
  const accounts = Array.from({ length: 12 }, () => random.bytes(33))
  const forest: PlainTransaction[] = []
  let underWay: (PlainMessage & { readonly from: number })[] = []
  let lt = 1000n
  for (let seqno = 1; seqno <= blockSets; seqno++) {
    const count = random.below(width + 1)
    for (let k = 0; k < count; k++) {
      lt += BigInt(random.between(1, 3))
      const ready = underWay.filter(({ from }) => from <= seqno)
      const message = ready.length > 0 && !random.once(4) ? random.pick(ready) : undefined
      underWay = underWay.filter((other) => other !== message)
      const root = random.pick(ROOTS)
      const received =
        message !== undefined
          ? { kind: message.kind, hash: message.hash }
          : root === 'none'
            ? undefined
            : { kind: root, hash: hash(), ...(root === 'externalIn' && random.once(2) ? { normal: hash() } : {}) }
      const start = lt
      const sent = Array.from({ length: random.pick([0, 0, 1, 1, 1, 2, 4]) }, (): PlainMessage => {
        const kind = random.pick<MessageKind>(['internal', 'internal', 'internal', 'externalOut', 'elsewhere'])
        return { kind, hash: hash(), lt: ++lt }
      })
      for (const each of sent) {
        const delay = random.pick([0, 0, 0, 1, 1, 2, 7, 20, 1000])
        if (each.kind === 'internal') underWay.push({ ...each, from: seqno + delay })
      }
      const now = 1_700_000_000 + seqno * 5 + random.below(9)
      forest.push({ seqno, lt: start, now, hash: hash(), account: random.pick(accounts), received, sent })
    }
  }
  return forest
}
