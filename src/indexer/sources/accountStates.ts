import type { LiveChain, LiveNode } from '../../chain/LiveChain.ts'
import type { ContractState, RunContext } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import { shardContains } from '../../primitives/shard.ts'
import type { AccountResolver, BlockSetSource, ChainStates, StateView } from '../ports.ts'
import { SourceAnswerError, StatesMissingError, StatesUnavailableError } from './checkRawBlock.ts'
import { hasContent, listTouched, readContent, unknownContent, withoutContent } from './resolveAccounts.ts'

/** The contract in the cell of an Account; `undefined` if it has no code. */
const readContract = (address: Address, cell: Cell): ContractState | undefined => {
  const account = openAccount(cell)
  if (account.kind === 'none' || account.state.kind !== 'active') return undefined
  const { code, data = emptyCell } = account.state.init
  return code && { address, code, data, balance: account.balance }
}

/** The states after a masterchain block, as whole cells. */
export type StatesAt = {
  readonly id: BlockIdExt
  readonly randomSeed: Uint8Array
  readonly master: Cell
  /** The states of the newest blocks of all shards. */
  readonly shards: readonly { readonly id: BlockIdExt; readonly state: Cell }[]
}

/** Computes chain states by applying blocks, and stores them. */
export interface StateBuilder {
  /** The masterchain block it started after: older states are not available. */
  readonly firstSeqno: number
  openAt(seqno: number, signal: AbortSignal): Promise<StatesAt>
  /** Reverts to the stored states that fit the chain. */
  forget(): void
}

/** States computed and stored locally. Accounts are found in memory. */
export const createLocalStates = (keeper: StateBuilder): ChainStates => ({
  forget: () => keeper.forget(),
  openAt: async (seqno, signal) => {
    const { firstSeqno } = keeper
    if (seqno < firstSeqno) {
      throw new StatesMissingError(
        `States are stored from masterchain block ${firstSeqno} on; the state after block ${seqno} cannot be computed.`,
      )
    }
    try {
      return viewOf(await keeper.openAt(seqno, signal))
    } catch (cause) {
      if (!(cause instanceof CodedError) || cause.retryable) throw cause
      throw new StatesUnavailableError(
        `The states after masterchain block ${seqno} are not available: ${cause.message}`,
        {
          cause,
        },
      )
    }
  },
})

const viewOf = ({ id, randomSeed, master, shards }: StatesAt): StateView => {
  const all = [{ id, state: master }, ...shards]
  const opened = new Map<Cell, ShardAccounts>()
  const accountsOf = (state: Cell): ShardAccounts => {
    const accounts = opened.get(state) ?? openShardAccounts(openUnsplit(state).accounts)
    opened.set(state, accounts)
    return accounts
  }
  const findAccount = async ({ workchain, hash }: Address): Promise<Cell | undefined> => {
    const prefix = getU64BE(hash, 0)
    const holder = all.find((each) => each.id.workchain === workchain && shardContains(each.id.shard, prefix))
    return holder && accountsOf(holder.state).find(hash)?.account
  }
  let context: RunContext | undefined
  return {
    block: id,
    findAccount,
    findContract: async (address) => {
      const account = await findAccount(address)
      return account && readContract(address, account)
    },
    getContext: async () => {
      context ??= readContext(id, randomSeed, openUnsplit(master))
      return context
    },
  }
}

const readContext = (
  id: BlockIdExt,
  randomSeed: Uint8Array,
  { genUtime, totals, custom }: ShardStateUnsplit,
): RunContext => {
  if (custom === undefined)
    throw new StatesUnavailableError(`The state after ${formatBlockId(id)} has no configuration.`)
  const { config, history } = openMcStateExtra(custom)
  const { libraries } = openStateTotals(totals)
  const version = findConfigParam(config.config, 8)?.version ?? 0
  const { root } = config.config
  if (!(root instanceof Cell))
    throw new StatesUnavailableError(`The config after ${formatBlockId(id)} is not a plain cell.`)
  return {
    config: root,
    now: genUtime,
    randomSeed,
    previousBlocks: readPreviousBlocks(id, openMcStateHistory(history), version),
    findLibrary: (hash) => libraries.find(hash)?.lib,
  }
}

const openUnsplit = (root: Cell): ShardStateUnsplit => {
  const state = openShardState(root)
  if (state.kind === 'unsplit') return state
  throw new StatesUnavailableError('Expected an unsplit state, got a split one.')
}

export type LiveStatesOptions = {
  /** Maximum number of requests in flight. */
  readonly parallel?: number
}

