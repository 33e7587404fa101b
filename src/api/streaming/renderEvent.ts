import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Reader } from '../../store/connect/Database.ts'
import type { PendingAction, PendingTransaction } from '../../store/reader/pending.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type {
  AccountTransactionsEvent,
  JettonEvent,
  StateEvent,
  StreamEvent,
  TraceEvent,
} from '../../streaming/events.ts'
import { parseEventId } from '../../streaming/log/eventIds.ts'
import type { EventPart } from '../../streaming/subscription/matchEvent.ts'
import type { Subscription } from '../../streaming/subscription/Subscription.ts'
import type { Dialect } from '../core/Interface.ts'
import { listAsJson, recordAsJson, stringifyJson, textOf } from '../core/json/stringifyJson.ts'
import { AnswerBudget } from '../v3/AnswerBudget.ts'
import { type MetadataRows, readBookRows, readMetadataRows } from '../v3/hydrate/hydrate.ts'
import { tonDialect } from '../v3/index.ts'
import { toAccountStateView } from '../v3/views/accounts.ts'
import { addressesOfActions, toActionView } from '../v3/views/actions.ts'
import { toBlockIdView, toBlockView } from '../v3/views/blocks.ts'
import { toJettonWalletView } from '../v3/views/jettons.ts'
import { addressText, hashText } from '../v3/views/scalars.ts'
import { toTraceTree } from '../v3/views/traces.ts'
import { addressesOfTransactions, toPendingTransactionView } from '../v3/views/transactions.ts'

export type EventRendererParts = {
  readonly decoder: BodyDecoder
  readonly dialect: Dialect
  /** The index, for address books and metadata; without it they are left out. */
  readonly reads: { readonly keyedReads: Reader; readonly listReads: Reader } | undefined
  /** User-friendly addresses have the testnet flag. */
  readonly testOnly: boolean
  /** Newest masterchain block whose events are complete. */
  readonly findHead: () => number | undefined
  /** Characters of rendered events that are kept for further receivers. */
  readonly maxCachedText?: number
  /** Timeout of address book and metadata lookups. */
  readonly lookupMs?: number
}

export interface EventRenderer {
  /** The JSON of a receiver's part of an event. Receivers with equal parts and options get the same text. */
  render(part: EventPart, subscription: Subscription): string | Promise<string>
}

const MAX_CACHED_TEXT = 32 * 1024 * 1024
const LOOKUP_MS = 3000

/** The parts of an event that its receivers share. */
type Shared = {
  readonly budget: AnswerBudget
  /** JSON by index, of transactions or actions of the event. */
  readonly transactions: Map<PendingTransaction, string>
  readonly actions: Map<PendingAction, string>
  /** By key of the part and options. */
  readonly texts: Map<string, string | Promise<string>>
  book: Promise<ReadonlyMap<string, string> | undefined> | undefined
  metadata: Promise<MetadataRows | undefined> | undefined
  /** Characters of all of it. */
  size: number
}

const never: Pick<AbortController, 'signal'> = new AbortController()

/** Renders events as JSON, each part once. */
export const createEventRenderer = (parts: EventRendererParts): EventRenderer => {
  const cache = new LruCache<Shared, StreamEvent>(parts.maxCachedText ?? MAX_CACHED_TEXT)
  const revisions = new Revisions()
  const render = async (part: EventPart, subscription: Subscription, shared: Shared): Promise<string> => {
    const context: RenderContext = { ...part, parts, shared, subscription, revisions }
    const text = stringifyJson(await toEventView(context))
    const spelled = parts.dialect === 'ton' ? tonDialect.applyDialect(text) : text
    shared.size += spelled.length
    cache.set(part.event, shared, shared.size)
    return spelled
  }
  return {
    render(part, subscription) {
      let shared = cache.find(part.event)
      if (shared === undefined) {
        shared = newShared(parts.decoder)
        cache.set(part.event, shared, shared.size)
      }
      const { extended, withAddressBook, withMetadata } = subscription
      const isFinal = subscription.minFinality === 'finalized'
      const flags = Number(extended) + 2 * Number(withAddressBook) + 4 * Number(withMetadata) + 8 * Number(isFinal)
      const key = `${flags} ${part.key}`
      const known = shared.texts.get(key)
      if (known !== undefined) return known
      const text = render(part, subscription, shared)
      shared.texts.set(key, text)
      text.then(
        (known) => shared.texts.set(key, known),
        // A failure is not shared with later receivers.
        () => shared.texts.delete(key),
      )
      return text
    },
  }
}

