import type { Cell } from '../../codec/cell/Cell.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { ArenaWriter, adoptCells } from './ArenaWriter.ts'
import { CellWalk, runAtOnce, runInSlices, type SlicedWork } from './writeBag.ts'

/** Small enough that marking what was visited in an arena costs little, large enough that few references leave it. */
const ARENA_CELLS = 8192

/** Copies trees of cells, each content once. */
export class CellCopier {
  /** Holds the copies, without what is needed to make more of them. */
  readonly writer = new ArenaWriter(ARENA_CELLS)
  private readonly walk: CellWalk

  constructor() {
    const { writer } = this
    this.walk = new CellWalk((cell, children) => {
      writer.append(
        cell,
        children.map((number) => writer.get(number)),
      )
    })
  }

  *copy(root: Cell): SlicedWork<Cell> {
    return this.writer.get(yield* this.walk.visit(root))
  }
}

export type StateStoreOptions = {
  /** States of masterchain blocks this far behind the head, and of the shard blocks they include, are dropped; 0 keeps all. */
  readonly keep: number
  /** Packing begins when so many new cells have come, or half as many as there were. */
  readonly packAfterCells?: number
}

type KeptState = { readonly root: Cell; readonly masterSeqno: number }

/** Cells of new states go to arenas of this size. */
const YOUNG_ARENA_CELLS = 2048
/** A cell takes about a hundred bytes. */
const PACK_AFTER_CELLS = 50_000
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
    return adoptCells(root, young, (arena) => young.owns(arena) || packed?.owns(arena) === true)
  }

  /** Takes a state that was adopted. States come in the order of their masterchain blocks. */
  set(id: BlockIdExt, root: Cell, masterSeqno: number): void {
    this.states.set(formatBlockIdExt(id), { root, masterSeqno })
  }

  /** Drops what has become too old; `isNeeded` keeps states that later blocks still build on. */
  dropOld(headSeqno: number, isNeeded: (key: string) => boolean): void {
    const { keep } = this.options
    if (keep === 0) return
    for (const [key, { masterSeqno }] of this.states) {
      // They are in the order of their masterchain blocks.
      if (masterSeqno + keep > headSeqno) break
      if (!isNeeded(key)) this.states.delete(key)
    }
    this.packWhereDue()
  }

  /** Drops states by their blocks. */
  remove(ids: Iterable<BlockIdExt>): void {
    for (const id of ids) this.states.delete(formatBlockIdExt(id))
    this.packWhereDue()
  }

  /** Drops the states after the ones of this masterchain block. */
  removeAfter(masterSeqno: number): void {
    for (const [key, state] of this.states) if (state.masterSeqno > masterSeqno) this.states.delete(key)
  }

  private packWhereDue(): void {
    const due = Math.max(this.options.packAfterCells ?? PACK_AFTER_CELLS, (this.packed?.count ?? 0) / 2)
    if (this.young.count < due) return
    if (this.packing === undefined) {
      const packing = this.pack()
      this.packing = packing
      void runInSlices(packing)
    } else if (this.young.count >= PACK_NOW_FACTOR * due) {
      runAtOnce(this.packing)
    }
  }

  /** Copies the cells of all states, each once, and leaves those of dropped ones behind. */
  private *pack(): SlicedWork<void> {
    const copier = new CellCopier()
    const copies = new Map<Cell, Cell>()
    const listMissing = (): Cell[] =>
      [...this.first.values(), ...[...this.states.values()].map(({ root }) => root)].filter((root) => !copies.has(root))
    for (let missing = listMissing(); missing.length > 0; missing = listMissing()) {
      for (const root of missing) copies.set(root, yield* copier.copy(root))
    }
    // Nothing has yielded since all were found copied: these are the states as they are.
    for (const [key, root] of this.first) this.first.set(key, copies.get(root)!)
    for (const [key, { root, masterSeqno }] of this.states)
      this.states.set(key, { root: copies.get(root)!, masterSeqno })
    this.packed = copier.writer
    this.young = new ArenaWriter(YOUNG_ARENA_CELLS)
    this.packing = undefined
  }
}
