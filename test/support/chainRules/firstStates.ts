import { Cell } from '../../../src/codec/cell/Cell.ts'
import type { ZeroState } from '../../../src/devnet/store/ChainStore.ts'
import { formatBlockId, masterchain } from '../../../src/primitives/BlockId.ts'
import { wholeShard } from '../../../src/primitives/shard.ts'
import { amountOf, NOTHING, sumAmounts } from './amounts.ts'
import { Findings } from './Findings.ts'
import { findStoredConfig } from './masterHistory.ts'
import { StateView } from './StateView.ts'
import { checkBalances } from './stateSums.ts'
import { hashValidators, pickValidators } from './validators.ts'

const NO_SEQNO = 0xffff_ffff

/** The states with which the chains of a network begin. */
export const checkFirstStates = (zeroStates: readonly ZeroState[], known: Set<string>): string[] => {
  const views = zeroStates.map(({ id, root }) => ({ id, view: new StateView(root) }))
  return views.flatMap(({ id, view }) => {
    const findings = new Findings(formatBlockId(id))
    checkFirst(view, findings, known)
    if (id.workchain === masterchain) checkMaster(view, views, findings)
    return findings.violations
  })
}

const checkFirst = (view: StateView, findings: Findings, known: Set<string>): void => {
  const { state, totals, queue } = view
  findings.equal('seq_no of a first state', state.seqno, 0)
  findings.equal('vert_seq_no of a first state', state.vertSeqno, 0)
  findings.equal('gen_lt of a first state', state.genLt, 0n)
  findings.equal('min_ref_mc_seqno of a first state', state.minRefMcSeqno, NO_SEQNO)
  findings.equal('before_split of a first state', state.beforeSplit, false)
  findings.equal('out_queue of a first state', queue.outQueue.isEmpty, true)
  findings.equal('proc_info of a first state', queue.procInfo.isEmpty, true)
  findings.equal('extra of the queue of a first state', queue.extra !== undefined, false)
  findings.equal('overload_history of a first state', totals.overloadHistory, 0n)
  findings.equal('underload_history of a first state', totals.underloadHistory, 0n)
  findings.equal('total_validator_fees of a first state', amountOf(totals.totalValidatorFees), NOTHING)
  findings.equal('master_ref of a first state', totals.masterRef !== undefined, false)
  checkBalances(view, findings, known)
  const { balance } = view.accounts.rootExtra
  findings.equal('total_balance of a first state', amountOf(totals.totalBalance), amountOf(balance))
}

const checkMaster = (
  view: StateView,
  all: readonly { readonly id: ZeroState['id']; readonly view: StateView }[],
  findings: Findings,
): void => {
  const { extra, history, config } = view.master
  const { validatorInfo } = history
  findings.equal('shard_hashes of a first state', extra.shardHashes.isEmpty, true)
  const validators = pickValidators(config, { workchain: masterchain, shard: wholeShard }, 0)
  findings.equal('validator_list_hash_short', validatorInfo.validatorListHashShort, hashValidators(validators, 0))
  findings.equal('catchain_seqno of a first state', validatorInfo.catchainSeqno, 0)
  findings.equal('nx_cc_updated of a first state', validatorInfo.nxCcUpdated, true)
  findings.equal('prev_blocks of a first state', history.prevBlocks.isEmpty, true)
  findings.equal('after_key_block of a first state', history.afterKeyBlock, true)
  findings.equal('last_key_block of a first state', history.lastKeyBlock !== undefined, false)
  findings.equal('block_create_stats of a first state', history.blockCreateStats !== undefined, false)
  const { root } = extra.config.config
  const stored = findStoredConfig(view.accounts.find(extra.config.configAddr))
  findings.equal('configuration of a first state, and of its contract', root instanceof Cell ? root : undefined, stored)
  const balances = sumAmounts(all.map((each) => amountOf(each.view.totals.totalBalance)))
  findings.equal('global_balance of a first state', amountOf(extra.globalBalance), balances)
  for (const { id, view: other } of all) {
    if (id.workchain === masterchain) continue
    findings.equal('gen_utime of the first states', other.state.genUtime, view.state.genUtime)
    const descr = config.workchains.get(id.workchain)
    findings.equal(`root hash of workchain ${id.workchain} in parameter 12`, descr?.zerostateRootHash, id.rootHash)
    findings.equal(`file hash of workchain ${id.workchain} in parameter 12`, descr?.zerostateFileHash, id.fileHash)
  }
}
