import type { LiveChain, LiveNode } from '../chain/LiveChain.ts'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readCommonMsgInfo, readMessage } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import { listOutMsgs, readTransaction } from '../codec/tlb/Transaction.ts'
import { type Emulation, type EmulationLimits, emulate, type Moment } from '../emulate/emulate.ts'
import { AccountStates, type ChainContext, ChainContexts, type FollowedAccount } from '../emulate/World.ts'
import { type Address, parseAddressKey } from '../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'

/** An external-in message that a node has accepted. */
export type SentMessage = {
  readonly cell: Cell
  readonly hash: Uint8Array
  /** The normalized hash. */
  readonly normalHash: Uint8Array
  readonly destination: Address
}

/** `undefined` if no account can receive it. */
export const openSentMessage = (cell: Cell): SentMessage | undefined => {
  const message = readWhole(cell, readMessage, 'A message')
  if (message.info.kind !== 'externalIn') return undefined
  const destination = findStandardAddress(message.info.destination)
  if (destination === undefined) return undefined
  return { cell, hash: cell.hash(), normalHash: normalizedExternalHash(message), destination }
}

export type EmulatorOptions = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly limits?: EmulationLimits
  /** Seconds. */
  readonly now?: () => number
}

export type EmulatedTrace = {
  readonly emulation: Emulation
  /** The masterchain block of the emulated state. */
  readonly seqno: number
  readonly hasExtraFlags: boolean
}

const LIMITS: EmulationLimits = { transactions: 100, depth: 50, gas: 100_000_000n, timeMs: 2000 }
/** Extra time for node requests beyond the VM time limit. */
const SPARE_MS = 4000

/** Emulates messages on the account states after a masterchain block. */
export class TraceEmulator {
  readonly #options: EmulatorOptions
  readonly #places = new ChainContexts()

  constructor(options: EmulatorOptions) {
    this.#options = options
  }

  /** Emulates an external-in message after a block, by default the newest. */
  emulate({ cell }: SentMessage, seqno?: number): Promise<EmulatedTrace> {
    return this.#work(async (node) => {
      const block = seqno === undefined ? await node.getHead() : await findBlock(node, seqno)
      return this.#run(node, block, [cell])
    })
  }

  /**
   * Emulates the messages in flight of indexed transactions: on the states after the last of these, or after a later block in which they
   * are still in flight.
   */
  emulateRest(records: readonly TransactionRecord[], upTo = 0): Promise<EmulatedTrace> {
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

  async #run(node: LiveNode, block: BlockIdExt, messages: readonly Cell[]): Promise<EmulatedTrace> {
    const { vm, limits = LIMITS, now = readClock } = this.#options
    const states = new AccountStates(node, block)
    // Prefetch the accounts while other requests run.
    for (const message of messages) expectReceiver(states, message)
    const place: ChainContext = await this.#places.get(node, block)
    const momentOf = createMoments(now())
    const emulation = await emulate({ vm, place, states, momentOf, limits, toleratesFailures: true }, messages)
    return { emulation, seqno: block.seqno, hasExtraFlags: place.hasExtraFlags }
  }
}

const expectReceiver = (states: AccountStates, message: Cell): void => {
  const info = readCommonMsgInfo(openCell(message))
  const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
  if (to !== undefined) states.expect(to)
}

/** A state that is further behind the clock belongs to a chain with its own time. */
const MAX_LAG_S = 120
const LT_STEP = 1_000_000n

/** The next block of an account. `now` is the Unix time, if the clock is more accurate than the newest state. */
const createMoments =
  (now: number) =>
  ({ genUtime, genLt }: FollowedAccount): Moment => ({
    now: now - genUtime > MAX_LAG_S ? genUtime : Math.max(now, genUtime),
    // The expected start lt of the next block.
    lt: (genLt / LT_STEP + 1n) * LT_STEP + 1n,
  })

const readClock = (): number => Math.floor(Date.now() / 1000)

const findBlock = async (node: LiveNode, seqno: number): Promise<BlockIdExt> =>
  (await node.lookupBlock({ workchain: masterchain, shard: wholeShard }, { seqno })).id

/** The messages in flight, as their senders created them. */
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
