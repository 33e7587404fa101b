import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import type { Finality, PendingAction, PendingTransaction } from '../../store/reader/pending.ts'
import { inLtOrder, keyText } from '../../store/reader/TransactionRecord.ts'
import type { AccountTransactionsEvent, FactsByAccount, StreamEvent, TraceEvent } from '../events.ts'
import { passesFilters } from './filters.ts'
import type { Subscription } from './Subscription.ts'

/** What a receiver gets of an event. */
export type EventPart = {
  readonly event: StreamEvent
  /** Receivers whose parts have the same key get the same content. */
  readonly key: string
  /** Of `tx` and `tr`, in the order of the wire: `tx` by logical time, descending; `tr` ascending. */
  readonly transactions?: readonly PendingTransaction[]
  /** Of `ac` and `tr`: by end, then start, descending. `undefined` if the trace is not classified. */
  readonly actions?: readonly PendingAction[] | undefined
}

const ranks: Readonly<Record<Finality, number>> = { pending: 0, confirmed: 1, finalized: 2 }

/**
 * The part of an event that a subscription gets; `undefined` if none. Invalidations match every subscription below `finalized`: the
 * connection sends them only if it sent an event of the trace (or the state) below `finalized` and none that was `finalized`.
 */
export const matchEvent = (subscription: Subscription, event: StreamEvent): EventPart | undefined => {
  const { types, minFinality, extended } = subscription
  switch (event.kind) {
    case 'hd':
      return subscription.heads ? { event, key: '' } : undefined
    case 'bl':
      return types.has('blocks') ? { event, key: '' } : undefined
    case 'expired':
      return extended && minFinality !== 'finalized' ? { event, key: '' } : undefined
    case 'invalidated':
      return minFinality === 'finalized' ? undefined : { event, key: '' }
    case 'stateInvalidated':
      return extended && minFinality !== 'finalized' ? { event, key: '' } : undefined
    case 'st':
      return types.has('account_state_change') ? toWholePart(subscription, event) : undefined
    case 'je':
      return types.has('jettons_change') ? toWholePart(subscription, event) : undefined
    case 'tx':
      return types.has('transactions') ? toTransactionsPart(subscription, event) : undefined
    case 'ac':
      return types.has('actions') ? toActionsPart(subscription, event) : undefined
    case 'tr':
      return types.has('trace') ? toTracePart(subscription, event) : undefined
  }
}

const isFinalEnough = ({ minFinality }: Subscription, { finality }: StreamEvent): boolean =>
  ranks[finality] >= ranks[minFinality]

/** Traces that no external message started are for extended subscriptions. */
const isOfKnownCause = ({ extended }: Subscription, { trace }: TraceEvent): boolean =>
  extended || trace.externalHashNorm !== undefined

const toWholePart = (subscription: Subscription, event: StreamEvent): EventPart | undefined =>
  isFinalEnough(subscription, event) && keysOf(event).subjects.some((subject) => selects(subscription, subject))
    ? { event, key: '' }
    : undefined

const toTransactionsPart = (
  subscription: Subscription,
  event: TraceEvent | AccountTransactionsEvent,
): EventPart | undefined => {
  const isOfTrace = 'trace' in event
  if (subscription.deliver !== (isOfTrace ? 'trace' : 'transaction') || !isFinalEnough(subscription, event))
    return undefined
  if (isOfTrace && !isOfKnownCause(subscription, event)) return undefined
  const { subjects } = keysOf(event)
  const all = isOfTrace ? event.trace.transactions : event.transactions
  const chosen = chooseIndexes(
    all,
    (transaction, k) => selects(subscription, subjects[k]!) && passesFilters(subscription.filters, transaction),
  )
  if (chosen.length === 0) return undefined
  const transactions = chosen.map((k) => all[k]!).sort(inLtOrder('desc'))
  return { event, key: partKey(chosen, all.length), transactions }
}

