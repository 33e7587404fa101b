import { readWhole } from '../../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readMessage } from '../../codec/tlb/Message.ts'
import { toTraceRecord, toTransactionRecord } from '../../emulate/records.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Finality, PendingAction, PendingTrace, PendingTransaction } from '../../store/reader/pending.ts'
import { inLtOrder, type TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { ClassifyTrace } from '../assembleTrace.ts'
import type { DecodedPendingBlock, PendingBlockTransaction } from './decodePendingBlock.ts'

/** An indexed trace that a block continues. */
export type IndexedTrace = { readonly traceId: Uint8Array; readonly transactions: readonly TransactionRecord[] }

/** The indexed traces that sent these messages, by hexadecimal message hash. */
export type FindIndexed = (messageHashes: readonly Uint8Array[]) => Promise<ReadonlyMap<string, IndexedTrace>>

type OpenTrace = {
  readonly key: string
  readonly externalHash: Uint8Array
  readonly externalHashNorm: Uint8Array
  readonly traceId: Uint8Array
  /** Final. */
  real: readonly TransactionRecord[]
  /** By block. */
  readonly confirmed: Map<string, TransactionRecord[]>
}

/** The transactions of a block with the trace of each, if an external-in message started it. */
export type PlacedBlock = {
  readonly transactions: readonly { readonly record: PendingTransaction; readonly traceHash: Uint8Array | undefined }[]
  /** Keys of the traces that it begins or continues. */
  readonly traces: ReadonlySet<string>
}

/** Larger traces have no confirmed events as a whole. */
const MAX_TRACE = 1000

/** Traces with transactions in shard blocks that no masterchain block names yet. */
export class ConfirmedTraces {
  readonly #findIndexed: FindIndexed
  readonly #open = new Map<string, OpenTrace>()
  /** Trace keys by hash of an internal message that a confirmed transaction sent; by block. */
  readonly #sent = new Map<string, Map<string, string>>()

  constructor(findIndexed: FindIndexed) {
    this.#findIndexed = findIndexed
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  /** Adds the transactions of a block to their traces. */
  async add(blockKey: string, block: DecodedPendingBlock): Promise<PlacedBlock> {
    const indexed = await this.#findIndexed(this.#listForeign(block))
    const sent = new Map<string, string>()
    this.#sent.set(blockKey, sent)
    const receivers = new Map(
      block.transactions.flatMap(({ inHash, hash }) => (inHash ? [[inHash, hash] as const] : [])),
    )
    const touched = new Set<string>()
    const transactions = block.transactions.map((each) => {
      const trace = this.#traceOf(each, indexed)
      const facts = {
        traceId: trace?.traceId ?? each.hash,
        externalHash: trace?.externalHash,
        hasExtraFlags: block.hasExtraFlags,
        receivers,
      }
      // Copies: bytes read from cells are views of the whole block.
      const record = withOwnBytes(toTransactionRecord(each, facts))
      if (trace !== undefined) {
        const others = trace.confirmed.get(blockKey)
        if (others === undefined) trace.confirmed.set(blockKey, [record])
        else others.push(record)
        touched.add(trace.key)
        for (const message of record.outMessages)
          if (message.kind === 'internal') sent.set(toHex(message.hash), trace.key)
      }
      return { record: toPending(record, 'confirmed', trace?.traceId), traceHash: trace?.externalHashNorm }
    })
    return { transactions, traces: touched }
  }

  /** Removes a block that was replaced. Returns the keys of the traces of which nothing is left. */
  remove(blockKey: string): string[] {
    this.#sent.delete(blockKey)
    const lost: string[] = []
    for (const trace of [...this.#open.values()]) {
      if (!trace.confirmed.delete(blockKey) || trace.confirmed.size > 0) continue
      this.#open.delete(trace.key)
      if (trace.real.length === 0) lost.push(trace.key)
    }
    return lost
  }

  /** A block is final: its transactions are in the index. */
  settle(blockKey: string, mcSeqno: number): void {
    this.#sent.delete(blockKey)
    for (const trace of [...this.#open.values()]) {
      const records = trace.confirmed.get(blockKey)
      if (records === undefined) continue
      trace.confirmed.delete(blockKey)
      trace.real = [...trace.real, ...records.map((record) => ({ ...record, mcSeqno }))]
      if (trace.confirmed.size === 0) this.#open.delete(trace.key)
    }
  }

  clear(): void {
    this.#open.clear()
    this.#sent.clear()
  }

  /** The trace with its actions; `undefined` while messages of it are in flight. */
  async assemble(key: string, classify: ClassifyTrace | undefined): Promise<PendingTrace | undefined> {
    const trace = this.#open.get(key)
    if (trace === undefined) return undefined
    const { traceId, externalHash, externalHashNorm, real } = trace
    const confirmed = [...trace.confirmed.values()].flat()
    if (real.length + confirmed.length > MAX_TRACE) return undefined
    const records = linkReceivers([...real, ...confirmed])
    if (records === undefined) return undefined
    const sorted = records.toSorted(inLtOrder('asc'))
    const actions = await classify?.(toTraceRecord(traceId, sorted), sorted)
    const final = new Set(real.map(({ hash }) => toHex(hash)))
    const finalityOf = (hash: Uint8Array): Finality => (final.has(toHex(hash)) ? 'finalized' : 'confirmed')
    return {
      externalHash,
      externalHashNorm,
      traceId,
      transactions: sorted.map((record) => toPending(record, finalityOf(record.hash), traceId)),
      actions: actions?.map((action): PendingAction => {
        const isFinal = action.transactions.every((hash) => finalityOf(hash) === 'finalized')
        return { ...action, traceId, finality: isFinal ? 'finalized' : 'confirmed' }
      }),
      isIncomplete: false,
    }
  }

  /** Received messages that no transaction of confirmed blocks sent. */
  #listForeign(block: DecodedPendingBlock): Uint8Array[] {
    const own = new Set(block.transactions.flatMap(({ outMessages }) => outMessages.map((each) => toHex(each.hash()))))
    const isKnown = (hash: string): boolean => own.has(hash) || [...this.#sent.values()].some((sent) => sent.has(hash))
    return block.transactions.flatMap(({ transaction: { inMsg }, inHash }) =>
      inMsg === undefined || inHash === undefined || isKnown(inHash) || findRoot(inMsg) !== undefined
        ? []
        : [inMsg.hash()],
    )
  }

  #traceOf(each: PendingBlockTransaction, indexed: ReadonlyMap<string, IndexedTrace>): OpenTrace | undefined {
    const { inHash, hash } = each
    const { inMsg } = each.transaction
    if (inMsg === undefined || inHash === undefined) return undefined
    const externalHashNorm = findRoot(inMsg)
    if (externalHashNorm !== undefined) {
      return this.#openTrace({ externalHash: inMsg.hash(), externalHashNorm, traceId: hash, real: [] })
    }
    for (const sent of this.#sent.values()) {
      const key = sent.get(inHash)
      if (key !== undefined) return this.#open.get(key)
    }
    const found = indexed.get(inHash)
    const root = found?.transactions.find((record) => toHex(record.hash) === toHex(found.traceId))?.inMessage
    if (found === undefined || root?.kind !== 'externalIn') return undefined
    const { traceId, transactions: real } = found
    return this.#openTrace({ externalHash: root.hash, externalHashNorm: root.normalHash ?? root.hash, traceId, real })
  }

  #openTrace(given: Omit<OpenTrace, 'key' | 'confirmed'>): OpenTrace {
    const key = toHex(given.externalHashNorm)
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const trace = { ...given, key, confirmed: new Map() }
    this.#open.set(key, trace)
    return trace
  }
}

/** The normalized hash of an external-in message; `undefined` for others. */
const findRoot = (cell: NonNullable<PendingBlockTransaction['transaction']['inMsg']>): Uint8Array | undefined => {
  const message = readWhole(cell, readMessage, 'A message')
  return message.info.kind === 'externalIn' ? normalizedExternalHash(message) : undefined
}

/** The records with all receivers of their messages; `undefined` if a message has none. */
const linkReceivers = (records: readonly TransactionRecord[]): TransactionRecord[] | undefined => {
  const receivers = new Map(
    records.flatMap(({ inMessage, hash }) => (inMessage === undefined ? [] : [[toHex(inMessage.hash), hash] as const])),
  )
  let isWhole = true
  const linked = records.map((record) => ({
    ...record,
    outMessages: record.outMessages.map((message) => {
      const receivedBy = message.receivedBy ?? receivers.get(toHex(message.hash))
      if (receivedBy === undefined && message.kind === 'internal') isWhole = false
      return receivedBy === message.receivedBy ? message : { ...message, receivedBy }
    }),
  }))
  return isWhole ? linked : undefined
}

const toPending = (
  record: TransactionRecord,
  finality: Finality,
  traceId: Uint8Array | undefined,
): PendingTransaction => ({ ...record, traceId, isEmulated: false, finality })

/** The same value with copies of all bytes in it. */
const withOwnBytes = <T>(value: T): T => {
  if (value instanceof Uint8Array) return value.slice() as T
  if (Array.isArray(value)) return value.map(withOwnBytes) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withOwnBytes(member)])) as T
}
