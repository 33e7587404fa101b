import { toHex } from '../../../src/primitives/hex.ts'
import type { PlainMessage, PlainTransaction } from './PlainTransaction.ts'
import type { TraceState } from './TraceState.ts'

const hex = (bytes: Uint8Array | undefined): string | undefined => (bytes === undefined ? undefined : toHex(bytes))

type Tree = { readonly transactions: readonly PlainTransaction[]; readonly underWay: readonly PlainMessage[] }

/** The traces of transactions, all looked at together and from their roots: what any way of indexing them must come to. */
export const rebuildTraces = (transactions: readonly PlainTransaction[]): TraceState => {
  const receivers = new Map(transactions.flatMap((tx) => (tx.received ? [[toHex(tx.received.hash), tx] as const] : [])))
  const sent = new Set(transactions.flatMap((tx) => tx.sent.map(({ hash }) => toHex(hash))))
  const walk = (tx: PlainTransaction): Tree => {
    const internal = tx.sent.filter(({ kind }) => kind === 'internal')
    const children = internal.flatMap(({ hash }) => receivers.get(toHex(hash)) ?? []).map(walk)
    const underWay = internal.filter(({ hash }) => !receivers.has(toHex(hash)))
    return {
      transactions: [tx, ...children.flatMap((child) => child.transactions)],
      underWay: [...underWay, ...children.flatMap((child) => child.underWay)],
    }
  }
  const state: TraceState = { finished: {}, open: {}, transactions: {}, unreceived: {}, underWay: {} }
  for (const root of transactions) {
    if (root.received !== undefined && sent.has(toHex(root.received.hash))) continue
    const tree = walk(root)
    const traceId = toHex(root.hash)
    const isOrphan = root.received?.kind === 'internal'
    const leaving = tree.transactions.flatMap((tx) => tx.sent).filter(({ kind }) => kind !== 'internal')
    const trace = {
      startLt: root.lt,
      endLt: tree.transactions.reduce((most, { lt }) => (lt > most ? lt : most), 0n),
      startSeqno: root.seqno,
      endSeqno: Math.max(...tree.transactions.map(({ seqno }) => seqno)),
      startUtime: root.now,
      endUtime: Math.max(...tree.transactions.map(({ now }) => now)),
      transactions: tree.transactions.length,
      // What came from outside, one for every transaction but the first, and what left.
      messages: (root.received !== undefined && !isOrphan ? 1 : 0) + tree.transactions.length - 1 + leaving.length,
    }
    const orphan = isOrphan ? hex(root.received?.hash) : undefined
    if (tree.underWay.length === 0 && !isOrphan) state.finished[traceId] = trace
    else state.open[traceId] = { ...trace, pending: tree.underWay.length, orphan }
    for (const { hash } of tree.underWay) state.underWay[toHex(hash)] = traceId
    for (const tx of tree.transactions) {
      state.transactions[toHex(tx.hash)] = traceId
      for (const { hash, lt } of tx.sent) {
        if (receivers.has(toHex(hash))) continue
        state.unreceived[`${toHex(tx.account)} ${lt} ${tx.seqno}`] = { hash: toHex(hash), traceId }
      }
    }
  }
  return state
}