/** Overhead of an event without texts. */
const SHARED_SIZE = 1000

const newShared = (decoder: BodyDecoder): Shared => ({
  budget: new AnswerBudget(decoder, never),
  transactions: new Map(),
  actions: new Map(),
  texts: new Map(),
  book: undefined,
  metadata: undefined,
  size: SHARED_SIZE,
})

type RenderContext = EventPart & {
  readonly parts: EventRendererParts
  readonly shared: Shared
  readonly subscription: Subscription
  readonly revisions: Revisions
}

type View = { readonly [name: string]: unknown }

const toEventView = async (context: RenderContext): Promise<View> => {
  const { event } = context
  switch (event.kind) {
    case 'tx':
      return toTransactionsView(context, event)
    case 'ac':
      return toActionsView(context, event)
    case 'tr':
      return toWholeTraceView(context, event)
    case 'st':
      return { ...toStateView(context, event), ...toExtendedMembers(context) }
    case 'je':
      return toJettonView(context, event)
    case 'bl': {
      const { block, finality } = event
      const members = { finality, block: toBlockView(block), transactions_count: block.txCount }
      return { type: 'block', ...members, ...toExtendedMembers(context) }
    }
    case 'hd': {
      const { seqno, rootHash, fileHash, genUtime } = event.block
      const hashes = { root_hash: hashText(rootHash), file_hash: hashText(fileHash) }
      const shards = event.shards.map(toBlockIdView)
      const own = { type: 'masterchain_head', seqno, ...hashes, gen_utime: genUtime, shards }
      return { ...own, ...toExtendedMembers(context) }
    }
    case 'invalidated': {
      const own = { type: 'trace_invalidated', trace_external_hash_norm: hashText(event.externalHashNorm) }
      return { ...own, ...toExtendedMembers(context) }
    }
    case 'expired': {
      const own = { type: 'message_expired', trace_external_hash_norm: hashText(event.externalHashNorm) }
      const reason = { reason: event.reason, exit_code: event.exitCode }
      return { ...own, ...reason, ...toExtendedMembers(context) }
    }
    case 'stateInvalidated': {
      const { hash } = toAccountStateView({ hash: event.hash, known: undefined })
      const own = { type: 'state_invalidated', account: addressText(event.account), hash, lt: String(event.lt) }
      return { ...own, ...toExtendedMembers(context) }
    }
  }
}

/** Of extended subscriptions only. */
const toExtendedMembers = ({ event, parts, subscription, revisions }: RenderContext): View => {
  if (!subscription.extended) return {}
  const mcSeqno = Math.max(parts.findHead() ?? 0, event.mcSeqno)
  const revision = 'trace' in event ? revisions.find(event, subscription) : undefined
  return { event_id: event.id, emitted_at: Date.now(), mc_seqno: mcSeqno, revision }
}

/** Members that all events of traces begin with. */
const toTraceMembers = (type: string, { finality, trace }: TraceEvent, { subscription }: RenderContext): View => ({
  type,
  finality,
  trace_external_hash_norm: trace.externalHashNorm === undefined ? null : hashText(trace.externalHashNorm),
  trace_id: subscription.extended && trace.traceId !== undefined ? hashText(trace.traceId) : undefined,
})