const toActionsPart = (subscription: Subscription, event: TraceEvent): EventPart | undefined => {
  if (!isFinalEnough(subscription, event) || !isOfKnownCause(subscription, event)) return undefined
  const { actions } = keysOf(event)
  const all = event.trace.actions ?? []
  const chosen = chooseIndexes(
    all,
    (action, k) => isShownAction(subscription, action) && selectsAction(subscription, actions[k]!),
  )
  if (chosen.length === 0) return undefined
  return { event, key: partKey(chosen, all.length), actions: chosen.map((k) => all[k]!).sort(latestFirst) }
}

const toTracePart = (subscription: Subscription, event: TraceEvent): EventPart | undefined => {
  if (!isFinalEnough(subscription, event) || !isOfKnownCause(subscription, event)) return undefined
  const { traceHash, subjects } = keysOf(event)
  const isNamed = traceHash !== undefined && subscription.traceHashes.has(traceHash)
  const isTouched = subscription.tracesByAddress && subjects.some((subject) => selects(subscription, subject))
  if (!isNamed && !isTouched) return undefined
  const { transactions, actions } = event.trace
  if (actions === undefined) return { event, key: 'unclassified', transactions, actions }
  const chosen = chooseIndexes(actions, (action) => isShownAction(subscription, action))
  const shown = chosen.map((k) => actions[k]!).sort(latestFirst)
  return { event, key: partKey(chosen, actions.length), transactions, actions: shown }
}

const chooseIndexes = <T>(all: readonly T[], isChosen: (item: T, index: number) => boolean): number[] => {
  const chosen: number[] = []
  all.forEach((item, k) => {
    if (isChosen(item, k)) chosen.push(k)
  })
  return chosen
}

const partKey = (chosen: readonly number[], count: number): string =>
  chosen.length === count ? 'all' : chosen.join(',')

const latestFirst = (a: PendingAction, b: PendingAction): number =>
  compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt)

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Its type passes both lists: it is understood, and no action that contains it is. */
const isShownAction = (
  { actionTypes, supportedTypes }: Subscription,
  { type, shownType, ancestorTypes }: PendingAction,
): boolean =>
  (actionTypes.size === 0 || actionTypes.has(type) || (shownType !== undefined && actionTypes.has(shownType))) &&
  supportedTypes.has(type) &&
  !ancestorTypes.some((ancestor) => supportedTypes.has(ancestor))

/** An account, or a jetton wallet with its owner. */
type Subject = {
  readonly addresses: readonly string[]
  readonly codeHash: string | undefined
  readonly jettonMaster: string | undefined
}

type ActionKeys = {
  readonly accounts: readonly string[]
  /** Code hashes of its accounts. */
  readonly codeHashes: readonly string[]
  /** Addresses of its assets. */
  readonly assets: readonly string[]
}

/** The keys that subscriptions select an event by. */
type EventKeys = {
  /** Of `tx` and `tr`: one for each transaction. Of `st` and `je`: one. */
  readonly subjects: readonly Subject[]
  /** Of `ac`: one for each action. */
  readonly actions: readonly ActionKeys[]
  readonly traceHash: string | undefined
}

/** Whether a subscription selects an account: by its address, and by the filters that may stand instead of one. */
const selects = (subscription: Subscription, subject: Subject): boolean =>
  selectsAny(subscription, subject.addresses) &&
  passesSet(subscription.filters.jettonMasters, subject.jettonMaster) &&
  passesSet(subscription.filters.codeHashes, subject.codeHash)

const selectsAction = (subscription: Subscription, { accounts, codeHashes, assets }: ActionKeys): boolean => {
  const { jettonMasters, codeHashes: codes } = subscription.filters
  if (!selectsAny(subscription, accounts)) return false
  if (jettonMasters !== undefined && !assets.some((asset) => jettonMasters.has(asset))) return false
  return codes === undefined || codeHashes.some((hash) => codes.has(hash))
}

const selectsAny = ({ addresses, selectsByFilter }: Subscription, keys: readonly string[]): boolean =>
  addresses === 'all' || selectsByFilter || keys.some((key) => addresses.has(key))

const passesSet = (wanted: ReadonlySet<string> | undefined, key: string | undefined): boolean =>
  wanted === undefined || (key !== undefined && wanted.has(key))

