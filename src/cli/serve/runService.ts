import { availableParallelism } from 'node:os'
import { createHttpServer } from '../../api/core/createHttpServer.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { expectRange } from '../index/expectRange.ts'
import { openChainOfNode } from '../index/openChain.ts'
import { openDecoders, openIndexer } from '../index/openIndexer.ts'
import { createAskLive } from './createAskLive.ts'
import { openDecoder } from './openDecoder.ts'
import { openNamedNode } from './openNamedNode.ts'
import { type OpenedPending, openPending } from './openPending.ts'
import { openV2 } from './openV2.ts'
import { openV3 } from './openV3.ts'

/** Serves the interfaces over the network of the settings, and keeps the index of it, until the process is told to stop. */
export const runService = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show } = context
  const { dialect, host, port } = config
  // What the settings say wrong is said before anything is started.
  expectRange(config)
  const decoder = openDecoder(context)
  const { node, zeroState } = await openNamedNode(context)
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine', () => vm.close())
  const pending = config.index
    ? openPending({ node, vm, zeroState: zeroState.rootHash, redisUrl: config.redisUrl?.reveal(), logger }, shutdown)
    : undefined
  const { mounts: live } = openV2({ node, vm, dialect, ...(pending !== undefined && { onSent: pending.onSent }) })
  const index =
    pending && (await openIndex(context, { node, vm, zeroState: zeroState.rootHash, live: live[0]!, decoder, pending }))
  const mounts = [...live, ...(index?.mounts ?? [])]
  const server = await createHttpServer({ mounts, logger, host, port })
  shutdown.add('http server', () => server.close())
  if (shutdown.signal.aborted) return
  show(describeService(server.url, index !== undefined))
  const stopped = new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
  await (index === undefined ? stopped : Promise.race([stopped, index.failed]))
}

type IndexParts = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Root hash of the zero state of the masterchain. */
  readonly zeroState: Uint8Array
  readonly live: Mount
  readonly decoder: BodyDecoder
  readonly pending: OpenedPending
}

const openIndex = async (
  context: CommandContext,
  { node, vm, zeroState, live, decoder, pending }: IndexParts,
): Promise<{ readonly mounts: readonly Mount[]; readonly failed: Promise<never> }> => {
  const { config, logger, shutdown } = context
  const decoders = openDecoders(context)
  const chain = await openChainOfNode(context, (block, signal) => decoders.checkRoot(block, signal), node, zeroState)
  const database = await openDatabase(context)
  await migrate(database, logger, shutdown.signal)
  const vmWorkers = Math.max(1, availableParallelism() - 1)
  const indexer = openIndexer(context, { chain, database, decoders, vm, vmWorkers, metrics: new Metrics() })
  shutdown.add('indexer', () => indexer.done.catch(() => undefined))
  pending.begin(Promise.resolve(database))
  const v3 = await openV3({
    database,
    decoder,
    pending: pending.traces,
    live: createAskLive(live),
    dialect: config.dialect,
    settings: { testOnly: config.network === 'test' },
  })
  // It ends by itself where all that was wanted is there; the interfaces then go on.
  const failed = new Promise<never>((_done, fail) => indexer.done.catch(fail))
  return { mounts: v3.mounts, failed }
}

const describeService = (url: string, hasIndex: boolean) => {
  const lines = [
    'The service runs.',
    '',
    `  live (v2)      ${url}/api/v2`,
    ...(hasIndex ? [`  indexed (v3)   ${url}/api/v3`] : []),
    'Stop it with Ctrl-C.',
  ]
  const value = {
    url,
    v2: `${url}/api/v2`,
    v2Ton: `${url}/ton/api/v2`,
    ...(hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3` }),
  }
  return { text: lines.join('\n'), value }
}
