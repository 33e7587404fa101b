import type { PreviousBlocks, RunContext } from '../../src/chain/ports.ts'
import { listPreviousBlocks } from '../../src/chain/shardBlocks.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { applyMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type BlockExtra, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, openBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { openMcStateExtra, openMcStateHistory } from '../../src/codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  writeShardState,
} from '../../src/codec/tlb/ShardState.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { readFixture, readFixtureJson } from './fixtures.ts'

type IndexedBlock = {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly masterchain_seqno?: number
}

/** A block of the recorded network with the states that it was made from. */
export type ReplayedBlock = {
  readonly info: BlockInfo
  readonly extra: BlockExtra
  /** The state before it, both halves before a merge. */
  readonly before: readonly ShardStateUnsplit[]
  /** The masterchain state that it refers to; in the masterchain the one before it. */
  readonly master: ShardStateUnsplit
  readonly after: ShardStateUnsplit
}

/** All blocks of the recorded network, each after those it follows, their states made from the zerostates on. */
export function* replayLocalnet(): Generator<ReplayedBlock> {
  const { blocks } = readFixtureJson<{ blocks: IndexedBlock[] }>('localnet/blocks/index.json')
  const states = new Map<string, OpenedState>()
  for (const name of ['zerostate', 'basestate0']) {
    const root = decodeSingleBoc(readFixture(`localnet/config/${name}.boc`))
    states.set(toHex(root.hash()), openWhole(root))
  }
  const mcSeqno = ({ workchain, seqno, masterchain_seqno }: IndexedBlock) =>
    workchain === masterchain ? seqno : masterchain_seqno!
  const ordered = blocks.toSorted((a, b) => mcSeqno(a) - mcSeqno(b) || b.workchain - a.workchain || a.seqno - b.seqno)
  for (const { workchain, shard, seqno, root_hash } of ordered) {
    const block = openBlock(decodeSingleBoc(readFixture(`localnet/blocks/${workchain}_${shard}_${seqno}.boc`)))
    const info = openBlockInfo(block.info)
    const getState = ({ rootHash }: { readonly rootHash: Uint8Array }): OpenedState => states.get(toHex(rootHash))!
    const before = listPreviousBlocks(info).map(getState)
    const [left, right] = before
    const old = right === undefined ? left!.root : joinStates(left!.root, right.root)
    const after = openWhole(applyMerkleUpdate(old, block.stateUpdate))
    states.set(root_hash, after)
    yield {
      info,
      extra: openBlockExtra(block.extra),
      before: before.map(({ state }) => state),
      master: (info.masterRef === undefined ? left! : getState(info.masterRef)).state,
      after: after.state,
    }
  }
}

type OpenedState = { readonly root: Cell; readonly state: ShardStateUnsplit }

const openWhole = (root: Cell): OpenedState => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new Error('A state that no block has was to be opened.')
  return { root, state }
}

const joinStates = (left: Cell, right: Cell): Cell => writeWhole(writeShardState, { kind: 'split', left, right })

export const findShardAccount = (
  states: readonly ShardStateUnsplit[],
  account: Uint8Array,
): ShardAccount | undefined => {
  for (const { accounts } of states) {
    const found = openShardAccounts(accounts).find(account)
    if (found !== undefined) return found
  }
  return undefined
}

/** What code sees of the network under a masterchain state, at the time of that state and with no randomness. */
export const contextOf = (master: ShardStateUnsplit): RunContext => {
  const extra = openMcStateExtra(master.custom!)
  const { libraries } = openStateTotals(master.totals)
  return {
    config: extra.config.config.root as Cell,
    now: master.genUtime,
    randomSeed: new Uint8Array(32),
    previousBlocks: previousBlocksOf(extra.history),
    findLibrary: (hash) => libraries.find(hash)?.lib,
  }
}

const previousBlocksOf = (historyCell: Cell): PreviousBlocks | undefined => {
  const { prevBlocks, lastKeyBlock } = openMcStateHistory(historyCell)
  if (lastKeyBlock === undefined) return undefined
  const toId = ({ seqno, rootHash, fileHash }: ExtBlkRef): BlockIdExt => ({
    workchain: masterchain,
    shard: wholeShard,
    seqno,
    rootHash,
    fileHash,
  })
  const last: BlockIdExt[] = []
  const lastHundreds: BlockIdExt[] = []
  prevBlocks.forEach(
    (seqno, { block }) => {
      if (last.length < 16) last.push(toId(block))
      if (seqno % 100 === 0 && lastHundreds.length < 16) lastHundreds.push(toId(block))
    },
    { reverse: true },
  )
  return { last, keyBlock: toId(lastKeyBlock), lastHundreds }
}