const known = new WeakMap<StreamEvent, EventKeys>()

/** Computed once per event, whatever the number of receivers. */
export const keysOf = (event: StreamEvent): EventKeys => {
  let keys = known.get(event)
  if (keys === undefined) {
    keys = findKeys(event)
    known.set(event, keys)
  }
  return keys
}

const findKeys = (event: StreamEvent): EventKeys => {
  switch (event.kind) {
    case 'st':
      return { ...noKeys, subjects: [toSubject(event.account, event.facts, event.state.known?.codeHash)] }
    case 'je': {
      const { address, owner, jetton, codeHash } = event.wallet
      const addresses = [keyText(address), keyText(owner)]
      return { ...noKeys, subjects: [{ addresses, codeHash: keyText(codeHash), jettonMaster: keyText(jetton) }] }
    }
    case 'tx':
      if (!('trace' in event)) return { ...noKeys, subjects: toSubjects(event.transactions, event.facts) }
      return { ...noKeys, subjects: toSubjects(event.trace.transactions, event.trace.facts) }
    case 'tr': {
      const { transactions, facts, externalHashNorm } = event.trace
      const traceHash = externalHashNorm && keyText(externalHashNorm)
      return { subjects: toSubjects(transactions, facts), actions: [], traceHash }
    }
    case 'ac': {
      const { transactions, facts, actions = [] } = event.trace
      const codes = new Map(toSubjects(transactions, facts).map(({ addresses, codeHash }) => [addresses[0]!, codeHash]))
      return { ...noKeys, actions: actions.map((action) => toActionKeys(action, codes)) }
    }
    case 'bl':
    case 'hd':
    case 'expired':
    case 'invalidated':
    case 'stateInvalidated':
      return noKeys
  }
}

const noKeys: EventKeys = { subjects: [], actions: [], traceHash: undefined }

const toSubject = (
  account: Uint8Array,
  facts: FactsByAccount | undefined,
  codeHash: Uint8Array | undefined,
): Subject => {
  const address = keyText(account)
  const { jettonMaster, codeHash: knownCode } = facts?.get(address) ?? {}
  const code = codeHash ?? knownCode
  return { addresses: [address], codeHash: code && keyText(code), jettonMaster: jettonMaster && keyText(jettonMaster) }
}

/** Blocks do not show all states: the code of an account is then that of another transaction. */
const toSubjects = (transactions: readonly PendingTransaction[], facts: FactsByAccount | undefined): Subject[] => {
  const subjects = transactions.map((each) => {
    const { account, stateAfter, stateBefore } = each
    return toSubject(account, facts, stateAfter.known?.codeHash ?? stateBefore.known?.codeHash)
  })
  const codes = new Map(
    subjects.flatMap(({ addresses, codeHash }) => (codeHash ? [[addresses[0]!, codeHash] as const] : [])),
  )
  return subjects.map((each) =>
    each.codeHash === undefined ? { ...each, codeHash: codes.get(each.addresses[0]!) } : each,
  )
}

const toActionKeys = (action: PendingAction, codes: ReadonlyMap<string, string | undefined>): ActionKeys => {
  const accounts = action.accounts.map(keyText)
  const codeHashes = accounts.map((account) => codes.get(account)).filter((code) => code !== undefined)
  return { accounts, codeHashes, assets: findAssets(action.details) }
}

const rawAddress = /^-?[0-9]{1,3}:[0-9A-F]{64}$/

/** Keys of the addresses in members that name assets, such as `asset`, `asset_in` and `assets`. */
const findAssets = (details: unknown): string[] => {
  const found: string[] = []
  const look = (value: unknown, isAsset: boolean): void => {
    if (typeof value === 'string') {
      if (isAsset && rawAddress.test(value)) found.push(keyText(addressKeyOf(parseAddress(value))))
    } else if (Array.isArray(value)) for (const item of value) look(item, isAsset)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) look(member, isAsset || /asset|jetton/.test(name))
    }
  }
  look(details, false)
  return found
}
