import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { ChainDataError } from '../../../src/devnet/store/errors.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt } from '../../../src/primitives/BlockId.ts'
import { StateView } from './StateView.ts'

/** Where states come from: those after blocks, and the first ones. */
export interface ChainSource {
  findState(id: BlockIdExt): Cell | undefined
  /** The masterchain block, or first state, of this number. */
  findMasterId(seqno: number): BlockIdExt | undefined
}

const MAX_KEPT = 512

/** States of a chain as views, the latest of them kept. */
export class ChainViews {
  private readonly source: ChainSource
  private readonly views = new Map<string, StateView>()

  constructor(source: ChainSource) {
    this.source = source
  }

  findState(id: BlockIdExt): StateView | undefined {
    const key = formatBlockIdExt(id)
    const kept = this.views.get(key)
    if (kept !== undefined) return kept
    const root = this.source.findState(id)
    if (root === undefined) return undefined
    const view = new StateView(root)
    if (this.views.size === MAX_KEPT) {
      for (const old of [...this.views.keys()].slice(0, MAX_KEPT >> 1)) this.views.delete(old)
    }
    this.views.set(key, view)
    return view
  }

  getState(id: BlockIdExt): StateView {
    const view = this.findState(id)
    if (view === undefined) throw new ChainDataError(`The state of ${formatBlockId(id)} is not there.`)
    return view
  }

  findMaster(seqno: number): { readonly id: BlockIdExt; readonly state: StateView } | undefined {
    const id = this.source.findMasterId(seqno)
    return id && { id, state: this.getState(id) }
  }

  getMaster(seqno: number): { readonly id: BlockIdExt; readonly state: StateView } {
    const master = this.findMaster(seqno)
    if (master === undefined) throw new ChainDataError(`Masterchain block ${seqno} is not there.`)
    return master
  }
}
