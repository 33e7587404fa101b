import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { stateHashAfter, topsOf } from './applyBlock.ts'
import type { CheckedBlock, MasterStep } from './ChainStore.ts'
import { ChainDataError } from './errors.ts'
import type { StatesAt } from './StateLine.ts'

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
    throw new ChainDataError(`One state of the masterchain is needed to begin with, ${masters.length} came.`)
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
