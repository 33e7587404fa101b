import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import type { BlockId } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { ExtraAmounts } from '../../store/schema/codes.ts'
import type { TouchedAccount } from '../blockSets.ts'
import type { AccountAfter, FoundTransaction } from './findTransactions.ts'

/** The touched accounts of a block set as columns: transferring objects would cost more than everything else. */
export type PackedAccounts = {
  /** The blocks of their last transactions. */
  readonly blockIds: readonly BlockId[]
  readonly placeNumbers: Uint16Array<ArrayBuffer>
  /** The key, then four hashes: see below. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lastLts: BigInt64Array<ArrayBuffer>
  readonly nows: Int32Array<ArrayBuffer>
  /** Status number (see {@link STATUSES}) and a bit for each hash present. */
  readonly flags: Uint8Array<ArrayBuffer>
  readonly balances: BigUint64Array<ArrayBuffer>
  /** Balances that do not fit there. */
  readonly largeBalances: ReadonlyMap<number, bigint>
  readonly extraCurrencies: ReadonlyMap<number, ExtraAmounts>
}

const STATUSES = ['nonexist', 'uninit', 'frozen', 'active'] as const
const STATUS_BITS = 3
const HAS_CODE = 4
const HAS_DATA = 8
const HAS_FROZEN = 16
const MAX_BALANCE = 2n ** 64n - 1n

const LAST_HASH = ADDRESS_KEY_BYTES
const STATE_HASH = LAST_HASH + 32
// A frozen account has no code.
const CODE_HASH = STATE_HASH + 32
const DATA_HASH = CODE_HASH + 32
const ROW_BYTES = DATA_HASH + 32

/** Packs accounts. `hash` is that of the last transaction. */
class AccountPacker {
  private readonly packed: PackedAccounts & { blockIds: BlockId[] }
  private readonly largeBalances = new Map<number, bigint>()
  private readonly extraCurrencies = new Map<number, ExtraAmounts>()
  private readonly placeNumbers = new Map<BlockId, number>()
  private used = 0

  constructor(count: number) {
    this.packed = {
      blockIds: [],
      placeNumbers: new Uint16Array(count),
      bytes: new Uint8Array(count * ROW_BYTES),
      lastLts: new BigInt64Array(count),
      nows: new Int32Array(count),
      flags: new Uint8Array(count),
      balances: new BigUint64Array(count),
      largeBalances: this.largeBalances,
      extraCurrencies: this.extraCurrencies,
    }
  }

  add({ account, block, lt, now, stateAfter }: FoundTransaction, after: AccountAfter, hash: Uint8Array): void {
    const k = this.used++
    const { placeNumbers, bytes, lastLts, nows, balances, flags } = this.packed
    const { status, balance, extraCurrencies, frozenHash, codeHash, dataHash } = after
    const at = k * ROW_BYTES
    placeNumbers[k] = this.numberOf(block.id)
    bytes.set(account, at)
    bytes.set(hash, at + LAST_HASH)
    bytes.set(stateAfter, at + STATE_HASH)
    let bits: number = STATUSES.indexOf(status)
    if (frozenHash !== undefined) {
      bits |= HAS_FROZEN
      bytes.set(frozenHash, at + CODE_HASH)
    } else if (codeHash !== undefined) {
      bits |= HAS_CODE
      bytes.set(codeHash, at + CODE_HASH)
    }
    if (dataHash !== undefined) {
      bits |= HAS_DATA
      bytes.set(dataHash, at + DATA_HASH)
    }
    flags[k] = bits
    lastLts[k] = lt
    nows[k] = now
    balances[k] = balance
    if (balance > MAX_BALANCE) this.largeBalances.set(k, balance)
    if (extraCurrencies !== undefined) this.extraCurrencies.set(k, extraCurrencies)
  }

  take(): PackedAccounts {
    return this.packed
  }

  private numberOf(id: BlockId): number {
    const known = this.placeNumbers.get(id)
    if (known !== undefined) return known
    const number = this.packed.blockIds.push({ workchain: id.workchain, shard: id.shard, seqno: id.seqno }) - 1
    this.placeNumbers.set(id, number)
    return number
  }
}

