// The process of one network of several. It ends with the process of the front, whose end closes the channel.
import { SettingsError } from '../../config/errors.ts'
import { loadNetworkConfig } from '../../config/loadFurther.ts'
import { createShutdown } from '../../observe/Shutdown.ts'
import type { CommandContext } from '../Command.ts'
import { NetworkSettingsError, UsageError } from '../errors.ts'
import { openTelemetry, telemetryOf } from '../operations/openTelemetry.ts'
import { endWithParent, openParentLink } from '../start/parentLink.ts'
import { reservePort, startingAnswer } from '../start/reservePort.ts'
import { runStart } from '../start/runStart.ts'
import { hiddenSteps } from '../start/steps.ts'
import { type NetworkEnd, type NetworkStart, topics } from './NetworkProcess.ts'

const CLOSE_TIMEOUT_MS = 10_000
/** The front is gone: what is open is closed within this time. */
const ORPHAN_MS = 10_000

const { channel, logger, setLogLevel } = openParentLink()
const shutdown = createShutdown({ logger, timeoutMs: CLOSE_TIMEOUT_MS })

const run = async ({ front, version, workingDir, program, ...commandLine }: NetworkStart): Promise<NetworkEnd> => {
  try {
    const { config, given, beside } = await loadNetworkConfig({ ...commandLine, workingDir })
    setLogLevel(config.logLevel)
    const telemetry = telemetryOf(config)
    if (telemetry !== undefined) await openTelemetry(telemetry, logger, shutdown)
    process.title = `chaincenter ${commandLine.also ?? 'first network'}`
    const reserved = await reservePort({ host: '127.0.0.1', port: 0, flag: '--port', answer: startingAnswer })
    const context: CommandContext = {
      config,
      given,
      beside,
      http: { ...reserved, front },
      logger,
      shutdown,
      version,
      commandLine,
      workingDir,
      program,
      steps: hiddenSteps,
      ask: undefined,
      commands: [],
      show: (result) => channel.notify(topics.shown, result),
    }
    channel.notify(topics.port, reserved.port)
    await runStart(context)
    return undefined
  } catch (error) {
    if (shutdown.signal.aborted) return undefined
    // A global configuration that cannot be downloaded now may be there later.
    const isWrong = error instanceof UsageError || error instanceof SettingsError
    if (isWrong && !(error instanceof NetworkSettingsError)) {
      return { refusal: error.message, advice: error.advice }
    }
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

channel.handle(topics.start, async (start) => channel.notify(topics.ended, await run(start as NetworkStart)))
channel.handle(topics.stop, () => shutdown.close('the service stops'))
endWithParent(shutdown, ORPHAN_MS)
