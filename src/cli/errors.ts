import { SettingsError, suggest } from '../config/errors.ts'
import type { Config } from '../config/settings.ts'
import { INTERRUPTED } from '../observe/Shutdown.ts'
import { CodedError } from '../primitives/errors.ts'
import type { Command } from './Command.ts'

/** A command that does not exist, or words that it does not take. */
export class UsageError extends CodedError {
  readonly code = 'wrong_usage'
  readonly advice: string

  constructor(message: string, advice: string) {
    super(message)
    this.advice = advice
  }
}

/** The settings name no network, or a global configuration that cannot be used. */
export class NetworkSettingsError extends SettingsError {
  readonly code = 'no_network'
  readonly advice =
    'Set a liteserver with --liteserver host:port:key, or a global configuration with --global-config <file>.'
}

/** The database has the index of another network. */
export class ForeignIndexError extends CodedError {
  readonly code = 'foreign_index'
  constructor() {
    super(
      'The database contains the index of another network. Use another database (--data-dir, --database-url), run without the index (--no-index), or, if that was an embedded network as well, delete it with --reset.',
    )
  }
}

export const unknownCommand = (word: string, commands: readonly Command[]): UsageError => {
  const names = commands.map(({ name }) => name)
  const meant = suggest(word, names)
  return new UsageError(
    `Unknown command ${JSON.stringify(word)}.`,
    meant === undefined ? `The commands are: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  )
}

/** What the process tells its caller. */
export const exitCodes = {
  ok: { code: 0, about: 'Success, or a clean stop.' },
  failed: { code: 1, about: 'Failed; the error message names the reason.' },
  usage: { code: 2, about: 'Invalid command line, environment or configuration file.' },
  differs: { code: 3, about: 'trace: the replay differs from the chain.' },
  internal: { code: 70, about: 'Internal error (please report).' },
  interrupted: { code: INTERRUPTED, about: 'Killed by a second Ctrl-C before the shutdown was complete.' },
} as const

/** Refuses --also for a command that serves one network. */
export const refuseAlso = ({ also }: Pick<Config, 'also'>, command: string): void => {
  if (also.length === 0) return
  throw new UsageError(
    `${command} serves one network, but --also names another one.`,
    `Serve several networks with start, or run ${command} once for each with --config.`,
  )
}

/** Refuses a range of blocks that ends before it begins. */
export const expectRange = ({ from, to }: Pick<Config, 'from' | 'to'>): void => {
  if (to === undefined || from <= to) return
  throw new UsageError(
    `Expected --from to be at most --to, but --from is ${from} and --to is ${to}.`,
    'Change one of them.',
  )
}
