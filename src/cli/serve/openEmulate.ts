import type { KnownAccount } from '../../actions/trace/AccountFacts.ts'
import type { Call } from '../../api/core/Call.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import type { ClassifyEmulated, EmulateParts } from '../../api/emulate/EmulateContext.ts'
import { presentEmulate } from '../../api/emulate/index.ts'
import type { V3Settings } from '../../api/v3/V3Context.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import { type BodyDecoder, builtInDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { findJettonWallet, findVouchedItem } from '../../contracts/tokens/findToken.ts'
import type { Debugger } from '../../debug/Debugger.ts'
import { ChainContexts } from '../../emulate/World.ts'
import {
  classifyWith,
  findIndexed,
  type LearnAccounts,
  toActionRecord,
  toTraceInput,
} from '../../indexer/classify/classifyTraces.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import { formatUpperRawAddress, parseAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { noPendingTraces, type PendingTraces } from '../../store/reader/pending.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'

export type EmulateOptions = {
  readonly node: ProvenNode
  readonly dialect: Dialect
  /** Without it there are no address book and metadata. */
  readonly database?: Pick<Database, 'reader'> | undefined
  readonly decoder?: BodyDecoder | undefined
  readonly pending?: PendingTraces | undefined
  readonly settings: V3Settings
  /** Finds the world just before a transaction. */
  readonly replays: Pick<Debugger, 'replay'>
  readonly logger: Logger
  readonly shutdown: { add(name: string, close: () => unknown): unknown }
  /** Validates results against their schemas: for tests. */
  readonly checkResults?: boolean
}

/** Emulations that run at a time, and threads for their long runs: a share of their own, so that get-methods never wait for them. */
const PARALLEL = 4
const WORKERS = 1

export type OpenedEmulate = {
  readonly mounts: readonly Mount[]
  /** What a call needs to emulate: the debugger runs messages with it. */
  toParts(call: Call): EmulateParts
}

/** The emulation API over a network, in both dialects. */
export const openEmulate = async (options: EmulateOptions): Promise<OpenedEmulate> => {
  const { node, dialect, database, settings, logger, shutdown, checkResults = false } = options
  const vm = await createVirtualMachine({ logger, workers: WORKERS })
  shutdown.add('virtual machine of emulations', () => vm.close())
  const fixed = {
    chain: createLiveChain(node),
    vm,
    contexts: new ChainContexts(),
    decoder: options.decoder ?? builtInDecoder(),
    pending: options.pending ?? noPendingTraces,
    findWorldBefore: worldsBefore(options.replays),
    settings,
    slots: createSemaphore(PARALLEL),
  }
  const toParts = (call: Call): EmulateParts => {
    const index = findReader(database)
    return { ...fixed, index, classify: createClassify(index), call }
  }
  const definitions = [presentEmulate('/api/emulate/v1', dialect), presentEmulate('/ton/api/emulate/v1', 'ton')]
  return { mounts: definitions.map((definition) => mount(definition, toParts, { checkResults })), toParts }
}

const worldsBefore =
  (replays: Pick<Debugger, 'replay'>): EmulateParts['findWorldBefore'] =>
  async (hash, signal) => {
    const { inputs, call } = await replays.replay({ hash }, undefined, signal)
    const { address, master, previousBlock, block } = inputs
    const { now } = call.context
    return { address, account: call.account, master, previousBlock, now, lt: call.lt, randomSeed: block.randomSeed }
  }

/** `undefined` while the database is not open. */
const findReader = (database: EmulateOptions['database']): EmulateParts['index'] => {
  try {
    return database?.reader()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    return undefined
  }
}

const createClassify =
  (index: EmulateParts['index']): ClassifyEmulated =>
  async (trace, transactions, run) => {
    const learn: LearnAccounts = async (addresses) => {
      const known = new Map(index === undefined ? [] : await findIndexed(index.listReads, addresses))
      // Contracts of the trace may be new, or changed by it.
      for (const address of addresses)
        known.set(address, { ...known.get(address), ...(await askContract(run, address)) })
      return known
    }
    const [classified] = await classifyWith(learn, [toTraceInput(trace, transactions)], () => undefined)
    return (classified?.actions ?? []).map((action) => toActionRecord(action, trace))
  }

/** What a contract says about itself, if its parent says the same. */
const askContract = async (run: RunMethod, text: string): Promise<KnownAccount> => {
  const address = findAddress(text)
  if (address === undefined) return {}
  const wallet = await findJettonWallet(run, address)
  if (wallet !== undefined) {
    return {
      jettonWallet: { owner: formatUpperRawAddress(wallet.owner), jetton: formatUpperRawAddress(wallet.master) },
    }
  }
  const item = await findVouchedItem(run, address)
  if (item === undefined) return {}
  return {
    nftItem: {
      index: item.index,
      collection: item.collection && formatUpperRawAddress(item.collection),
      owner: item.owner && formatUpperRawAddress(item.owner),
      uri: item.content.kind === 'offChain' ? item.content.uri : undefined,
      codeHash: undefined,
    },
  }
}

const findAddress = (text: string) => {
  try {
    return parseAddress(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}