const toTransactionsView = async (
  context: RenderContext,
  event: TraceEvent | AccountTransactionsEvent,
): Promise<View> => {
  const { transactions = [] } = context
  const isOfTrace = 'trace' in event
  // The transactions of an account in a block are of several traces: each names its own.
  const common = isOfTrace
    ? toTraceMembers('transactions', event, context)
    : { type: 'transactions', finality: event.finality, trace_external_hash_norm: null }
  const texts = await writeTransactions(context, transactions, isOfTrace ? event.trace.externalHash : undefined)
  const all = isOfTrace ? event.trace.transactions : event.transactions
  return {
    ...common,
    transactions: listAsJson(texts),
    ...(await readBooks(context, () => addressesOfTransactions(all), addressesOfTransactions(transactions))),
    ...toExtendedMembers(context),
  }
}

const toActionsView = async (context: RenderContext, event: TraceEvent): Promise<View> => {
  const { actions = [] } = context
  const all = event.trace.actions ?? []
  return {
    ...toTraceMembers('actions', event, context),
    actions: listAsJson(writeActions(context, actions, event)),
    ...(await readBooks(context, () => addressesWithAccounts(all), addressesWithAccounts(actions))),
    ...toExtendedMembers(context),
  }
}

const addressesWithAccounts = (actions: readonly PendingAction[]): Uint8Array[] => [
  ...addressesOfActions(actions),
  ...actions.flatMap(({ accounts }) => accounts),
]

const toWholeTraceView = async (context: RenderContext, event: TraceEvent): Promise<View> => {
  const { transactions = [], actions = [] } = context
  const { trace } = event
  const texts = await writeTransactions(context, transactions, trace.externalHash)
  const { root, warning } = toTraceTree(transactions)
  const addresses = [...addressesOfTransactions(transactions), ...addressesOfActions(actions)]
  const all = () => [...addressesOfTransactions(transactions), ...addressesOfActions(trace.actions ?? [])]
  return {
    ...toTraceMembers('trace', event, context),
    trace: root,
    transactions: recordAsJson(transactions.map(({ hash }, k) => [hashText(hash), texts[k]!])),
    ...(actions.length > 0 && { actions: listAsJson(writeActions(context, actions, event)) }),
    ...((trace.isIncomplete || warning !== undefined) && { is_incomplete: true }),
    ...(await readBooks(context, all, addresses)),
    ...toExtendedMembers(context),
  }
}

const toStateView = ({ subscription }: RenderContext, event: StateEvent): View => {
  const { finality, account, state, previous } = event
  const own = {
    type: 'account_state_change',
    finality,
    account: addressText(account),
    state: toAccountStateView(state),
  }
  if (!subscription.extended) return own
  const { balance, hash } = toAccountStateView(previous)
  return {
    ...own,
    lt: String(event.lt),
    last_transaction_hash: hashText(event.lastTransactionHash),
    utime: event.utime,
    mc_block_seqno: finality === 'finalized' ? event.mcSeqno : null,
    previous: { balance: previous.hash === undefined ? '0' : balance, hash },
  }
}

const toJettonView = async (context: RenderContext, { finality, wallet }: JettonEvent): Promise<View> => {
  const { address, owner, jetton } = wallet
  const all = [address, owner, jetton]
  const { address_book } = await readBooks(context, () => all, all)
  const { metadata } = await readBooks(context, () => all, [owner, jetton])
  return {
    type: 'jettons_change',
    finality,
    jetton: toJettonWalletView(wallet),
    address_book,
    metadata,
    ...toExtendedMembers(context),
  }
}

/** The JSON of transactions; each is written once per event. */
const writeTransactions = async (
  { shared }: RenderContext,
  transactions: readonly PendingTransaction[],
  externalHash: Uint8Array | undefined,
): Promise<string[]> => {
  const { budget } = shared
  const missing = transactions.filter((each) => !shared.transactions.has(each))
  const texts = await budget.writeTexts(missing, (each) =>
    toPendingTransactionView({ ...each, traceExternalHash: each.traceExternalHash ?? externalHash }, budget),
  )
  missing.forEach((each, k) => {
    // As text: its bytes are a part of a larger buffer, which it would hold.
    const text = textOf(texts[k]!)
    if (!shared.transactions.has(each)) shared.size += text.length
    shared.transactions.set(each, text)
  })
  return transactions.map((each) => shared.transactions.get(each)!)
}

