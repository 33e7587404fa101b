import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'

/** The oldest masterchain block that is still needed to understand the state. */
export const checkOldestReference = ({ block, after, masterId, isMaster }: BlockContext, findings: Findings): void => {
  const ofShards = isMaster ? after.master.shards.map(({ descr }) => descr.minRefMcSeqno) : []
  const ofQueues = after.processed.map(({ mcSeqno }) => mcSeqno)
  const expected = Math.min(isMaster ? block.info.seqno : masterId.seqno, ...ofShards, ...ofQueues)
  findings.equal('min_ref_mc_seqno', block.info.minRefMcSeqno, expected)
  findings.equal('min_ref_mc_seqno of the state', after.state.minRefMcSeqno, block.info.minRefMcSeqno)
}
