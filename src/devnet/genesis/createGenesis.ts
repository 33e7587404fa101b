import { buildAccount } from '../../chain/buildAccount.ts'
import { AugDict, writeAugDict } from '../../codec/cell/AugDict.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import {
  addCurrency,
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  ZERO_CURRENCY,
} from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { oldMcBlocksType, writeMcStateExtra, writeMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { outMsgQueueType, processedInfoType, writeOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { type ShardAccounts, shardAccountsType } from '../../codec/tlb/ShardAccounts.ts'
import { shardHashesType } from '../../codec/tlb/ShardHashes.ts'
import { writeShardState, writeStateTotals } from '../../codec/tlb/ShardState.ts'
import { type Libraries, libPublishersType, librariesType, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { configAddress, configData, electorAddress, electorData } from '../contracts/systemContracts.ts'
import { checkZeroState, type ZeroState } from '../store/ChainStore.ts'
import { createBasechain, createConfig } from './createConfig.ts'
import { createForkConfig } from './forkConfig.ts'
import { checkOptions, type GenesisAccount, type GenesisOptions } from './GenesisOptions.ts'
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
  /** Logical time of the state; default 0, later for a fork. */
  readonly lt?: bigint
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
    genLt: first.lt ?? 0n,
    minRefMcSeqno: NO_MASTER_REF,
    outMsgQueueInfo: noMessages,
    beforeSplit: false,
    accounts: writeWhole(writeAugDict, first.accounts),
    totals,
    custom: first.custom,
  })
  return checkZeroState(encodeBoc([root], BLOCK_BOC))
}

const balanceOf = ({ rootExtra }: ShardAccounts): CurrencyCollection => rootExtra.balance

/** The libraries that accounts of the masterchain make public, each with all accounts that do. */
export const collectLibraries = (accounts: readonly GenesisAccount[]): Libraries => {
  const found = new Map<string, { readonly lib: Cell; readonly publishers: Uint8Array[] }>()
  for (const { address, init } of accounts) {
    if (init?.library === undefined) continue
    new Dict(simpleLibsType, init.library).forEach((hash, { isPublic, root }) => {
      if (!isPublic || !root.hasHash(hash)) return
      const key = toHex(hash)
      const known = found.get(key)
      if (known === undefined) found.set(key, { lib: root, publishers: [address.hash] })
      else known.publishers.push(address.hash)
    })
  }
  return Dict.of(
    librariesType,
    Array.from(found.values(), ({ lib, publishers }) => {
      const accounts = publishers.map((hash) => [hash, true] as const)
      return [lib.hash(), { lib, publishers: Dict.of(libPublishersType, accounts) }] as const
    }),
  )
}

const balance = { grams: 10_000_000_000n, extra: NO_EXTRA_CURRENCIES }

/** It runs after everything else in a block: what was decided there takes effect with it. */
export const createConfigContract = (code: Cell, config: Cell, publicKey: Uint8Array): GenesisAccount => ({
  address: configAddress,
  balance,
  init: { special: { tick: false, tock: true }, code, data: configData(config, publicKey) },
})

/** It runs before everything else in a block. */
export const createElector = (code: Cell): GenesisAccount => ({
  address: electorAddress,
  balance,
  init: { special: { tick: true, tock: false }, code, data: electorData() },
})

export type Genesis = {
  /** Of the masterchain, then of the basechain. */
  readonly zeroStates: readonly ZeroState[]
}

const inWorkchain = (accounts: readonly GenesisAccount[], workchain: number): readonly GenesisAccount[] =>
  accounts.filter(({ address }) => address.workchain === workchain)

/** The accounts of the masterchain, those that every network has among them. */
const listMasterAccounts = (options: GenesisOptions, basestate: ZeroState): MasterAccounts => {
  const { globalId, utime, validatorKey, configKey = validatorKey, dnsRoot, fork } = options
  const others = [createElector(options.electorCode), ...inWorkchain(options.accounts, masterchain)]
  const special = others.filter(({ init }) => init?.special !== undefined).map(({ address }) => address.hash)
  const own = createConfig({
    globalId,
    utime,
    validatorKey,
    dnsRoot,
    basechain: createBasechain(basestate.id, utime, options),
    fundamentalContracts: [configAddress.hash, ...special],
  })
  const config = fork === undefined ? own : createForkConfig(fork.config, own, fork.supportedVersion)
  return { config, accounts: [createConfigContract(options.configCode, rootOf(config), configKey), ...others] }
}

type MasterAccounts = { readonly config: ConfigDict; readonly accounts: readonly GenesisAccount[] }

const rootOf = ({ root }: ConfigDict): Cell => {
  if (!(root instanceof Cell)) throw new TypeError('A configuration that was just made has a root of its own.')
  return root
}

/** Makes the first states of a network. The same options always give the same bytes. */
export const createGenesis = (options: GenesisOptions): Genesis => {
  checkOptions(options)
  const { globalId, utime, fork } = options
  const lt = fork?.lt ?? 0n
  const baseAccounts = buildAccounts(inWorkchain(options.accounts, 0))
  const basestate = buildZeroState({
    globalId,
    utime,
    lt,
    workchain: 0,
    accounts: baseAccounts,
    libraries: new Dict(librariesType),
    custom: undefined,
  })
  const { config, accounts } = listMasterAccounts(options, basestate)
  const masterAccounts = buildAccounts(accounts)
  const zerostate = buildZeroState({
    globalId,
    utime,
    lt,
    workchain: masterchain,
    accounts: masterAccounts,
    libraries: collectLibraries(accounts),
    custom: buildMcStateExtra({
      config,
      validatorKey: options.validatorKey,
      globalBalance: addCurrency(balanceOf(masterAccounts), balanceOf(baseAccounts)),
    }),
  })
  return { zeroStates: [zerostate, basestate] }
}
