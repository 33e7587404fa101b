import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type ExistingAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import type { ExtBlkRef } from '../../src/codec/tlb/BlockInfo.ts'
import { configDictType } from '../../src/codec/tlb/config/configParams.ts'
import {
  type CreatorStats,
  creatorStatsType,
  oldMcBlocksType,
  writeMcStateExtra,
  writeMcStateHistory,
} from '../../src/codec/tlb/McStateExtra.ts'
import { type ShardAccounts, shardAccountsType } from '../../src/codec/tlb/ShardAccounts.ts'
import { buildShardHashes } from '../../src/codec/tlb/ShardHashes.ts'
import { writeShardStateUnsplit, writeStateTotals } from '../../src/codec/tlb/ShardState.ts'
import { type LibPublishers, libPublishersType, librariesType, simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { fromCoreCell } from './coreCell.ts'
import { sampleParams } from './sampleConfig.ts'
import { address, amount, filled, marker } from './sampleMessages.ts'

const library = marker(0x11b)

export const uninitAccount: ExistingAccount = {
  kind: 'account',
  address: address(-1, 0x11),
  storage: { used: { cells: 1n, bits: 103n }, dictHash: undefined, lastPaid: 1_700_000_000, duePayment: undefined },
  lastTransLt: 47_000_000_003n,
  balance: amount(5_000_000_000n),
  state: { kind: 'uninit' },
}

export const frozenAccount: ExistingAccount = {
  ...uninitAccount,
  address: address(-1, 0x22),
  storage: { ...uninitAccount.storage, duePayment: 12_345n },
  balance: amount(0n, [[239, 666_666n]]),
  state: { kind: 'frozen', stateHash: filled(0xee) },
}

export const activeAccount: ExistingAccount = {
  ...uninitAccount,
  address: address(-1, 0x33),
  storage: { ...uninitAccount.storage, dictHash: filled(0xdd), lastPaid: 0 },
  balance: amount(7n, [[239, 1n]]),
  state: {
    kind: 'active',
    init: {
      fixedPrefixLength: 8,
      special: { tick: true, tock: false },
      code: marker(0xc0de),
      data: marker(0xda7a),
      library: Dict.of(simpleLibsType, [[library.hash(), { isPublic: true, root: library }]]).root as Cell,
    },
  },
}

const accounts: ShardAccounts = AugDict.of(
  shardAccountsType,
  [uninitAccount, frozenAccount, activeAccount].map((account) => [
    (account.address as ReturnType<typeof address>).hash,
    { account: writeWhole(writeAccount, account), lastTransHash: filled(9), lastTransLt: 47_000_000_001n },
  ]),
)

const blockRef = (seqno: number): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n,
  seqno,
  rootHash: filled(seqno),
  fileHash: filled(0x80 + seqno),
})

const creator = (lastUpdated: number): CreatorStats => ({
  masterchain: { lastUpdated, total: 5n, recent2048: 2n ** 64n - 1n, recent65536: 7n },
  shards: { lastUpdated: 3, total: 1n, recent2048: 0n, recent65536: 9n },
})

const shard = (prefix: bigint) => ({
  workchain: 0,
  shard: prefix << 60n,
  descr: {
    feesInRef: true,
    seqno: 3,
    regMcSeqno: 3,
    startLt: 1n,
    endLt: 2n,
    rootHash: filled(5),
    fileHash: filled(6),
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: true,
    nxCcUpdated: false,
    nextCatchainSeqno: 4,
    nextValidatorShard: prefix << 60n,
    minRefMcSeqno: 1,
    genUtime: 1_700_000_000,
    splitMergeAt: { kind: 'none' },
    feesCollected: amount(1n),
    fundsCreated: amount(2n),
  } as const,
})

const history = writeWhole(writeMcStateHistory, {
  validatorInfo: { validatorListHashShort: 0xdead_beef, catchainSeqno: 4, nxCcUpdated: true },
  prevBlocks: AugDict.of(
    oldMcBlocksType,
    [0, 1, 2, 3].map((seqno) => [seqno, { isKey: seqno === 0, block: blockRef(seqno) }]),
  ),
  afterKeyBlock: false,
  lastKeyBlock: blockRef(0),
  blockCreateStats: {
    kind: 'plain',
    creators: Dict.of(creatorStatsType, [
      [filled(0), creator(10)],
      [filled(0xaa), creator(11)],
    ]),
  },
})

const extra = writeWhole(writeMcStateExtra, {
  shardHashes: buildShardHashes([shard(4n), shard(12n)]),
  config: {
    configAddr: filled(0x55),
    config: Dict.of(configDictType, new Map(sampleParams.map(({ id, cell }) => [id, fromCoreCell(cell)]))),
  },
  history,
  globalBalance: amount(5_000_000n, [[239, 5n]]),
})

const publishers: LibPublishers = Dict.of(libPublishersType, [[filled(0x33), true]])

const accountsCell = new CellWriter()
writeAugDict(accountsCell, accounts)

const totals = writeWhole(writeStateTotals, {
  overloadHistory: 0b1011n,
  underloadHistory: 2n ** 63n,
  totalBalance: accounts.rootExtra.balance,
  totalValidatorFees: amount(3n),
  libraries: Dict.of(librariesType, [[library.hash(), { lib: library, publishers }]]),
  masterRef: undefined,
})

/** A masterchain state with a bit of everything that a state can hold. */
export const sampleStateCell: Cell = writeWhole(writeShardStateUnsplit, {
  kind: 'unsplit',
  globalId: -777,
  shard: { workchain: -1, shard: wholeShard },
  isShardEndWritten: false,
  seqno: 4,
  vertSeqno: 1,
  genUtime: 1_794_711_839,
  genLt: 4_000_004n,
  minRefMcSeqno: 1,
  outMsgQueueInfo: new CellWriter().writeUintWide(0n, 67).toCell(),
  beforeSplit: false,
  accounts: accountsCell.toCell(),
  totals,
  custom: extra,
})
