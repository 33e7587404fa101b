import type { Cell } from '../../codec/cell/Cell.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { StoredBlock } from '../store/StoredBlock.ts'
import { LiteRefusal, NOT_READY, REQUEST_ERROR } from './LiteRefusal.ts'

/** A block that a question is about, and the state after it. */
export type BlockAndState = { readonly id: BlockIdExt; readonly root: Cell; readonly state: Cell }

const STATE_GONE = 602

/** What is known of a block without opening it. */
export const getStoredBlock = (store: ChainStore, id: BlockIdExt): StoredBlock => {
  const block = store.index.find(id)
  if (block === undefined) throw refuseMissing(store, id, '')
  return block
}

/** The root of a block; `what` stands before the reason why there is none. */
export const getBlockRoot = (store: ChainStore, id: BlockIdExt, what = ''): Cell => {
  if (store.index.find(id) === undefined) throw refuseMissing(store, id, what)
  return store.getRoot(id)
}

/** The bytes of a block, as its file hash has them. */
export const getBlockBytes = (store: ChainStore, id: BlockIdExt): Uint8Array => {
  const bytes = store.findBytes(id)
  if (bytes === undefined) throw refuseMissing(store, id, '')
  return bytes
}

const refuseMissing = (store: ChainStore, id: BlockIdExt, what: string): LiteRefusal => {
  const reason = isZeroState(store, id) ? 'not in db' : `block handle not in db${explainMissing(store, id)}`
  return new LiteRefusal(NOT_READY, `${what}${reason}`)
}

/** The state after a block, or a first state. */
export const getState = (store: ChainStore, id: BlockIdExt, what = ''): Cell => {
  const state = store.findState(id)
  if (state !== undefined) return state
  if (store.index.find(id) !== undefined) throw new LiteRefusal(STATE_GONE, `${what}state already gc'd`)
  throw new LiteRefusal(NOT_READY, `${what}block handle not in db${explainMissing(store, id)}`)
}

/** A block of any chain that a question names. */
export const loadBlock = (store: ChainStore, id: BlockIdExt): Cell => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid block id requested')
  // Texts are made where they are needed: spelling out an id costs as much as finding its block.
  if (store.index.find(id) === undefined) throw refuseMissing(store, id, `cannot load block ${formatBlockIdExt(id)} : `)
  return store.getRoot(id)
}

/** As {@link loadBlock}, with the state after it. First states are no blocks: they are refused. */
export const loadBlockAndState = (store: ChainStore, id: BlockIdExt): BlockAndState => ({
  id,
  root: loadBlock(store, id),
  state: store.findState(id) ?? getState(store, id, `cannot load state for ${formatBlockIdExt(id)} : `),
})

/** As {@link loadBlock}, for questions that only a masterchain block can be the reference of. */
export const loadMasterBlock = (store: ChainStore, id: BlockIdExt): Cell => {
  expectMaster(id)
  return loadBlock(store, id)
}

export const loadMasterBlockAndState = (store: ChainStore, id: BlockIdExt): BlockAndState => {
  expectMaster(id)
  return loadBlockAndState(store, id)
}

/** The newest masterchain block; the first state before there is any. */
export const newestMaster = (store: ChainStore): BlockIdExt => store.head?.id ?? store.zeroState

/** The id by which an answer says that there is no such block: workchain −2³¹, all else zero. */
export const NO_BLOCK: BlockIdExt = {
  workchain: -0x8000_0000,
  shard: 0n,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
}

const expectMaster = (id: BlockIdExt): void => {
  if (id.workchain !== masterchain || !isValidBlockIdExt(id)) {
    throw new LiteRefusal(REQUEST_ERROR, 'reference block must belong to the masterchain')
  }
}

export const isZeroState = (
  { zeroStates }: ChainStore,
  { workchain, seqno, rootHash, fileHash }: BlockIdExt,
): boolean =>
  seqno === 0 &&
  zeroStates.some(
    ({ id }) => id.workchain === workchain && bytesEqual(id.rootHash, rootHash) && bytesEqual(id.fileHash, fileHash),
  )

/** A client may have heard of a newer block than we have, and is told how far we are. */
const explainMissing = (store: ChainStore, id: BlockIdExt): string => {
  if (id.workchain === masterchain) return id.seqno > newestMaster(store).seqno ? tellMaster(store) : ''
  const top = findTop(store, id.workchain, id.shard)
  return top !== undefined && id.seqno > top.seqno ? tellShards(store) : ''
}

/** The newest block of a shard that shares accounts with the given one. */
export const findTop = ({ shardTops }: ChainStore, workchain: number, shard: bigint): BlockIdExt | undefined =>
  shardTops.find(
    (top) => top.workchain === workchain && (isShardAncestor(top.shard, shard) || isShardAncestor(shard, top.shard)),
  )

/** What a node adds to a refusal about a masterchain block that is ahead of it. */
export const tellMaster = (store: ChainStore): string => ` (last known masterchain block: ${newestMaster(store).seqno})`

/** The same for a shard block. */
export const tellShards = (store: ChainStore): string => {
  const { seqno } = newestMaster(store)
  return ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`
}
