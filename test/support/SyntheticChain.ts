import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc, PLAIN_BOC } from '../../src/codec/cell/encodeBoc.ts'
import { buildMerkleUpdate } from '../../src/codec/cell/merkleUpdate.ts'
import { recordVisited } from '../../src/codec/cell/visited.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeAccount } from '../../src/codec/tlb/Account.ts'
import { accountBlocksType } from '../../src/codec/tlb/AccountBlock.ts'
import { writeBlock } from '../../src/codec/tlb/Block.ts'
import { creatorStatsType } from '../../src/codec/tlb/BlockCreateStats.ts'
import { writeBlockExtra } from '../../src/codec/tlb/BlockExtra.ts'
import { prevRefCell, writeBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { writeBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { configDictType } from '../../src/codec/tlb/ConfigParams.ts'
import { cryptoSignaturePairsType } from '../../src/codec/tlb/CryptoSignature.ts'
import type { ExtBlkRef } from '../../src/codec/tlb/ExtBlkRef.ts'
import { librariesType } from '../../src/codec/tlb/LibDescr.ts'
import { writeMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { writeMcStateExtra } from '../../src/codec/tlb/McStateExtra.ts'
import { writeMcStateHistory } from '../../src/codec/tlb/McStateHistory.ts'
import { type OldMcBlocks, oldMcBlocksType } from '../../src/codec/tlb/OldMcBlocks.ts'
import { type ShardAccounts, shardAccountsType } from '../../src/codec/tlb/ShardAccounts.ts'
import { shardFeesType } from '../../src/codec/tlb/ShardFees.ts'
import { buildShardHashes, type ShardHashes } from '../../src/codec/tlb/ShardHashes.ts'
import { writeShardStateUnsplit } from '../../src/codec/tlb/ShardStateUnsplit.ts'
import { writeStateTotals } from '../../src/codec/tlb/StateTotals.ts'
import {
  type CheckedBlock,
  checkBlock,
  checkZeroState,
  type MasterStep,
  type ZeroState,
} from '../../src/devnet/store/ChainStore.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { putU32BE } from '../../src/primitives/bytes.ts'
import { sha256 } from '../../src/primitives/sha256.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { amount, filled, marker } from './sampleMessages.ts'
import { uninitAccount } from './sampleState.ts'

export type SyntheticOptions = {
  readonly accounts?: number
  /** How many accounts a shard block changes. */
  readonly touched?: number
  /** Every so many masterchain blocks one is a key block. */
  readonly keyEvery?: number
}

/** The newest block of a chain, or its first state. */
type Top = { readonly id: BlockIdExt; readonly state: Cell }

const nothing = writeWhole(writeAugDict, AugDict.of(accountBlocksType))
const noQueues = new CellWriter().writeUintWide(0n, 67).toCell()
const code = marker(0xc0de)

/**
 * A chain of any length whose blocks have real states and updates and no transactions: a step costs what it changes, so that
 * hours of blocks over thousands of accounts are made in minutes.
 */
export class SyntheticChain {
  readonly zeroStates: readonly ZeroState[]
  private readonly options: Required<SyntheticOptions>
  private accounts: ShardAccounts
  private old: OldMcBlocks
  private shard: Top
  private master: Top
  private lastKey = 0

  constructor({ accounts = 10, touched = 2, keyEvery = 0 }: SyntheticOptions = {}) {
    this.options = { accounts, touched, keyEvery }
    this.accounts = AugDict.of(
      shardAccountsType,
      Array.from({ length: accounts }, (_, k) => [accountId(k), this.makeAccount(k, 0)] as const),
    )
    this.old = AugDict.of(oldMcBlocksType)
    const shardState = this.makeState(0, 0, undefined)
    const first = checkZeroState(encodeBoc([shardState], PLAIN_BOC))
    this.shard = { id: first.id, state: shardState }
    const masterState = this.makeState(masterchain, 0, this.makeMasterExtra(0))
    const zero = checkZeroState(encodeBoc([masterState], PLAIN_BOC))
    this.master = { id: zero.id, state: masterState }
    this.zeroStates = [zero, first]
  }

  /** One shard block and the masterchain block that includes it. Nothing of the chain is kept but its newest states. */
  next(): MasterStep {
    const shardBlock = this.makeShardBlock()
    const isOldKey = this.master.id.seqno === this.lastKey
    this.old = this.old.set(this.master.id.seqno, {
      isKey: this.master.id.seqno === this.lastKey,
      block: refTo(this.master.id),
    })
    const seqno = this.master.id.seqno + 1
    const isKey = this.options.keyEvery > 0 && seqno % this.options.keyEvery === 0
    let state: Cell | undefined
    const visited = recordVisited(() => {
      state = this.makeState(masterchain, seqno, this.makeMasterExtra(seqno))
    })
    const custom = writeWhole(writeMcBlockExtra, {
      shardHashes: this.makeShardHashes(seqno),
      shardFees: AugDict.of(shardFeesType),
      prevBlkSignatures: Dict.of(cryptoSignaturePairsType, []),
      recoverCreateMsg: undefined,
      mintMsg: undefined,
      config: isKey ? config : undefined,
    })
    const update = buildMerkleUpdate(this.master.state, state!, visited)
    const master = this.makeBlock(this.master, update, isKey, custom)
    if (isKey) this.lastKey = seqno
    this.master = { id: master.id, state: state! }
    return { master, shardBlocks: [shardBlock], signatures: undefined, proof: makeProof(master) }
  }

  private makeShardBlock(): CheckedBlock {
    const seqno = this.shard.id.seqno + 1
    let state: Cell | undefined
    const visited = recordVisited(() => {
      for (let k = 0; k < this.options.touched; k++) {
        // A stride that meets all accounts, however many there are.
        const number = ((seqno * this.options.touched + k) * 7919) % this.options.accounts
        this.accounts = this.accounts.set(accountId(number), this.makeAccount(number, seqno))
      }
      state = this.makeState(0, seqno, undefined)
    })
    const block = this.makeBlock(this.shard, buildMerkleUpdate(this.shard.state, state!, visited), false, undefined)
    this.shard = { id: block.id, state: state! }
    return block
  }

  private makeAccount(number: number, seqno: number) {
    const account = writeWhole(writeAccount, {
      ...uninitAccount,
      address: { kind: 'std', workchain: 0, hash: accountId(number), anycast: undefined },
      balance: amount(BigInt(1_000_000_000 + seqno)),
      state: {
        kind: 'active' as const,
        init: {
          fixedPrefixLength: undefined,
          special: undefined,
          code,
          data: new CellWriter().writeUint(seqno, 32).writeUint(number, 32).writeBytes(accountId(number)).toCell(),
          library: undefined,
        },
      },
    })
    return { account, lastTransHash: filled(seqno & 0xff), lastTransLt: BigInt(seqno) * 1_000_000n }
  }

  private makeState(workchain: number, seqno: number, custom: Cell | undefined): Cell {
    const accounts = workchain === masterchain ? AugDict.of(shardAccountsType) : this.accounts
    return writeWhole(writeShardStateUnsplit, {
      kind: 'unsplit',
      globalId: -777,
      shard: { workchain, shard: wholeShard },
      isShardEndWritten: false,
      seqno,
      vertSeqno: 0,
      genUtime: 1_700_000_000 + seqno,
      genLt: BigInt(seqno) * 1_000_000n + 10n,
      minRefMcSeqno: 0,
      outMsgQueueInfo: noQueues,
      beforeSplit: false,
      accounts: writeWhole(writeAugDict, accounts),
      totals: writeWhole(writeStateTotals, {
        overloadHistory: 0n,
        underloadHistory: 0n,
        totalBalance: accounts.rootExtra.balance,
        totalValidatorFees: amount(0n),
        libraries: Dict.of(librariesType, []),
        masterRef: undefined,
      }),
      custom,
    })
  }

  private makeMasterExtra(seqno: number): Cell {
    return writeWhole(writeMcStateExtra, {
      shardHashes: this.makeShardHashes(seqno),
      config,
      history: writeWhole(writeMcStateHistory, {
        validatorInfo: { validatorListHashShort: 0, catchainSeqno: 0, nxCcUpdated: false },
        prevBlocks: this.old,
        afterKeyBlock: seqno === 0,
        lastKeyBlock: undefined,
        blockCreateStats: { kind: 'plain', creators: Dict.of(creatorStatsType, []) },
      }),
      globalBalance: amount(1n),
    })
  }

  private makeShardHashes(regMcSeqno: number): ShardHashes {
    const { workchain, shard, seqno, rootHash, fileHash } = this.shard.id
    const descr = {
      feesInRef: true,
      seqno,
      regMcSeqno,
      startLt: 1n,
      endLt: 2n,
      rootHash,
      fileHash,
      beforeSplit: false,
      beforeMerge: false,
      wantSplit: false,
      wantMerge: false,
      nxCcUpdated: false,
      nextCatchainSeqno: 0,
      nextValidatorShard: wholeShard,
      minRefMcSeqno: 0,
      genUtime: 0,
      splitMergeAt: { kind: 'none' as const },
      feesCollected: amount(0n),
      fundsCreated: amount(0n),
    }
    return buildShardHashes([{ workchain, shard, descr }])
  }

  private makeBlock({ id }: Top, stateUpdate: Cell, keyBlock: boolean, custom: Cell | undefined): CheckedBlock {
    const seqno = id.seqno + 1
    const root = writeWhole(writeBlock, {
      globalId: -777,
      info: writeWhole(writeBlockInfo, {
        version: 0,
        afterMerge: false,
        beforeSplit: false,
        afterSplit: false,
        wantSplit: false,
        wantMerge: false,
        keyBlock,
        seqno,
        vertSeqno: 0,
        workchain: id.workchain,
        shard: wholeShard,
        genUtime: 1_700_000_000 + seqno,
        startLt: BigInt(seqno) * 1_000_000n,
        endLt: BigInt(seqno) * 1_000_000n + 10n,
        genValidatorListHashShort: 0,
        genCatchainSeqno: 7,
        minRefMcSeqno: 0,
        prevKeyBlockSeqno: this.lastKey,
        genSoftware: undefined,
        masterRef: id.workchain === masterchain ? undefined : refTo(this.master.id),
        prevRef: prevRefCell([refTo(id)]),
        prevVertRef: undefined,
      }),
      valueFlow: marker(seqno),
      stateUpdate,
      extra: writeWhole(writeBlockExtra, {
        inMsgDescr: marker(1),
        outMsgDescr: marker(2),
        accountBlocks: nothing,
        randSeed: filled(seqno & 0xff),
        createdBy: filled(0),
        custom,
      }),
    })
    return checkBlock(encodeBoc([root], BLOCK_BOC))
  }
}

const config = {
  configAddr: filled(0x55),
  config: Dict.of(configDictType, [[99, marker(99)]]),
}

const refTo = ({ seqno, rootHash, fileHash }: BlockIdExt): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n + 10n,
  seqno,
  rootHash,
  fileHash,
})

const accountId = (number: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  putU32BE(bytes, 0, number)
  return sha256(bytes)
}

/** The signatures under a block by one validator; nobody checks them here. */
const makeProof = ({ id }: CheckedBlock): Uint8Array =>
  encodeBoc([
    writeWhole(writeBlockProof, {
      proofFor: id,
      root: marker(id.seqno),
      signatures: {
        kind: 'ordinary',
        validatorListHashShort: 0,
        catchainSeqno: id.seqno,
        sigCount: 1,
        sigWeight: 1n,
        signatures: Dict.of(cryptoSignaturePairsType, [
          [
            0,
            {
              nodeIdShort: filled(1),
              signature: { kind: 'simple', signature: new Uint8Array(64).fill(id.seqno & 0xff) },
            },
          ],
        ]),
      },
    }),
  ])
