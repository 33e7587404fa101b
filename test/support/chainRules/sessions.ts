import { masterchain } from '../../../src/primitives/BlockId.ts'
import { wholeShard } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'
import { hashValidators, pickValidators } from './validators.ts'

/** Sessions of validators end with every key block, and when the clock passes a multiple of their lifetime. */
export const isTimeUp = ({ block, before }: BlockContext, lifetime: number): boolean => {
  const { genUtime, keyBlock } = block.info
  const passed = (utime: number): number => Math.floor(utime / lifetime)
  return keyBlock || passed(genUtime) > passed(before[0]!.state.genUtime)
}

/** The session in which the next masterchain block is made. */
export const checkNextSession = (context: BlockContext, findings: Findings): void => {
  const { before, after } = context
  const { mcCatchainLifetime, shardCatchainLifetime } = after.master.config.catchain
  const old = before[0]!.master.history.validatorInfo
  const { validatorInfo } = after.master.history
  const isNew = isTimeUp(context, mcCatchainLifetime)
  const areShardsNew = isTimeUp(context, shardCatchainLifetime)
  findings.equal('catchain_seqno of validator_info', validatorInfo.catchainSeqno, old.catchainSeqno + (isNew ? 1 : 0))
  findings.equal('nx_cc_updated of validator_info', validatorInfo.nxCcUpdated, isNew && areShardsNew)
  const shard = { workchain: masterchain, shard: wholeShard }
  const next = pickValidators(after.master.config, shard, validatorInfo.catchainSeqno)
  const rule = 'validator_list_hash_short of validator_info'
  findings.equal(rule, validatorInfo.validatorListHashShort, hashValidators(next, 0))
}