/** Accounts that read their fields from the columns on access. */
export const openAccounts = (packed: PackedAccounts): readonly TouchedAccount[] =>
  Array.from(packed.lastLts, (_, k) => new PackedAccount(packed, k))

class PackedAccount implements TouchedAccount {
  private readonly packed: PackedAccounts
  private readonly k: number

  constructor(packed: PackedAccounts, k: number) {
    this.packed = packed
    this.k = k
  }

  get account(): Uint8Array {
    const at = this.k * ROW_BYTES
    return this.packed.bytes.subarray(at, at + ADDRESS_KEY_BYTES)
  }

  get workchain(): number {
    return this.place.workchain
  }

  get blockShard(): bigint {
    return this.place.shard
  }

  get blockSeqno(): number {
    return this.place.seqno
  }

  get lastLt(): bigint {
    return this.packed.lastLts[this.k]!
  }

  get lastHash(): Uint8Array {
    return this.hashAt(LAST_HASH)
  }

  get now(): number {
    return this.packed.nows[this.k]!
  }

  get stateHash(): Uint8Array {
    return this.hashAt(STATE_HASH)
  }

  get status(): TouchedAccount['status'] {
    return STATUSES[this.packed.flags[this.k]! & STATUS_BITS]!
  }

  get balance(): bigint {
    return this.packed.largeBalances.get(this.k) ?? this.packed.balances[this.k]!
  }

  get extraCurrencies(): ExtraAmounts | undefined {
    return this.packed.extraCurrencies.get(this.k)
  }

  get frozenHash(): Uint8Array | undefined {
    return this.has(HAS_FROZEN) ? this.hashAt(CODE_HASH) : undefined
  }

  get codeHash(): Uint8Array | undefined {
    return this.has(HAS_CODE) ? this.hashAt(CODE_HASH) : undefined
  }

  get dataHash(): Uint8Array | undefined {
    return this.has(HAS_DATA) ? this.hashAt(DATA_HASH) : undefined
  }

  private get place(): BlockId {
    return this.packed.blockIds[this.packed.placeNumbers[this.k]!]!
  }

  private has(bit: number): boolean {
    return (this.packed.flags[this.k]! & bit) !== 0
  }

  private hashAt(offset: number): Uint8Array {
    const at = this.k * ROW_BYTES + offset
    return this.packed.bytes.subarray(at, at + 32)
  }
}

/** Packs each account after its last transaction, in the order of those. `transactions` are by lt. */
export const packTouchedAccounts = (transactions: readonly FoundTransaction[], hashes: Uint8Array): PackedAccounts => {
  const last = listLast(transactions)
  const packer = new AccountPacker(last.length)
  for (const k of last) {
    const transaction = transactions[k]!
    packer.add(transaction, transaction.after!, hashes.subarray(32 * k, 32 * k + 32))
  }
  return packer.take()
}

/** Indexes of each account's last transaction. Within a block, only the last one has the resulting state. */
const listLast = (transactions: readonly FoundTransaction[]): readonly number[] => {
  const ofBlocks: number[] = []
  for (let k = 0; k < transactions.length; k++) if (transactions[k]!.after !== undefined) ofBlocks.push(k)
  if (haveOwnAccounts(new Set(ofBlocks.map((k) => transactions[k]!.block.id)))) return ofBlocks
  const last = new Map<string, number>()
  for (const k of ofBlocks) {
    const { account } = transactions[k]!
    const key = Buffer.from(account.buffer, account.byteOffset, account.length).toString('latin1')
    last.delete(key)
    last.set(key, k)
  }
  return [...last.values()]
}

/** Whether no two blocks can share an account. Most block sets have one block of each shard. */
const haveOwnAccounts = (ids: ReadonlySet<BlockId>): boolean => {
  const seen: BlockId[] = []
  for (const id of ids) {
    if (seen.some((other) => haveCommonAccounts(id, other))) return false
    seen.push(id)
  }
  return true
}

const haveCommonAccounts = (a: BlockId, b: BlockId): boolean =>
  a.workchain === b.workchain &&
  (a.shard === b.shard || isShardAncestor(a.shard, b.shard) || isShardAncestor(b.shard, a.shard))
