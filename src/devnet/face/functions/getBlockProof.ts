import type { AnyLiteServerBlockLink } from '../../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import type { ChainStore } from '../../store/ChainStore.ts'
import { linkBack, linkForward } from '../blockLinks.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, NOT_READY, REQUEST_ERROR } from '../LiteRefusal.ts'
import { isZeroState, newestMaster } from '../referenceBlock.ts'

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
  throw new LiteRefusal(REQUEST_ERROR, `${end} block ${nameOf(id)} is not a valid masterchain block id`)
}

const expectKnown = (store: ChainStore, { from, to, base }: Route): void => {
  if (!isKnown(store, base)) throw new LiteRefusal(NOT_READY, 'block handle not in db')
  for (const id of [from, to]) {
    if (id.seqno <= base.seqno) continue
    const reference = `the reference masterchain block ${nameOf(base)}`
    throw new LiteRefusal(REQUEST_ERROR, `client knows block ${nameOf(id)} newer than ${reference}`)
  }
  for (const [end, id] of [['source', from] as const, ['destination', to] as const]) {
    if (isKnown(store, id)) continue
    const view = `from the perspective of reference block ${nameOf(base)}`
    throw new LiteRefusal(REQUEST_ERROR, `proof ${end} masterchain block ${nameOf(id)} is unknown ${view}`)
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