/** States from nodes, with proofs. Every account is a request. */
export const createLiveStates = (
  chain: Pick<LiveChain, 'withNode'>,
  blockSets: Pick<BlockSetSource, 'getBlockId'>,
  { parallel = 16 }: LiveStatesOptions = {},
): ChainStates => {
  const semaphore = createSemaphore(parallel)
  const configs = new NewestConfig()
  return {
    openAt: async (seqno, signal) => {
      const block = await blockSets.getBlockId(seqno, signal)
      const ask = <T>(work: (node: LiveNode) => Promise<T>): Promise<T> =>
        semaphore(async () => {
          signal.throwIfAborted()
          return chain.withNode({ signal }, work)
        })
      return viewAt(block, ask, configs)
    },
    forget: () => configs.clear(),
  }
}

type Ask = <T>(work: (node: LiveNode) => Promise<T>) => Promise<T>

const viewAt = (block: BlockIdExt, ask: Ask, configs: NewestConfig): StateView => {
  const findAccount = async (address: Address): Promise<Cell | undefined> => {
    const { found } = await ask((node) => node.getAccountState(address, block))
    return found?.account
  }
  let context: Promise<RunContext> | undefined
  return {
    block,
    findAccount,
    findContract: async (address) => {
      const account = await findAccount(address)
      return account && readContract(address, account)
    },
    getContext: () => {
      context ??= fetchContext(block, ask, configs).catch((error: unknown) => {
        context = undefined
        throw error
      })
      return context
    },
  }
}

const fetchContext = async (block: BlockIdExt, ask: Ask, configs: NewestConfig): Promise<RunContext> => {
  const { info, root } = await ask((node) => node.getBlock(block))
  const keyBlockSeqno = info.keyBlock ? block.seqno : info.prevKeyBlockSeqno
  const [config, previousBlocks] = await Promise.all([
    configs.get(keyBlockSeqno, () => ask((node) => fetchConfig(node, block))),
    ask((node) => node.getPreviousBlocks(block)),
  ])
  const libraries = new Map<string, Promise<Cell | undefined>>()
  return {
    config,
    now: info.genUtime,
    randomSeed: openBlockExtra(openBlock(root).extra).randSeed.slice(),
    previousBlocks,
    findLibrary: (hash) => {
      const key = toHex(hash)
      const before = libraries.get(key)
      if (before !== undefined) return before
      const asked = ask((node) => fetchLibrary(node, hash, block))
      libraries.set(key, asked)
      asked.catch(() => libraries.delete(key))
      return asked
    },
  }
}

const fetchLibrary = async (node: LiveNode, hash: Uint8Array, at: BlockIdExt): Promise<Cell | undefined> => {
  const [found] = await node.getPublicLibraries([hash], at)
  return found?.library
}

const fetchConfig = async (node: LiveNode, at: BlockIdExt): Promise<Cell> => {
  const { root } = await node.getConfig(undefined, at)
  if (root instanceof Cell) return root
  throw new SourceAnswerError('Expected the config in a cell of its own.')
}

/** Caches the config, which is large and changes at key blocks only. */
class NewestConfig {
  private kept: { readonly keyBlockSeqno: number; readonly config: Promise<Cell> } | undefined

  clear(): void {
    this.kept = undefined
  }

  get(keyBlockSeqno: number, fetch: () => Promise<Cell>): Promise<Cell> {
    if (this.kept?.keyBlockSeqno === keyBlockSeqno) return this.kept.config
    const kept = { keyBlockSeqno, config: fetch() }
    this.kept = kept
    kept.config.catch(() => {
      if (this.kept === kept) this.kept = undefined
    })
    return kept.config
  }
}

/**
 * States after the newest covered block, in place of older ones that are no longer available: accounts without later transactions
 * are the same in them.
 */
export const createLatestStates = (states: ChainStates, findNewest: () => number): ChainStates => ({
  openAt: (_seqno, signal) => states.openAt(findNewest(), signal),
  forget: () => states.forget(),
})

/** Resolves accounts that have not changed since. For the others, newer states are known already, or will be. */
export const createUnchangedResolver = (states: ChainStates): AccountResolver => ({
  resolve: async (blockSets, signal) => {
    const last = blockSets.at(-1)
    if (last === undefined) return []
    const view = await states.openAt(last.seqno, signal)
    return Promise.all(
      listTouched(blockSets).map(async (touched) => {
        if (!hasContent(touched)) return withoutContent(touched)
        const found = await view.findAccount({ workchain: touched.workchain, hash: touched.account.subarray(1) })
        return found?.hasHash(touched.stateHash) === true ? readContent(touched, found) : unknownContent(touched)
      }),
    )
  },
})
