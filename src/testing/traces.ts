import type { Transaction } from '@ton/core'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../codec/tlb/Block.ts'
import { listOutMsgs, readTransaction } from '../codec/tlb/Transaction.ts'
import type { Network } from '../devnet/network/createNetwork.ts'
import type { StoredBlock } from '../devnet/store/blockRow.ts'
import type { ChainStore } from '../devnet/store/ChainStore.ts'
import { toHex } from '../primitives/hex.ts'
import { core, toCoreCell } from './core.ts'
import { TraceUnfinishedError } from './errors.ts'
import type { ExternalOut, SendResult, TestEvent, TestTransaction } from './transactions.ts'

/** Blocks made for a trace in manual mode before it counts as endless. */
const MAX_BLOCKS = 200
/** Milliseconds without a new block in the other modes. */
const MAX_WAIT_MS = 60_000

/** A transaction of a trace, and the block that has it. */
export type TracedTransaction = {
  readonly cell: Cell
  readonly block: StoredBlock
  readonly account: Uint8Array
  readonly lt: bigint
}

type Found = TracedTransaction & { readonly sent: readonly string[] }

/**
 * Follows a message through the chain to the last transaction of its trace. With manual mining it makes the blocks for that;
 * otherwise it waits for them.
 */
export const followTrace = async (
  { store, controls }: Network,
  message: Uint8Array,
  fromSeqno: number,
): Promise<readonly TracedTransaction[]> => {
  const transactions: TracedTransaction[] = []
  let waiting: readonly string[] = [toHex(message)]
  let made = 0
  for (let seqno = fromSeqno; ; seqno++) {
    while (seqno > headSeqno(store)) {
      if (controls.getStatus().mining.mode !== 'manual') await waitForBlock(store, seqno, transactions.length)
      else if (made++ < MAX_BLOCKS) await controls.mine(1)
      else throw unfinished(`${MAX_BLOCKS} blocks`, transactions.length)
    }
    const found = indexBlocks(store, seqno)
    const queue = [...waiting]
    const later: string[] = []
    for (let hash = queue.shift(); hash !== undefined; hash = queue.shift()) {
      const transaction = found.get(hash)
      if (transaction === undefined) later.push(hash)
      else {
        transactions.push(transaction)
        queue.push(...transaction.sent)
      }
    }
    waiting = later
    if (waiting.length === 0) return transactions
  }
}

export const headSeqno = ({ head }: ChainStore): number => head?.id.seqno ?? 0

const waitForBlock = async (store: ChainStore, seqno: number, done: number): Promise<void> => {
  const signal = AbortSignal.timeout(MAX_WAIT_MS)
  try {
    await store.waitForMaster(seqno, signal)
  } catch (error) {
    throw signal.aborted ? unfinished(`${MAX_WAIT_MS / 1000} s`, done) : error
  }
}

const unfinished = (within: string, done: number): TraceUnfinishedError =>
  new TraceUnfinishedError(`The trace of the message did not end within ${within}: it has ${done} transactions so far.`)

/** The transactions of a masterchain block and of the shard blocks it includes, by the hash of their incoming message. */
const indexBlocks = (store: ChainStore, seqno: number): ReadonlyMap<string, Found> => {
  const found = new Map<string, Found>()
  const master = store.findMaster(seqno)
  if (master === undefined)
    throw new TraceUnfinishedError(`Block ${seqno} was reverted while its messages were followed.`)
  for (const block of [...store.index.listIncluded(seqno), master]) {
    for (const [, { transactions }] of openAccountBlocks(
      openBlockExtra(openBlock(store.getRoot(block.id)).extra),
    ).entries()) {
      for (const [, cell] of transactions.entries()) {
        const transaction = readTransaction(openCell(cell))
        if (transaction.inMsg === undefined) continue
        const sent = listOutMsgs(transaction).filter(isInternal)
        const { accountAddr: account, lt } = transaction
        const traced = { cell, block, account, lt, sent: sent.map((out) => toHex(out.hash())) }
        found.set(toHex(transaction.inMsg.hash()), traced)
      }
    }
  }
  return found
}

/** int_msg_info$0 */
const isInternal = (message: Cell): boolean => !openCell(message).readBit()

/** The result of a test for the transactions of a trace. */
export const toSendResult = (traced: readonly TracedTransaction[]): SendResult => {
  const transactions = traced.map(({ cell }) => toTestTransaction(cell))
  const senders = new Map<string, TestTransaction>()
  for (const tx of transactions) {
    const parent = tx.inMessage?.info.type === 'internal' ? senders.get(keyOf(tx.inMessage.info)) : undefined
    if (parent !== undefined) {
      tx.parent = parent
      parent.children.push(tx)
    }
    for (const { info } of tx.outMessages.values()) if (info.type === 'internal') senders.set(keyOf(info), tx)
  }
  return joinResults([
    {
      transactions,
      events: transactions.flatMap(({ events }) => events),
      externals: transactions.flatMap(({ externals }) => externals),
    },
  ])
}

export const joinResults = (results: readonly SendResult[]): SendResult => ({
  transactions: results.flatMap(({ transactions }) => transactions),
  events: results.flatMap(({ events }) => events),
  externals: results.flatMap(({ externals }) => externals),
})

/** An account gives no two of its messages the same logical time. */
const keyOf = ({ src, createdLt }: { readonly src: { toRawString(): string }; readonly createdLt: bigint }): string =>
  `${src.toRawString()} ${createdLt}`

const toTestTransaction = (cell: Cell): TestTransaction => {
  const tx = core().loadTransaction(toCoreCell(cell).beginParse())
  return Object.assign(tx, { parent: undefined, children: [], externals: listExternals(tx), events: listEvents(tx) })
}

const listExternals = ({ outMessages }: Transaction): ExternalOut[] =>
  outMessages.values().flatMap(({ info, init, body }) => (info.type === 'external-out' ? [{ info, init, body }] : []))

const listEvents = (tx: Transaction): TestEvent[] => {
  const account = tx.inMessage?.info.type === 'external-out' ? undefined : tx.inMessage?.info.dest
  const [was, is] = [tx.oldStatus, tx.endStatus].map((status) => status === 'active' || status === 'frozen')
  const events: TestEvent[] = []
  if (account != null && was === false && is === true) events.push({ type: 'account_created', account })
  for (const { info, body } of tx.outMessages.values()) {
    if (info.type !== 'internal') continue
    const { src: from, dest: to, value, bounced } = info
    events.push({ type: 'message_sent', from, to, value: value.coins, body, bounced })
  }
  if (account != null && was === true && is === false) events.push({ type: 'account_destroyed', account })
  return events
}
