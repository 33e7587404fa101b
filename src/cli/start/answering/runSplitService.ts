import { availableParallelism } from 'node:os'
import { createVirtualMachine } from '../../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../../Command.ts'
import { migrate, openDatabase } from '../../database/openDatabase.ts'
import { expectRange } from '../../errors.ts'
import { openChainOfNode } from '../../index/openChain.ts'
import { openDecoders, openIndexer } from '../../index/openIndexer.ts'
import { createMetrics } from '../../operations/metrics.ts'
import { describeService } from '../../serve/listenService.ts'
import { openNamedNode } from '../../serve/openNode.ts'
import type { ReservedPort } from '../ReservedPort.ts'
import { topics } from './AnsweringProcess.ts'
import { startAnswering } from './startAnswering.ts'

/** Indexes the configured network in this process, and has another one serve the APIs, until shutdown. */
export const runSplitService = async (context: CommandContext, http: ReservedPort): Promise<void> => {
  const { config, logger, shutdown, show, steps, version, workingDir, commandLine } = context
  // Validates the settings before anything is started.
  expectRange(config)
  const { answering, closeLater } = startAnswering(context, http)
  const metrics = createMetrics(shutdown)
  const { node, zeroState } = await steps.run('liteservers', openNamedNode(context))
  const decoders = openDecoders(context)
  const check: Parameters<typeof openChainOfNode>[1] = (block, signal) => decoders.checkRoot(block, signal)
  const chain = await openChainOfNode(context, check, node, zeroState.rootHash)
  const database = await steps.run('PostgreSQL', openDatabase(context))
  await steps.run('tables', migrate(database, logger, shutdown.signal))
  const vmWorkers = Math.max(1, availableParallelism() - 1)
  const vm = await createVirtualMachine({ logger, workers: vmWorkers, checkRate: config.vmCheck / 100 })
  shutdown.add('virtual machine', () => vm.close())
  const indexer = openIndexer(context, { chain, database, decoders, vm, vmWorkers, metrics })
  // The indexer may finish by itself (--to); the APIs keep running.
  const failed = new Promise<never>((_done, fail) => indexer.done.catch(fail))
  failed.catch(() => undefined)
  closeLater(shutdown)
  const start = { ...commandLine, workingDir, version, port: http.port, front: http.front }
  const serving = answering.serve(
    { ...start, folder: undefined, controlsToken: undefined, facts: undefined },
    { [topics.database]: () => database.source, [topics.metrics]: () => metrics.read() },
  )
  const urls = await steps.run('interfaces', Promise.race([serving, failed]))
  if (shutdown.signal.aborted) return
  show(describeService(urls, { hasLive: true, hasIndex: true }))
  const stopped = new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
  await Promise.race([stopped, failed])
}
