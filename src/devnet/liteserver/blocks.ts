import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { TlResults } from '../../codec/tl/tlTypes.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import {
  type BlockId,
  type BlockIdExt,
  formatBlockIdExt,
  isValidBlockIdExt,
  masterchain,
} from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { formatShard, shardContains } from '../../primitives/shard.ts'
import type { StoredBlock } from '../store/blockRow.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove, proveState, visitAll } from '../store/prove.ts'
import {
  getState as findState,
  findTop,
  getBlockBytes,
  getBlockRoot,
  loadMasterBlockAndState,
  masterHint,
  newestMaster,
  openMasterBlockExtra,
  openMasterExtra,
  openState,
  proveStateRoot,
  shardsHint,
} from './blockAccess.ts'
import { type LiteFunction, LiteserverError, NOT_READY, REQUEST_ERROR } from './LiteFunction.ts'
import { linkToMaster } from './shards.ts'

/** The bytes of a block, exactly as its file hash has them; also of a shard block that no masterchain block names yet. */
export const getBlock: LiteFunction<'liteServer.getBlock'> = ({ store, findPending }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  return { id, data: findPending?.()?.findBytes(id) ?? getBlockBytes(store, id) }
}

const STATE_UPDATE = 1
const VALUE_FLOW = 2
const EXTRA = 16
const SHARD_HASHES = 32
const PREV_SIGNATURES = 64

/** Proves a header, with the parts of the block that the bits of `mode` name; bits that mean nothing are passed over. */
const encodeHeaderProof = (blockRoot: Cell, mode: number): Uint8Array => {
  const { proof } = prove(blockRoot, (root) => {
    const { info, valueFlow, stateUpdate, extra } = openBlock(root)
    const header = openBlockInfo(info)
    if ((mode & STATE_UPDATE) !== 0) openRaw(stateUpdate)
    visitAll(header.prevRef)
    if ((mode & VALUE_FLOW) !== 0) visitAll(valueFlow)
    if ((mode & EXTRA) === 0) return
    openBlockExtra(extra)
    if (header.masterRef !== undefined) return
    const { shardHashes, prevBlkSignatures } = openMasterBlockExtra(root)
    if ((mode & SHARD_HASHES) !== 0) visitAll(shardHashes.root as Cell | undefined)
    if ((mode & PREV_SIGNATURES) !== 0) visitAll(prevBlkSignatures.root as Cell | undefined)
  })
  return encodeBoc([proof])
}

/** The header of a block, proven. */
export const getBlockHeader: LiteFunction<'liteServer.getBlockHeader'> = ({ store }, { id, mode }) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  return { id, mode, headerProof: encodeHeaderProof(getBlockRoot(store, id), mode) }
}

/** States of later blocks may be too large to hand out. */
const MAX_SEQNO = 1000

/** A whole state. Only that of a first state has a file hash that means anything. */
export const getState: LiteFunction<'liteServer.getState'> = ({ store }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  if (id.seqno > MAX_SEQNO) {
    throw new LiteserverError(REQUEST_ERROR, 'cannot request total state: possibly too large')
  }
  if (id.seqno === 0) return getZeroState(store, id)
  const root = findState(store, id)
  const data = encodeBoc([root], BLOCK_BOC)
  return { id, rootHash: root.hash(), fileHash: sha256(data), data }
}

const getZeroState = ({ zeroStates }: ChainStore, id: BlockIdExt): TlResults['liteServer.getState'] => {
  const name = formatBlockIdExt(id)
  const found = zeroStates.find((state) => formatBlockIdExt(state.id) === name)
  if (found === undefined) throw new LiteserverError(NOT_READY, 'zerostate not in db')
  return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: found.bytes }
}

/** What a block may be looked up by, among those whose shard holds an account prefix. */
type LookupBy = 'lt' | 'utime' | 'seqno'

/** What a node calls the criterion where it has no files of a workchain at all. */
const missingWords = { lt: 'lt', utime: 'ts', seqno: 'seqno' } as const

/** Why no block was found, as a node says it. */
export const explainNotFound = (
  store: ChainStore,
  workchain: number,
  prefix: bigint,
  by: LookupBy,
  value: bigint,
): string => {
  const newest = workchain === masterchain ? newestMaster(store) : findTop(store, workchain, prefix | 1n)
  const asked = `cannot find block (${workchain},${formatShard(prefix)}) ${by}=${value}`
  if (newest === undefined) return `${asked}: ${missingWords[by]} not in db`
  const isAhead = value > reachOf(store, store.index.find(newest), by)
  const hint = !isAhead ? '' : workchain === masterchain ? masterHint(store) : shardsHint(store)
  return `${asked}: ltdb: block not found${hint}`
}

const reachOf = (store: ChainStore, newest: StoredBlock | undefined, by: LookupBy): bigint => {
  if (by === 'lt') return newest?.endLt ?? 0n
  // Of a shard it is the time of the masterchain block that counts.
  if (by === 'utime') return BigInt(store.head?.genUtime ?? 0)
  return BigInt(newest?.id.seqno ?? 0)
}

/** A request for a block by its place: `shard` of the id is taken for the start of an account's address. */
export type LookupRequest = {
  readonly mode: number
  readonly id: BlockId
  readonly lt?: bigint | undefined
  readonly utime?: number | undefined
}

