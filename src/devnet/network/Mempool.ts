import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, formatUpperRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ExternalMessage } from '../collate/StepRequest.ts'
import { LiteserverError, NOT_READY } from '../liteserver/LiteFunction.ts'

export type PoolLimits = {
  readonly maxMessages: number
  readonly maxBytes: number
  readonly maxPerDestination: number
  /** Network seconds after which an unprocessed message is dropped. */
  readonly lifetime: number
  /** Network seconds in which a duplicate message is rejected. */
  readonly repeatTime: number
  /** Maximum number of remembered hashes. */
  readonly maxRemembered: number
}

export const POOL_LIMITS: PoolLimits = {
  maxMessages: 8000,
  maxBytes: 32 * 1024 * 1024,
  maxPerDestination: 256,
  lifetime: 600,
  repeatTime: 60,
  maxRemembered: 100_000,
}

type Waiting = {
  readonly external: ExternalMessage
  readonly bytes: number
  readonly utime: number
  /** It has a position in the queue, but its contract has not been checked yet. */
  readonly isChecked: boolean
  /** The first masterchain block that may process it. */
  readonly fromSeqno: number
}

/** The state for a snapshot. */
export type PoolState = {
  readonly waiting: ReadonlyMap<string, Waiting>
  readonly taken: ReadonlyMap<string, number>
}

/** External messages waiting for a block, in the order of arrival. The size is limited. */
export class Mempool {
  private readonly limits: PoolLimits
  private waiting = new Map<string, Waiting>()
  /** Time of acceptance by hash, in order: recent messages are rejected as duplicates. */
  private taken = new Map<string, number>()
  private perDestination = new Map<string, number>()
  private bytes = 0

  constructor(limits: PoolLimits = POOL_LIMITS) {
    this.limits = limits
  }

  get size(): number {
    return this.waiting.size
  }

  /** Whether any message waits for a block. */
  get hasWork(): boolean {
    for (const { isChecked } of this.waiting.values()) if (isChecked) return true
    return false
  }

  /** How many messages to an address wait for a block. */
  countFor(destination: Address): number {
    return this.perDestination.get(destinationKey(destination)) ?? 0
  }

  /** Reserves a position for a message, or rejects it as a duplicate or because the pool is full. */
  claim(external: ExternalMessage, bytes: number, utime: number): void {
    const { maxMessages, maxBytes, maxPerDestination } = this.limits
    const { hash, destination } = external
    this.dropOld(utime)
    if (this.waiting.has(hash) || this.taken.has(hash)) {
      throw new LiteserverError(0, 'cannot send external message : duplicate message')
    }
    if (this.waiting.size >= maxMessages || this.bytes + bytes > maxBytes) {
      throw refuse(NOT_READY, 'too many pending external message checks')
    }
    if (this.countFor(destination) >= maxPerDestination) {
      throw refuse(0, `too many external messages to address ${destinationKey(destination)}`)
    }
    this.put({ external, bytes, utime, isChecked: false, fromSeqno: 0 })
    this.taken.set(hash, utime)
  }

  /** Adds a message of the network itself, without checks. */
  addOwn(destination: Address, message: Cell, utime: number): void {
    const hash = toHex(message.hash())
    this.claim({ destination, message, hash }, 0, utime)
    this.confirm(hash, 0)
  }

  /** Confirms a reserved message for blocks from this one on. */
  confirm(hash: string, fromSeqno: number): void {
    const found = this.waiting.get(hash)
    if (found !== undefined) this.waiting.set(hash, { ...found, isChecked: true, fromSeqno })
  }

  /** Removes a message whose check failed; it may be sent again at once. */
  release(hash: string): void {
    this.remove(hash)
    this.taken.delete(hash)
  }

  /** Removes a message as if a block had processed it. */
  remove(hash: string): void {
    const found = this.waiting.get(hash)
    if (found === undefined) return
    this.waiting.delete(hash)
    this.bytes -= found.bytes
    const key = destinationKey(found.external.destination)
    const left = (this.perDestination.get(key) ?? 0) - 1
    if (left > 0) this.perDestination.set(key, left)
    else this.perDestination.delete(key)
  }

  /** The messages for the block with this seqno. They stay until they are removed. */
  list(seqno: number, most: number): ExternalMessage[] {
    const listed: ExternalMessage[] = []
    for (const { external, isChecked, fromSeqno } of this.waiting.values()) {
      if (listed.length >= most) break
      if (isChecked && fromSeqno <= seqno) listed.push(external)
    }
    return listed
  }

  /** Drops expired messages and old hashes. Both lists are ordered by time. */
  dropOld(utime: number): void {
    const { lifetime, repeatTime, maxRemembered } = this.limits
    for (const [hash, waiting] of this.waiting) {
      if (waiting.utime + lifetime > utime) break
      this.remove(hash)
    }
    for (const [hash, taken] of this.taken) {
      if (taken + repeatTime > utime && this.taken.size <= maxRemembered) break
      this.taken.delete(hash)
    }
  }

  save(): PoolState {
    return { waiting: new Map([...this.waiting].filter(([, { isChecked }]) => isChecked)), taken: new Map(this.taken) }
  }

  /** Reverts to a snapshot; messages being checked are dropped. */
  restore({ waiting, taken }: PoolState): void {
    this.waiting = new Map()
    this.perDestination = new Map()
    this.bytes = 0
    this.taken = new Map(taken)
    for (const each of waiting.values()) this.put(each)
  }

  private put(waiting: Waiting): void {
    const key = destinationKey(waiting.external.destination)
    this.waiting.set(waiting.external.hash, waiting)
    this.bytes += waiting.bytes
    this.perDestination.set(key, (this.perDestination.get(key) ?? 0) + 1)
  }
}

const destinationKey = (destination: Address): string => formatUpperRawAddress(destination)

/** A rejection with the error text of a node. */
export const refuse = (code: number, reason: string): LiteserverError =>
  new LiteserverError(code, `cannot apply external message to current state : ${reason}`)
