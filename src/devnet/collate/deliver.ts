import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cell } from '../../codec/cell/Cell.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { writeMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { ChainDataError } from '../store/errors.ts'
import type { BlockDraft, CachedAccount, Executed, NewMessage, Origin } from './BlockDraft.ts'
import { isInShard, type QueuedMessage } from './messageQueue.ts'
import type { ExternalMessage, RefusedExternal } from './StepRequest.ts'

/** Messages to different accounts run side by side; so many at a time, that a full block is not overrun by far. */
const MAX_TOGETHER = 32

/** A full block takes longer than others in this process may wait. */
const SLICE_MS = 5

/** The returned function lets others have their turn when a slice is over. */
const createPause = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await nextTurn()
    since = performance.now()
  }
}

/** Runs items side by side. Most runs are made at once, on this thread: others have their turn between them, too. */
const runTogether = async <T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  pause: () => Promise<void>,
): Promise<R[]> => {
  const runs: Promise<R>[] = []
  for (const item of items) {
    const started = run(item)
    // It may fail before all have begun; then it is told below.
    started.catch(() => undefined)
    runs.push(started)
    await pause()
  }
  return Promise.all(runs)
}

/** The leading items whose accounts differ: their order among each other does not matter. */
const takeIndependent = <T>(items: readonly T[], from: number, accountOf: (item: T) => Uint8Array): T[] => {
  const seen = new Set<string>()
  const taken: T[] = []
  for (let at = from; at < items.length && taken.length < MAX_TOGETHER; at++) {
    const key = toHex(accountOf(items[at]!))
    if (seen.has(key)) break
    seen.add(key)
    taken.push(items[at]!)
  }
  return taken
}

const destinationOf = ({ info }: Pick<QueuedMessage | NewMessage, 'info'>): Uint8Array => {
  const { destination } = info
  if (destination.kind === 'std') return destination.hash
  throw new ChainDataError('A message goes to an address of unusual length, which this network does not have.')
}

const minLtOf = (draft: BlockDraft): bigint => draft.context.startLt + 1n

const runMessage = async (draft: BlockDraft, account: CachedAccount, message: Cell, origin: Origin) => {
  const run = await draft.run(account, { kind: 'message', message }, minLtOf(draft))
  if (run.kind !== 'executed') {
    throw new ChainDataError(`An internal message was not executed: ${run.reason}.`)
  }
  return () => draft.take(account, run, origin)
}

/** Delivers messages from queues, in their order. Gives how many of them fitted. */
export const deliverQueued = async (draft: BlockDraft, messages: readonly QueuedMessage[]): Promise<number> => {
  let done = 0
  const pause = createPause()
  draft.expectKnown(() => messages.map(destinationOf))
  while (done < messages.length && !draft.isFull) {
    const batch = untilHeld(draft, takeIndependent(messages, done, destinationOf))
    if (batch.length === 0) break
    const run = (message: QueuedMessage) => {
      const { msg, metadata } = message.envelope
      return runMessage(draft, draft.accounts.get(destinationOf(message)), msg, { metadata })
    }
    const runs = await runTogether(batch, run, pause)
    batch.forEach((message, at) => {
      importQueued(draft, message, runs[at]!())
    })
    done += batch.length
  }
  return done
}

/** The messages before the first that has to wait. */
const untilHeld = (draft: BlockDraft, batch: QueuedMessage[]): QueuedMessage[] => {
  if (draft.context.gaps === undefined) return batch
  const held = batch.findIndex((message) => draft.isHeld(destinationOf(message)))
  return held === -1 ? batch : batch.slice(0, held)
}

const importQueued = (draft: BlockDraft, message: QueuedMessage, { cell: transaction }: Executed): void => {
  const { envelopeCell, envelope, hash, key, current } = message
  const reimport = draft.addIn(hash, {
    kind: 'final',
    inMsg: envelopeCell,
    transaction,
    fwdFee: envelope.fwdFeeRemaining,
  })
  draft.pass(message)
  if (!isInShard(draft.context.base.ident, current)) return
  draft.addOut(hash, { kind: 'dequeuedImmediate', outMsg: envelopeCell, reimport })
  draft.queueChanges.push({ kind: 'remove', key })
}

