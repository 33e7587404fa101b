import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'

export type StateStoreOptions = {
  /** States of masterchain blocks this far behind the head, and of the shard blocks they include, are dropped; 0 keeps all. */
  readonly keep: number
}

type KeptState = { readonly root: Cell; readonly masterSeqno: number }

/** How many states are dropped before the rest is packed: cells of dropped states live on in arenas that newer ones share. */
const PACK_AFTER = 256

/** The states after blocks, as cells that the versions share. */
export class StateStore {
  private readonly options: StateStoreOptions
  private states = new Map<string, KeptState>()
  private dropped = 0

  constructor(options: StateStoreOptions) {
    this.options = options
  }

  get count(): number {
    return this.states.size
  }

  find(id: BlockIdExt): Cell | undefined {
    return this.states.get(formatBlockIdExt(id))?.root
  }

  set(id: BlockIdExt, root: Cell, masterSeqno: number): void {
    this.states.set(formatBlockIdExt(id), { root, masterSeqno })
  }

  /** Drops what has become too old; `isNeeded` keeps states that later blocks still build on. */
  dropOld(headSeqno: number, isNeeded: (key: string) => boolean): void {
    const { keep } = this.options
    if (keep === 0) return
    for (const [key, { masterSeqno }] of this.states) {
      if (masterSeqno + keep > headSeqno || isNeeded(key)) continue
      this.states.delete(key)
      this.dropped++
    }
    if (this.dropped >= PACK_AFTER) this.pack()
  }

  /** Writes all states into one bag, in which each cell stands once, and reads them back: one arena takes the place of many. */
  private pack(): void {
    this.dropped = 0
    const entries = [...this.states]
    const limits = { maxBytes: Number.MAX_SAFE_INTEGER, maxCells: 2 ** 31, maxRoots: 16_384 }
    const roots = decodeBoc(encodeBoc(entries.map(([, { root }]) => root)), { trusted: true, limits })
    this.states = new Map(entries.map(([key, state], k) => [key, { ...state, root: roots[k]! }]))
  }
}
