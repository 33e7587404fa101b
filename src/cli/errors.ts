import { SettingsError } from '../config/errors.ts'
import { suggest } from '../config/suggest.ts'
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
    "Name a server with --liteserver host:port:key, or the network's global configuration with --global-config <file>."
}

/** The database has the index of another network. */
export class ForeignIndexError extends CodedError {
  readonly code = 'foreign_index'
  constructor() {
    super(
      'The database has the index of another network. Use another one (--data-dir, --database-url), leave the index out (--no-index), or, if that was an embedded network too, begin anew with --reset.',
    )
  }
}

export const unknownCommand = (word: string, commands: readonly Command[]): UsageError => {
  const names = commands.map(({ name }) => name)
  const meant = suggest(word, names)
  return new UsageError(
    `There is no command ${JSON.stringify(word)}.`,
    meant === undefined ? `The commands are: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  )
}
