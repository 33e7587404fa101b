import { masterchain } from '../../primitives/BlockId.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import type { Block } from '../../store/reader/blocks.ts'
import type { JettonBalance, WalletFacts } from '../../store/reader/eventRows.ts'
import type { PendingAction, PendingTransaction } from '../../store/reader/pending.ts'
import { inLtOrder, keyText } from '../../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../../store/reader/traces.ts'
import type { AccountFacts, BlockEvents, EventKind, FactsByAccount, StreamEvent, StreamTrace } from '../events.ts'
import { compareFinalized, type FinalizedId, formatEventId, subjectOf } from './eventIds.ts'

/** A trace that ended in the block. */
export type TraceRows = {
  readonly trace: TraceRecord
  readonly transactions: readonly PendingTransaction[]
  readonly actions: readonly PendingAction[]
}

/** What the index has about a masterchain block. */
export type BlockRows = {
  readonly mcSeqno: number
  readonly utime: number
  /** The masterchain block and the shard blocks that it was the first to include. */
  readonly blocks: readonly Block[]
  /** The newest block of each shard. */
  readonly tops: readonly Block[]
  /** Those of these blocks. */
  readonly transactions: readonly PendingTransaction[]
  readonly traces: readonly TraceRows[]
  /** Jetton wallets among the accounts. */
  readonly wallets: readonly WalletFacts[]
  readonly balances: readonly JettonBalance[]
}

type Common = Pick<StreamEvent, 'id' | 'finality' | 'mcSeqno' | 'utime'>

/** An event without its id. */
type Draft = {
  readonly kind: EventKind
  /** The largest logical time that the event holds. */
  readonly lt: bigint
  /** A trace hash, account or block hash; the id has its first bytes. */
  readonly subject: Uint8Array
  /** Tells apart subjects with equal first bytes. */
  readonly key: Uint8Array
  readonly make: (common: Common) => StreamEvent
}

/** The events of a block, in order. The same rows give the same events, in whatever order they come. */
export const makeBlockEvents = (rows: BlockRows): BlockEvents => {
  const { mcSeqno, utime } = rows
  const facts = listFacts(rows)
  const drafts = [
    ...draftAccounts(rows, facts),
    ...draftWallets(rows),
    ...draftTraces(rows, facts),
    ...draftBlocks(rows),
  ]
  return { mcSeqno, utime, events: numberDrafts(drafts, mcSeqno, utime) }
}

type Placed = { readonly id: FinalizedId; readonly draft: Draft }

/**
 * Accounts of two workchains may have equal hashes. Of events that would get the same id, those after the first get another
 * subject, computed from the whole key.
 */
const numberDrafts = (drafts: readonly Draft[], mcSeqno: number, utime: number): StreamEvent[] => {
  const placed = drafts.map((draft): Placed => {
    const { lt, kind, subject } = draft
    return { draft, id: { mcSeqno, lt, kind, subject: subjectOf(subject) } }
  })
  placed.sort((a, b) => compareFinalized(a.id, b.id) || compareBytes(a.draft.key, b.draft.key))
  let isSorted = true
  let before: FinalizedId | undefined
  for (const [k, { id, draft }] of placed.entries()) {
    if (before !== undefined && compareFinalized(before, id) === 0) {
      placed[k] = { draft, id: { ...id, subject: subjectOf(sha256(draft.key)) } }
      isSorted = false
    }
    before = id
  }
  if (!isSorted) placed.sort((a, b) => compareFinalized(a.id, b.id))
  return placed.map(({ id, draft }) => draft.make({ id: formatEventId(id), finality: 'finalized', mcSeqno, utime }))
}

/** Code of every account, and the master of every jetton wallet. */
const listFacts = ({ transactions, traces, wallets }: BlockRows): FactsByAccount => {
  const facts = new Map<string, AccountFacts>()
  const learn = ({ account, stateAfter }: PendingTransaction): void => {
    const codeHash = stateAfter.known?.codeHash
    if (codeHash !== undefined) facts.set(keyText(account), { codeHash })
  }
  // Later transactions last: those of the block itself.
  for (const { transactions: members } of traces) for (const member of members) learn(member)
  for (const transaction of transactions) learn(transaction)
  for (const { address, jetton } of wallets) {
    const key = keyText(address)
    facts.set(key, { ...facts.get(key), jettonMaster: jetton })
  }
  return facts
}

