import { join } from 'node:path'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { TrustStore } from '../../node/TrustStore.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import type { CommandContext } from '../Command.ts'
import { dataFolder } from './gatewayOptions.ts'
import { openNode } from './openNode.ts'
import { openSharedSeqnos } from './workers/SharedSeqnos.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

/** The servers that are kept for the keys of some plans, by the names of their pools. */
export const openPools = async (
  { config, logger, shutdown, workingDir }: Context,
  origin: { readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt },
): Promise<ReadonlyMap<string, ProvenNode>> => {
  const servers = new Map<string, LiteServerAddress[]>()
  for (const { pool, server } of config.nodePools) servers.set(pool, [...(servers.get(pool) ?? []), server])
  const { proofs, queryTimeout: queryTimeoutMs } = config
  const seqnos = openSharedSeqnos(config.workers)
  const opened = [...servers].map(async ([pool, own], at): Promise<[string, ProvenNode]> => {
    // What is proven is kept apart, so that no pool waits for another.
    const store = new TrustStore(join(dataFolder(config, workingDir), 'pools', pool), origin.zeroState, logger)
    const shared = seqnos?.headsOf(at + 1)
    const options = { ...origin, servers: own, proofs, queryTimeoutMs, store, shared, logger }
    return [pool, await openNode(options, shutdown)]
  })
  return new Map(await Promise.all(opened))
}
