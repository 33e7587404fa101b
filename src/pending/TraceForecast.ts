import type { LiveChain, LiveNode } from '../chain/LiveChain.ts'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readCommonMsgInfo, readMessage } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import { listOutMsgs, readTransaction } from '../codec/tlb/Transaction.ts'
import { type Address, parseAddressKey } from '../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'
import { AccountStates, type Emulation, type EmulationLimits, emulate, type RunPlace, RunPlaces } from './emulate.ts'

/** A message from outside that a node has taken. */
export type SentMessage = {
  readonly cell: Cell
  readonly hash: Uint8Array
  /** The one that it has however it is packed. */
  readonly normalHash: Uint8Array
  readonly destination: Address
}

/** `undefined` where no account can receive it. */
export const openSentMessage = (cell: Cell): SentMessage | undefined => {
  const message = readWhole(cell, readMessage, 'A message')
  if (message.info.kind !== 'externalIn') return undefined
  const destination = findStandardAddress(message.info.destination)
  if (destination === undefined) return undefined
  return { cell, hash: cell.hash(), normalHash: normalizedExternalHash(message), destination }
}

export type ForecastOptions = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly limits?: EmulationLimits
  /** Seconds. */
  readonly now?: () => number
}

export type Forecast = {
  readonly emulation: Emulation
  /** The masterchain block after whose state it was made. */
  readonly seqno: number
  readonly hasExtraFlags: boolean
}

const LIMITS: EmulationLimits = { transactions: 100, depth: 50, gas: 100_000_000n, timeMs: 2000 }
/** Nodes have this much longer than the virtual machine before it is given up altogether. */
const SPARE_MS = 4000

/** Says what messages will lead to, by running them on the accounts as they are after a masterchain block. */
export class TraceForecast {
  readonly #options: ForecastOptions
  readonly #places = new RunPlaces()

  constructor(options: ForecastOptions) {
    this.#options = options
  }

  /** What a message from outside leads to: after the newest block, unless another is named. */
  foresee({ cell }: SentMessage, seqno?: number): Promise<Forecast> {
    return this.#work(async (node) => {
      const block = seqno === undefined ? await node.getHead() : await findBlock(node, seqno)
      return this.#run(node, block, [cell])
    })
  }

  /**
   * What the messages lead to that transactions of the index have sent and nobody has received yet: on the states after the last of
   * these, or after a later block up to which nobody has, either.
   */
  foreseeRest(records: readonly TransactionRecord[], upTo = 0): Promise<Forecast> {
    const seqno = Math.max(upTo, ...records.map(({ mcSeqno }) => mcSeqno))
    return this.#work(async (node) => {
      const block = await findBlock(node, seqno)
      return this.#run(node, block, await readUnderWay(node, records))
    })
  }

  #work<T>(work: (node: LiveNode) => Promise<T>): Promise<T> {
    const { chain, limits = LIMITS } = this.#options
    return chain.withNode({ signal: AbortSignal.timeout(limits.timeMs + SPARE_MS) }, work)
  }

  async #run(node: LiveNode, block: BlockIdExt, messages: readonly Cell[]): Promise<Forecast> {
    const { vm, limits = LIMITS, now = readClock } = this.#options
    const states = new AccountStates(node, block)
    // The node looks for the accounts while it is asked for the rest.
    for (const message of messages) expectReceiver(states, message)
    const place: RunPlace = await this.#places.get(node, block)
    const emulation = await emulate({ vm, place, states, now: now(), limits }, messages)
    return { emulation, seqno: block.seqno, hasExtraFlags: place.hasExtraFlags }
  }
}

const expectReceiver = (states: AccountStates, message: Cell): void => {
  const info = readCommonMsgInfo(openCell(message))
  const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
  if (to !== undefined) states.expect(to)
}

const readClock = (): number => Math.floor(Date.now() / 1000)

const findBlock = async (node: LiveNode, seqno: number): Promise<BlockIdExt> =>
  (await node.lookupBlock({ workchain: masterchain, shard: wholeShard }, { seqno })).id

/** The messages that are under way, as their senders have them. */
const readUnderWay = async (node: LiveNode, records: readonly TransactionRecord[]): Promise<Cell[]> => {
  const received = new Set(records.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [toHex(inMessage.hash)])))
  const open = records.flatMap((record) => {
    const hashes = record.outMessages.filter(({ kind, hash }) => kind === 'internal' && !received.has(toHex(hash)))
    return hashes.length === 0 ? [] : [{ record, hashes: new Set(hashes.map(({ hash }) => toHex(hash))) }]
  })
  const cells = await Promise.all(
    open.map(async ({ record: { account, lt, hash }, hashes }) => {
      const address = parseAddressKey(account)
      if (typeof address === 'string') return []
      const { transactions } = await node.getTransactions(address, { lt, hash }, 1)
      const [first] = transactions
      if (first === undefined) return []
      const sent = listOutMsgs(readWhole(first.transaction, readTransaction, 'A transaction'))
      return sent.filter((message) => hashes.has(toHex(message.hash())))
    }),
  )
  return cells.flat()
}
