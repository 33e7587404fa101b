import type { Cell } from '../../codec/cell/Cell.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { ArenaWriter, adoptCells } from './ArenaWriter.ts'
import { CellWalk } from './CellWalk.ts'
import { runAtOnce, runInSlices, type SlicedWork } from './slicedWork.ts'

/** Small enough that marking what was visited in an arena costs little, large enough that few references leave it. */
const ARENA_CELLS = 8192

/** Copies trees of cells, each content once. */
export class CellCopier {
  /** Holds the copies, without what is needed to make more of them. */
  readonly writer = new ArenaWriter(ARENA_CELLS)
  private readonly walk: CellWalk

  constructor() {
    const { writer } = this
    this.walk = new CellWalk({
      take(cell, children) {
        writer.append(
          cell,
          children.map((number) => writer.get(number)),
        )
      },
      hasHash: (number, hash) => writer.hasHash(number, hash),
    })
  }

  *copy(root: Cell): SlicedWork<Cell> {
    return this.writer.get(yield* this.walk.visit(root))
  }
}

export type StateStoreOptions = {
  /** States of masterchain blocks this far behind the head, and of the shard blocks they include, are dropped; 0 keeps all. */
  readonly keep: number
  /** Older ones than the last few are dropped as well while those that are kept have added more cells than this. */
  readonly keepCells?: number | undefined
  /** Packing begins when so many new cells have come, or half as many as there were. */
  readonly packAfterCells?: number
}

type KeptState = { readonly root: Cell; readonly masterSeqno: number; readonly newCells: number }

/** Cells of new states go to arenas of this size. */
const YOUNG_ARENA_CELLS = 2048
/** A cell takes about a hundred bytes. */
const PACK_AFTER_CELLS = 50_000
/** States of so many masterchain blocks are kept, however large they are: answers are made from them. */
const KEEP_AT_LEAST = 64
/** Packing is made to end when it cannot keep up with the blocks, as while a chain is read as fast as it goes. */
const PACK_NOW_FACTOR = 4

/** The states after blocks, as cells that the versions share and that live in arenas of their own. */
export class StateStore {
  private readonly options: StateStoreOptions
  private readonly first: Map<string, Cell>
  private readonly states = new Map<string, KeptState>()
  private packed: ArenaWriter | undefined
  private young = new ArenaWriter(YOUNG_ARENA_CELLS)
  private packing: SlicedWork<void> | undefined
  private held: Promise<void> | undefined
  /** Cells that were new in the states that are kept, */
  private keptCells = 0
  /** and in what was adopted after the last of them. */
  private adoptedCells = 0

  /** The first states of the network are never dropped. */
  constructor(options: StateStoreOptions, first: readonly { readonly id: BlockIdExt; readonly root: Cell }[]) {
    this.options = options
    this.first = new Map(first.map(({ id, root }) => [formatBlockIdExt(id), this.adopt(root)]))
  }

  get count(): number {
    return this.states.size
  }

  /** Cells held for the states, dropped ones among them until they are packed. */
  get cells(): number {
    return (this.packed?.count ?? 0) + this.young.count
  }

  find(id: BlockIdExt): Cell | undefined {
    const key = formatBlockIdExt(id)
    return this.states.get(key)?.root ?? this.first.get(key)
  }

  /** The same tree in the arenas of this store; only its new cells are copied. */
  adopt(root: Cell): Cell {
    const { young, packed } = this
    const before = young.count
    const own = adoptCells(root, young, (arena) => young.owns(arena) || packed?.owns(arena) === true)
    this.adoptedCells += young.count - before
    return own
  }

  /**
   * States that are adopted from now on are set before the function that this returns is called. Until then no packing ends: it would take
   * the arenas that they refer to, and the next state would have all of its cells copied.
   */
  hold(): () => void {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    this.held = held
    return () => {
      if (this.held === held) this.held = undefined
      release()
    }
  }

  /** Takes a state that was adopted. States come in the order of their masterchain blocks. */
  set(id: BlockIdExt, root: Cell, masterSeqno: number): void {
    // What the first one has does not go with it: all others are made from it.
    const newCells = this.states.size === 0 ? 0 : this.adoptedCells
    this.states.set(formatBlockIdExt(id), { root, masterSeqno, newCells })
    this.keptCells += newCells
    this.adoptedCells = 0
  }

  /** Drops what has become too old; `isNeeded` keeps states that later blocks still build on. */
  dropOld(headSeqno: number, isNeeded: (key: string) => boolean): void {
    const { keep, keepCells = Number.POSITIVE_INFINITY } = this.options
    if (keep === 0) return
    // They are in the order of their masterchain blocks, and those of one go together.
    let dropped = headSeqno - keep
    for (const [key, { masterSeqno }] of this.states) {
      if (masterSeqno > dropped) {
        if (this.keptCells <= keepCells || masterSeqno + KEEP_AT_LEAST > headSeqno) break
        dropped = masterSeqno
      }
      if (!isNeeded(key)) this.drop(key)
    }
    this.packWhereDue()
  }

  /** Drops states by their blocks. */
  remove(ids: Iterable<BlockIdExt>): void {
    for (const id of ids) this.drop(formatBlockIdExt(id))
    this.packWhereDue()
  }

  /** Drops the states after the ones of this masterchain block. */
  removeAfter(masterSeqno: number): void {
    for (const [key, state] of this.states) if (state.masterSeqno > masterSeqno) this.drop(key)
  }

  private drop(key: string): void {
    this.keptCells -= this.states.get(key)?.newCells ?? 0
    this.states.delete(key)
  }

  private packWhereDue(): void {
    const due = Math.max(this.options.packAfterCells ?? PACK_AFTER_CELLS, (this.packed?.count ?? 0) / 2)
    if (this.young.count < due) return
    if (this.packing === undefined) {
      const packing = this.pack()
      this.packing = packing
      void runInSlices(packing)
    } else if (this.young.count >= PACK_NOW_FACTOR * due && this.held === undefined) {
      runAtOnce(this.packing)
    }
  }

  /** Copies the cells of all states, each once, and leaves those of dropped ones behind. */
  private *pack(): SlicedWork<void> {
    const copier = new CellCopier()
    const copies = new Map<Cell, Cell>()
    const listMissing = (): Cell[] =>
      [...this.first.values(), ...[...this.states.values()].map(({ root }) => root)].filter((root) => !copies.has(root))
    for (;;) {
      const missing = listMissing()
      for (const root of missing) copies.set(root, yield* copier.copy(root))
      if (missing.length > 0) continue
      if (this.held === undefined) break
      yield this.held
    }
    // Nothing has yielded since all were found copied: these are the states as they are.
    for (const [key, root] of this.first) this.first.set(key, copies.get(root)!)
    for (const [key, state] of this.states) this.states.set(key, { ...state, root: copies.get(state.root)! })
    this.packed = copier.writer
    this.young = new ArenaWriter(YOUNG_ARENA_CELLS)
    this.packing = undefined
  }
}
