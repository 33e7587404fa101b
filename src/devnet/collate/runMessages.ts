import { buildAccount } from '../../chain/buildAccount.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type AccountState, accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { writeMessage } from '../../codec/tlb/Message.ts'
import type { Address } from '../../primitives/Address.ts'
import type { Neighbour } from './BaseState.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { excessOf } from './currencies.ts'
import { deliverExternals, deliverNew, deliverQueued, deliverSpecial, type ExternalsDone } from './deliver.ts'
import {
  compareMessages,
  type FindEndLt,
  isInShard,
  isProcessed,
  listQueue,
  type ProcessedEntry,
  type QueuedMessage,
} from './messageQueue.ts'
import type { AccountOverride, ExternalMessage, ImportedAccount, InjectedMessage } from './StepRequest.ts'

/** The messages that wait for a shard in all queues it looks into, in the order in which it has to take them. */
const listInbound = (
  draft: BlockDraft,
  neighbours: readonly Neighbour[],
  findEndLt: FindEndLt,
): { readonly waiting: readonly QueuedMessage[]; readonly passed: readonly QueuedMessage[] } => {
  const { ident, processed } = draft.context.base
  const mine = neighbours.flatMap(({ messages }) => messages.filter(({ key }) => isInShard(ident, key)))
  const waiting: QueuedMessage[] = []
  const passed: QueuedMessage[] = []
  for (const message of mine) (isProcessed(processed, message, findEndLt) ? passed : waiting).push(message)
  return { waiting: waiting.sort(compareMessages), passed }
}

/** Takes out of a shard's own queue what neighbours say they have taken in. */
const dequeueDelivered = (
  draft: BlockDraft,
  own: readonly QueuedMessage[],
  neighbours: readonly Neighbour[],
  findEndLt: FindEndLt,
): void => {
  const { hasShortDequeue } = draft.context.rules
  for (const message of own) {
    const receiver = neighbours.find(
      ({ ident, processed }) => ident.workchain === message.key.workchain && isProcessed(processed, message, findEndLt),
    )
    if (receiver === undefined) continue
    const { key, envelopeCell, hash } = message
    const importBlockLt = receiver.endLt
    draft.addOut(
      hash,
      hasShortDequeue
        ? {
            kind: 'dequeuedShort',
            msgEnvHash: envelopeCell.hash(),
            nextWorkchain: key.workchain,
            nextAddrPfx: key.prefix,
            importBlockLt,
          }
        : { kind: 'dequeued', outMsg: envelopeCell, importBlockLt },
    )
    draft.queueChanges.push({ kind: 'remove', key })
  }
}

/** What the block adds to the shard's record of messages taken in. */
export const processedBy = (
  draft: BlockDraft,
  { mcSeqno, mcLt, isInboundEmpty }: { mcSeqno: number; mcLt: bigint; isInboundEmpty: boolean },
): ProcessedEntry | undefined => {
  const { shard } = draft.context.base.ident
  const { lastInternal } = draft
  if (lastInternal !== undefined) {
    return { shard, mcSeqno, lastMsgLt: lastInternal.lt, lastMsgHash: lastInternal.hash }
  }
  if (!isInboundEmpty || mcLt <= 1n) return undefined
  return { shard, mcSeqno, lastMsgLt: mcLt - 1n, lastMsgHash: LAST_HASH }
}

const LAST_HASH = new Uint8Array(32).fill(0xff)

/** The cell of an internal message that is made by the network itself. */
export const specialMessage = (
  message: Pick<InjectedMessage, 'source' | 'destination' | 'value' | 'bounce'> & Partial<InjectedMessage>,
  createdLt: bigint,
  createdAt: number,
): Cell => {
  const { stateInit, body } = message
  return writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: message.bounce,
      bounced: false,
      source: toMsgAddress(message.source),
      destination: toMsgAddress(message.destination),
      value: message.value,
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt,
      createdAt,
    },
    init: stateInit && { inRef: true, value: stateInit },
    body: body === undefined || (body.bits === 0 && body.refCount === 0) ? wholeSlice(emptyCell) : body,
  })
}

const toMsgAddress = ({ workchain, hash }: Address) => ({ kind: 'std', workchain, hash, anycast: undefined }) as const

