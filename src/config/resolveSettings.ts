import { InvalidSettingError, quote, UnknownSettingError } from './errors.ts'
import type { ConfigFile } from './readConfigFile.ts'
import type { Setting, Settings, ValuesOf } from './Setting.ts'

export type Sources = {
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file: ConfigFile | undefined
}

/** The value of every setting, frozen: from its flag, else the environment, else the file, else its default. */
export const resolveSettings = <S extends Settings>(settings: S, sources: Sources): ValuesOf<S> => {
  const { file } = sources
  if (file !== undefined) refuseUnknownKeys(settings, file)
  const values = Object.entries(settings).map(([name, setting]) => [name, resolveSetting(name, setting, sources)])
  return Object.freeze(Object.fromEntries(values)) as ValuesOf<S>
}

type Given = { readonly origin: string; readonly texts: readonly string[] | undefined; readonly shown: string }

const resolveSetting = (name: string, setting: Setting, sources: Sources): unknown => {
  const given = fromFlag(name, setting, sources) ?? fromEnv(setting, sources) ?? fromFile(name, setting, sources)
  if (given === undefined) return setting.default
  const value = given.texts === undefined ? undefined : setting.kind.parse(given.texts)
  if (value === undefined) {
    const came = setting.kind.hidden ? 'what came does not fit (it is not shown here)' : `it was ${given.shown}`
    throw new InvalidSettingError({ setting: name, origin: given.origin, expected: setting.kind.expects, came })
  }
  return value
}

const fromFlag = (name: string, { flag }: Setting, { flags }: Sources): Given | undefined => {
  const texts = flags.get(name)
  return texts && { origin: `the flag ${flag}`, texts, shown: texts.map(quote).join(', ') }
}

// An empty variable counts as absent: that is how container files leave one out.
const fromEnv = ({ env: variable, kind }: Setting, { env }: Sources): Given | undefined => {
  const text = variable === undefined ? undefined : env[variable]
  if (text === undefined || text === '') return undefined
  const texts = kind.repeats ? text.split(',').map((part) => part.trim()) : [text]
  return { origin: `the environment variable ${variable}`, texts, shown: quote(text) }
}

const fromFile = (name: string, { kind }: Setting, { file }: Sources): Given | undefined => {
  if (file === undefined || !Object.hasOwn(file.values, name)) return undefined
  const value = file.values[name]
  const texts = kind.repeats ? (Array.isArray(value) ? allTexts(value) : undefined) : allTexts([value])
  return { origin: `${name} in ${file.path}`, texts, shown: quote(JSON.stringify(value)) }
}

/** JSON's texts, numbers and truth values as text; `undefined` where there is anything else. */
const allTexts = (values: readonly unknown[]): readonly string[] | undefined =>
  values.every((value) => ['string', 'number', 'boolean'].includes(typeof value)) ? values.map(String) : undefined

const refuseUnknownKeys = (settings: Settings, { path, values }: ConfigFile): void => {
  const known = Object.keys(settings).filter((name) => settings[name]?.inFile !== false)
  const unknown = Object.keys(values).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new UnknownSettingError({ kind: `setting, in ${path},`, name: unknown, known })
}
