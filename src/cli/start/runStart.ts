import { availableParallelism } from 'node:os'
import { type CommandContext, hasConfiguredNetwork } from '../Command.ts'
import { NetworkSettingsError } from '../errors.ts'

/** Runs one network: the configured one, or an embedded one. */
export const runStart = async (context: CommandContext): Promise<void> => {
  if (hasConfiguredNetwork(context.config)) return runNamed(context)
  if (context.given.has('network')) {
    throw new NetworkSettingsError(
      '--network custom names no network: it has neither a liteserver nor a global configuration.',
    )
  }
  return runEmbedded(context)
}

/** Ports and folder first: what is in use is told within a second, before the network is even loaded. */
export const runEmbedded = async (context: CommandContext): Promise<void> => {
  const { prepareNetwork } = await import('./prepareNetwork.ts')
  const prepared = await prepareNetwork(context)
  const { runNetwork } = await context.steps.run('program', import('../dev/runNetwork.ts'))
  await runNetwork(context, prepared, answersSplit(context, 0))
}

/** The same over a configured network. */
const runNamed = async (context: CommandContext): Promise<void> => {
  const { reserveHttpPort } = await import('./prepareNetwork.ts')
  const http = await reserveHttpPort(context)
  if (context.config.index && answersSplit(context, availableParallelism() - 1)) {
    const { runSplitService } = await context.steps.run('program', import('./answering/runSplitService.ts'))
    return runSplitService(context, http)
  }
  const { runService } = await context.steps.run('program', import('../serve/runService.ts'))
  await runService(context, http)
}

/** Whether HTTP has a process of its own; a fork cannot. */
const answersSplit = ({ config }: CommandContext, workers: number): boolean =>
  (config.workers ?? workers) > 0 && config.fork === undefined
