import { MESSAGE_KIND } from '../../../src/indexer/blockSets.ts'
import type { LinkableBlockSet } from '../../../src/indexer/link/findAwaited.ts'
import { compareBytes, concatBytes } from '../../../src/primitives/bytes.ts'

export type MessageKind = keyof typeof MESSAGE_KIND

/** A transaction as far as traces are concerned. */
export type PlainTransaction = {
  readonly seqno: number
  readonly lt: bigint
  readonly now: number
  readonly hash: Uint8Array
  readonly account: Uint8Array
  readonly received: { readonly kind: MessageKind; readonly hash: Uint8Array; readonly normal?: Uint8Array } | undefined
  readonly sent: readonly PlainMessage[]
}

export type PlainMessage = { readonly kind: MessageKind; readonly hash: Uint8Array; readonly lt: bigint }

const ZERO = new Uint8Array(32)

/** What decoding would make of these transactions. Rows are of different lengths, and end in 32 zeros. */
export const toLinkableBlockSet = (seqno: number, unordered: readonly PlainTransaction[]): LinkableBlockSet => {
  const transactions = unordered.toSorted((a, b) => Number(a.lt - b.lt) || compareBytes(a.account, b.account))
  const sent = transactions.flatMap((transaction) => transaction.sent)
  const outStarts = [0]
  for (const transaction of transactions) outStarts.push(outStarts.at(-1)! + transaction.sent.length)
  return {
    seqno,
    transactions: {
      count: transactions.length,
      lts: BigInt64Array.from(transactions, ({ lt }) => lt),
      nows: Int32Array.from(transactions, ({ now }) => now),
      hashes: join(transactions.map(({ hash }) => hash)),
      accounts: join(transactions.map(({ account }) => account)),
      inKinds: Uint8Array.from(transactions, ({ received }) => MESSAGE_KIND[received?.kind ?? 'none']),
      inHashes: join(transactions.map(({ received }) => received?.hash ?? ZERO)),
      inNormalHashes: join(transactions.map(({ received }) => received?.normal ?? ZERO)),
      outStarts: Uint32Array.from(outStarts),
      rows: emptyRows(transactions.length),
    },
    messages: {
      count: sent.length,
      kinds: Uint8Array.from(sent, ({ kind }) => MESSAGE_KIND[kind]),
      hashes: join(sent.map(({ hash }) => hash)),
      lts: BigInt64Array.from(sent, ({ lt }) => lt),
      rows: emptyRows(sent.length),
    },
  }
}

const join = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(concatBytes(parts))

const emptyRows = (count: number): LinkableBlockSet['messages']['rows'] => {
  const ends = new Uint32Array(count)
  let end = 0
  for (let k = 0; k < count; k++) {
    end += 34 + (k % 5)
    ends[k] = end
  }
  return { bytes: new Uint8Array(end), ends }
}

/** The trace id that was written into a row. */
export const readTraceId = ({ bytes, ends }: LinkableBlockSet['messages']['rows'], row: number): Uint8Array =>
  bytes.slice(ends[row]! - 32, ends[row])
