import { publicKeyOf } from '../../src/adnl/keys.ts'
import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { buildMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeBlock, writeBlockExtra } from '../../src/codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, prevRefCell, writeBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { cryptoSignaturePairsType } from '../../src/codec/tlb/BlockSignatures.ts'
import { type ConfigParams, configDictType, encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { shardFeesType, writeMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import {
  creatorStatsType,
  type KeyExtBlkRef,
  oldMcBlocksType,
  writeMcStateExtra,
  writeMcStateHistory,
} from '../../src/codec/tlb/McStateExtra.ts'
import { type ShardAccount, shardAccountsType } from '../../src/codec/tlb/ShardAccounts.ts'
import { buildShardHashes, type ShardHashes } from '../../src/codec/tlb/ShardHashes.ts'
import { writeShardStateUnsplit, writeStateTotals } from '../../src/codec/tlb/ShardState.ts'
import { type LibDescr, librariesType } from '../../src/codec/tlb/StateInit.ts'
import { type AccountBlock, accountBlocksType } from '../../src/codec/tlb/Transaction.ts'
import { validatorListType } from '../../src/codec/tlb/ValidatorSet.ts'
import {
  readSigningRules,
  type SigningRules,
  validatorListHash,
  validatorSubset,
} from '../../src/node/proofs/validatorSets.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { amount, filled, marker } from './sampleMessages.ts'

/** A block and the state after it; a zerostate has no block, and its root is the state's. */
export type ProvableBlock = { readonly id: BlockIdExt; readonly root: Cell; readonly state: Cell }

type BlockParts = {
  readonly workchain: number
  readonly prev: ProvableBlock
  readonly state: Cell
  readonly custom?: Cell
  readonly accountBlocks?: readonly (readonly [Uint8Array, AccountBlock])[] | undefined
  readonly inMsgDescr?: Cell | undefined
  readonly info?: Partial<BlockInfo>
}

export type ChainOptions = {
  readonly weights?: readonly bigint[]
  readonly shuffle?: boolean
}

export type ShardContent = {
  readonly accounts?: readonly (readonly [Uint8Array, ShardAccount])[]
  readonly accountBlocks?: readonly (readonly [Uint8Array, AccountBlock])[]
  /** Cell of the OutMsgQueueInfo. */
  readonly queues?: Cell
  /** Public libraries, which only the masterchain has. */
  readonly libraries?: readonly (readonly [Uint8Array, LibDescr])[]
  readonly inMsgDescr?: Cell
  readonly info?: Partial<BlockInfo>
}

const noQueues = new CellWriter().writeUintWide(0n, 67).toCell()
const nothing = writeWhole(writeAugDict, AugDict.of(accountBlocksType))

const refTo = ({ seqno, rootHash, fileHash }: BlockIdExt): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n + 10n,
  seqno,
  rootHash,
  fileHash,
})

/**
 * A small chain with real states, a masterchain over one shard, whose validators' keys are known: every proof of it can be
 * made, and every lie. Blocks end 10 after a round logical time, one second apart.
 */
export class ProvableChain {
  readonly seeds: readonly Uint8Array[]
  readonly config: ConfigParams
  readonly zerostate: ProvableBlock
  readonly shardZerostate: ProvableBlock
  readonly masterchain: ProvableBlock[] = []
  readonly shard: ProvableBlock[] = []
  readonly rules: SigningRules
  private readonly old: (readonly [number, KeyExtBlkRef])[] = []
  private keyBlockSeqno = 0

  constructor({ weights = [5n, 5n, 5n, 5n], shuffle = false }: ChainOptions = {}) {
    this.seeds = weights.map((_, k) => filled(k + 1))
    const validators = weights.map((weight, k) => ({
      publicKey: publicKeyOf(this.seeds[k]!),
      weight,
      adnlAddress: filled(0x80 + k),
    }))
    const total = weights.length
    this.config = {
      configAddr: filled(0x55),
      config: Dict.of(configDictType, [
        [
          28,
          encodeConfigParam(28, {
            extension: { flags: 0, shuffleMcValidators: shuffle },
            mcCatchainLifetime: 250,
            shardCatchainLifetime: 250,
            shardValidatorsLifetime: 1000,
            shardValidatorsNum: 3,
          }),
        ],
        [
          34,
          encodeConfigParam(34, {
            utimeSince: 0,
            utimeUntil: 2_000_000_000,
            total,
            main: total,
            totalWeight: weights.reduce((sum, weight) => sum + weight, 0n),
            list: Dict.of(
              validatorListType,
              validators.map((validator, k) => [k, validator]),
            ),
          }),
        ],
        [99, marker(99)],
      ]),
    }
    this.rules = readSigningRules(0, this.config.config)
    const shardState = this.makeState(0, 0, {})
    this.shardZerostate = zerostateOf(0, shardState)
    this.zerostate = zerostateOf(-1, this.makeState(-1, 0, {}, this.makeMasterExtra(0)))
    this.old.push([0, { isKey: true, block: { ...refTo(this.zerostate.id), endLt: 0n } }])
  }

  get head(): ProvableBlock {
    return this.masterchain.at(-1) ?? this.zerostate
  }

  get shardHead(): ProvableBlock {
    return this.shard.at(-1) ?? this.shardZerostate
  }