type Wanted = { readonly by: LookupBy; readonly value: bigint }

const BY_SEQNO = 1
const BY_LT = 2
const BY_UTIME = 4
const WAYS = BY_SEQNO | BY_LT | BY_UTIME

/** Whether the block is wanted as the first to reach a time, which only the one before it can show. */
const isFirstWanted = ({ mode }: LookupRequest): boolean => (mode & (BY_LT | BY_UTIME)) !== 0

/** Refuses a request that looks for several things, or for none. */
const expectOneWay = (request: LookupRequest): void => void readWanted(request)

/** The block that a request looks for. */
const lookUp = (store: ChainStore, request: LookupRequest): StoredBlock => {
  const { workchain, shard } = request.id
  const { by, value } = readWanted(request)
  const found = find(store, request.id, { by, value })
  if (found === undefined) throw new LiteserverError(NOT_READY, explainNotFound(store, workchain, shard, by, value))
  return found
}

/** The numbers are unsigned, whatever their types in TL. */
const readWanted = ({ mode, id, lt = 0n, utime = 0 }: LookupRequest): Wanted => {
  switch (mode & WAYS) {
    case BY_SEQNO:
      return { by: 'seqno', value: BigInt(id.seqno >>> 0) }
    case BY_LT:
      return { by: 'lt', value: BigInt.asUintN(64, lt) }
    case BY_UTIME:
      return { by: 'utime', value: BigInt(utime >>> 0) }
    default:
      throw new LiteserverError(REQUEST_ERROR, 'exactly one of mode.0, mode.1 and mode.2 bits must be set')
  }
}

const find = ({ index }: ChainStore, { workchain, shard }: BlockId, { by, value }: Wanted): StoredBlock | undefined => {
  if (by === 'lt') return index.findByLt(workchain, shard, value)
  if (by === 'utime') return index.findByUtime(workchain, shard, Number(value))
  return index.findBySeqno(workchain, shard, Number(value))
}

/** The header of a block that is known by its place and number, or by a time; the bits of its mode stand four places up. */
export const lookupBlock: LiteFunction<'liteServer.lookupBlock'> = ({ store }, request) => {
  const { id } = lookUp(store, request)
  const mode = (request.mode >> 4) >>> 0
  return { id, mode, headerProof: encodeHeaderProof(store.getRoot(id), mode) }
}

const NOTHING = new Uint8Array()

/** As lookupBlock, with all that leads to the block from a masterchain block that the client trusts. */
export const lookupBlockWithProof: LiteFunction<'liteServer.lookupBlockWithProof'> = ({ store }, request) => {
  const { mode, mcBlockId: client } = request
  expectOneWay(request)
  if (client.workchain !== masterchain || !isValidBlockIdExt(client)) {
    throw new LiteserverError(REQUEST_ERROR, 'masterchain block id must be specified')
  }
  const found = lookUp(store, request)
  if (found.masterSeqno > client.seqno) {
    throw new LiteserverError(0, "specified mc block is older than block's masterchain ref")
  }
  const header = proveLinkedHeader(store.getRoot(found.id))
  const prevHeader = isFirstWanted(request) ? proveHeader(getPrevious(store, found, request.id.shard)) : NOTHING
  const { master, links } = linkToMaster(store, found)
  const proofs = proveMaster(store, client, master)
  return { id: found.id, mode, mcBlockId: master, ...proofs, shardLinks: links, header, prevHeader }
}

const proveHeader = (block: Cell): Uint8Array =>
  encodeBoc([prove(block, (root) => void openBlockInfo(openBlock(root).info)).proof])

/** As {@link proveHeader}, with what the header says of the blocks before, which stands apart after a merge. */
const proveLinkedHeader = (block: Cell): Uint8Array =>
  encodeBoc([prove(block, (root) => void openPrevRef(openBlockInfo(openBlock(root).info))).proof])

/** The block before the one that was found, on the side of the accounts that were asked about. */
const getPrevious = (store: ChainStore, { prev }: StoredBlock, prefix: bigint): Cell => {
  const chosen = prev.find(({ shard }) => shardContains(shard, prefix))
  if (chosen === undefined) throw new LiteserverError(REQUEST_ERROR, 'failed to choose previous block')
  return getBlockRoot(store, chosen)
}

/** The state of the client's block remembers the block that leads to the one found, unless the two are the same. */
const proveMaster = (store: ChainStore, client: BlockIdExt, master: BlockIdExt) => {
  if (formatBlockIdExt(client) === formatBlockIdExt(master)) {
    return { clientMcStateProof: NOTHING, mcBlockProof: NOTHING }
  }
  const { root, state } = loadMasterBlockAndState(store, client)
  const { value: old, proof } = proveState(state, (stateRoot) =>
    openMcStateHistory(openMasterExtra(openState(stateRoot)).history).prevBlocks.find(master.seqno),
  )
  if (old === undefined) throw new LiteserverError(0, 'client mc blkid is not in prev_blocks')
  return { clientMcStateProof: encodeBoc([proveStateRoot(root)]), mcBlockProof: encodeBoc([proof]) }
}
