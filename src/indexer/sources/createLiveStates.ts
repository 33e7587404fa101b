import type { LiveChain, LiveNode } from '../../chain/LiveChain.ts'
import type { RunContext } from '../../chain/ports.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import { createGate } from '../../primitives/scheduling.ts'
import type { ChainStates, StateView, UnitSource } from '../ports.ts'
import { SourceAnswerError } from './errors.ts'
import { readContract } from './readContract.ts'

export type LiveStatesOptions = {
  /** How many questions are under way at once. */
  readonly parallel?: number
}

/** States from nodes, each answer proven. Every account is a question of its own. */
export const createLiveStates = (
  chain: Pick<LiveChain, 'withNode'>,
  units: Pick<UnitSource, 'getBlockId'>,
  { parallel = 16 }: LiveStatesOptions = {},
): ChainStates => {
  const gate = createGate(parallel)
  const configs = new NewestConfig()
  return {
    openAt: async (seqno, signal) => {
      const block = await units.getBlockId(seqno, signal)
      const ask = <T>(question: (node: LiveNode) => Promise<T>): Promise<T> =>
        gate(async () => {
          signal.throwIfAborted()
          return chain.withNode({ signal }, question)
        })
      return viewAt(block, ask, configs)
    },
    forget: () => configs.clear(),
  }
}

type Ask = <T>(question: (node: LiveNode) => Promise<T>) => Promise<T>

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
      context ??= makeContext(block, ask, configs).catch((error: unknown) => {
        context = undefined
        throw error
      })
      return context
    },
  }
}

const makeContext = async (block: BlockIdExt, ask: Ask, configs: NewestConfig): Promise<RunContext> => {
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
  throw new SourceAnswerError('A configuration stands in a cell of its own, this one does not.')
}

/** The configuration changes at key blocks only, and is large. */
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
