import { encodeLiteQuery, type LiteCall } from '../../../src/codec/tl/liteQuery.ts'
import { openMcStateExtra } from '../../../src/codec/tlb/McStateExtra.ts'
import { findShard } from '../../../src/codec/tlb/ShardHashes.ts'
import { openShardState } from '../../../src/codec/tlb/ShardState.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../../../src/primitives/BlockId.ts'
import { CodedError } from '../../../src/primitives/errors.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { decodeLiteQuery } from '../decodeLiteQuery.ts'
import { type AccountFact, type BlockFact, type NetworkFacts, prefixOf } from './NetworkFacts.ts'

/** Messages that the own network shall take or refuse, as the recorded one did. */
export type OwnMessages = { readonly accepted: Uint8Array; readonly rejected: Uint8Array }

type Account = { readonly workchain: number; readonly id: Uint8Array }

const LATEST = -1
/** Blocks with as many transactions are those that pages of transactions are asked from. */
const BUSY = 4

/** Puts the things of our own network in the place of those of the recorded one: blocks, accounts, transactions, libraries. */
export class Translator {
  private readonly recorded: NetworkFacts
  private readonly own: NetworkFacts
  private readonly messages: OwnMessages

  constructor(recorded: NetworkFacts, own: NetworkFacts, messages: OwnMessages) {
    this.recorded = recorded
    this.own = own
    this.messages = messages
  }

  /** What cannot be read as a question stays as it is: it is meant to be refused. */
  translate(request: Uint8Array): Uint8Array {
    try {
      const { wait, call } = decodeLiteQuery(request)
      const translated = this.translateCall(call)
      if (wait === undefined) return encodeLiteQuery({ call: translated })
      return encodeLiteQuery({ wait: { ...wait, seqno: this.translateWait(wait.seqno) }, call: translated })
    } catch (error) {
      if (error instanceof CodedError) return request
      throw error
    }
  }

  private get head(): number {
    return this.own.store.head!.id.seqno
  }

  /** The recorder waited for the next block, for one twenty blocks ahead, and for one very far. */
  private translateWait(seqno: number): number {
    const ahead = seqno - 423
    return this.head + (ahead < 0 ? 0 : ahead)
  }

  private translateCall(call: LiteCall): LiteCall {
    switch (call.kind) {
      case 'liteServer.getTransactions':
        return { ...call, ...this.translateTransaction(call) }
      case 'liteServer.getOneTransaction': {
        const account = this.findAccount(call.account)
        const found = this.own.findByLt(account.workchain, prefixOf(account.id), account.lastLt)!
        return { ...call, id: found.block.id, account: toAccount(account), lt: account.lastLt }
      }
      case 'liteServer.lookupBlock':
      case 'liteServer.lookupBlockWithProof':
        return this.translateLookup(call)
      case 'liteServer.sendMessage':
        return { ...call, body: this.translateMessage(call.body) }
      case 'liteServer.getLibraries':
      case 'liteServer.getLibrariesWithProof':
        return this.translateParts({
          ...call,
          libraryList: call.libraryList.map((hash) => this.translateLibrary(hash)),
        })
      case 'liteServer.listBlockTransactions':
        return this.translatePage(call)
      default:
        return this.translateParts(call)
    }
  }

  /** Ids of blocks and accounts, wherever they stand. */
  private translateParts<T extends LiteCall>(call: T): T {
    const parts = Object.entries(call).map(([name, value]): [string, unknown] => {
      if (name === 'account') return [name, toAccount(this.findAccount(value as Account))]
      const isBlock = typeof value === 'object' && value !== null && 'rootHash' in value
      return [name, isBlock ? this.translateId(value as BlockIdExt) : value]
    })
    return Object.fromEntries(parts) as T
  }

  private translateId(id: BlockIdExt): BlockIdExt {
    if (id.seqno === LATEST) return id
    if (id.seqno === 0) return this.own.store.zeroStates.find((state) => state.id.workchain === id.workchain)!.id
    const found = this.recorded.findBlock(id)
    if (found !== undefined) return this.translateBlock(found).block.id
    const there = this.recorded.findBlockAt(id.workchain, id.shard, id.seqno)!
    return { ...this.translateBlock(there).block.id, rootHash: id.rootHash }
  }

  /** Blocks with something about them become such blocks; all others become those as far from the end. */
  private translateBlock(fact: BlockFact): BlockFact {
    const alike = this.own.blocks.filter(({ kind }) => kind === fact.kind)
    const { workchain, shard, seqno } = fact.block.id
    if (fact.kind.includes(',')) {
      const place = this.recorded.blocks.filter(({ kind }) => kind === fact.kind).indexOf(fact)
      return alike[Math.min(place, alike.length - 1)]!
    }
    if (workchain === masterchain) {
      const wanted = this.head - (this.recorded.store.head!.id.seqno - seqno)
      return alike.findLast(({ block }) => block.id.seqno <= Math.max(wanted, 2))!
    }
    if (fact.transactions >= BUSY) return alike.reduce((a, b) => (a.transactions >= b.transactions ? a : b))
    const top = this.findTop(shard)
    const back = this.recorded.store.shardTops.find((each) => each.shard === shard)?.seqno ?? seqno
    return this.own.findBlockAt(0, shard, top.seqno - Math.min(3, Math.max(0, back - 8 - seqno))) ?? alike.at(-1)!
  }

