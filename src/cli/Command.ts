import type { Beside } from '../config/loadFurther.ts'
import type { Config } from '../config/settings.ts'
import type { Logger } from '../observe/Logger.ts'
import type { Shutdown } from '../observe/Shutdown.ts'
import type { ReservedPort } from './start/ReservedPort.ts'
import type { StartSteps } from './start/steps.ts'

export type CommandContext = {
  readonly config: Config
  /** Settings that were given, rather than left at their defaults. */
  readonly given: ReadonlySet<string>
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly version: string
  /** What the settings were read from, for processes that this one starts. */
  readonly commandLine: {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string | undefined>>
    /** Name of the network, where it is a further one. */
    readonly also?: string | undefined
  }
  /** The first network, where this process serves a further one. */
  readonly beside?: Beside | undefined
  /** A port that is reserved for HTTP already. */
  readonly http?: ReservedPort
  /** Base of relative paths. */
  readonly workingDir: string
  /** How to call the program from here: `chaincenter`, `npx chaincenter` or `node bin/chaincenter.js`. */
  readonly program: string
  /** Steps of a start, as a terminal shows them. */
  readonly steps: StartSteps
  /** Asks the person at the terminal; `undefined` if there is none. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** All commands, for help. */
  readonly commands: readonly Command[]
  /** Prints a result: the text for a person or, with --json, the value as one line of JSON. */
  show(result: { readonly text: string; readonly value: unknown }): void
}

/** An argument of a command. Only the last one may repeat; it takes all remaining arguments, or none. */
export type Parameter = {
  readonly name: string
  readonly about: string
  /** All values that it takes. */
  readonly choices?: readonly string[]
  /** Whether it is, or may be, the path of a file or folder. */
  readonly isPath?: true
  readonly optional?: true
  readonly repeats?: true
}

/** A command line and its purpose. */
export type Example = readonly [line: `chaincenter ${string}`, about: string]

/** A command of the CLI. */
export type Command = {
  readonly name: string
  readonly summary: string
  /** Arguments after its name, in order. */
  readonly parameters: readonly Parameter[]
  /** Further paragraphs for help and docs. */
  readonly notes?: readonly string[]
  /** Example command lines for help and docs. */
  readonly examples?: readonly Example[]
  /** It serves or indexes until it is told to stop: its telemetry and its memory are of interest. */
  readonly isService?: true
  /** Whether it is for a machine that has other work, too: it keeps less garbage. */
  readonly isSparing?: (config: Config) => boolean
  /**
   * Resolves with an exit code if the result reports a failure. A command imports its modules here, so that other
   * commands start without them.
   */
  run(context: CommandContext, words: readonly string[]): void | Promise<number | void>
}

/** Whether the settings select a network; otherwise the embedded one runs. */
export const hasConfiguredNetwork = ({ network, globalConfig, liteservers }: Config): boolean =>
  network !== 'custom' || globalConfig !== undefined || liteservers.length > 0
