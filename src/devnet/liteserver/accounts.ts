import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerAccountId } from '../../codec/tl/liteServerTypes.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { findShardOfAccount } from '../../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { shardContains } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove, proveState } from '../store/prove.ts'
import {
  type BlockAndState,
  encodeStateProof,
  loadBlockAndState,
  loadMasterBlockAndState,
  NO_BLOCK,
  newestMaster,
  openMasterExtra,
  openState,
} from './blockAccess.ts'
import { type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

/** An account located from a reference block. */
export type LocatedAccount = {
  /** The reference: the block asked about, or the newest. */
  readonly reference: BlockAndState
  /** The block whose state holds the account, which may be the reference itself; absent where there is no such shard. */
  readonly holder: BlockAndState | undefined
}

const LATEST = -1

/** Locates an account after a masterchain block, after the newest one (seqno −1), or after a block of its shard. */
export const locateAccount = (store: ChainStore, id: BlockIdExt, account: LiteServerAccountId): LocatedAccount => {
  expectReference(id, account)
  if (id.workchain !== masterchain) {
    const block = loadBlockAndState(store, id)
    return { reference: block, holder: block }
  }
  const master = loadMasterBlockAndState(store, id.seqno === LATEST ? newestMaster(store) : id)
  if (account.workchain === masterchain) return { reference: master, holder: master }
  const shardBlock = findShardBlock(master.state, account)
  return { reference: master, holder: shardBlock && loadBlockAndState(store, shardBlock) }
}

const expectReference = (id: BlockIdExt, account: LiteServerAccountId): void => {
  const refuse = (text: string): never => {
    throw new LiteserverError(REQUEST_ERROR, text)
  }
  if (id.workchain !== masterchain && id.workchain !== account.workchain)
    refuse('reference block for a getAccountState() must belong to the masterchain')
  if (id.workchain === NO_BLOCK.workchain) refuse('reference block id for a getAccountState() is invalid')
  if (id.workchain === account.workchain && !shardContains(id.shard, getU64BE(account.id, 0)))
    refuse('requested account id is not contained in the shard of the reference block')
}

const findShardBlock = (masterState: Cell, { workchain, id }: LiteServerAccountId): BlockIdExt | undefined => {
  const { shardHashes } = openMasterExtra(openState(masterState))
  const leaf = findShardOfAccount(shardHashes, workchain, getU64BE(id, 0))
  if (leaf === undefined) return undefined
  const { seqno, rootHash, fileHash } = leaf.descr
  return { workchain, shard: leaf.shard, seqno, rootHash, fileHash }
}

/** The entry of an account in a state. */
export const findAccount = (state: Cell, { id }: LiteServerAccountId): ShardAccount | undefined =>
  openShardAccounts(openState(state).accounts).find(id)

/** Common fields of answers about accounts. */
export type AccountProofs = {
  readonly id: BlockIdExt
  readonly shardblk: BlockIdExt
  /** From the reference block to the one that holds the account; empty where they are the same. */
  readonly shardProof: Uint8Array
  /** From there to the account, or to where it would be. */
  readonly proof: Uint8Array
}

export const proveAccount = (located: LocatedAccount, account: LiteServerAccountId): AccountProofs => {
  const { reference, holder } = located
  return {
    id: reference.id,
    shardblk: holder?.id ?? NO_BLOCK,
    shardProof: holder === reference ? new Uint8Array() : proveShard(located, account),
    proof:
      holder === undefined
        ? new Uint8Array()
        : encodeStateProof(holder.root, proveState(holder.state, (state) => findAccount(state, account)).proof),
  }
}

// The shard proof is the same for all accounts of a shard. It is cached as long as the store caches the root of the block.
const shardProofs = new WeakMap<Cell, Map<string, Uint8Array>>()

const proveShard = ({ reference, holder }: LocatedAccount, account: LiteServerAccountId): Uint8Array => {
  let known = shardProofs.get(reference.root)
  if (known === undefined) {
    known = new Map()
    shardProofs.set(reference.root, known)
  }
  const key = holder && `${holder.id.workchain}:${holder.id.shard}`
  const before = key === undefined ? undefined : known.get(key)
  if (before !== undefined) return before
  const { proof } = proveState(reference.state, (state) => findShardBlock(state, account))
  const bytes = encodeStateProof(reference.root, proof)
  // Those that there are, are few; of those that there are not, one can ask for many.
  if (key !== undefined) known.set(key, bytes)
  return bytes
}

/** An account after a block, whole, with the proofs that lead to it. */
export const getAccountState: LiteFunction<'liteServer.getAccountState'> = ({ store }, { id, account }) => {
  const located = locateAccount(store, id, account)
  const entry = located.holder && findAccount(located.holder.state, account)
  return {
    ...proveAccount(located, account),
    state: entry === undefined ? new Uint8Array() : encodeBoc([entry.account]),
  }
}

/** As getAccountState, without the code, the data and the libraries of the account. */
export const getAccountStatePrunned: LiteFunction<'liteServer.getAccountStatePrunned'> = (
  { store },
  { id, account },
) => {
  const located = locateAccount(store, id, account)
  const entry = located.holder && findAccount(located.holder.state, account)
  return {
    ...proveAccount(located, account),
    state: entry === undefined ? new Uint8Array() : encodeBoc([proveWithoutContent(entry.account)]),
  }
}

const proveWithoutContent = (account: Cell): Cell =>
  prove(account, (root) => {
    const opened = openAccount(root)
    if (opened.kind === 'account') opened.balance.extra.forEach(() => {})
  }).proof
