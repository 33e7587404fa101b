import type { DictType } from '../../cell/Dict.ts'
import { int32Key, presenceValue } from '../../cell/dictTypes.ts'
import { inlineDictOf, record, refTo, tagged, uint8, uint32 } from '../record.ts'

/** A set of parameter numbers, never empty. */
export const paramNumbersType: DictType<number, true> = { key: int32Key, value: presenceValue }

/** _ mandatory_params:(Hashmap 32 True) = ConfigParam 9; _ critical_params:(Hashmap 32 True) = ConfigParam 10; */
export const paramNumbers = inlineDictOf(paramNumbersType)

/**
 * How validators vote on one kind of proposal to change the configuration:
 * cfg_vote_cfg#36 min_tot_rounds:uint8 max_tot_rounds:uint8 min_wins:uint8 max_losses:uint8 min_store_sec:uint32
 *   max_store_sec:uint32 bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
 */
const proposalSetup = tagged(
  0x36,
  8,
  record({
    minTotalRounds: uint8,
    maxTotalRounds: uint8,
    minWins: uint8,
    maxLosses: uint8,
    minStoreSeconds: uint32,
    maxStoreSeconds: uint32,
    bitPrice: uint32,
    cellPrice: uint32,
  }),
)

/**
 * cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;
 * (ConfigParam 11)
 */
export const votingSetup = tagged(
  0x91,
  8,
  record({
    normal: refTo('A ConfigProposalSetup', proposalSetup),
    critical: refTo('A ConfigProposalSetup', proposalSetup),
  }),
)
