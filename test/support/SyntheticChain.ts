import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openRaw } from '../../src/codec/cell/CellReader.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc, PLAIN_BOC } from '../../src/codec/cell/encodeBoc.ts'
import { recordVisited } from '../../src/codec/cell/HashIndex.ts'
import { buildMerkleProof, buildMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeAccount } from '../../src/codec/tlb/Account.ts'
import { openBlock, writeBlock, writeBlockExtra } from '../../src/codec/tlb/Block.ts'
import {
  type ExtBlkRef,
  openBlockInfo,
  openPrevRef,
  prevRefCell,
  writeBlockInfo,
} from '../../src/codec/tlb/BlockInfo.ts'
import { writeBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { cryptoSignaturePairsType } from '../../src/codec/tlb/BlockSignatures.ts'
import { configDictType } from '../../src/codec/tlb/config/configParams.ts'
import { shardFeesType, writeMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import {
  creatorStatsType,
  type OldMcBlocks,
  oldMcBlocksType,
  openMcStateExtra,
  openMcStateHistory,
  writeMcStateExtra,
  writeMcStateHistory,
} from '../../src/codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccounts, shardAccountsType } from '../../src/codec/tlb/ShardAccounts.ts'
import { buildShardHashes, type ShardHashes } from '../../src/codec/tlb/ShardHashes.ts'
import {
  readShardStateUnsplit,
  type ShardStateUnsplit,
  writeShardStateUnsplit,
  writeStateTotals,
} from '../../src/codec/tlb/ShardState.ts'
import { librariesType } from '../../src/codec/tlb/StateInit.ts'
import { accountBlocksType } from '../../src/codec/tlb/Transaction.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import {
  ChainStore,
  type CheckedBlock,
  checkBlock,
  checkZeroState,
  type MasterStep,
  type ZeroState,
} from '../../src/devnet/store/ChainStore.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { putU32BE } from '../../src/primitives/bytes.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { amount, filled, marker } from './sampleMessages.ts'
import { uninitAccount } from './sampleState.ts'

export type SyntheticOptions = {
  readonly accounts?: number
  /** How many accounts a shard block changes. */
  readonly touched?: number
  /** Every so many masterchain blocks one is a key block. */
  readonly keyEvery?: number
  /** Tells chains apart that are otherwise alike. */
  readonly salt?: number
}

/** The newest block of a chain, or its first state. */
type Top = { readonly id: BlockIdExt; readonly state: Cell }

const nothing = writeWhole(writeAugDict, AugDict.of(accountBlocksType))
const noQueues = new CellWriter().writeUintWide(0n, 67).toCell()
const code = marker(0xc0de)

/**
 * Makes steps of chains whose blocks have real states and updates and no transactions: a step costs what it changes, so that
 * hours of blocks over thousands of accounts are made in minutes. It keeps nothing: a step follows from what a store has.
 */
export class SyntheticChain {
  readonly zeroStates: readonly ZeroState[]
  private readonly options: Required<SyntheticOptions>

  constructor({ accounts = 10, touched = 2, keyEvery = 0, salt = 0 }: SyntheticOptions = {}) {
    this.options = { accounts, touched, keyEvery, salt }
    const entries = Array.from({ length: accounts }, (_, k) => [accountId(k), this.makeAccount(k, 0)] as const)
    const first = zeroStateOf(this.makeState(0, 0, AugDict.of(shardAccountsType, entries), undefined))
    const extra = this.makeMasterExtra(0, first.id, AugDict.of(oldMcBlocksType))
    this.zeroStates = [zeroStateOf(this.makeState(masterchain, 0, AugDict.of(shardAccountsType), extra)), first]
  }

  /** One shard block and the masterchain block that includes it. */
  next(store: ChainStore): MasterStep {
    const topOf = (id: BlockIdExt): Top => ({ id, state: store.findState(id)! })
    const before = topOf(store.head?.id ?? store.zeroState)
    const shardBlock = this.makeShardBlock(topOf(store.shardTops[0] ?? this.zeroStates[1]!.id), before.id)
    const seqno = before.id.seqno + 1
    const { keyEvery } = this.options
    const isKey = (each: number): boolean => each === 0 || (keyEvery > 0 && each % keyEvery === 0)
    const { update } = makeUpdate(before.state, (old) => {
      const { prevBlocks } = openMcStateHistory(openMcStateExtra(old.custom!).history)
      const known = prevBlocks.set(before.id.seqno, { isKey: isKey(before.id.seqno), block: refTo(before.id) })
      const extra = this.makeMasterExtra(seqno, shardBlock.id, known)
      return this.makeState(masterchain, seqno, AugDict.of(shardAccountsType), extra)
    })
    const custom = writeWhole(writeMcBlockExtra, {
      shardHashes: makeShardHashes(shardBlock.id, seqno),
      shardFees: AugDict.of(shardFeesType),
      prevBlkSignatures: Dict.of(cryptoSignaturePairsType, []),
      recoverCreateMsg: undefined,
      mintMsg: undefined,
      config: isKey(seqno) ? config : undefined,
    })
    const master = this.makeBlock(before.id, before.id, update, isKey(seqno), custom)
    return { master, shardBlocks: [shardBlock], signatures: undefined, proof: makeProof(master) }
  }

  private makeShardBlock({ id, state: before }: Top, masterId: BlockIdExt): CheckedBlock {
    const seqno = id.seqno + 1
    const { touched, accounts: count } = this.options
    const { update } = makeUpdate(before, (old) => {
      let accounts = openShardAccounts(old.accounts)
      for (let k = 0; k < touched; k++) {
        // A stride that meets all accounts, however many there are.
        const number = ((seqno * touched + k) * 7919) % count
        accounts = accounts.set(accountId(number), this.makeAccount(number, seqno))
      }
      return this.makeState(0, seqno, accounts, undefined)
    })
    return this.makeBlock(id, masterId, update, false, undefined)
  }

  private makeAccount(number: number, seqno: number) {
    const account = writeWhole(writeAccount, {
      ...uninitAccount,
      address: { kind: 'std', workchain: 0, hash: accountId(number), anycast: undefined },
      balance: amount(BigInt(1_000_000_000 + seqno + this.options.salt)),
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

  private makeState(workchain: number, seqno: number, accounts: ShardAccounts, custom: Cell | undefined): Cell {
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

  private makeMasterExtra(seqno: number, shardTop: BlockIdExt, prevBlocks: OldMcBlocks): Cell {
    return writeWhole(writeMcStateExtra, {
      shardHashes: makeShardHashes(shardTop, seqno),
      config,
      history: writeWhole(writeMcStateHistory, {
        validatorInfo: { validatorListHashShort: 0, catchainSeqno: 0, nxCcUpdated: false },
        prevBlocks,
        afterKeyBlock: seqno === 0,
        lastKeyBlock: undefined,
        blockCreateStats: { kind: 'plain', creators: Dict.of(creatorStatsType, []) },
      }),
      globalBalance: amount(1n),
    })
  }

  private makeBlock(
    id: BlockIdExt,
    masterId: BlockIdExt,
    stateUpdate: Cell,
    keyBlock: boolean,
    custom: Cell | undefined,
  ): CheckedBlock {
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
        prevKeyBlockSeqno: 0,
        genSoftware: undefined,
        masterRef: id.workchain === masterchain ? undefined : refTo(masterId),
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

const makeShardHashes = (
  { workchain, shard, seqno, rootHash, fileHash }: BlockIdExt,
  regMcSeqno: number,
): ShardHashes => {
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

const zeroStateOf = (state: Cell): ZeroState => checkZeroState(encodeBoc([state], PLAIN_BOC))

/** A state made from the one before, and the update between them, which shows what was read of it. */
const makeUpdate = (before: Cell, make: (old: ShardStateUnsplit) => Cell): { readonly update: Cell } => {
  let next: Cell | undefined
  const visited = recordVisited(() => {
    next = make(readWhole(before, readShardStateUnsplit, 'A state'))
  })
  return { update: buildMerkleUpdate(before, next!, visited) }
}

const accountId = (number: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  putU32BE(bytes, 0, number)
  return sha256(bytes)
}

/** The signatures under a block by one validator; nobody checks them here. */
const makeProof = ({ id, root }: CheckedBlock): Uint8Array =>
  encodeBoc([
    writeWhole(writeBlockProof, {
      proofFor: id,
      root: buildMerkleProof(
        root,
        recordVisited(() => {
          const block = openBlock(root)
          openPrevRef(openBlockInfo(block.info))
          openRaw(block.stateUpdate)
        }),
      ),
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

/** The first steps of such a chain. */
export const makeSyntheticSteps = (
  count: number,
  options: SyntheticOptions = {},
): { readonly zeroStates: readonly ZeroState[]; readonly steps: readonly MasterStep[] } => {
  const chain = new SyntheticChain(options)
  const store = new ChainStore(chain.zeroStates, createMemoryFiles(), { keep: 0 })
  const steps = Array.from({ length: count }, () => {
    const step = chain.next(store)
    store.append(step)
    return step
  })
  return { zeroStates: chain.zeroStates, steps }
}
