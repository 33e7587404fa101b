import { ProofFailedError } from '../../chain/errors.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { listValidators, type ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { proving } from './proving.ts'

/** Who may sign the blocks after a key block, up to and including the next one. */
export type SigningRules = {
  /** Seqno of the key block that says so; 0 for the zerostate. */
  readonly keyBlockSeqno: number
  readonly validators: readonly ValidatorDescr[]
  /** How many of the first ones serve the masterchain. */
  readonly main: number
  readonly shuffleMasterchain: boolean
  readonly shardValidators: number
}

/** No sum of weights comes near to what 64 bits can count. */
const MAX_TOTAL_WEIGHT = 1n << 61n

/** Takes the rules from the configuration of a key block or the zerostate: parameters 34 (or 35) and 28. */
export const readSigningRules = (keyBlockSeqno: number, config: ConfigDict): SigningRules =>
  proving('who signs blocks', () => {
    const set = findConfigParam(config, 35) ?? findConfigParam(config, 34)
    const catchain = findConfigParam(config, 28)
    if (set === undefined || catchain === undefined) {
      throw new ProofFailedError('A configuration does not say who signs blocks.')
    }
    // Keys are kept for long, and what was read is a view of the whole proof.
    const validators = listValidators(set).map(({ publicKey, weight, adnlAddress }) => ({
      publicKey: publicKey.slice(),
      weight,
      adnlAddress: adnlAddress?.slice(),
    }))
    const totalWeight = validators.reduce((sum, { weight }) => sum + weight, 0n)
    if (totalWeight > MAX_TOTAL_WEIGHT || (set.totalWeight !== undefined && set.totalWeight !== totalWeight)) {
      throw new ProofFailedError(`The validators weigh ${totalWeight}, their set says ${set.totalWeight}.`)
    }
    return {
      keyBlockSeqno,
      validators,
      main: set.main,
      shuffleMasterchain: catchain.extension?.shuffleMcValidators ?? false,
      shardValidators: catchain.shardValidatorsNum,
    }
  })
