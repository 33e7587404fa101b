import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { VirtualMachine } from '../../chain/ports.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { makeStep } from '../collate/makeStep.ts'
import { compiledCode } from '../contracts/contractInit.ts'
import { dnsCollectionAddress, dnsCollectionInit, dnsRootAddress, dnsRootInit } from '../contracts/dnsContracts.ts'
import { faucetAddress, faucetInit } from '../contracts/systemContracts.ts'
import { createGenesis } from '../genesis/createGenesis.ts'
import type { GenesisAccount } from '../genesis/GenesisOptions.ts'
import type { LiteserverContext } from '../liteserver/LiteFunction.ts'
import { createMemoryFiles } from '../store/BlockFiles.ts'
import { ChainStore, type ZeroState } from '../store/ChainStore.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { openChainFolder } from '../store/openChainFolder.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { ExternalAdmission } from './admitExternal.ts'
import { createClock } from './Clock.ts'
import { ConfigEditor } from './ConfigEditor.ts'
import { createControls, type NetworkParts } from './createControls.ts'
import { StepFailedError } from './errors.ts'
import { Faucet } from './Faucet.ts'
import { Interventions, SerialQueue, Snapshots } from './Interventions.ts'
import { Mempool } from './Mempool.ts'
import { Miner } from './Miner.ts'
import { expectMining, type Mining, type NetworkControls } from './NetworkControls.ts'
import { chooseFacts, type NetworkFacts, type RequestedFacts, writeNetworkFile } from './networkFile.ts'
import { deriveKeys, findAccounts, type NetworkKeys } from './networkKeys.ts'
import { Producer } from './Producer.ts'

export type AssemblyOptions = {
  readonly facts: NetworkFacts
  readonly keys: NetworkKeys
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly logger: Logger
  readonly mining: Mining
}

/** Time between the blocks of a virtual clock where they are not made by the clock. */
const BLOCK_MS = 1000

/** The parts of a network over its store, put together and not yet running. */
const assembleNetwork = ({ facts, keys, store, vm, logger, mining }: AssemblyOptions): NetworkParts => {
  const clock = createClock({
    notBefore: store.head?.genUtime ?? facts.startTime,
    offset: facts.clockOffset,
    startTime: facts.clock === 'virtual' ? facts.startTime + 1 : undefined,
    blockMs: () => (miner.mining.mode === 'interval' ? miner.mining.intervalMs : BLOCK_MS),
  })
  const { now } = clock
  const { validator: key, seedSecret } = keys
  const queue = new SerialQueue()
  const pool = new Mempool()
  const producer = new Producer({ store, vm, makeStep, key, seedSecret, clock, pool, logger })
  const miner = new Miner({
    mining,
    logger,
    hasWork: () => producer.hasWork,
    makeBlock: async () => {
      await queue.run(() => producer.makeBlock())
    },
  })
  const onTaken = (): void => miner.notice()
  return {
    store,
    vm,
    clock,
    pool,
    queue,
    producer,
    miner,
    admission: new ExternalAdmission({ store, vm, pool, now, onTaken }),
    faucet: new Faucet({ store, pool, key: keys.faucet, now, onTaken }),
    interventions: new Interventions(producer, queue),
    snapshots: new Snapshots(store, producer),
    configEditor: new ConfigEditor({ store, pool, clock, key: keys.config }),
  }
}

/** A parameter without a meaning to anyone. Networks keep such ones under negative numbers. */
const HARMLESS_PARAM = -999
const MAX_BLOCKS = 40

/**
 * Makes the first blocks until there is a key block, which light clients begin to trust at, and as many shards as wanted. A
 * network that was interrupted in this goes on with it.
 */
const beginChain = async (
  { store, pool, producer, configEditor }: NetworkParts,
  shards: number,
): Promise<BlockIdExt> => {
  const isDone = (): boolean => {
    const keyBlocks = store.keyBlockSeqnos.length
    // After a second change of the configuration the number of shards is the one requested since.
    return keyBlocks > 1 || (keyBlocks === 1 && countShards(store) >= shards)
  }
  for (let blocks = 0; !isDone(); blocks++) {
    if (blocks === MAX_BLOCKS) throw new StepFailedError(`The network has no key block after ${MAX_BLOCKS} blocks.`)
    // A change of the configuration is what makes a block a key block.
    if (store.keyBlockSeqnos.length === 0 && pool.size === 0) configEditor.submit(HARMLESS_PARAM, nameCell())
    await producer.makeBlock()
  }
  return store.findMaster(store.keyBlockSeqnos[0]!)!.id
}

const countShards = ({ shardTops }: ChainStore): number => shardTops.filter(({ workchain }) => workchain === 0).length

const nameCell = () => new CellWriter().writeBytes(new TextEncoder().encode('chaincenter')).toCell()

const GRAM = 1_000_000_000n
const FAUCET_BALANCE = 1_000_000_000n * GRAM
const CONTRACT_BALANCE = 1000n * GRAM
const ACCOUNT_BALANCE = 1_000_000n * GRAM
/** Shards may be split further than at genesis. */
const MAX_SPLIT = 4

