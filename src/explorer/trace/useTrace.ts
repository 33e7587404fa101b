import { useRef } from 'preact/hooks'
import type { TraceView } from '../../api/v3/views/TraceView.ts'
import type { TransactionView } from '../../api/v3/views/TransactionView.ts'
import { askV3 } from '../fetch/askV3.ts'
import { type Asked, useAsk } from '../live/useAsk.ts'
import { SECOND } from '../live/usePolling.ts'
import { hashToBase64 } from '../model/Hash.ts'
import { listNodes, type TreeNode, treeOfTrace, treeOfTransactions } from '../model/traceTree.ts'

/** How far a trace is: only foreseen, in blocks in part, or whole and in the index for ever. */
export type TraceStage = 'absent' | 'foreseen' | 'begun' | 'final'

export type FoundTrace = {
  readonly stage: TraceStage
  readonly trace: TraceView | undefined
  readonly tree: TreeNode | undefined
}

/** A trace by the hash of any of its transactions or messages, followed until it is whole. */
export const useTrace = (hex: string | undefined): Asked<FoundTrace> => {
  const last = useRef<FoundTrace & { readonly hex: string }>(undefined)
  const find = async (signal: AbortSignal): Promise<FoundTrace> => {
    if (hex === undefined) return absent
    const found = await findTrace(hashToBase64(hex), signal)
    // While it moves from what is foreseen into the index there is a moment in which neither of them tells of it.
    if (found.stage === 'absent' && last.current?.hex === hex) return last.current
    if (found.stage !== 'absent') last.current = { ...found, hex }
    return found
  }
  const isDone = ({ stage }: FoundTrace): boolean => stage === 'final' || hex === undefined
  return useAsk(`trace ${hex}`, find, { pollMs: SECOND / 2, isDone })
}

const absent: FoundTrace = { stage: 'absent', trace: undefined, tree: undefined }

const findTrace = async (hash: string, signal: AbortSignal): Promise<FoundTrace> => {
  const wanted = { include_actions: true, limit: 1 } as const
  const [byMessage, byTransaction, pending] = await Promise.all([
    askV3('traces', { msg_hash: [hash], ...wanted }, signal),
    askV3('traces', { tx_hash: [hash], ...wanted }, signal),
    askV3('pendingTraces', { ext_msg_hash: [hash] }, signal),
  ])
  const whole = byMessage.result.traces[0] ?? byTransaction.result.traces[0]
  if (whole !== undefined) return { stage: 'final', trace: whole, tree: treeOfTrace(whole) }
  const [foreseen] = pending.result.traces
  if (foreseen !== undefined) {
    const hasBegun = Object.values(foreseen.transactions ?? {}).some(({ emulated }) => !emulated)
    return { stage: hasBegun ? 'begun' : 'foreseen', trace: foreseen, tree: treeOfTrace(foreseen) }
  }
  return findBegun(hash, signal)
}

/** What is in blocks of a trace that is not whole, and that nobody foresaw. */
const findBegun = async (hash: string, signal: AbortSignal): Promise<FoundTrace> => {
  const [received, own] = await Promise.all([
    askV3('transactionsByMessage', { msg_hash: [hash], limit: 1 }, signal),
    askV3('transactions', { hash: [hash], limit: 1 }, signal),
  ])
  const first = received.result.transactions[0] ?? own.result.transactions[0]
  if (first === undefined) return absent
  const tree = treeOfTransactions(await followMessages(first, signal))
  return { stage: tree !== undefined && isWhole(tree) ? 'final' : 'begun', trace: undefined, tree }
}

/**
 * What a developer sends in somebody's name is sent by no transaction: the index waits for that one for ever, and never has its trace. It
 * is whole when every message has arrived.
 */
const isWhole = (tree: TreeNode): boolean =>
  tree.message?.source != null && listNodes(tree).every(({ transaction }) => transaction !== undefined)

const MAX_STEPS = 12

const followMessages = async (first: TransactionView, signal: AbortSignal): Promise<TransactionView[]> => {
  const found = [first]
  let last = [first]
  for (let step = 0; step < MAX_STEPS && last.length > 0; step++) {
    const sent = last.flatMap(({ out_msgs }) =>
      out_msgs.flatMap((each) => (each.destination === null ? [] : [each.hash])),
    )
    if (sent.length === 0) break
    const { result } = await askV3('transactionsByMessage', { msg_hash: sent, direction: 'in', limit: 200 }, signal)
    const known = new Set(found.map(({ hash }) => hash))
    last = result.transactions.filter(({ hash }) => !known.has(hash))
    found.push(...last)
  }
  return found
}