/** Delivers the messages that were put in by hand. Each has an lt of its own, so that no two are the same message. */
const injectMessages = async (draft: BlockDraft, injected: readonly InjectedMessage[]): Promise<Cell[]> => {
  const { startLt, run } = draft.context
  const hashes: Cell[] = []
  for (const [at, message] of injected.entries()) {
    const cell = specialMessage(message, startLt - BigInt(injected.length - 1 - at), run.now)
    await deliverSpecial(draft, message.destination.hash, cell, message.value ?? ZERO_CURRENCY)
    hashes.push(cell)
  }
  return hashes
}

/** Brings accounts of a forked network into the state, as they are there. */
const importAccounts = (draft: BlockDraft, imports: readonly ImportedAccount[]): void => {
  for (const { address, account } of imports) {
    const booked = draft.accounts.get(address.hash)
    if (booked.original !== undefined) continue
    const opened = openAccount(account.account)
    booked.current = account
    if (opened.kind === 'account') draft.mint(opened.balance)
  }
}

/** Sets accounts to what a developer wants. What they have more or less by that is booked as minted or burned. */
const overrideAccounts = (draft: BlockDraft, overrides: readonly AccountOverride[]): void => {
  for (const { address, balance, state } of overrides) {
    const booked = draft.accounts.get(address.hash)
    const before = openAccount(booked.current.account)
    const oldBalance = before.kind === 'account' ? before.balance : ZERO_CURRENCY
    const newBalance = state?.kind === 'none' ? ZERO_CURRENCY : (balance ?? oldBalance)
    const account =
      state?.kind === 'none'
        ? accountNoneCell
        : buildAccount({
            address,
            balance: newBalance,
            state: toState(state, before.kind === 'account' ? before.state : undefined),
            lastTransLt: before.kind === 'account' ? before.lastTransLt : 0n,
            lastPaid: before.kind === 'account' ? before.storage.lastPaid : draft.context.run.now,
          })
    booked.current = { ...booked.current, account }
    bookDifference(draft, oldBalance, newBalance)
  }
}

const toState = (wanted: AccountOverride['state'], before: AccountState | undefined): AccountState =>
  wanted === undefined || wanted.kind === 'none' ? (before ?? { kind: 'uninit' }) : wanted

const bookDifference = (draft: BlockDraft, before: CurrencyCollection, after: CurrencyCollection): void => {
  draft.mint(excessOf(after, before))
  draft.burn(excessOf(before, after))
}

/** What a block is to hold besides what follows from the chain. */
export type BlockRequest = {
  readonly externals: readonly ExternalMessage[]
  readonly injected: readonly InjectedMessage[]
  readonly overrides: readonly AccountOverride[]
  readonly imports: readonly ImportedAccount[]
}

export type MessageSources = {
  /** All shards whose queues are looked into, itself left out. */
  readonly neighbours: readonly Neighbour[]
  readonly findEndLt: FindEndLt
  readonly holdInternal: boolean
}

/** What runs besides messages, in a masterchain block. */
export type OwnRuns = { begin(): Promise<void>; end(): Promise<void> }

export type MessagesRun = ExternalsDone & {
  /** No message waits that the block could have taken. */
  readonly isInboundEmpty: boolean
}

/** Runs everything that a block has to run, in the order of the reference. */
export const runMessages = async (
  draft: BlockDraft,
  { externals, injected, overrides, imports }: BlockRequest,
  { neighbours, findEndLt, holdInternal }: MessageSources,
  ownRuns?: OwnRuns,
): Promise<MessagesRun> => {
  const { base } = draft.context
  const { ident, genLt: endLt, processed } = base
  const own: Neighbour = { ident, endLt, processed, messages: listQueue(base.outQueue) }
  const all = [own, ...neighbours]
  overrideAccounts(draft, overrides)
  dequeueDelivered(draft, own.messages, all, findEndLt)
  await ownRuns?.begin()
  const { waiting, passed } = listInbound(draft, all, findEndLt)
  for (const message of passed) draft.pass(message)
  const delivered = holdInternal ? 0 : await deliverQueued(draft, waiting)
  const isInboundEmpty = delivered === waiting.length
  await injectMessages(draft, injected)
  const done = await deliverExternals(draft, externals)
  // New messages may not overtake waiting ones.
  await deliverNew(draft, { enqueueOnly: !isInboundEmpty || holdInternal })
  await ownRuns?.end()
  await deliverNew(draft, { enqueueOnly: true })
  // Last, so that nothing in this block runs on them.
  importAccounts(draft, imports)
  return { ...done, isInboundEmpty }
}
