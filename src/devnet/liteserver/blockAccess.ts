import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { type McBlockExtra, openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { type McStateExtra, openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
} from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { StoredBlock } from '../store/blockRow.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove } from '../store/prove.ts'
import { LiteserverError, NOT_READY, REQUEST_ERROR } from './LiteFunction.ts'

/** A block that a request is about, and the state after it. */
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

const refuseMissing = (store: ChainStore, id: BlockIdExt, what: string): LiteserverError => {
  const reason = isZeroState(store, id) ? 'not in db' : `block handle not in db${explainMissing(store, id)}`
  return new LiteserverError(NOT_READY, `${what}${reason}`)
}

/** The state after a block, or a first state. */
export const getState = (store: ChainStore, id: BlockIdExt, what = ''): Cell => {
  const state = store.findState(id)
  if (state !== undefined) return state
  if (store.index.find(id) !== undefined) throw new LiteserverError(STATE_GONE, `${what}state already gc'd`)
  throw new LiteserverError(NOT_READY, `${what}block handle not in db${explainMissing(store, id)}`)
}

/** A block of any chain that a request names. */
export const loadBlock = (store: ChainStore, id: BlockIdExt): Cell => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid block id requested')
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

/** As {@link loadBlock}, for requests that only a masterchain block can be the reference of. */
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
    throw new LiteserverError(REQUEST_ERROR, 'reference block must belong to the masterchain')
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
  if (id.workchain === masterchain) return id.seqno > newestMaster(store).seqno ? masterHint(store) : ''
  const top = findTop(store, id.workchain, id.shard)
  return top !== undefined && id.seqno > top.seqno ? shardsHint(store) : ''
}

/** The newest block of a shard that shares accounts with the given one. */
export const findTop = ({ shardTops }: ChainStore, workchain: number, shard: bigint): BlockIdExt | undefined =>
  shardTops.find(
    (top) => top.workchain === workchain && (isShardAncestor(top.shard, shard) || isShardAncestor(shard, top.shard)),
  )

/** What a node adds to a refusal about a masterchain block that is ahead of it. */
export const masterHint = (store: ChainStore): string => ` (last known masterchain block: ${newestMaster(store).seqno})`

/** The same for a shard block. */
export const shardsHint = (store: ChainStore): string => {
  const { seqno } = newestMaster(store)
  return ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`
}

/** A state as a node unpacks it: with its totals, which its proofs therefore hold. */
export type OpenedState = ShardStateUnsplit & { readonly opened: StateTotals }

export const openState = (root: Cell): OpenedState => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new LiteserverError(REQUEST_ERROR, 'cannot unpack state header')
  return { ...state, opened: openStateTotals(state.totals) }
}

/** What only a masterchain state has, again as a node unpacks it: with its history. */
export const openMasterExtra = ({ custom }: ShardStateUnsplit): McStateExtra => {
  if (custom === undefined) throw new LiteserverError(REQUEST_ERROR, 'cannot extract ShardHashes from last mc state')
  const extra = openMcStateExtra(custom)
  openMcStateHistory(extra.history)
  return extra
}

/** What only a masterchain block has. Its header is not entered: such proofs do without. */
export const openMasterBlockExtra = (root: Cell): McBlockExtra => {
  const { custom } = openBlockExtra(openBlock(root).extra)
  if (custom === undefined) throw new LiteserverError(REQUEST_ERROR, 'cannot unpack McBlockExtra in block')
  return openMcBlockExtra(custom)
}

// Every answer about a state begins with this proof of its block. It lives as long as the store keeps that block's root ready.
const known = new WeakMap<Cell, Cell>()

/** What binds a state to its block: the header, and of the state update the hashes of both its sides. */
export const proveStateRoot = (blockRoot: Cell): Cell => {
  const before = known.get(blockRoot)
  if (before !== undefined) return before
  const { proof } = prove(blockRoot, (root) => {
    const { info, stateUpdate } = openBlock(root)
    openPrevRef(openBlockInfo(info))
    openRaw(stateUpdate)
  })
  // Cells that were just made share their memory with others: read back, these few stand by themselves.
  const compact = decodeSingleBoc(encodeBoc([proof]), { trusted: true })
  known.set(blockRoot, compact)
  return compact
}

/** Both proofs of something in the state after a block, in one bag. */
export const encodeStateProof = (blockRoot: Cell, stateProof: Cell): Uint8Array =>
  encodeBoc([proveStateRoot(blockRoot), stateProof])