/** Delivers what the block's own transactions sent, as long as it stays in the shard and there is room; queues the rest. */
export const deliverNew = async (draft: BlockDraft, { enqueueOnly }: { enqueueOnly: boolean }): Promise<void> => {
  const { newMessages, context } = draft
  const staysHere = (message: NewMessage): boolean => isInShard(context.base.ident, draft.envelop(message).key)
  const pause = createPause()
  for (;;) {
    await pause()
    const batch: NewMessage[] = []
    const seen = new Set<string>()
    const first = newMessages.peek()
    if (first === undefined) return
    // Messages that these produce have a later lt than all of them, since each transaction and message takes an lt.
    const lastLt = first.lt + 1n
    if (!enqueueOnly) draft.expectKnown(() => newMessages.list().filter(staysHere).map(destinationOf))
    for (let next = newMessages.peek(); next !== undefined && next.lt <= lastLt; next = newMessages.peek()) {
      const isStuck = enqueueOnly || draft.isFull || draft.isHolding || !staysHere(next)
      if (!isStuck && draft.isHeld(destinationOf(next))) draft.isHolding = true
      if (isStuck || draft.isHolding) {
        draft.enqueue(newMessages.pop()!)
        continue
      }
      const account = toHex(destinationOf(next))
      if (seen.has(account) || batch.length >= MAX_TOGETHER) break
      seen.add(account)
      batch.push(newMessages.pop()!)
    }
    const run = (message: NewMessage) =>
      runMessage(draft, draft.accounts.get(destinationOf(message)), message.cell, { metadata: message.metadata })
    const runs = await runTogether(batch, run, pause)
    batch.forEach((message, at) => {
      const { cell: transaction } = runs[at]!()
      const { envelope } = draft.envelop(message)
      const fwdFee = message.info.fwdFee
      const reimport = draft.addIn(message.hash, { kind: 'immediate', inMsg: envelope, transaction, fwdFee })
      draft.addOut(message.hash, { kind: 'immediate', outMsg: envelope, transaction: message.transaction, reimport })
      draft.pass(message)
    })
  }
}

export type ExternalsDone = { readonly included: readonly string[]; readonly refused: readonly RefusedExternal[] }

/** Runs external messages in the order given, until the block is full. */
export const deliverExternals = async (
  draft: BlockDraft,
  messages: readonly ExternalMessage[],
): Promise<ExternalsDone> => {
  const included: string[] = []
  const refused: RefusedExternal[] = []
  const afterInternal = draft.lastInternal === undefined ? 0n : draft.lastInternal.lt + 1n
  const minLt = afterInternal > minLtOf(draft) ? afterInternal : minLtOf(draft)
  let done = 0
  const pause = createPause()
  draft.expectKnown(() => messages.map(({ destination }) => destination.hash))
  while (done < messages.length && !draft.isFull) {
    const taken = takeIndependent(messages, done, ({ destination }) => destination.hash)
    const batch = taken.filter(({ destination }) => !draft.isHeld(destination.hash))
    done += taken.length
    const runs = await runTogether(batch, (message) => tryExternal(draft, message, minLt), pause)
    batch.forEach(({ message, hash }, at) => {
      const run = runs[at]!
      if (run.kind === 'notAccepted') {
        refused.push({ hash, reason: run.reason })
        return
      }
      const { cell: transaction } = draft.take(draft.accounts.get(batch[at]!.destination.hash), run, 'start')
      draft.addIn(message.hash(), { kind: 'external', msg: message, transaction })
      included.push(hash)
    })
  }
  return { included, refused }
}

/** What the virtual machine cannot even read is as little accepted as what the contract does not take. */
const tryExternal = async (draft: BlockDraft, { message, destination }: ExternalMessage, minLt: bigint) => {
  try {
    return await draft.run(draft.accounts.get(destination.hash), { kind: 'message', message }, minLt)
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'vm_input_invalid') throw error
    return { kind: 'notAccepted', reason: error.message } as const
  }
}

/** Delivers a message that no account sent: fees paid out, currencies minted, or one injected by hand. */
export const deliverSpecial = async (
  draft: BlockDraft,
  destination: Uint8Array,
  message: Cell,
  value: CurrencyCollection,
): Promise<Cell> => {
  const account = draft.accounts.get(destination)
  const { cell: transaction } = (await runMessage(draft, account, message, 'start'))()
  const arrived = { kind: 'regular', useDestBits: 96 } as const
  const envelope = writeWhole(writeMsgEnvelope, {
    version: 1,
    curAddr: arrived,
    nextAddr: arrived,
    fwdFeeRemaining: 0n,
    msg: message,
    emittedLt: undefined,
    metadata: undefined,
  })
  draft.mint(value)
  return draft.addIn(message.hash(), { kind: 'immediate', inMsg: envelope, transaction, fwdFee: 0n })
}
