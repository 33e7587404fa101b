import { CodedError } from '../primitives/errors.ts'
import { suggest } from './suggest.ts'

/** A failure in what the user set. `advice` is the second sentence: what to do about it. */
export abstract class SettingsError extends CodedError {
  abstract readonly advice: string
}

/**
 * A value that does not fit its setting. `origin` says where it came from ("the flag --port"), `came`
 * what was wrong with it ("it was 70000").
 */
export class InvalidSettingError extends SettingsError {
  readonly code = 'invalid_setting'
  readonly setting: string
  readonly origin: string
  readonly advice: string

  constructor({
    setting,
    origin,
    expected,
    came,
  }: { setting: string; origin: string; expected: string; came: string }) {
    super(`The setting ${setting}, from ${origin}, must be ${expected}, but ${came}.`)
    this.setting = setting
    this.origin = origin
    this.advice = `Correct ${origin}, or leave it out to use the default.`
  }
}

/** A flag or a key of the configuration file that does not exist. */
export class UnknownSettingError extends SettingsError {
  readonly code = 'unknown_setting'
  readonly advice: string

  constructor({ kind, name, known }: { kind: string; name: string; known: readonly string[] }) {
    super(`There is no ${kind} ${quote(name)}.`)
    const meant = suggest(name, known)
    this.advice = meant === undefined ? 'Run "chaincenter help" to see every setting.' : `Did you mean ${meant}?`
  }
}

/** A configuration file that cannot be read or is not a JSON object. */
export class ConfigFileError extends SettingsError {
  readonly code = 'invalid_config_file'
  readonly advice = 'Give the path of a JSON file with --config, or correct the file.'
}

/** A value as part of a sentence: quoted, on one line and short. */
export const quote = (value: string): string => {
  const shown = JSON.stringify(value.length > MAX_SHOWN ? value.slice(0, MAX_SHOWN) : value)
  return value.length > MAX_SHOWN ? `${shown} and ${value.length - MAX_SHOWN} more characters` : shown
}

const MAX_SHOWN = 80
