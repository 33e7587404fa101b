import { AugDict, writeAugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { outMsgQueueType, processedInfoType, writeOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { type ShardAccounts, shardAccountsType } from '../../codec/tlb/ShardAccounts.ts'
import { writeShardState, writeStateTotals } from '../../codec/tlb/ShardState.ts'
import type { Libraries } from '../../codec/tlb/StateInit.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { checkZeroState, type ZeroState } from '../store/ChainStore.ts'
import { buildAccount } from './buildAccount.ts'
import type { GenesisAccount } from './GenesisOptions.ts'

/** No masterchain block is referred to yet. */
const NO_MASTER_REF = 0xffff_ffff

const NO_TRANSACTION = { lastTransHash: new Uint8Array(32), lastTransLt: 0n }

const noMessages = writeWhole(writeOutMsgQueueInfo, {
  outQueue: AugDict.of(outMsgQueueType),
  procInfo: new Dict(processedInfoType),
  extra: undefined,
})

export type FirstState = {
  readonly globalId: number
  readonly utime: number
  readonly workchain: number
  readonly accounts: ShardAccounts
  readonly libraries: Libraries
  readonly custom: Cell | undefined
}

/** The accounts of one chain, before any transaction; their sum is its `rootExtra`. */
export const buildAccounts = (accounts: readonly GenesisAccount[]): ShardAccounts =>
  AugDict.of(
    shardAccountsType,
    accounts.map((each) => [each.address.hash, { account: buildFirstAccount(each), ...NO_TRANSACTION }] as const),
  )

const buildFirstAccount = ({ address, balance, init }: GenesisAccount): Cell =>
  buildAccount({
    address,
    balance,
    state:
      init === undefined
        ? { kind: 'uninit' }
        : {
            kind: 'active',
            init: {
              fixedPrefixLength: init.fixedPrefixLength,
              special: init.special,
              code: init.code,
              data: init.data,
              library: init.library,
            },
          },
    lastTransLt: 0n,
    lastPaid: 0,
  })

/** The state that a chain begins with, and its file. */
export const buildZeroState = (first: FirstState): ZeroState => {
  const totals = writeWhole(writeStateTotals, {
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: balanceOf(first.accounts),
    totalValidatorFees: ZERO_CURRENCY,
    libraries: first.libraries,
    masterRef: undefined,
  })
  const root = writeWhole(writeShardState, {
    kind: 'unsplit',
    globalId: first.globalId,
    shard: { workchain: first.workchain, shard: wholeShard },
    isShardEndWritten: first.workchain !== masterchain,
    seqno: 0,
    vertSeqno: 0,
    genUtime: first.utime,
    genLt: 0n,
    minRefMcSeqno: NO_MASTER_REF,
    outMsgQueueInfo: noMessages,
    beforeSplit: false,
    accounts: writeWhole(writeAugDict, first.accounts),
    totals,
    custom: first.custom,
  })
  return checkZeroState(encodeBoc([root], BLOCK_BOC))
}

export const balanceOf = ({ rootExtra }: ShardAccounts): CurrencyCollection => rootExtra.balance
