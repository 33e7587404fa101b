import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { applyMerkleUpdate, readMerkleUpdate } from '../../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import { writeShardState } from '../../../src/codec/tlb/ShardState.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'

/** The update leads from the state before to the state after; before a merge the two states are one pair. */
export const checkStateUpdate = ({ block, before, after }: BlockContext, findings: Findings): void => {
  const [left, right] = before
  const old: Cell =
    right === undefined
      ? left!.root
      : writeWhole(writeShardState, { kind: 'split', left: left!.root, right: right.root })
  const update = readMerkleUpdate(block.stateUpdate)
  findings.equal('old hash of the state update', update.before.hash(0), old.hash())
  findings.equal('new hash of the state update', update.after.hash(0), after.root.hash())
  findings.equal('state that the update makes', applyMerkleUpdate(old, block.stateUpdate).hash(), after.root.hash())
}
