import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerBlockLinkBack, LiteServerBlockLinkForward } from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { LiteRefusal, NOT_READY, REQUEST_ERROR } from './LiteRefusal.ts'
import { openMasterBlockExtra } from './masterBlock.ts'
import { prove, proveState } from './merkle.ts'
import { openMasterExtra, openState } from './openState.ts'
import { getBlockRoot, getState } from './referenceBlock.ts'
import { toSignatureSet } from './signatureSet.ts'
import { proveStateRoot } from './stateRootProof.ts'
import { visitAll } from './visitAll.ts'

const CATCHAIN = 28
const CURRENT_VALIDATORS = 34
const CURRENT_TEMPORARY_VALIDATORS = 35

/** A link to an earlier block, which the state of the later one remembers. */
export const linkBack = (store: ChainStore, from: BlockIdExt, to: BlockIdExt): LiteServerBlockLinkBack => {
  const proof = proveStateRoot(loadProven(store, from))
  const state = getState(store, from, `cannot load state for ${formatBlockIdExt(from)} : `)
  const destination = to.seqno === 0 ? undefined : proveHeader(loadProven(store, to))
  return {
    kind: 'liteServer.blockLinkBack',
    toKeyBlock: destination?.value.keyBlock ?? true,
    from,
    to,
    destProof: destination === undefined ? new Uint8Array() : encodeBoc([destination.proof]),
    proof: encodeBoc([proof]),
    stateProof: encodeBoc([proveOldBlock(state, to.seqno)]),
  }
}

/** A link from a key block, or the first state, to a block that is signed by those whom it names. */
export const linkForward = (store: ChainStore, from: BlockIdExt, to: BlockIdExt): LiteServerBlockLinkForward => {
  const configProof = from.seqno === 0 ? proveFirstRules(store, from) : proveKeyBlockRules(loadProven(store, from))
  const { value: header, proof } = proveHeader(loadProven(store, to))
  const signatures = store.findSignatures(to.seqno)
  if (signatures === undefined) {
    throw new LiteRefusal(NOT_READY, `cannot load proof for ${formatBlockIdExt(to)} : block proof not in db`)
  }
  return {
    kind: 'liteServer.blockLinkForward',
    toKeyBlock: header.keyBlock,
    from,
    to,
    destProof: encodeBoc([proof]),
    configProof: encodeBoc([configProof]),
    signatures: toSignatureSet(signatures),
  }
}

const loadProven = (store: ChainStore, id: BlockIdExt): Cell =>
  getBlockRoot(store, id, `cannot load proof link for ${formatBlockIdExt(id)} : `)

const proveHeader = (root: Cell): { readonly value: BlockInfo; readonly proof: Cell } =>
  prove(root, (block) => openBlockInfo(openBlock(block).info))

/** A node looks at the entry of the first state too, whichever block it is asked about. */
const proveOldBlock = (state: Cell, seqno: number): Cell =>
  proveState(state, (root) => {
    const { prevBlocks } = openMcStateHistory(openMasterExtra(openState(root)).history)
    prevBlocks.find(0)
    prevBlocks.find(seqno)
  }).proof

const proveFirstRules = (store: ChainStore, from: BlockIdExt): Cell =>
  prove(getState(store, from, `cannot load zerostate of ${formatBlockIdExt(from)} : `), (root) => {
    visitSigningRules(openMasterExtra(openState(root)).config.config)
  }).proof

const proveKeyBlockRules = (block: Cell): Cell =>
  prove(block, (root) => {
    openBlockInfo(openBlock(root).info)
    const { config } = openMasterBlockExtra(root)
    if (config === undefined) {
      throw new LiteRefusal(REQUEST_ERROR, 'cannot unpack extra header of key block to extract configuration')
    }
    visitSigningRules(config.config)
  }).proof

/** The parameters that say who signs. */
const visitSigningRules = (config: ConfigDict): void => {
  visitAll(config.find(CURRENT_TEMPORARY_VALIDATORS) ?? config.find(CURRENT_VALIDATORS))
  visitAll(config.find(CATCHAIN))
}
