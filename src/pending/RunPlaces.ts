import type { LiveNode } from '../chain/LiveChain.ts'
import type { RunContext } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { type ConfigDict, configDictType, findConfigParam } from '../codec/tlb/config/configParams.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'

/** What surrounds transactions that follow a masterchain block. */
export type RunPlace = {
  readonly block: BlockIdExt
  readonly context: Omit<RunContext, 'now'>
  /** Messages have extra flags where they had a fee for instant routing before. */
  readonly hasExtraFlags: boolean
}

const globalVersionParam = 8
const EXTRA_FLAGS_VERSION = 12
const NO_SEED = new Uint8Array(32)

/** Finds that out. The configuration is large and seldom changes: it is read again where its hash is another. */
export class RunPlaces {
  #kept: { readonly key: string; readonly config: Cell } | undefined
  /** Many messages are foreseen after the same block. It asks a node of its own for libraries. */
  #last:
    | { readonly key: string; readonly version: number; readonly context: Omit<RunContext, 'now' | 'findLibrary'> }
    | undefined

  async get(node: LiveNode, block: BlockIdExt): Promise<RunPlace> {
    const findLibrary = async (hash: Uint8Array): Promise<Cell | undefined> => {
      const [found] = await node.getPublicLibraries([hash], block)
      return found?.library
    }
    const { version, context } = await this.#find(node, block)
    return { block, context: { ...context, findLibrary }, hasExtraFlags: version >= EXTRA_FLAGS_VERSION }
  }

  async #find(node: LiveNode, block: BlockIdExt) {
    const key = toHex(block.rootHash)
    if (this.#last?.key === key) return this.#last
    const [part, previousBlocks] = await Promise.all([
      node.getConfig([globalVersionParam], block),
      node.getPreviousBlocks(block),
    ])
    const config = await this.#configOf(node, block, toHex(rootOf(part).hash(0)))
    const version = findConfigParam(new Dict(configDictType, config), globalVersionParam)?.version ?? 0
    const found = { key, version, context: { config, randomSeed: NO_SEED, previousBlocks } }
    this.#last = found
    return found
  }

  async #configOf(node: LiveNode, block: BlockIdExt, key: string): Promise<Cell> {
    if (this.#kept?.key === key) return this.#kept.config
    const config = rootOf(await node.getConfig(undefined, block))
    this.#kept = { key, config }
    return config
  }
}

const rootOf = ({ root }: ConfigDict): Cell => {
  if (root instanceof Cell) return root
  throw new TypeError('A proven configuration stands in a cell of its own.')
}
