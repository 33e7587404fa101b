import type { Cell } from '../../codec/cell/Cell.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { applyBlock, topsOf } from './applyBlock.ts'
import type { CheckedBlock, MasterStep } from './ChainStore.ts'
import { ChainDataError } from './errors.ts'
import { StateStore } from './StateStore.ts'

/** The states after a masterchain block: its own, and those of the newest blocks of all shards. */
export type StatesAt = {
  readonly id: BlockIdExt
  /** That the masterchain block was made with. */
  readonly randomSeed: Uint8Array
  readonly master: Cell
  readonly shards: readonly { readonly id: BlockIdExt; readonly state: Cell }[]
}

export type StateLineOptions = {
  /** For how many masterchain blocks back states are kept, */
  readonly keep: number
  /** as long as they do not add more cells than this. */
  readonly keepCells: number
  /** With more cells than this, dropped ones among them, it takes no more blocks. */
  readonly maxCells: number
}

type Point = {
  readonly id: BlockIdExt
  readonly randomSeed: Uint8Array
  readonly tops: readonly BlockIdExt[]
  readonly newCells: number
}

/** States after consecutive masterchain blocks in memory, which share what did not change. The oldest go as newer ones come. */
export class StateLine {
  private readonly options: StateLineOptions
  private readonly states = new StateStore({ keep: 0 }, [])
  /** By seqno, ascending. */
  private readonly points = new Map<number, Point>()
  /** How many points need the state after a block. */
  private readonly uses = new Map<string, number>()
  private newest: Point
  private oldest: number
  private addedCells = 0

  constructor(start: StatesAt, options: StateLineOptions) {
    this.options = options
    const { id, randomSeed, master, shards } = start
    const tops = shards.map((each) => each.id)
    for (const each of [{ id, state: master }, ...shards])
      this.states.set(each.id, this.states.adopt(each.state), id.seqno)
    this.oldest = id.seqno
    this.newest = { id, randomSeed, tops, newCells: 0 }
    this.addPoint(this.newest)
  }

  /** The newest masterchain block. */
  get top(): number {
    return this.newest.id.seqno
  }

  get cells(): number {
    return this.states.cells
  }

  find(seqno: number): StatesAt | undefined {
    const point = this.points.get(seqno)
    if (point === undefined) return undefined
    const { id, randomSeed, tops } = point
    return {
      id,
      randomSeed,
      master: this.getState(id),
      shards: tops.map((top) => ({ id: top, state: this.getState(top) })),
    }
  }

  /** Takes the next masterchain block with the shard blocks that it is the first to include, or nothing of it. */
  append({ master, shardBlocks }: Pick<MasterStep, 'master' | 'shardBlocks'>): void {
    const expected = this.top + 1
    if (master.id.workchain !== masterchain || master.id.seqno !== expected) {
      throw new ChainDataError(`Masterchain block ${expected} should follow, ${formatBlockId(master.id)} came.`)
    }
    if (this.cells > this.options.maxCells) {
      throw new ChainDataError(
        `The states after masterchain block ${this.top} take more than ${this.options.maxCells} cells, and no more is kept here.`,
      )
    }
    const before = this.cells
    const fresh = this.applyAll([...shardBlocks, master])
    const tops = topsOf(master)
    const kept = [master.id, ...tops].map((id) => {
      const state = fresh.get(formatBlockIdExt(id)) ?? this.states.find(id)
      if (state === undefined)
        throw new ChainDataError(`Masterchain block ${expected} includes ${formatBlockId(id)}, which is missing.`)
      return { id, state }
    })
    for (const { id, state } of kept) this.states.set(id, state, expected)
    const randomSeed = openBlockExtra(openBlock(master.root).extra).randSeed.slice()
    this.newest = { id: master.id, randomSeed, tops, newCells: Math.max(0, this.cells - before) }
    this.addPoint(this.newest)
    this.dropOld()
  }

  private applyAll(blocks: readonly CheckedBlock[]): Map<string, Cell> {
    const fresh = new Map<string, Cell>()
    const findState = (id: BlockIdExt): Cell | undefined => fresh.get(formatBlockIdExt(id)) ?? this.states.find(id)
    for (const block of blocks) fresh.set(formatBlockIdExt(block.id), this.states.adopt(applyBlock(block, findState)))
    return fresh
  }

  private getState(id: BlockIdExt): Cell {
    return this.states.find(id)!
  }

  private addPoint(point: Point): void {
    this.points.set(point.id.seqno, point)
    this.addedCells += point.newCells
    for (const id of [point.id, ...point.tops]) {
      const key = formatBlockIdExt(id)
      this.uses.set(key, (this.uses.get(key) ?? 0) + 1)
    }
  }

  private dropOld(): void {
    const { keep, keepCells } = this.options
    const unused: BlockIdExt[] = []
    while (this.points.size > 1 && (this.points.size > keep || this.addedCells > keepCells)) {
      const point = this.points.get(this.oldest)!
      this.points.delete(this.oldest++)
      this.addedCells -= point.newCells
      for (const id of [point.id, ...point.tops]) {
        const key = formatBlockIdExt(id)
        const left = this.uses.get(key)! - 1
        this.uses.set(key, left)
        if (left > 0) continue
        this.uses.delete(key)
        unused.push(id)
      }
    }
    this.states.remove(unused)
  }
}
