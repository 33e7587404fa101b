import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, formatUpperRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ExternalMessage } from '../collate/StepOrder.ts'
import { LiteRefusal, NOT_READY } from '../face/LiteRefusal.ts'

export type PoolLimits = {
  readonly maxMessages: number
  readonly maxBytes: number
  readonly maxPerDestination: number
  /** Seconds of network time after which a message that no block took is dropped. */
  readonly lifetime: number
  /** Seconds of network time in which the same message is not taken twice. */
  readonly repeatTime: number
  /** How many messages are remembered for that. */
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
  /** It has a place in the order, but nobody has looked yet whether its contract wants it. */
  readonly isChecked: boolean
  /** The masterchain block that is the first to be allowed to take it. */
  readonly fromSeqno: number
}

/** What brings a pool back to where it was. */
export type PoolState = {
  readonly waiting: ReadonlyMap<string, Waiting>
  readonly taken: ReadonlyMap<string, number>
}

/** Messages that came from outside and wait for a block, in the order in which they came. Nobody can make it grow without end. */
export class Mempool {
  private readonly limits: PoolLimits
  private waiting = new Map<string, Waiting>()
  /** When messages were taken, by hash and in that order: those of the last minute are not taken again. */
  private taken = new Map<string, number>()
  private perDestination = new Map<string, number>()
  private bytes = 0

  constructor(limits: PoolLimits = POOL_LIMITS) {
    this.limits = limits
  }

  get size(): number {
    return this.waiting.size
  }

  /** Whether anything waits for a block, be it a later one. */
  get hasWork(): boolean {
    for (const { isChecked } of this.waiting.values()) if (isChecked) return true
    return false
  }

  /** How many messages to an address wait for a block. */
  countFor(destination: Address): number {
    return this.perDestination.get(placeOf(destination)) ?? 0
  }

  /** Gives a message its place in the order, or refuses it: it is known, or there is no room. */
  claim(external: ExternalMessage, bytes: number, utime: number): void {
    const { maxMessages, maxBytes, maxPerDestination } = this.limits
    const { hash, destination } = external
    this.dropOld(utime)
    if (this.waiting.has(hash) || this.taken.has(hash)) {
      throw new LiteRefusal(0, 'cannot send external message : duplicate message')
    }
    if (this.waiting.size >= maxMessages || this.bytes + bytes > maxBytes) {
      throw refuse(NOT_READY, 'too many pending external message checks')
    }
    if (this.countFor(destination) >= maxPerDestination) {
      throw refuse(0, `too many external messages to address ${placeOf(destination)}`)
    }
    this.put({ external, bytes, utime, isChecked: false, fromSeqno: 0 })
    this.taken.set(hash, utime)
  }

  /** Adds a message of the network's own, which needs no check. */
  addOwn(destination: Address, message: Cell, utime: number): void {
    const hash = toHex(message.hash())
    this.claim({ destination, message, hash }, 0, utime)
    this.confirm(hash, 0)
  }

  /** Says that a claimed message is good for a block from this one on. */
  confirm(hash: string, fromSeqno: number): void {
    const found = this.waiting.get(hash)
    if (found !== undefined) this.waiting.set(hash, { ...found, isChecked: true, fromSeqno })
  }

  /** Forgets a message whose check failed: it may be sent again at once. */
  release(hash: string): void {
    this.remove(hash)
    this.taken.delete(hash)
  }

  /** Takes a message out, as though a block had taken it. */
  remove(hash: string): void {
    const found = this.waiting.get(hash)
    if (found === undefined) return
    this.waiting.delete(hash)
    this.bytes -= found.bytes
    const place = placeOf(found.external.destination)
    const left = (this.perDestination.get(place) ?? 0) - 1
    if (left > 0) this.perDestination.set(place, left)
    else this.perDestination.delete(place)
  }

  /** The messages that the block with this seqno may take. They stay until they are removed. */
  list(seqno: number, most: number): ExternalMessage[] {
    const listed: ExternalMessage[] = []
    for (const { external, isChecked, fromSeqno } of this.waiting.values()) {
      if (listed.length >= most) break
      if (isChecked && fromSeqno <= seqno) listed.push(external)
    }
    return listed
  }

  /** Drops the messages that have waited too long, and forgets old ones. Both lists are in the order of time. */
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

  /** Goes back; messages that are just being checked are forgotten. */
  restore({ waiting, taken }: PoolState): void {
    this.waiting = new Map()
    this.perDestination = new Map()
    this.bytes = 0
    this.taken = new Map(taken)
    for (const each of waiting.values()) this.put(each)
  }

  private put(waiting: Waiting): void {
    const place = placeOf(waiting.external.destination)
    this.waiting.set(waiting.external.hash, waiting)
    this.bytes += waiting.bytes
    this.perDestination.set(place, (this.perDestination.get(place) ?? 0) + 1)
  }
}

const placeOf = (destination: Address): string => formatUpperRawAddress(destination)

/** A refusal as nodes word those that concern the message itself. */
export const refuse = (code: number, reason: string): LiteRefusal =>
  new LiteRefusal(code, `cannot apply external message to current state : ${reason}`)