  /** The block of a shard that the masterchain block has which stands for the recorder's reference block. */
  private findTop(shard: bigint): { readonly seqno: number } {
    const reference = this.own.store.findMaster(this.head - 5)!
    const state = openShardState(this.own.store.findState(reference.id)!)
    if (state.kind !== 'unsplit' || state.custom === undefined) throw new Error('A masterchain state was expected.')
    const leaf = findShard(openMcStateExtra(state.custom).shardHashes, { workchain: 0, shard })
    if (leaf === undefined) throw new Error('The own network is expected to end with the same two shards.')
    return leaf.descr
  }

  private translateLookup(call: LiteCall<'liteServer.lookupBlock' | 'liteServer.lookupBlockWithProof'>): LiteCall {
    const { id, lt, utime } = call
    const target = this.findLookedUp(id, lt, utime)
    const translated = target === undefined ? undefined : this.translateBlock(target).block
    const parts = this.translateParts(call)
    if (translated === undefined) return parts
    const place: BlockId = { ...translated.id, seqno: id.seqno === 0 ? 0 : translated.id.seqno }
    return {
      ...parts,
      id: { workchain: place.workchain, shard: place.shard, seqno: place.seqno },
      ...(lt === undefined ? {} : { lt: translated.endLt }),
      ...(utime === undefined ? {} : { utime: translated.genUtime }),
    } as LiteCall
  }

  private findLookedUp(id: BlockId, lt: bigint | undefined, utime: number | undefined): BlockFact | undefined {
    if (lt !== undefined) return this.recorded.findByLt(id.workchain, id.shard, lt)
    if (utime === undefined) return this.recorded.findBlockAt(id.workchain, id.shard, id.seqno)
    const found = this.recorded.store.index.findByUtime(id.workchain, id.shard, utime)
    return found && this.recorded.findBlock(found.id)
  }

  /** An account of the same chain and half, in the same state, and with as much of a history as there is. */
  private findAccount({ workchain, id }: Account): AccountFact {
    const known = this.recorded.accounts.get(`${workchain}:${toHex(id)}`)
    if (known === undefined) {
      const none = { status: 'none', hasCurrencies: false, role: undefined, lastLt: 0n, transactions: 0 }
      return { workchain, id, lastHash: new Uint8Array(32), ...none }
    }
    const sides = workchain === masterchain ? [0, 1] : [id[0]! >> 7]
    const alike = sides
      .flatMap((bit) => this.own.listSide(workchain, bit))
      .filter(({ status, role }) => status === known.status && role === known.role)
    const fitting = alike.filter(({ hasCurrencies }) => hasCurrencies === known.hasCurrencies)
    const candidates = fitting.length > 0 ? fitting : alike
    return candidates.reduce((a, b) => (a.transactions >= b.transactions ? a : b))
  }

  /** A hash or a time that fits no transaction stays one that fits none. */
  private translateTransaction({ account, lt, hash }: LiteCall<'liteServer.getTransactions'>): object {
    const own = this.findAccount(account)
    const known = this.recorded.accounts.get(`${account.workchain}:${toHex(account.id)}`)
    const isRightHash = known === undefined || known.lastLt !== lt || toHex(known.lastHash) === toHex(hash)
    const isRightLt = toHex(hash) !== toHex(known?.lastHash ?? hash) || known?.lastLt === lt
    return {
      account: toAccount(own),
      lt: isRightLt ? own.lastLt : own.lastLt + 1n,
      hash: isRightHash ? own.lastHash : hash,
    }
  }

  /** The next page starts behind some transaction of the block. */
  private translatePage(call: LiteCall<'liteServer.listBlockTransactions'>): LiteCall {
    const parts = this.translateParts(call)
    if (call.after === undefined) return parts
    return { ...parts, after: { account: new Uint8Array(32), lt: 0n } }
  }

  private translateLibrary(hash: Uint8Array): Uint8Array {
    const isKnown = this.recorded.libraries.some((known) => toHex(known) === toHex(hash))
    return isKnown ? (this.own.libraries[0] ?? hash) : hash
  }

  /** The recorder sent one that was taken, one with a wrong signature, and two that are refused by any network. */
  private translateMessage(body: Uint8Array): Uint8Array {
    if (body.length === 208) return this.messages.accepted
    return body.length === 128 ? this.messages.rejected : body
  }
}

const toAccount = ({ workchain, id }: Account): Account => ({ workchain, id })
