import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { readSnake } from '../../codec/content/text.ts'
import type {
  AnyLiteServerBlockLink,
  AnyLiteServerSignatureSet,
  LiteServerBlockLinkBack,
  LiteServerBlockLinkForward,
} from '../../codec/tl/liteServerTypes.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { prove, proveState, visitAll } from '../store/prove.ts'
import {
  getBlockRoot,
  getState,
  isZeroState,
  newestMaster,
  openMasterBlockExtra,
  openMasterExtra,
  openState,
  proveStateRoot,
} from './blockAccess.ts'
import { type LiteFunction, LiteserverError, NOT_READY, REQUEST_ERROR } from './LiteFunction.ts'

/** The signatures on record as the protocol carries them, its numbers signed. */
const toSignatureSet = (set: BlockSignatures): AnyLiteServerSignatureSet => {
  const validatorSetHash = set.validatorListHashShort | 0
  const seqno = set.catchainSeqno | 0
  const signatures = set.signatures
    .entries()
    .map(([, { nodeIdShort, signature }]) => ({ nodeIdShort, signature: signature.signature }))
  if (set.kind === 'ordinary') {
    return { kind: 'liteServer.signatureSet.ordinary', validatorSetHash, catchainSeqno: seqno, signatures }
  }
  return {
    kind: 'liteServer.signatureSet.simplex',
    ccSeqno: seqno,
    validatorSetHash,
    signatures,
    sessionId: set.sessionId,
    slot: set.slot | 0,
    candidate: readSnake(openCell(set.candidate)),
  }
}

const CATCHAIN = 28
const CURRENT_VALIDATORS = 34
const CURRENT_TEMPORARY_VALIDATORS = 35

/** A link to an earlier block, which the state of the later one remembers. */
const linkBack = (store: ChainStore, from: BlockIdExt, to: BlockIdExt): LiteServerBlockLinkBack => {
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
const linkForward = (store: ChainStore, from: BlockIdExt, to: BlockIdExt): LiteServerBlockLinkForward => {
  const configProof = from.seqno === 0 ? proveFirstRules(store, from) : proveKeyBlockRules(loadProven(store, from))
  const { value: header, proof } = proveHeader(loadProven(store, to))
  const signatures = store.findSignatures(to.seqno)
  if (signatures === undefined) {
    throw new LiteserverError(NOT_READY, `cannot load proof for ${formatBlockIdExt(to)} : block proof not in db`)
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
      throw new LiteserverError(REQUEST_ERROR, 'cannot unpack extra header of key block to extract configuration')
    }
    visitSigningRules(config.config)
  }).proof

/** The parameters that say who signs. */
const visitSigningRules = (config: ConfigDict): void => {
  visitAll(config.find(CURRENT_TEMPORARY_VALIDATORS) ?? config.find(CURRENT_VALIDATORS))
  visitAll(config.find(CATCHAIN))
}

const TO_TARGET = 1
const TO_NEWEST = 2
/** The chain is looked at as from the newer of the two blocks, and not from the newest of all. */
const FROM_NEWER_END = 0x1000
const MAX_LINKS = 16

/** How a proof chain runs, and from which block on the later ones do not count. */
type Route = { readonly from: BlockIdExt; readonly to: BlockIdExt; readonly base: BlockIdExt }

/** A chain of proofs from one masterchain block to another, or as much of it as an answer holds. */
export const getBlockProof: LiteFunction<'liteServer.getBlockProof'> = ({ store }, args) => {
  const route = chooseRoute(store, args.mode, args.knownBlock, args.targetBlock)
  const { from, to } = route
  const steps: AnyLiteServerBlockLink[] = []
  let reached = from
  while (steps.length < MAX_LINKS && !isSame(reached, to)) {
    const link = linkFrom(store, reached, route)
    steps.push(link)
    reached = link.to
  }
  return { complete: isSame(reached, to), from, to: reached, steps }
}

const chooseRoute = (store: ChainStore, mode: number, from: BlockIdExt, target: BlockIdExt | undefined): Route => {
  expectMaster('source', from)
  const newest = newestMaster(store)
  const to = target ?? newest
  if (target !== undefined) expectMaster('destination', target)
  // Without a target it is the newest block, of the shard client or of all: here the two are the same.
  const isBetween = (mode & TO_TARGET) === 0 ? (mode & TO_NEWEST) === 0 : (mode & FROM_NEWER_END) !== 0
  const base = !isBetween ? newest : from.seqno > to.seqno ? from : to
  expectKnown(store, { from, to, base })
  return { from, to, base }
}

const expectMaster = (end: string, id: BlockIdExt): void => {
  if (id.workchain === masterchain && isValidBlockIdExt(id)) return
  throw new LiteserverError(REQUEST_ERROR, `${end} block ${nameOf(id)} is not a valid masterchain block id`)
}

const expectKnown = (store: ChainStore, { from, to, base }: Route): void => {
  if (!isKnown(store, base)) throw new LiteserverError(NOT_READY, 'block handle not in db')
  for (const id of [from, to]) {
    if (id.seqno <= base.seqno) continue
    const reference = `the reference masterchain block ${nameOf(base)}`
    throw new LiteserverError(REQUEST_ERROR, `client knows block ${nameOf(id)} newer than ${reference}`)
  }
  for (const [end, id] of [['source', from] as const, ['destination', to] as const]) {
    if (isKnown(store, id)) continue
    const view = `from the perspective of reference block ${nameOf(base)}`
    throw new LiteserverError(REQUEST_ERROR, `proof ${end} masterchain block ${nameOf(id)} is unknown ${view}`)
  }
}

/** Back to an earlier target or to the key block before; from a key block to the next, and from the last to the target. */
const linkFrom = (store: ChainStore, from: BlockIdExt, { to, base }: Route): AnyLiteServerBlockLink => {
  if (to.seqno < from.seqno) return linkBack(store, from, to)
  const keyBlocks = [0, ...store.keyBlockSeqnos.filter((seqno) => seqno <= base.seqno)]
  const last = keyBlocks.findLast((seqno) => seqno <= from.seqno)!
  if (last !== from.seqno) return linkBack(store, from, getMaster(store, last))
  const next = keyBlocks.find((seqno) => seqno > from.seqno)
  return linkForward(store, from, next === undefined ? to : getMaster(store, next))
}

const getMaster = (store: ChainStore, seqno: number): BlockIdExt =>
  seqno === 0 ? store.zeroState : store.findMaster(seqno)!.id

const isSame = (a: BlockIdExt, b: BlockIdExt): boolean => nameOf(a) === nameOf(b)

const isKnown = (store: ChainStore, id: BlockIdExt): boolean =>
  isZeroState(store, id) || store.index.find(id) !== undefined

/** Numbers of blocks are unsigned to a node, also where they are none. */
const nameOf = (id: BlockIdExt): string => formatBlockIdExt({ ...id, seqno: id.seqno >>> 0 })
