import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { VirtualMachine } from '../../chain/ports.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { makeStep } from '../collate/makeStep.ts'
import { compiledCode } from '../contracts/contractInit.ts'
import { dnsCollectionAddress, dnsCollectionInit, dnsRootAddress, dnsRootInit } from '../contracts/dnsContracts.ts'
import { configAddress, electorAddress, faucetAddress, faucetInit } from '../contracts/systemContracts.ts'
import { FORK_RETRY_MS, Fork, withForkLibraries } from '../fork/Fork.ts'
import { ForkRecords } from '../fork/ForkRecords.ts'
import type { ForkSource } from '../fork/ForkSource.ts'
import { createGenesis } from '../genesis/createGenesis.ts'
import { listForkContracts } from '../genesis/forkConfig.ts'
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
import { ForkImports } from './ForkImports.ts'
import { viewFromHead } from './headContext.ts'
import { Interventions, SerialQueue, Snapshots } from './Interventions.ts'
import { Mempool } from './Mempool.ts'
import { Miner } from './Miner.ts'
import { expectMining, type Mining, type NetworkControls } from './NetworkControls.ts'
import { chooseFacts, type ForkFacts, type NetworkFacts, type RequestedFacts, writeNetworkFile } from './networkFile.ts'
import { deriveKeys, findAccounts, type NetworkKeys } from './networkKeys.ts'
import { PendingCommit } from './PendingCommit.ts'
import { Producer } from './Producer.ts'

export type AssemblyOptions = {
  readonly facts: NetworkFacts
  readonly keys: NetworkKeys
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly logger: Logger
  readonly mining: Mining
  readonly fork: Fork | undefined
}

/** Time between the blocks of a virtual clock where they are not made by the clock. */
const BLOCK_MS = 1000

/** The parts of a network over its store, put together and not yet running. */
const assembleNetwork = ({ facts, keys, store, vm, logger, mining, fork }: AssemblyOptions): NetworkParts => {
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
  const onHeld = (): void => void setTimeout(() => miner.notice(), FORK_RETRY_MS).unref()
  const pendingCommit = new PendingCommit()
  const commitDelayMs = (): number => (miner.isRunning ? (miner.mining.commitDelayMs ?? 0) : 0)
  const pending = { commit: pendingCommit, delayMs: commitDelayMs }
  const producer = new Producer({ store, vm, makeStep, key, seedSecret, clock, pool, logger, fork, onHeld, pending })
  const imports = fork && new ForkImports({ fork, producer, queue, store })
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
    pendingCommit,
    miner,
    admission: new ExternalAdmission({
      store,
      vm,
      pool,
      now,
      onTaken,
      ensureAccount: imports && ((address) => imports.ensure(address)),
    }),
    faucet: new Faucet({ store, pool, key: keys.faucet, now, onTaken }),
    interventions: new Interventions(producer, queue),
    snapshots: new Snapshots(store, producer),
    configEditor: new ConfigEditor({ store, pool, clock, key: keys.config }),
    fork: imports,
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

/** What every network has of its own: validator, configuration contract, elector and shards. */
const ownGenesis = ({ globalId, startTime, shards }: NetworkFacts, keys: NetworkKeys) => ({
  globalId,
  utime: startTime,
  validatorKey: keys.validator.publicKey,
  configKey: keys.config.publicKey,
  minSplit: Math.log2(shards),
  maxSplit: MAX_SPLIT,
  configCode: compiledCode('config'),
  electorCode: compiledCode('elector'),
})

/** The first states of a network: its contracts, names, the faucet, and the accounts of the developer with money in them. */
const createFirstStates = (
  facts: NetworkFacts,
  keys: NetworkKeys,
  accounts: readonly DevAccount[],
): readonly ZeroState[] =>
  createGenesis({
    ...ownGenesis(facts, keys),
    dnsRoot: dnsRootAddress().hash,
    accounts: [
      fund(dnsRootAddress(), CONTRACT_BALANCE, dnsRootInit()),
      fund(dnsCollectionAddress, CONTRACT_BALANCE, dnsCollectionInit()),
      fund(faucetAddress(keys.faucet.publicKey), FAUCET_BALANCE, faucetInit(keys.faucet.publicKey)),
      ...accounts.map(({ wallet }) => fund(wallet.address, ACCOUNT_BALANCE, wallet.init)),
    ],
  }).zeroStates

/** The first states of a fork: contracts, validator and faucet are ours; funded accounts too, unless the forked network has them. */
const createForkStates = async (
  facts: NetworkFacts,
  keys: NetworkKeys,
  accounts: readonly DevAccount[],
  { fork, config, supportedVersion }: { fork: Fork; config: ConfigDict; supportedVersion: number },
): Promise<readonly ZeroState[]> => {
  const found = await Promise.all(accounts.map(({ wallet }) => fork.fetchAccount(wallet.address)))
  return createGenesis({
    ...ownGenesis(facts, keys),
    accounts: [
      fund(faucetAddress(keys.faucet.publicKey), FAUCET_BALANCE, faucetInit(keys.faucet.publicKey)),
      ...accounts
        .filter((_, at) => found[at] === undefined)
        .map(({ wallet }) => fund(wallet.address, ACCOUNT_BALANCE, wallet.init)),
    ],
    fork: { config, lt: fork.point.endLt, supportedVersion },
  }).zeroStates
}

/** Imports the accounts that every block needs, and those of the developer. */
const importFirstAccounts = async ({ fork, store }: NetworkParts, accounts: readonly DevAccount[]): Promise<void> => {
  if (fork === undefined) return
  fork.resume()
  const special = listForkContracts(viewFromHead(store).params).map((hash) => ({ workchain: masterchain, hash }))
  const all = [...special, ...accounts.map(({ wallet }) => wallet.address)]
  await Promise.all(all.map((address) => fork.ensure(address)))
}

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
  readonly keepCells: number | undefined
  readonly logger: Logger
}