const writeActions = (
  { shared }: RenderContext,
  actions: readonly PendingAction[],
  { trace }: TraceEvent,
): string[] => {
  // As in v3, a system message counts, too.
  const [root] = trace.transactions
  const externalHash = trace.externalHash ?? root?.inMessage?.hash
  const norm = trace.externalHashNorm
  const isNormal = norm === undefined || (externalHash !== undefined && keyText(norm) === keyText(externalHash))
  return actions.map((action) => {
    const known = shared.actions.get(action)
    if (known !== undefined) return known
    const text = stringifyJson(
      toActionView(action, {
        finality: action.finality,
        externalHash,
        externalHashNorm: isNormal ? undefined : norm,
        withAccounts: true,
        transactionsFull: undefined,
      }),
    )
    shared.actions.set(action, text)
    shared.size += text.length
    return text
  })
}

/**
 * Address book and metadata of some addresses, if the receiver wants them. They are looked up once for all addresses of the event. If a lookup
 * fails or takes too long, they are left out; extended receivers get null.
 */
const readBooks = async (
  { parts, shared, subscription }: RenderContext,
  listAll: () => Uint8Array[],
  addresses: readonly Uint8Array[],
): Promise<View> => {
  const { withAddressBook, withMetadata, extended } = subscription
  if (!withAddressBook && !withMetadata) return {}
  const { reads, testOnly, lookupMs = LOOKUP_MS } = parts
  if (withAddressBook) {
    shared.book ??= within(lookupMs, reads && readBookRows({ ...reads, settings: { testOnly } }, listAll()))
  }
  if (withMetadata) shared.metadata ??= within(lookupMs, reads && readMetadataRows(reads, listAll()))
  const [book, metadata] = await Promise.all([
    withAddressBook ? shared.book : undefined,
    withMetadata ? shared.metadata : undefined,
  ])
  const texts = new Set(addresses.map(addressText))
  const missing = extended ? null : undefined
  return {
    ...(withAddressBook && { address_book: book === undefined ? missing : pickRows(book, texts) }),
    ...(withMetadata && {
      metadata: metadata === undefined ? missing : pickRows(metadata.rows, withMasters(texts, metadata)),
    }),
  }
}

const pickRows = (rows: ReadonlyMap<string, string>, names: Iterable<string>): unknown =>
  recordAsJson(
    [...names].flatMap((name): [string, string][] => {
      const row = rows.get(name)
      return row === undefined ? [] : [[name, row]]
    }),
  )

/** The masters of jetton wallets are shown, too. */
const withMasters = (names: ReadonlySet<string>, { masterOf }: MetadataRows): Set<string> => {
  const all = new Set(names)
  for (const name of names) {
    const master = masterOf.get(name)
    if (master !== undefined) all.add(master)
  }
  return all
}

/** The result, or `undefined` if it failed or was not there in time. */
const within = async <T>(ms: number, work: Promise<T> | undefined): Promise<T | undefined> => {
  if (work === undefined) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([work, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const MAX_REVISED = 50_000

/**
 * Numbers of the events of a trace and type. Speculative events are counted in this process. A finalized one is the first for receivers of finalized
 * events, whatever the process, and the last for others.
 */
class Revisions {
  readonly #newest = new LruCache<{ readonly n: number; readonly revision: number }>(MAX_REVISED)

  find({ id, kind, trace, finality }: TraceEvent, { minFinality }: Subscription): number {
    const hash = trace.externalHashNorm ?? trace.traceId
    if (hash === undefined || minFinality === 'finalized') return 1
    const key = `${kind}${keyText(hash)}`
    const newest = this.#newest.find(key)
    if (finality === 'finalized') return (newest?.revision ?? 0) + 1
    const parsed = parseEventId(id)
    const n = 'n' in parsed ? parsed.n : 0
    if (newest !== undefined && n <= newest.n)
      return n === newest.n ? newest.revision : Math.max(1, newest.revision - 1)
    const revision = (newest?.revision ?? 0) + 1
    this.#newest.set(key, { n, revision })
    return revision
  }
}
