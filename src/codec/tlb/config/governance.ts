import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../../cell/Dict.ts'
import { int32Key, presenceValue } from '../../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'

/** A set of parameter numbers, never empty. */
export type ParamNumbers = Dict<number, true>

export const paramNumbersType: DictType<number, true> = { key: int32Key, value: presenceValue }

/** _ mandatory_params:(Hashmap 32 True) = ConfigParam 9; _ critical_params:(Hashmap 32 True) = ConfigParam 10; */
export const readParamNumbers = (r: CellReader): ParamNumbers => readInlineDict(r, paramNumbersType)

export const writeParamNumbers = (w: CellWriter, numbers: ParamNumbers): void => {
  writeInlineDict(w, numbers)
}

/** How validators vote on one kind of proposal to change the configuration. */
export type ProposalSetup = {
  readonly minTotalRounds: number
  readonly maxTotalRounds: number
  readonly minWins: number
  readonly maxLosses: number
  readonly minStoreSeconds: number
  readonly maxStoreSeconds: number
  readonly bitPrice: number
  readonly cellPrice: number
}

export type VotingSetup = { readonly normal: ProposalSetup; readonly critical: ProposalSetup }

/**
 * cfg_vote_cfg#36 min_tot_rounds:uint8 max_tot_rounds:uint8 min_wins:uint8 max_losses:uint8 min_store_sec:uint32
 *   max_store_sec:uint32 bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
 */
const readProposalSetup = (r: CellReader): ProposalSetup => {
  r.expectTag(0x36, 8)
  return {
    minTotalRounds: r.readUint(8),
    maxTotalRounds: r.readUint(8),
    minWins: r.readUint(8),
    maxLosses: r.readUint(8),
    minStoreSeconds: r.readUint(32),
    maxStoreSeconds: r.readUint(32),
    bitPrice: r.readUint(32),
    cellPrice: r.readUint(32),
  }
}

const writeProposalSetup = (w: CellWriter, setup: ProposalSetup): void => {
  w.writeUint(0x36, 8).writeUint(setup.minTotalRounds, 8).writeUint(setup.maxTotalRounds, 8)
  w.writeUint(setup.minWins, 8).writeUint(setup.maxLosses, 8)
  w.writeUint(setup.minStoreSeconds, 32).writeUint(setup.maxStoreSeconds, 32)
  w.writeUint(setup.bitPrice, 32).writeUint(setup.cellPrice, 32)
}

/**
 * cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;
 * (ConfigParam 11)
 */
export const readVotingSetup = (r: CellReader): VotingSetup => {
  r.expectTag(0x91, 8)
  return {
    normal: readWholeRef(r, readProposalSetup, 'A ConfigProposalSetup'),
    critical: readWholeRef(r, readProposalSetup, 'A ConfigProposalSetup'),
  }
}

export const writeVotingSetup = (w: CellWriter, { normal, critical }: VotingSetup): void => {
  w.writeUint(0x91, 8)
    .writeRef(writeWhole(writeProposalSetup, normal))
    .writeRef(writeWhole(writeProposalSetup, critical))
}

/** _ global_id:int32 = ConfigParam 19; */
export const readGlobalId = (r: CellReader): number => r.readInt(32)

export const writeGlobalId = (w: CellWriter, globalId: number): void => {
  w.writeInt(globalId, 32)
}