/** The first states of a network: its contracts, names, the faucet, and the accounts of the developer with money in them. */
const createFirstStates = (
  { globalId, startTime, shards }: NetworkFacts,
  keys: NetworkKeys,
  accounts: readonly DevAccount[],
): readonly ZeroState[] =>
  createGenesis({
    globalId,
    utime: startTime,
    validatorKey: keys.validator.publicKey,
    configKey: keys.config.publicKey,
    minSplit: Math.log2(shards),
    maxSplit: MAX_SPLIT,
    configCode: compiledCode('config'),
    electorCode: compiledCode('elector'),
    dnsRoot: dnsRootAddress().hash,
    accounts: [
      fund(dnsRootAddress(), CONTRACT_BALANCE, dnsRootInit()),
      fund(dnsCollectionAddress, CONTRACT_BALANCE, dnsCollectionInit()),
      fund(faucetAddress(keys.faucet.publicKey), FAUCET_BALANCE, faucetInit(keys.faucet.publicKey)),
      ...accounts.map(({ wallet }) => fund(wallet.address, ACCOUNT_BALANCE, wallet.init)),
    ],
  }).zeroStates

const fund = (address: GenesisAccount['address'], grams: bigint, init: GenesisAccount['init']): GenesisAccount => ({
  address,
  balance: { grams, extra: NO_EXTRA_CURRENCIES },
  init,
})

export type StoreOptions = {
  /** Folder of the chain; `undefined` keeps it in memory. */
  readonly folder: string | undefined
  /** Called if there is no chain yet. */
  readonly createFirstStates: () => Promise<readonly ZeroState[]>
  readonly keepStates: number
  readonly logger: Logger
}

export type OpenedStore = { readonly store: ChainStore; close(): Promise<void> }

const PROGRESS_MS = 2000

const openNetworkStore = async (options: StoreOptions): Promise<OpenedStore> => {
  const { folder, createFirstStates, keepStates: keep, logger } = options
  if (folder === undefined) {
    const store = new ChainStore(await createFirstStates(), createMemoryFiles(), { keep })
    return { store, close: async () => undefined }
  }
  let told = performance.now()
  return openChainFolder(folder, {
    zeroStates: createFirstStates,
    keep,
    logger,
    onProgress: (seqno, last) => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      logger.info('loading chain', { seqno, last })
    },
  })
}

export type NetworkOptions = RequestedFacts & {
  readonly vm: VirtualMachine
  readonly logger: Logger
  /** Folder of the network; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly mining: Mining
  /** For how many masterchain blocks back states are kept; 0 keeps all. */
  readonly keepStates: number
}

/** An embedded network running in this process. */
export interface Network {
  readonly controls: NetworkControls
  readonly store: ChainStore
  readonly vm: VirtualMachine
  /** The first key block, where light clients start to verify. */
  readonly initBlock: BlockIdExt
  readonly accounts: readonly DevAccount[]
  readonly faucet: Address
  /** Context of the liteserver. */
  readonly liteserver: LiteserverContext
  /** Finishes the current block and closes the files. */
  close(): Promise<void>
}

/** Creates a network, or resumes the one in the folder. It has a key block when this resolves. */
export const createNetwork = async (options: NetworkOptions): Promise<Network> => {
  const { vm, logger, folder, mining, keepStates } = options
  expectMining(mining)
  const facts = await chooseFacts(folder, options)
  const keys = deriveKeys(facts.seed)
  const accounts = findAccounts(facts.accountSeed)
  const opened = await openNetworkStore({
    folder,
    createFirstStates: async () => createFirstStates(facts, keys, await accounts),
    keepStates,
    logger,
  })
  try {
    const parts = assembleNetwork({ facts, keys, store: opened.store, vm, logger, mining })
    const initBlock = await beginChain(parts, facts.shards)
    parts.miner.start()
    return {
      controls: createControls(parts, () => saveClock(folder, facts, parts)),
      store: opened.store,
      vm,
      initBlock,
      accounts: await accounts,
      faucet: parts.faucet.address,
      liteserver: liteserverContextOf(parts),
      close: async () => {
        parts.miner.stop()
        await parts.queue.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const liteserverContextOf = ({ store, vm, clock, admission }: NetworkParts): LiteserverContext => ({
  store,
  vm,
  now: clock.now,
  sendMessage: async (body) => {
    await admission.take(body)
  },
})

const saveClock = async (folder: string | undefined, facts: NetworkFacts, { clock }: NetworkParts): Promise<void> => {
  if (folder !== undefined) await writeNetworkFile(folder, { ...facts, clockOffset: clock.offset })
}

/** Removes the network in a folder, unless a process uses it. */
export const removeNetwork = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const unlock = lockFolder(folder)
  try {
    await rm(folder, { recursive: true, force: true })
  } finally {
    unlock()
  }
}
