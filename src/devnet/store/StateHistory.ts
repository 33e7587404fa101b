import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { applyBlock, stateHashAfter, topsOf } from './applyBlock.ts'
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

export type StateHistoryOptions = {
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
export class StateHistory {
  private readonly options: StateHistoryOptions
  private readonly states = new StateStore({ keep: 0 }, [])
  /** By seqno, ascending. */
  private readonly points = new Map<number, Point>()
  /** How many points need the state after a block. */
  private readonly uses = new Map<string, number>()
  private newest: Point
  private oldest: number
  private addedCells = 0

  constructor(start: StatesAt, options: StateHistoryOptions) {
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
      throw new ChainDataError(`Expected masterchain block ${expected}, but got ${formatBlockId(master.id)}.`)
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

/** The blocks of a chain that are kept elsewhere, checked. */
export interface StepSource {
  getStep(masterSeqno: number, signal: AbortSignal): Promise<Pick<MasterStep, 'master' | 'shardBlocks'>>
  getBlock(id: BlockIdExt, signal: AbortSignal): Promise<CheckedBlock>
}

/** What the states of a chain are to begin with. */
export type StartStates = {
  /** Of the masterchain block after which these are the states. */
  readonly seqno: number
  readonly roots: readonly Cell[]
  /** For first states, which no block led to. */
  readonly zeroStates: StatesAt | undefined
}

type StateFile = {
  readonly root: Cell
  readonly workchain: number
  readonly seqno: number
  readonly fileHash: Uint8Array
}

/** Reads the files of the first states of a chain, or of those after a later masterchain block and of the shards it names. */
export const readStartStates = (files: readonly Uint8Array[]): StartStates => {
  const states = files.map(readStateFile)
  const masters = states.filter(({ workchain }) => workchain === masterchain)
  const [master] = masters
  if (master === undefined || masters.length > 1) {
    throw new ChainDataError(`Expected one masterchain state to start from, but got ${masters.length}.`)
  }
  const shards = states.filter((state) => state !== master)
  const zeroStates =
    master.seqno > 0
      ? undefined
      : {
          id: zeroIdOf(master),
          randomSeed: new Uint8Array(32),
          master: master.root,
          shards: shards.filter(({ seqno }) => seqno === 0).map((each) => ({ id: zeroIdOf(each), state: each.root })),
        }
  return { seqno: master.seqno, roots: states.map(({ root }) => root), zeroStates }
}

const readStateFile = (bytes: Uint8Array): StateFile => {
  try {
    const root = decodeSingleBoc(bytes, { limits: { maxBytes: Number.MAX_SAFE_INTEGER, maxCells: 2 ** 31 } })
    const state = openShardState(root)
    if (state.kind !== 'unsplit') throw new ChainDataError('A state file is of two shards at once.')
    return { root, workchain: state.shard.workchain, seqno: state.seqno, fileHash: sha256(bytes) }
  } catch (cause) {
    if (cause instanceof ChainDataError || !(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`A state file cannot be read: ${cause.message}`, { cause })
  }
}

const zeroIdOf = ({ root, workchain, fileHash }: StateFile): BlockIdExt => ({
  workchain,
  shard: wholeShard,
  seqno: 0,
  rootHash: root.hash(),
  fileHash,
})

/** Tells which of the roots are the states after a masterchain block, as its blocks state their hashes. One that is missing is named. */
export const matchStates = async (
  seqno: number,
  roots: readonly Cell[],
  blocks: StepSource,
  signal: AbortSignal,
): Promise<StatesAt> => {
  const { master } = await blocks.getStep(seqno, signal)
  const match = async (id: BlockIdExt, block?: CheckedBlock): Promise<Cell> => {
    const hash = id.seqno === 0 ? id.rootHash : stateHashAfter((block ?? (await blocks.getBlock(id, signal))).root)
    const found = roots.find((root) => root.hasHash(hash))
    if (found === undefined) throw new ChainDataError(`The state after block ${formatBlockId(id)} is not there.`)
    return found
  }
  const shards: { id: BlockIdExt; state: Cell }[] = []
  for (const id of topsOf(master)) shards.push({ id, state: await match(id) })
  return {
    id: master.id,
    randomSeed: openBlockExtra(openBlock(master.root).extra).randSeed.slice(),
    master: await match(master.id, master),
    shards,
  }
}
