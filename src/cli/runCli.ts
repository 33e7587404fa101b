import { loadConfig } from '../config/load.ts'
import type { Config } from '../config/settings.ts'
import { collectWhenIdle, type GarbageLimits, littleGarbage, ordinaryGarbage } from '../observe/collectWhenIdle.ts'
import { createLogger } from '../observe/Logger.ts'
import { closeOnSignals, createShutdown, type SignalSource } from '../observe/Shutdown.ts'
import type { Command, CommandContext } from './Command.ts'
import { describeFailure } from './describeFailure.ts'
import { exitCodes, UsageError, unknownCommand } from './errors.ts'
import { formatOverview, formatUsage } from './formatHelp.ts'
import { hiddenSteps, type StartSteps, showSteps } from './start/steps.ts'

/** The parts of the process that the CLI uses. */
export type Host = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDir: string
  readonly version: string
  /** Whether logs are written to a terminal. */
  readonly isTerminal: boolean
  /** How to call the program from here; default: chaincenter. */
  readonly program?: string
  /** Columns of the terminal. */
  readonly columns?: number | undefined
  /** Asks the person at the terminal; absent if there is none. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>
  readonly signals: SignalSource
  writeOut(text: string): void
  writeError(text: string): void
}

/** Runs one command to its end and returns the exit code. Results go to standard output, logs and failures to standard error. */
export const runCli = async (host: Host, commands: readonly Command[]): Promise<number> => {
  // Set before the configuration is loaded, which may fail.
  let { json, verbose } = { json: host.args.includes('--json'), verbose: host.args.includes('--verbose') }
  try {
    const { config, given, words } = await loadConfig(host)
    ;({ json, verbose } = config)
    if (config.version) {
      printer(host, json)({ text: host.version, value: { version: host.version } })
      return exitCodes.ok.code
    }
    if (words.length === 0 && !config.help) {
      const value = { version: host.version, commands: commands.map(({ name }) => name) }
      printer(host, json)({ text: formatOverview(host.program ?? 'chaincenter', host.version), value })
      return exitCodes.ok.code
    }
    const { command, rest } = chooseCommand(words, config, commands)
    return await runCommand(command, rest, { config, given }, host, commands)
  } catch (error) {
    const { exitCode, text, value } = describeFailure(error, verbose)
    if (json) host.writeOut(`${JSON.stringify(value)}\n`)
    else host.writeError(`${text}\n`)
    return exitCode
  }
}

const runCommand = async (
  command: Command,
  words: readonly string[],
  { config, given }: Pick<CommandContext, 'config' | 'given'>,
  host: Host,
  commands: readonly Command[],
): Promise<number> => {
  const steps = openSteps(config, host)
  const isQuiet = (): boolean => steps.areShown && !config.verbose && !given.has('logLevel')
  const logger = createHostLogger(config, host, steps, isQuiet)
  const shutdown = createShutdown({ logger, timeoutMs: CLOSE_TIMEOUT_MS })
  const stopListening = closeOnSignals(shutdown, host.signals)
  const { version, workingDir, program = 'chaincenter', ask } = host
  const print = printer(host, config.json)
  const show: CommandContext['show'] = (result) => {
    steps.end()
    print(result)
  }
  const context: CommandContext = {
    config,
    given,
    logger,
    shutdown,
    version,
    commandLine: { args: host.args, env: host.env },
    workingDir,
    program,
    steps,
    ask: ask && ((question) => ask(question, shutdown.signal)),
    commands,
    show,
  }
  let exitCode: number = exitCodes.ok.code
  let clean = false
  let stopCollecting: (() => void) | undefined
  try {
    if (command.isService) stopCollecting = collectWhenIdle(chooseGarbage(command, config, host))
    if (command.isService && config.otlpEndpoint !== undefined) await startTelemetry(context)
    exitCode = (await command.run(context, words)) ?? exitCode
  } catch (error) {
    // A command that stopped on request has not failed.
    if (!isStop(error, shutdown.signal)) throw error
  } finally {
    steps.end()
    stopCollecting?.()
    clean = await shutdown.close('the command ended')
    stopListening()
  }
  return clean ? exitCode : exitCodes.failed.code
}

/** Who set the room for new objects with an option of Node.js keeps it. */
const chooseGarbage = ({ isSparing }: Command, config: Config, { env }: Pick<Host, 'env'>): GarbageLimits => {
  if (!isSparing?.(config)) return ordinaryGarbage
  const options = [...process.execArgv, env['NODE_OPTIONS'] ?? '']
  const isYoungChosen = options.some((text) => text.includes('semi-space-size'))
  return isYoungChosen ? { ...littleGarbage, youngBytes: ordinaryGarbage.youngBytes } : littleGarbage
}

const startTelemetry = async ({ config, logger, shutdown }: CommandContext): Promise<void> => {
  const { openTelemetry, telemetryOf } = await import('./operations/openTelemetry.ts')
  await openTelemetry(telemetryOf(config)!, logger, shutdown)
}

/** An aborted wait rejects with the abort reason, or with an error that has it as its cause. */
const isStop = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && (error === reason || (error instanceof Error && error.cause === reason))

/** `--help` anywhere shows the help of the command, and alone the whole help. */
const chooseCommand = (
  words: readonly string[],
  config: Config,
  commands: readonly Command[],
): { command: Command; rest: readonly string[] } => {
  const [name, ...rest] = config.help ? ['help', ...words.slice(0, 1)] : words
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) throw unknownCommand(name ?? '', commands)
  const least = command.parameters.filter(({ optional }) => !optional).length
  const most = command.parameters.some(({ repeats }) => repeats) ? Number.POSITIVE_INFINITY : command.parameters.length
  if (rest.length < least || rest.length > most) {
    const message = `The command ${command.name} takes ${describeCount(least, most)}, but got ${rest.length}.`
    throw new UsageError(message, `Usage: chaincenter ${formatUsage(command)}`)
  }
  return { command, rest }
}

const describeCount = (least: number, most: number): string => {
  const words = (count: number): string => (count === 1 ? '1 argument' : `${count || 'no'} arguments`)
  if (most === Number.POSITIVE_INFINITY) return `at least ${words(least)}`
  return least === most ? words(most) : `${least} to ${words(most)}`
}

const printer =
  (host: Host, json: boolean): CommandContext['show'] =>
  ({ text, value }) =>
    host.writeOut(json ? `${JSON.stringify(value)}\n` : `${text}\n`)

const openSteps = ({ json, logFormat }: Config, { isTerminal, columns, writeError }: Host): StartSteps =>
  isTerminal && !json && logFormat !== 'json' ? showSteps({ columns, write: writeError }) : hiddenSteps

const createHostLogger = (
  { logLevel, logFormat }: Config,
  { isTerminal, env, writeError }: Host,
  steps: StartSteps,
  isQuiet: () => boolean,
) =>
  createLogger({
    level: logLevel,
    format: logFormat === 'auto' ? (isTerminal ? 'pretty' : 'json') : logFormat,
    colours: isTerminal && !env['NO_COLOR'],
    isQuiet,
    write: (line) => {
      steps.clear()
      writeError(line)
    },
  })

const CLOSE_TIMEOUT_MS = 10_000
