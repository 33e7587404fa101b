import type { Config } from '../config/settings.ts'
import type { Logger } from '../observe/Logger.ts'
import type { Shutdown } from '../observe/Shutdown.ts'

export type CommandContext = {
  readonly config: Config
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly version: string
  /** Where paths that are not absolute begin. */
  readonly workingDir: string
  /** Every command, for the one that shows them. */
  readonly commands: readonly Command[]
  /** Prints a result: the text for a person or, with --json, the value as one line of JSON. */
  show(result: { readonly text: string; readonly value: unknown }): void
}

/** A word after the command's name. Only the last may repeat: it stands for all the words that are left, or none. */
export type Parameter = {
  readonly name: string
  readonly about: string
  readonly optional?: true
  readonly repeats?: true
}

/** A command line, and what it is for. */
export type Example = readonly [line: `chaincenter ${string}`, about: string]

/** A verb of the command line. */
export type Command = {
  readonly name: string
  readonly summary: string
  /** The words it takes after its name, in order. */
  readonly parameters: readonly Parameter[]
  /** What else is to know, a paragraph each, for its help and the docs. */
  readonly notes?: readonly string[]
  /** Command lines and what each is for, for its help and the docs. */
  readonly examples?: readonly Example[]
  /**
   * Resolves with an exit code where the result itself says that something is wrong. What a command needs is loaded here: no
   * other command has to wait for it.
   */
  run(context: CommandContext, words: readonly string[]): void | Promise<number | void>
}
