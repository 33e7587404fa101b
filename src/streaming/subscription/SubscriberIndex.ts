import type { StreamEvent } from '../events.ts'
import { keysOf } from './matchEvent.ts'
import type { Subscription } from './Subscription.ts'

/** Several subscribers of one key. */
class Group<T> extends Set<T> {}

/** Most keys have one subscriber, which is then stored without a set. */
class KeyMap<T extends object> {
  private readonly entries = new Map<string, T | Group<T>>()

  add(key: string, subscriber: T): void {
    const entry = this.entries.get(key)
    if (entry === undefined) this.entries.set(key, subscriber)
    else if (entry instanceof Group) entry.add(subscriber)
    else if (entry !== subscriber) this.entries.set(key, new Group([entry, subscriber]))
  }

  delete(key: string, subscriber: T): void {
    const entry = this.entries.get(key)
    if (entry === subscriber) this.entries.delete(key)
    if (!(entry instanceof Group)) return
    entry.delete(subscriber)
    const [left] = entry
    if (entry.size === 1 && left !== undefined) this.entries.set(key, left)
  }

  collect(key: string | undefined, into: Set<T>): void {
    const entry = key === undefined ? undefined : this.entries.get(key)
    if (entry instanceof Group) for (const each of entry) into.add(each)
    else if (entry !== undefined) into.add(entry)
  }

  get size(): number {
    return this.entries.size
  }
}

/**
 * Finds the subscribers that an event may match, by its accounts, trace, jetton masters and code hashes: the cost depends on the event, not
 * on the number of subscribers. `matchEvent` decides.
 */
export class SubscriberIndex<T extends object> {
  private readonly subscriptions = new Map<T, Subscription>()
  private readonly byAddress = new KeyMap<T>()
  private readonly byTraceHash = new KeyMap<T>()
  private readonly byMaster = new KeyMap<T>()
  private readonly byCode = new KeyMap<T>()
  private readonly everything = new Set<T>()
  private readonly blocks = new Set<T>()
  private readonly heads = new Set<T>()
  private readonly speculative = new Set<T>()

  /** Replaces the subscription of a subscriber; `undefined` removes it. */
  set(subscriber: T, subscription: Subscription | undefined): void {
    const former = this.subscriptions.get(subscriber)
    if (former === subscription) return
    if (former !== undefined) this.remove(subscriber, former)
    if (subscription === undefined) this.subscriptions.delete(subscriber)
    else {
      this.subscriptions.set(subscriber, subscription)
      this.insert(subscriber, subscription)
    }
  }

  find(event: StreamEvent): ReadonlySet<T> {
    if (event.kind === 'bl') return this.blocks
    if (event.kind === 'hd') return this.heads
    if (event.kind === 'invalidated' || event.kind === 'expired' || event.kind === 'stateInvalidated')
      return this.speculative
    const found = new Set(this.everything)
    const { subjects, actions, traceHash } = keysOf(event)
    this.byTraceHash.collect(traceHash, found)
    for (const { addresses, codeHash, jettonMaster } of subjects) {
      for (const address of addresses) this.byAddress.collect(address, found)
      this.byMaster.collect(jettonMaster, found)
      this.byCode.collect(codeHash, found)
    }
    for (const { accounts, codeHashes, assets } of actions) {
      for (const account of accounts) this.byAddress.collect(account, found)
      for (const asset of assets) this.byMaster.collect(asset, found)
      for (const codeHash of codeHashes) this.byCode.collect(codeHash, found)
    }
    return found
  }

  /** Number of subscribers. */
  get size(): number {
    return this.subscriptions.size
  }

  /** Whether a subscriber gets events that are not final. */
  get hasSpeculative(): boolean {
    return this.speculative.size > 0
  }

  /** Number of keys that subscribers are found by. */
  get keyCount(): number {
    return this.byAddress.size + this.byTraceHash.size + this.byMaster.size + this.byCode.size
  }

  private insert(subscriber: T, subscription: Subscription): void {
    for (const [map, keys] of this.keysOf(subscription)) for (const key of keys) map.add(key, subscriber)
    for (const set of this.setsOf(subscription)) set.add(subscriber)
  }

  private remove(subscriber: T, subscription: Subscription): void {
    for (const [map, keys] of this.keysOf(subscription)) for (const key of keys) map.delete(key, subscriber)
    for (const set of this.setsOf(subscription)) set.delete(subscriber)
  }

  /** One condition that must hold suffices; the rest is checked by `matchEvent`. */
  private *keysOf(subscription: Subscription): Iterable<[KeyMap<T>, ReadonlySet<string>]> {
    const { addresses, selectsByFilter, traceHashes, filters } = subscription
    yield [this.byTraceHash, traceHashes]
    if (addresses !== 'all') yield [this.byAddress, addresses]
    if (!selectsByFilter) return
    if (filters.jettonMasters !== undefined) yield [this.byMaster, filters.jettonMasters]
    else if (filters.codeHashes !== undefined) yield [this.byCode, filters.codeHashes]
  }

  private *setsOf({ addresses, types, heads, minFinality }: Subscription): Iterable<Set<T>> {
    if (addresses === 'all') yield this.everything
    if (types.has('blocks')) yield this.blocks
    if (heads) yield this.heads
    if (minFinality !== 'finalized') yield this.speculative
  }
}