/** What the accounts did, whatever became of the traces, and their states afterwards. */
const draftAccounts = function* ({ transactions }: BlockRows, facts: FactsByAccount): Generator<Draft> {
  const byAccount = new Map<string, PendingTransaction[]>()
  for (const transaction of transactions) {
    const key = keyText(transaction.account)
    const others = byAccount.get(key)
    if (others === undefined) byAccount.set(key, [transaction])
    else others.push(transaction)
  }
  for (const own of byAccount.values()) {
    own.sort(inLtOrder('asc'))
    const first = own[0]!
    const last = own.at(-1)!
    const { account, lt } = last
    const place = { lt, subject: account.subarray(account.length - HASH_BYTES), key: account }
    yield { ...place, kind: 'tx', make: (common) => ({ ...common, kind: 'tx', account, transactions: own, facts }) }
    yield {
      ...place,
      kind: 'st',
      make: (common) => ({
        ...common,
        kind: 'st',
        account,
        state: last.stateAfter,
        previous: first.stateBefore,
        lt,
        lastTransactionHash: last.hash,
        facts,
      }),
    }
  }
}

const HASH_BYTES = 32

/** Owner and master are those that the index knows, the hashes those of the transaction. */
const draftWallets = function* ({ balances, wallets, transactions }: BlockRows): Generator<Draft> {
  if (balances.length === 0) return
  const factsOf = new Map(wallets.map((wallet) => [keyText(wallet.address), wallet]))
  const lastOf = new Map(
    transactions.map((transaction) => [placeText(transaction.account, transaction.lt), transaction]),
  )
  for (const { address, lt, balance } of balances) {
    const known = lastOf.get(placeText(address, lt))?.stateAfter.known
    const facts = factsOf.get(keyText(address))
    if (known?.codeHash === undefined || known.dataHash === undefined || facts === undefined) continue
    const { codeHash, dataHash } = known
    const wallet = { address, balance, owner: facts.owner, jetton: facts.jetton, lastLt: lt, codeHash, dataHash }
    const subject = address.subarray(address.length - HASH_BYTES)
    yield { kind: 'je', lt, subject, key: address, make: (common) => ({ ...common, kind: 'je', lt, wallet }) }
  }
}

const placeText = (account: Uint8Array, lt: bigint): string => `${keyText(account)} ${lt}`

const draftTraces = function* ({ traces }: BlockRows, facts: FactsByAccount): Generator<Draft> {
  for (const { trace: record, transactions, actions } of traces) {
    const { traceId, endLt: lt } = record
    const sorted = transactions.toSorted(inLtOrder('asc'))
    const root = sorted.find(({ hash }) => keyText(hash) === keyText(traceId))
    const message = root?.inMessage?.kind === 'externalIn' ? root.inMessage : undefined
    const trace: StreamTrace = {
      externalHash: message?.hash,
      externalHashNorm: message?.normalHash ?? message?.hash,
      traceId,
      transactions: sorted,
      actions,
      isIncomplete: sorted.length !== record.transactions,
      facts,
    }
    const place = { lt, subject: trace.externalHashNorm ?? traceId, key: traceId }
    for (const kind of TRACE_KINDS) {
      if (kind === 'ac' && actions.length === 0) continue
      yield { ...place, kind, make: (common) => ({ ...common, kind, trace }) }
    }
  }
}

const TRACE_KINDS = ['tx', 'ac', 'tr'] as const

const draftBlocks = function* ({ blocks, tops }: BlockRows): Generator<Draft> {
  let lastLt = 0n
  for (const block of blocks) {
    const { rootHash, endLt } = block
    if (endLt > lastLt) lastLt = endLt
    yield {
      kind: 'bl',
      lt: endLt,
      subject: rootHash,
      key: rootHash,
      make: (common) => ({ ...common, kind: 'bl', block }),
    }
  }
  const head = blocks.find(({ workchain }) => workchain === masterchain)
  if (head === undefined) return
  const shards = tops.map(({ workchain, shard, seqno, rootHash, fileHash }) => ({
    workchain,
    shard,
    seqno,
    rootHash,
    fileHash,
  }))
  const { rootHash } = head
  yield {
    kind: 'hd',
    lt: lastLt,
    subject: rootHash,
    key: rootHash,
    make: (common) => ({ ...common, kind: 'hd', block: head, shards }),
  }
}