export type OpenedStore = { readonly store: ChainStore; close(): Promise<void> }

const PROGRESS_MS = 2000

const openNetworkStore = async (options: StoreOptions): Promise<OpenedStore> => {
  const { folder, createFirstStates, keepStates: keep, keepCells, logger } = options
  if (folder === undefined) {
    const store = new ChainStore(await createFirstStates(), createMemoryFiles(), { keep, keepCells })
    return { store, close: async () => undefined }
  }
  let told = performance.now()
  return openChainFolder(folder, {
    zeroStates: createFirstStates,
    keep,
    keepCells,
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
  /** The oldest of them are dropped while all have added more cells than this. */
  readonly keepCells?: number | undefined
  /** Opens the forked network by its name. Called for a fork only. */
  readonly openForkSource?: ((name: string) => Promise<ForkSource>) | undefined
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
  /** Where the network was forked; `undefined` if it is not a fork. */
  readonly fork: ForkFacts | undefined
  /** Finishes the current block and closes the files. */
  close(): Promise<void>
}

/** Creates a network, or resumes the one in the folder. It has a key block when this resolves. */
export const createNetwork = async (options: NetworkOptions): Promise<Network> => {
  const { logger, folder, mining, keepStates, keepCells } = options
  expectMining(mining)
  let source: ForkSource | undefined
  const openSource = async (name: string): Promise<ForkSource> => {
    source ??= await options.openForkSource?.(name)
    if (source === undefined)
      throw new StepFailedError(`The network is a fork of ${name}, which cannot be opened here.`)
    return source
  }
  const facts = await chooseFacts(folder, options, async (name, seqno) => (await openSource(name)).getPoint(seqno))
  const keys = deriveKeys(facts.seed)
  const accounts = findAccounts(facts.accountSeed)
  const fork =
    facts.fork &&
    new Fork({
      point: facts.fork.point,
      source: await openSource(facts.fork.name),
      records: new ForkRecords(folder),
      own: [configAddress, electorAddress, faucetAddress(keys.faucet.publicKey)],
      logger,
    })
  const vm = fork === undefined ? options.vm : withForkLibraries(options.vm, fork)
  const opened = await openNetworkStore({
    folder,
    createFirstStates: async () => {
      if (fork === undefined) return createFirstStates(facts, keys, await accounts)
      const config = await (await openSource(facts.fork!.name)).getConfig(fork.point.block)
      const { supportedVersion } = vm
      return createForkStates(facts, keys, await accounts, { fork, config, supportedVersion })
    },
    keepStates,
    keepCells,
    logger,
  })
  try {
    const parts = assembleNetwork({ facts, keys, store: opened.store, vm, logger, mining, fork })
    const initBlock = await beginChain(parts, facts.shards)
    await importFirstAccounts(parts, await accounts)
    parts.miner.start()
    return {
      controls: createControls(parts, () => saveClock(folder, facts, parts)),
      store: opened.store,
      vm,
      initBlock,
      accounts: await accounts,
      faucet: parts.faucet.address,
      liteserver: liteserverContextOf(parts),
      fork: facts.fork,
      close: async () => {
        parts.miner.stop()
        parts.pendingCommit.close()
        await parts.queue.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const liteserverContextOf = (parts: NetworkParts): LiteserverContext => {
  const { store, vm, clock, admission, fork, miner, pendingCommit } = parts
  return {
    store,
    vm,
    now: clock.now,
    sendMessage: async (body) => {
      await admission.take(body)
    },
    fork,
    findPending: () => ((miner.mining.commitDelayMs ?? 0) > 0 ? pendingCommit : undefined),
  }
}

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
