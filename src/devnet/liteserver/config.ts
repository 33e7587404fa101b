import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerConfigInfo } from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type McStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import type { LibDescr, Libraries } from '../../codec/tlb/StateInit.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove, proveState, visitAll } from '../store/prove.ts'
import {
  getBlockRoot,
  getState,
  isZeroState,
  loadMasterBlockAndState,
  newestMaster,
  openMasterBlockExtra,
  openMasterExtra,
  openState,
  proveStateRoot,
} from './blockAccess.ts'
import { type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

const RECENT = 16
const STEP = 100
/** From this version on contracts see every hundredth block too. */
const WITH_HUNDREDS = 9

/** Enters what contracts are told of the blocks before: the first state, the last 15 blocks, and every hundredth of 16. */
const visitPrevBlocks = (extra: McStateExtra, seqno: number): void => {
  const { prevBlocks } = openMcStateHistory(extra.history)
  const version = findConfigParam(extra.config.config, 8)?.version ?? 0
  const visit = (old: number): void => {
    if (old !== seqno) prevBlocks.find(old)
  }
  visit(0)
  for (let old = seqno - 1; old >= 0 && old > seqno - RECENT; old--) visit(old)
  if (version < WITH_HUNDREDS) return
  let hundreds = seqno - (seqno % STEP)
  for (let k = 0; k < RECENT && hundreds >= 0; k++, hundreds -= STEP) visit(hundreds)
}

export type ConfigRequest = {
  readonly mode: number
  readonly id: BlockIdExt
  /** All parameters where there is no list. */
  readonly paramList: readonly number[] | undefined
}

/** Parts of the configuration, and of the state around it, that a proof is to hold besides the parameters asked for. */
const VALIDATOR_SET = 16
const SPECIAL_CONTRACTS = 32
const ACCOUNTS = 64
const PREV_BLOCKS = 128
const WORKCHAINS = 256
const CAPABILITIES = 512
/** The configuration is taken from the last key block, and not from the state. */
const FROM_KEY_BLOCK = 0x8000

/** The configuration after a masterchain block, proven. */
const answerConfig = (store: ChainStore, { mode: given, id, paramList }: ConfigRequest): LiteServerConfigInfo => {
  const mode = given & 0xffff
  if (id.workchain !== masterchain || !isValidBlockIdExt(id)) {
    const only = 'configuration parameters can be loaded with respect to a masterchain block only'
    throw new LiteserverError(REQUEST_ERROR, only)
  }
  if ((mode & FROM_KEY_BLOCK) !== 0) return answerFromKeyBlock(store, { mode, id, paramList })
  const needed = (mode & PREV_BLOCKS) === 0 ? mode : mode | CAPABILITIES
  const { root, state } = loadMasterBlockAndState(store, id)
  const { proof } = proveState(state, (stateRoot) => {
    const opened = openState(stateRoot)
    if ((mode & (PREV_BLOCKS | ACCOUNTS)) === (PREV_BLOCKS | ACCOUNTS)) visitDictRoot(opened.accounts)
    const extra = openMasterExtra(opened)
    visitParts(extra.config.config, needed)
    visitParams(extra.config.config, paramList)
    if ((mode & PREV_BLOCKS) !== 0) visitPrevBlocks(extra, id.seqno)
  })
  return { mode: needed, id, stateProof: encodeBoc([proveStateRoot(root)]), configProof: encodeBoc([proof]) }
}

const answerFromKeyBlock = (store: ChainStore, { mode, id, paramList }: ConfigRequest): LiteServerConfigInfo => {
  const keyBlock = getKeyBlockBefore(store, id)
  const { proof } = prove(
    getBlockRoot(store, keyBlock, `cannot load block ${formatBlockIdExt(keyBlock)} : `),
    (root) => {
      openPrevRef(openBlockInfo(openBlock(root).info))
      const { config } = openMasterBlockExtra(root)
      if (config === undefined) {
        const unreadable = 'cannot unpack extra header of key block to extract configuration'
        throw new LiteserverError(REQUEST_ERROR, unreadable)
      }
      visitParts(config.config, mode)
      visitParams(config.config, paramList)
    },
  )
  return { mode, id: keyBlock, stateProof: new Uint8Array(), configProof: encodeBoc([proof]) }
}

/** The last key block up to a block; before the first there is only the first state, which is no block. */
const getKeyBlockBefore = (store: ChainStore, id: BlockIdExt): BlockIdExt => {
  const newest = newestMaster(store)
  if (id.seqno > newest.seqno) {
    const reference = `the reference masterchain block ${formatBlockIdExt(newest)}`
    throw new LiteserverError(0, `client knows block ${formatBlockIdExt(id)} newer than ${reference}`)
  }
  if (store.index.find(id) === undefined && !isZeroState(store, id)) {
    const view = `from the perspective of reference block ${formatBlockIdExt(newest)}`
    throw new LiteserverError(0, `requested masterchain block ${formatBlockIdExt(id)} is unknown ${view}`)
  }
  const seqno = store.keyBlockSeqnos.findLast((each) => each <= id.seqno)
  return seqno === undefined ? store.zeroState : store.findMaster(seqno)!.id
}

const visitParams = (config: ConfigDict, paramList: readonly number[] | undefined): void => {
  if (paramList === undefined) visitAll(config.root as Cell)
  else for (const id of paramList) visitAll(config.find(id))
}

const visitParts = (config: ConfigDict, mode: number): void => {
  if ((mode & VALIDATOR_SET) !== 0) {
    const validators = config.find(35) ?? config.find(34)
    if (validators === undefined) throw new LiteserverError(0, 'validator set is absent')
    visitAll(validators)
  }
  if ((mode & SPECIAL_CONTRACTS) !== 0) enter(config.find(31))
  if ((mode & WORKCHAINS) !== 0) visitAll(config.find(12))
  if ((mode & CAPABILITIES) !== 0) enter(config.find(8))
}

const enter = (cell: Cell | undefined): void => {
  if (cell !== undefined) openCell(cell)
}

/** A node that opens an augmented dictionary compares what its root sums up. */
const visitDictRoot = (dict: Cell): void => enter(openCell(dict).readMaybeRefCell())

/** All parameters of the network. */
export const getConfigAll: LiteFunction<'liteServer.getConfigAll'> = ({ store }, { mode, id }) =>
  answerConfig(store, { mode, id, paramList: undefined })

const MAX_PARAMS = 256

/** Some parameters of the network; those that do not exist are proven to be missing. */
export const getConfigParams: LiteFunction<'liteServer.getConfigParams'> = ({ store }, { mode, id, paramList }) => {
  if (paramList.length > MAX_PARAMS) throw new LiteserverError(REQUEST_ERROR, 'too long param list')
  return answerConfig(store, { mode, id, paramList })
}

const START_AFTER = 1
/** The key to start after is a part of the page itself. */
const INCLUSIVE = 2
/** A time to filter by is taken, and has no effect. */
const MODIFIED_AFTER = 4
const MAX_ENTRIES = 1000

type Page = { readonly count: number; readonly complete: boolean }

/** Who made how many blocks: a page by the creators' keys. It is complete only where its end was seen. */
export const getValidatorStats: LiteFunction<'liteServer.getValidatorStats'> = ({ store }, args) => {
  const { mode, id, limit, startAfter } = args
  if (limit <= 0) throw new LiteserverError(REQUEST_ERROR, 'requested entry count limit must be positive')
  if ((mode & ~(START_AFTER | INCLUSIVE | MODIFIED_AFTER)) !== 0) {
    throw new LiteserverError(REQUEST_ERROR, 'unknown flags set in mode')
  }
  const { root, state } = loadMasterBlockAndState(store, id)
  const { value: page, proof } = proveState(state, (stateRoot) =>
    readPage(stateRoot, startAfter, (mode & INCLUSIVE) !== 0, Math.min(limit, MAX_ENTRIES)),
  )
  return { mode, id, ...page, stateProof: encodeBoc([proveStateRoot(root)]), dataProof: encodeBoc([proof]) }
}

const readPage = (state: Cell, start: Uint8Array | undefined, inclusive: boolean, limit: number): Page => {
  const { blockCreateStats } = openMcStateHistory(openMasterExtra(openState(state)).history)
  if (blockCreateStats?.kind !== 'plain') {
    throw new LiteserverError(REQUEST_ERROR, 'cannot extract block create stats from mc state')
  }
  const { creators } = blockCreateStats
  let count = inclusive && start !== undefined && creators.find(start) !== undefined ? 1 : 0
  if (count === limit) return { count, complete: false }
  const complete = visitEntries(creators, start === undefined ? {} : { after: start }, () => ++count < limit)
  return { count, complete }
}

const MAX_LIBRARIES = 16

/** What is looked for: the first 16 of a list, in order and each once. */
const listWanted = (hashes: readonly Uint8Array[]): readonly Uint8Array[] => {
  const sorted = hashes.slice(0, MAX_LIBRARIES).sort(compareBytes)
  return sorted.filter((hash, k) => k === 0 || !bytesEqual(hash, sorted[k - 1]!))
}

export type FoundLibrary = LibDescr & { readonly hash: Uint8Array }

/** Those of the libraries that are public. */
const findLibraries = (libraries: Libraries, hashes: readonly Uint8Array[]): readonly FoundLibrary[] =>
  hashes.flatMap((hash) => {
    const descr = libraries.find(hash)
    return descr === undefined ? [] : [{ hash, ...descr }]
  })

/** Public libraries as of the newest block. */
export const getLibraries: LiteFunction<'liteServer.getLibraries'> = ({ store }, { libraryList }) => {
  const { libraries } = openState(getState(store, newestMaster(store))).opened
  const found = findLibraries(libraries, listWanted(libraryList)).filter(({ lib, hash }) => lib.hasHash(hash))
  return { result: found.map(({ hash, lib }) => ({ hash, data: encodeBoc([lib]) })) }
}

const WITH_PUBLISHERS = 1
const WITHOUT_DATA = 2
const MAX_PUBLISHERS = 16

/** Public libraries after a masterchain block, with the proof that they are, or are not. */
export const getLibrariesWithProof: LiteFunction<'liteServer.getLibrariesWithProof'> = (
  { store },
  { id, mode, libraryList },
) => {
  const { root, state } = loadMasterBlockAndState(store, id)
  const { value: found, proof } = proveState(state, (stateRoot) => {
    const libraries = findLibraries(openState(stateRoot).opened.libraries, listWanted(libraryList))
    if ((mode & WITH_PUBLISHERS) !== 0) {
      for (const { publishers } of libraries) {
        let left = MAX_PUBLISHERS
        visitEntries(publishers, {}, () => --left > 0)
      }
    }
    return libraries
  })
  return {
    id,
    mode,
    result: found
      .filter(({ lib, hash }) => lib.hasHash(hash))
      .map(({ hash, lib }) => ({ hash, data: (mode & WITHOUT_DATA) === 0 ? encodeBoc([lib]) : new Uint8Array() })),
    stateProof: encodeBoc([proveStateRoot(root)]),
    dataProof: encodeBoc([proof]),
  }
}
