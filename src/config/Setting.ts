import type { Kind } from './Kind.ts'

/** One thing that can be set. Its key in a table of settings is its name in the configuration file. */
export type Setting<T = unknown, D extends T | undefined = T | undefined> = {
  readonly flag: `--${string}`
  readonly short?: `-${string}`
  /** Absent where only the command line makes sense. Ours begin with CHAINCENTER_; names that hosts give (PORT) stay bare. */
  readonly env?: string
  /** False where the file cannot hold it. */
  readonly inFile?: false
  readonly group: string
  readonly about: string
  readonly kind: Kind<T>
  readonly default: D
}

export type Settings = Readonly<Record<string, Setting>>

/** The values of a table of settings; one without a default may be absent. */
export type ValuesOf<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T, infer D>
    ? T | (undefined extends D ? undefined : never)
    : never
}

/** Writes an entry of the table, so that the compiler checks the default against the kind. */
export const setting = <T, const D extends T | undefined>(definition: Setting<T, D>): Setting<T, D> => definition
