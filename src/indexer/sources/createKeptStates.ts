import type { RunContext } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { shardContains } from '../../primitives/shard.ts'
import type { ChainStates, StateView } from '../ports.ts'
import { StatesMissingError, StatesUnavailableError } from './errors.ts'
import { readContract } from './readContract.ts'

/** The states after a masterchain block, as whole cells. */
export type StatesAt = {
  readonly id: BlockIdExt
  readonly randomSeed: Uint8Array
  readonly master: Cell
  /** Those of the newest blocks of all shards. */
  readonly shards: readonly { readonly id: BlockIdExt; readonly state: Cell }[]
}

/** Makes the states of a chain by applying its blocks, and keeps them. */
export interface StateKeeper {
  /** The masterchain block that it began after: no older states can be had. */
  readonly firstSeqno: number
  openAt(seqno: number, signal: AbortSignal): Promise<StatesAt>
  /** Goes back to what is on disk and fits the blocks there are. */
  forget(): void
}

/** States that are kept beside the index. Accounts are found in memory. */
export const createKeptStates = (keeper: StateKeeper): ChainStates => ({
  forget: () => keeper.forget(),
  openAt: async (seqno, signal) => {
    const { firstSeqno } = keeper
    if (seqno < firstSeqno) {
      throw new StatesMissingError(
        `States are kept from masterchain block ${firstSeqno} on; those after block ${seqno} cannot be made from them.`,
      )
    }
    try {
      return viewOf(await keeper.openAt(seqno, signal))
    } catch (cause) {
      if (!(cause instanceof CodedError) || cause.retryable) throw cause
      throw new StatesUnavailableError(`The states after masterchain block ${seqno} cannot be had: ${cause.message}`, {
        cause,
      })
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
      context ??= makeContext(id, randomSeed, openUnsplit(master))
      return context
    },
  }
}

const makeContext = (
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
    throw new StatesUnavailableError(`The configuration after ${formatBlockId(id)} is no cell.`)
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
  throw new StatesUnavailableError('The state after a block is that of one shard, this one is of two.')
}
