import { CodedError } from '../primitives/errors.ts'

/** The candidate a mistyped word most likely meant, or `undefined` where none is close. */
export const suggest = (word: string, candidates: readonly string[]): string | undefined => {
  // Nothing of ours is nearly as long, and comparing takes time in proportion to the length.
  if (word.length > MAX_LENGTH) return undefined
  const [nearest] = candidates
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.candidate
}

const MAX_LENGTH = 64

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
const countEdits = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1)
      const isSwap = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j]
      const swapped = isSwap ? before[j - 1]! + 1 : replaced
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row[to.length]!
}

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
    super(`Invalid setting ${setting} from ${origin}: expected ${expected}, but ${came}.`)
    this.setting = setting
    this.origin = origin
    this.advice = `Fix ${origin}, or remove it to use the default.`
  }
}

/** A flag or a key of the configuration file that does not exist. */
export class UnknownSettingError extends SettingsError {
  readonly code = 'unknown_setting'
  readonly advice: string

  constructor({ kind, name, known }: { kind: string; name: string; known: readonly string[] }) {
    super(`Unknown ${kind} ${quote(name)}.`)
    const meant = suggest(name, known)
    this.advice = meant === undefined ? 'Run "chaincenter help" to see all settings.' : `Did you mean ${meant}?`
  }
}

/** A configuration file that cannot be read or is not a JSON object. */
export class ConfigFileError extends SettingsError {
  readonly code = 'invalid_config_file'
  readonly advice = 'Set the path of a JSON file with --config, or fix the file.'
}

/** The file of a further network sets what is the same for all networks of a service. */
export class ServiceWideSettingError extends SettingsError {
  readonly code = 'service_wide_setting'
  readonly advice = 'Remove it there, and set it for the first network.'

  constructor(setting: string, network: string) {
    super(`The settings of the network ${network} have ${setting}, which is the same for all networks of a service.`)
  }
}

/** A value as part of a sentence: quoted, on one line and short. */
export const quote = (value: string): string => {
  const shown = JSON.stringify(value.length > MAX_SHOWN ? value.slice(0, MAX_SHOWN) : value)
  return value.length > MAX_SHOWN ? `${shown} and ${value.length - MAX_SHOWN} more characters` : shown
}

const MAX_SHOWN = 80