  addShardBlock(content: ShardContent = {}): ProvableBlock {
    const prev = this.shardHead
    const state = this.makeState(0, prev.id.seqno + 1, content)
    const { accountBlocks, inMsgDescr, info } = content
    const block = this.makeBlock({
      workchain: 0,
      prev,
      state,
      accountBlocks,
      inMsgDescr,
      info: { masterRef: refTo(this.head.id), ...info },
    })
    this.shard.push(block)
    return block
  }

  addMasterchainBlock(isKeyBlock = false, content: ShardContent = {}): ProvableBlock {
    const prev = this.head
    const seqno = prev.id.seqno + 1
    const state = this.makeState(-1, seqno, content, this.makeMasterExtra(seqno))
    const custom = writeWhole(writeMcBlockExtra, {
      shardHashes: this.makeShardHashes(seqno),
      shardFees: AugDict.of(shardFeesType),
      prevBlkSignatures: Dict.of(cryptoSignaturePairsType, []),
      recoverCreateMsg: undefined,
      mintMsg: undefined,
      config: isKeyBlock ? this.config : undefined,
    })
    const block = this.makeBlock({
      workchain: -1,
      prev,
      state,
      custom,
      info: { keyBlock: isKeyBlock, ...content.info },
    })
    this.masterchain.push(block)
    this.old.push([seqno, { isKey: isKeyBlock, block: refTo(block.id) }])
    if (isKeyBlock) this.keyBlockSeqno = seqno
    return block
  }

  private makeShardHashes(regMcSeqno: number): ShardHashes {
    const { workchain, shard, seqno, rootHash, fileHash } = this.shardHead.id
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

  private makeMasterExtra(seqno: number): Cell {
    return writeWhole(writeMcStateExtra, {
      shardHashes: this.makeShardHashes(seqno),
      config: this.config,
      history: writeWhole(writeMcStateHistory, {
        validatorInfo: { validatorListHashShort: 0, catchainSeqno: 0, nxCcUpdated: false },
        prevBlocks: AugDict.of(oldMcBlocksType, this.old),
        afterKeyBlock: seqno === 0,
        lastKeyBlock: undefined,
        blockCreateStats: {
          kind: 'plain',
          creators: Dict.of(
            creatorStatsType,
            [0, 1, 2, 3].map((k) => [filled(k), { masterchain: counters(k), shards: counters(10 * k) }]),
          ),
        },
      }),
      globalBalance: amount(1n),
    })
  }

  private makeState(workchain: number, seqno: number, content: ShardContent, custom?: Cell): Cell {
    const accounts = AugDict.of(shardAccountsType, content.accounts ?? [])
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
      outMsgQueueInfo: content.queues ?? noQueues,
      beforeSplit: false,
      accounts: writeWhole(writeAugDict, accounts),
      totals: writeWhole(writeStateTotals, {
        overloadHistory: 0n,
        underloadHistory: 0n,
        totalBalance: accounts.rootExtra.balance,
        totalValidatorFees: amount(0n),
        libraries: Dict.of(librariesType, content.libraries ?? []),
        masterRef: undefined,
      }),
      custom,
    })
  }

  private makeBlock({ workchain, prev, state, custom, accountBlocks, inMsgDescr, info }: BlockParts): ProvableBlock {
    const seqno = prev.id.seqno + 1
    const shard = { workchain, shard: wholeShard }
    const catchainSeqno = 7
    const nodes = validatorSubset(this.rules, shard, catchainSeqno)
    const root = writeWhole(writeBlock, {
      globalId: -777,
      info: writeWhole(writeBlockInfo, {
        version: 0,
        afterMerge: false,
        beforeSplit: false,
        afterSplit: false,
        wantSplit: false,
        wantMerge: false,
        keyBlock: false,
        seqno,
        vertSeqno: 0,
        ...shard,
        genUtime: 1_700_000_000 + seqno,
        startLt: BigInt(seqno) * 1_000_000n,
        endLt: BigInt(seqno) * 1_000_000n + 10n,
        genValidatorListHashShort: validatorListHash(nodes, catchainSeqno),
        genCatchainSeqno: catchainSeqno,
        minRefMcSeqno: 0,
        prevKeyBlockSeqno: this.keyBlockSeqno,
        genSoftware: undefined,
        masterRef: undefined,
        prevRef: prevRefCell([refTo(prev.id)]),
        prevVertRef: undefined,
        ...info,
      }),
      valueFlow: marker(seqno),
      stateUpdate: buildMerkleUpdate(prev.state, state),
      extra: writeWhole(writeBlockExtra, {
        inMsgDescr: inMsgDescr ?? marker(1),
        outMsgDescr: marker(2),
        accountBlocks:
          accountBlocks === undefined
            ? nothing
            : writeWhole(writeAugDict, AugDict.of(accountBlocksType, accountBlocks)),
        randSeed: filled(seqno),
        createdBy: filled(0),
        custom,
      }),
    })
    const fileHash = sha256(encodeBoc([root], BLOCK_BOC))
    return { id: { ...shard, seqno, rootHash: root.hash(), fileHash }, root, state }
  }
}

const counters = (total: number) => ({ lastUpdated: 1, total: BigInt(total), recent2048: 0n, recent65536: 0n })

const zerostateOf = (workchain: number, state: Cell): ProvableBlock => ({
  id: {
    workchain,
    shard: wholeShard,
    seqno: 0,
    rootHash: state.hash(),
    fileHash: sha256(encodeBoc([state], BLOCK_BOC)),
  },
  root: state,
  state,
})
