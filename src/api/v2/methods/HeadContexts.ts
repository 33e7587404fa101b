import type { LiveNode } from '../../../chain/LiveChain.ts'
import type { PreviousBlocks, RunContext } from '../../../chain/ports.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toHex } from '../../../primitives/hex.ts'
import { configRoot } from '../configRoot.ts'

/** What the newest masterchain block has to say to contracts that run after it. */
export type HeadContext = {
  readonly head: BlockIdExt
  readonly config: Cell
  /** Names the configuration: its hash. */
  readonly configKey: string
  readonly previousBlocks: PreviousBlocks
}

/** Any small parameter that every network has: its proof shows the hash of the whole configuration as well. */
const globalVersionParam = 8

/** Finds that out, once for each configuration: it is large, and stays the same over many blocks. */
export class HeadContexts {
  private kept: { readonly key: string; readonly config: Cell } | undefined

  async get(node: LiveNode): Promise<HeadContext> {
    const head = await node.getHead()
    const [part, previousBlocks] = await Promise.all([
      node.getConfig([globalVersionParam], head),
      node.getPreviousBlocks(head),
    ])
    const configKey = toHex(configRoot(part).hash(0))
    const config = this.kept?.key === configKey ? this.kept.config : configRoot(await node.getConfig(undefined, head))
    this.kept = { key: configKey, config }
    return { head, config, configKey, previousBlocks }
  }
}

const NO_SEED = new Uint8Array(32)

/** What surrounds a run after that block at a time, which is that of the account's state. */
export const toRunContext = (
  node: LiveNode,
  { head, config, previousBlocks }: HeadContext,
  now: number,
): RunContext => ({
  config,
  now,
  randomSeed: NO_SEED,
  previousBlocks,
  findLibrary: async (hash) => {
    const [found] = await node.getPublicLibraries([hash], head)
    return found?.library
  },
})
