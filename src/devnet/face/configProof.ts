import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerConfigInfo } from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'
import { openMasterBlockExtra } from './masterBlock.ts'
import { prove, proveState } from './merkle.ts'
import { openMasterExtra, openState } from './openState.ts'
import { getBlockRoot, isZeroState, loadMasterBlockAndState, newestMaster } from './referenceBlock.ts'
import { proveStateRoot } from './stateRootProof.ts'
import { visitAll } from './visitAll.ts'
import { visitPrevBlocks } from './visitPrevBlocks.ts'

export type ConfigQuestion = {
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
export const answerConfig = (
  store: ChainStore,
  { mode: given, id, paramList }: ConfigQuestion,
): LiteServerConfigInfo => {
  const mode = given & 0xffff
  if (id.workchain !== masterchain || !isValidBlockIdExt(id)) {
    const only = 'configuration parameters can be loaded with respect to a masterchain block only'
    throw new LiteRefusal(REQUEST_ERROR, only)
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

const answerFromKeyBlock = (store: ChainStore, { mode, id, paramList }: ConfigQuestion): LiteServerConfigInfo => {
  const keyBlock = getKeyBlockBefore(store, id)
  const { proof } = prove(
    getBlockRoot(store, keyBlock, `cannot load block ${formatBlockIdExt(keyBlock)} : `),
    (root) => {
      openPrevRef(openBlockInfo(openBlock(root).info))
      const { config } = openMasterBlockExtra(root)
      if (config === undefined) {
        const unreadable = 'cannot unpack extra header of key block to extract configuration'
        throw new LiteRefusal(REQUEST_ERROR, unreadable)
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
    throw new LiteRefusal(0, `client knows block ${formatBlockIdExt(id)} newer than ${reference}`)
  }
  if (store.index.find(id) === undefined && !isZeroState(store, id)) {
    const view = `from the perspective of reference block ${formatBlockIdExt(newest)}`
    throw new LiteRefusal(0, `requested masterchain block ${formatBlockIdExt(id)} is unknown ${view}`)
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
    if (validators === undefined) throw new LiteRefusal(0, 'validator set is absent')
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
