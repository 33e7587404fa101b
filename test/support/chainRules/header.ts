import { shardChildren } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'
import { hashValidators, pickValidators } from './validators.ts'

/** Who a block is and what it follows: its number, previous blocks and masterchain block, and the same in its state. */
export const checkHeader = (context: BlockContext, findings: Findings): void => {
  checkIdentity(context, findings)
  checkPrevious(context, findings)
  checkMasterRef(context, findings)
  checkKeyBlockNumber(context, findings)
  checkSoftware(context, findings)
  checkSession(context, findings)
}

const checkIdentity = ({ block, before, after, config, isMaster }: BlockContext, findings: Findings): void => {
  const { info } = block
  findings.equal('global_id', block.globalId, before[0]!.state.globalId)
  findings.equal('global_id of the state', after.state.globalId, block.globalId)
  if (config.globalId !== undefined) findings.equal('global_id and parameter 19', block.globalId, config.globalId)
  const newest = Math.max(...before.map(({ state }) => state.seqno))
  findings.equal('seq_no', info.seqno, newest + 1)
  findings.equal('seq_no of the state', after.state.seqno, info.seqno)
  findings.equal('workchain of the state', after.state.shard.workchain, info.workchain)
  findings.equal('shard of the state', after.state.shard.shard, info.shard)
  const vertical = Math.max(...before.map(({ state }) => state.vertSeqno)) + (info.prevVertRef === undefined ? 0 : 1)
  findings.equal('vert_seq_no', info.vertSeqno, vertical)
  findings.equal('vert_seq_no of the state', after.state.vertSeqno, info.vertSeqno)
  findings.equal('before_split of the state', after.state.beforeSplit, info.beforeSplit)
  findings.equal('custom, in the block', block.master !== undefined, isMaster)
  findings.equal('custom, in the state', after.state.custom !== undefined, isMaster)
  if (isMaster) {
    // The wish to split or merge is reckoned for the masterchain as well, and nothing comes of it.
    const flags = info.afterMerge || info.afterSplit || info.beforeSplit
    findings.isTrue('split and merge flags of the masterchain', !flags, 'none', true)
  } else findings.equal('key_block outside of the masterchain', info.keyBlock, false)
}

const checkPrevious = ({ block, before }: BlockContext, findings: Findings): void => {
  const { info, previousRefs } = block
  before.forEach(({ state }, k) => {
    const ref = previousRefs[k]!
    findings.equal('end_lt in prev_ref', ref.endLt, state.genLt)
    findings.equal('seq_no in prev_ref', ref.seqno, state.seqno)
    if (ref.seqno === 0) findings.equal('root_hash in prev_ref of a first state', ref.rootHash, before[k]!.root.hash())
  })
  const shards = before.map(({ state }) => state.shard.shard)
  if (info.afterMerge) {
    const [left, right] = shardChildren(info.shard)
    findings.equal('left shard before a merge', shards[0], left)
    findings.equal('right shard before a merge', shards[1], right)
  } else if (info.afterSplit) {
    const isChild = shardChildren(shards[0]!).includes(info.shard)
    findings.isTrue('shard before a split', isChild, `the parent of ${info.shard}`, shards[0])
  } else findings.equal('shard of the previous block', shards[0], info.shard)
  for (const { state } of before) {
    findings.equal('after_split, where the previous block says before_split', info.afterSplit, state.beforeSplit)
  }
}

const checkMasterRef = (context: BlockContext, findings: Findings): void => {
  const { block, before, after, master, masterId, isMaster } = context
  const { masterRef } = block.info
  const stated = after.totals.masterRef
  if (isMaster) {
    findings.equal('master_ref of a masterchain block', masterRef !== undefined, false)
    findings.equal('master_ref in a masterchain state', stated !== undefined, false)
    return
  }
  if (masterRef === undefined) {
    findings.fail('master_ref', 'one', 'nothing')
    return
  }
  findings.equal('root_hash in master_ref', masterRef.rootHash, masterId.rootHash)
  findings.equal('file_hash in master_ref', masterRef.fileHash, masterId.fileHash)
  findings.equal('end_lt in master_ref', masterRef.endLt, master.state.genLt)
  findings.isTrue('master_ref', masterRef.seqno >= 1, 'block 1 or a later one', masterRef.seqno)
  findings.equal('seq_no in master_ref of the state', stated?.seqno, masterRef.seqno)
  findings.equal('root_hash in master_ref of the state', stated?.rootHash, masterRef.rootHash)
  findings.equal('file_hash in master_ref of the state', stated?.fileHash, masterRef.fileHash)
  findings.equal('end_lt in master_ref of the state', stated?.endLt, masterRef.endLt)
  for (const { totals } of before) {
    const old = totals.masterRef?.seqno ?? 0
    findings.isTrue('master_ref', masterRef.seqno >= old, `block ${old} or a later one`, masterRef.seqno)
  }
}

/** The newest key block up to the masterchain state that is referred to; the first state counts as one. */
const checkKeyBlockNumber = ({ block, master, masterId }: BlockContext, findings: Findings): void => {
  const { afterKeyBlock, lastKeyBlock } = master.master.history
  const expected = afterKeyBlock ? masterId.seqno : (lastKeyBlock?.seqno ?? 0)
  findings.equal('prev_key_block_seqno', block.info.prevKeyBlockSeqno, expected)
}

const checkSoftware = ({ block, config }: BlockContext, findings: Findings): void => {
  const { genSoftware } = block.info
  findings.equal('gen_software, which capability 8 asks for', genSoftware !== undefined, config.has.reportVersion)
  if (genSoftware === undefined) return
  findings.isTrue(
    'version of gen_software',
    genSoftware.version >= config.version,
    `${config.version} or more`,
    genSoftware.version,
  )
  const lacks = config.capabilities & ~genSoftware.capabilities
  findings.isTrue(
    'capabilities of gen_software',
    lacks === 0n,
    `all of ${config.capabilities}`,
    genSoftware.capabilities,
  )
}

const checkSession = (context: BlockContext, findings: Findings): void => {
  const { block, config, own } = context
  const { genCatchainSeqno, genValidatorListHashShort } = block.info
  findings.equal('gen_catchain_seqno', genCatchainSeqno, expectedCatchain(context))
  const validators = pickValidators(config, own, genCatchainSeqno)
  findings.equal(
    'gen_validator_list_hash_short',
    genValidatorListHashShort,
    hashValidators(validators, genCatchainSeqno),
  )
}

/** That of the state before in the masterchain; elsewhere of the leaf in the state referred to, or one more than both halves. */
const expectedCatchain = ({ block, own, master, isMaster }: BlockContext): number => {
  const { history, shards } = master.master
  if (isMaster) return history.validatorInfo.catchainSeqno
  const leaves = shards.filter(({ workchain }) => workchain === own.workchain)
  const exact = leaves.find(({ shard }) => shard === own.shard)
  if (exact !== undefined) return exact.descr.nextCatchainSeqno
  const [left, right] = shardChildren(own.shard)
  const halves = leaves.filter(({ shard }) => shard === left || shard === right)
  if (halves.length === 2) return Math.max(...halves.map(({ descr }) => descr.nextCatchainSeqno)) + 1
  const parent = leaves.find(({ shard }) => shardChildren(shard).includes(own.shard))
  return parent?.descr.nextCatchainSeqno ?? block.info.genCatchainSeqno
}
