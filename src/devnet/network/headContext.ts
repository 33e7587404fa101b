import type { RunContext } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { shardContains } from '../../primitives/shard.ts'
import { newestMaster, type OpenedState, openMasterExtra, openState } from '../liteserver/blockAccess.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { ChainDataError } from '../store/errors.ts'
import { previousBlocks } from '../store/previousBlocks.ts'

/** What code sees of the network after a masterchain block; time and seed come with each run. */
export type NetworkView = Pick<RunContext, 'config' | 'previousBlocks' | 'findLibrary'> & {
  readonly params: ConfigDict
}

/** By state; mostly the newest is asked for. */
const views = new LruCache<NetworkView, Cell>(8)

/** The view from a masterchain block, or from the first state. */
export const viewFrom = (id: BlockIdExt, state: Cell): NetworkView => {
  const known = views.find(state)
  if (known !== undefined) return known
  const opened = openState(state)
  const { config } = openMasterExtra(opened).config
  const view: NetworkView = {
    params: config,
    config: config.root as Cell,
    previousBlocks: previousBlocks(id, state),
    findLibrary: (hash) => findPublicLibrary(opened, hash),
  }
  views.set(state, view)
  return view
}

export const viewFromHead = (store: ChainStore): NetworkView => {
  const id = newestMaster(store)
  return viewFrom(id, stateOf(store, id))
}

const findPublicLibrary = ({ opened }: OpenedState, hash: Uint8Array): Cell | undefined => {
  const library = opened.libraries.find(hash)?.lib
  return library?.hasHash(hash) === true ? library : undefined
}

/** An account as the newest blocks have it, and what its state says of time. */
export type HeadAccount = {
  readonly account: ShardAccount | undefined
  readonly genUtime: number
  readonly genLt: bigint
}

/** `undefined` where no shard of the network holds such accounts. */
export const findHeadAccount = (store: ChainStore, { workchain, hash }: Address): HeadAccount | undefined => {
  const holder = findHolder(store, workchain, getU64BE(hash, 0))
  if (holder === undefined) return undefined
  const { accounts, genUtime, genLt } = openState(stateOf(store, holder))
  return { account: openShardAccounts(accounts).find(hash), genUtime, genLt }
}

const findHolder = (store: ChainStore, workchain: number, prefix: bigint): BlockIdExt | undefined =>
  workchain === masterchain
    ? newestMaster(store)
    : store.shardTops.find((top) => top.workchain === workchain && shardContains(top.shard, prefix))

const stateOf = (store: ChainStore, id: BlockIdExt): Cell => {
  const state = store.findState(id)
  if (state === undefined) throw new ChainDataError('The state after the newest block is missing.')
  return state
}
