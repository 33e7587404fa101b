import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { oldMcBlocksType, writeMcStateExtra, writeMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { shardHashesType } from '../../codec/tlb/ShardHashes.ts'
import { configAddress } from '../contracts/configContract.ts'
import { soleValidator, soleValidatorHash } from './soleValidator.ts'

export type FirstMcState = {
  readonly config: ConfigDict
  readonly validatorKey: Uint8Array
  /** All money there is, in all workchains. */
  readonly globalBalance: CurrencyCollection
}

/** What the first state of the masterchain has besides: no shards and no blocks yet, and it counts as a key block. */
export const buildMcStateExtra = ({ config, validatorKey, globalBalance }: FirstMcState): Cell =>
  writeWhole(writeMcStateExtra, {
    shardHashes: new Dict(shardHashesType),
    config: { configAddr: configAddress.hash, config },
    history: writeWhole(writeMcStateHistory, {
      validatorInfo: {
        validatorListHashShort: soleValidatorHash(soleValidator(validatorKey), 0),
        catchainSeqno: 0,
        nxCcUpdated: true,
      },
      prevBlocks: AugDict.of(oldMcBlocksType),
      afterKeyBlock: true,
      lastKeyBlock: undefined,
      blockCreateStats: undefined,
    }),
    globalBalance,
  })
