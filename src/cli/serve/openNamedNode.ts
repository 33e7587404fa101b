import { resolve } from 'node:path'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { TrustStore } from '../../node/TrustStore.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { CommandContext } from '../Command.ts'
import { readNetwork } from '../compose.ts'
import { NetworkSettingsError } from '../errors.ts'
import { openNode } from './openNode.ts'
import { openSharedSeqnos } from './workers/SharedSeqnos.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

/** The servers of the network of the settings, and what is trusted of it is kept in the data folder. */
export const openNamedNode = async (
  context: Context,
): Promise<{ readonly node: ProvenNode; readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt }> => {
  const { config, logger, shutdown, workingDir } = context
  const { servers, origin } = await readNetwork(context)
  if (origin === undefined) {
    throw new NetworkSettingsError('Without the global configuration of the network nothing can be checked.')
  }
  const { zeroState, anchor } = origin
  const { proofs, queryTimeout: queryTimeoutMs } = config
  const store = new TrustStore(resolve(workingDir, config.dataDir), zeroState, logger)
  const shared = openSharedSeqnos(config.workers)?.headsOf(0)
  const node = await openNode({ servers, zeroState, anchor, proofs, queryTimeoutMs, store, shared, logger }, shutdown)
  return { node, zeroState, anchor }
}
