import type { McStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import type { AdvancedShards } from './advanceShards.ts'
import { updateCreateStats } from './createStats.ts'
import type { MasterView } from './MasterView.ts'

/** What a masterchain state keeps of the past, after one more block. */
export const advanceHistory = (
  { history, ref, rules }: MasterView,
  { endsMasterSession, endsShardSessions }: AdvancedShards,
  block: {
    readonly isKeyBlock: boolean
    readonly shardBlocks: number
    readonly creator: Uint8Array
    readonly utime: number
  },
): McStateHistory => ({
  validatorInfo: {
    validatorListHashShort: soleValidatorHash(rules.validator, 0),
    catchainSeqno: history.validatorInfo.catchainSeqno + (endsMasterSession ? 1 : 0),
    nxCcUpdated: endsMasterSession && endsShardSessions,
  },
  prevBlocks: history.prevBlocks.set(ref.seqno, { isKey: history.afterKeyBlock, block: ref }),
  afterKeyBlock: block.isKeyBlock,
  lastKeyBlock: history.afterKeyBlock ? ref : history.lastKeyBlock,
  blockCreateStats: rules.hasCreateStats
    ? updateCreateStats(history.blockCreateStats, block.creator, block.shardBlocks, block.utime)
    : undefined,
})
