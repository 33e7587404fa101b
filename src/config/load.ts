import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFileError, InvalidSettingError, quote, UnknownSettingError } from './errors.ts'
import type { Setting, Settings, ValuesOf } from './Setting.ts'
import { type Config, settings } from './settings.ts'

export type LoadOptions = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDir: string
}

export type LoadedConfig = {
  /** Frozen. */
  readonly config: Config
  /** Settings that were given, rather than left at their defaults. */
  readonly given: ReadonlySet<string>
  /** The words of the command line that are not flags. */
  readonly words: Flags['words']
}

/** The configuration of this run. */
export const loadConfig = async ({ args, env, workingDir }: LoadOptions): Promise<LoadedConfig> => {
  const { texts, words } = parseFlags(args, settings)
  const { config: path } = resolveSettings({ config: settings.config }, { flags: texts, env, file: undefined })
  const file = path === undefined ? await findConfigFile(join(workingDir, DEFAULT_FILE)) : await readConfigFile(path)
  return { ...resolveConfig({ flags: texts, env, file }), words }
}

/** The configuration from its sources. */
export const resolveConfig = (sources: Sources): Pick<LoadedConfig, 'config' | 'given'> => ({
  config: resolveSettings(settings, sources),
  given: listGiven(settings, sources),
})

/** The configuration file of a folder. */
export const DEFAULT_FILE = 'chaincenter.json'

/** What the command line gave: texts by setting name, and the words that are not flags. */
type Flags = { readonly texts: ReadonlyMap<string, readonly string[]>; readonly words: readonly string[] }

/** Reads `--flag value`, `--flag=value`, `--switch`, `--no-switch` and `-s`. After `--` everything is a word. */
export const parseFlags = (args: readonly string[], settings: Settings): Flags => {
  const spellings = listSpellings(settings)
  const texts = new Map<string, string[]>()
  const words: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      words.push(...rest)
      break
    }
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg)
      continue
    }
    const [flag, inline] = splitInline(arg)
    const spelling = spellings.get(flag)
    if (spelling === undefined) {
      throw new UnknownSettingError({ kind: 'flag', name: flag, known: [...spellings.keys()] })
    }
    const text = takeText(spelling, inline, rest)
    const given = texts.get(spelling.name) ?? []
    if (given.length > 0 && !spelling.setting.kind.repeats) throw refuse(spelling, 'it was given more than once')
    texts.set(spelling.name, [...given, text])
  }
  return { texts, words }
}

type Spelling = { readonly flag: string; readonly name: string; readonly setting: Setting; readonly negates: boolean }

/** Every way to write every flag: its long and short form and, for a switch, `--no-…`. */
const listSpellings = (settings: Settings): ReadonlyMap<string, Spelling> =>
  new Map(
    Object.entries(settings)
      .flatMap(([name, setting]): Spelling[] => [
        { flag: setting.flag, name, setting, negates: false },
        { flag: setting.short ?? setting.flag, name, setting, negates: false },
        ...(isSwitch(setting) ? [{ flag: `--no-${setting.flag.slice(2)}`, name, setting, negates: true }] : []),
      ])
      .map((spelling) => [spelling.flag, spelling]),
  )

const isSwitch = ({ kind }: Setting): boolean => kind.placeholder === undefined

const splitInline = (arg: string): [string, string | undefined] => {
  const at = arg.indexOf('=')
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

/** The text of a flag: what follows its `=`, what a switch implies, or the next argument, which is taken off `rest`. */
const takeText = (spelling: Spelling, inline: string | undefined, rest: string[]): string => {
  if (spelling.negates) {
    if (inline !== undefined) throw refuse(spelling, 'this form takes no value')
    return 'false'
  }
  if (inline !== undefined) return inline
  if (isSwitch(spelling.setting)) return 'true'
  // "--config --json" is a forgotten value, not a file called --json; "--config=--json" is taken at its word.
  if (rest[0] === undefined || rest[0].startsWith('--')) throw refuse(spelling, 'got no value')
  return rest.shift() ?? ''
}

const refuse = ({ flag, name, setting }: Spelling, came: string): InvalidSettingError =>
  new InvalidSettingError({ setting: name, origin: `the flag ${flag}`, expected: setting.kind.expects, came })

type ConfigFile = { readonly path: string; readonly values: Readonly<Record<string, unknown>> }

/** Reads a JSON object from a file. */
export const readConfigFile = async (path: string): Promise<ConfigFile> => {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigFileError(`Cannot read the configuration file ${path} (${error.code}).`, { cause: error })
  })
  return { path, values: parseObject(path, content) }
}

/** The same, and `undefined` where there is no such file. */
const findConfigFile = async (path: string): Promise<ConfigFile | undefined> => {
  try {
    return await readConfigFile(path)
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
    throw error
  }
}

/** Text, a comment, or a comma before a closing bracket. */
const TOKENS = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/** JSON of a file that people edit: comments and trailing commas become blanks, so that errors keep their positions. */
const withoutComments = (content: string): string =>
  content.replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')))

const parseObject = (path: string, content: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(withoutComments(content))
  } catch (cause) {
    throw new ConfigFileError(`Invalid JSON in the configuration file ${path}: ${(cause as Error).message}.`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigFileError(`Expected a JSON object with a key per setting in the configuration file ${path}.`)
  }
  return value as Record<string, unknown>
}

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

const findGiven = (name: string, setting: Setting, sources: Sources): Given | undefined =>
  fromFlag(name, setting, sources) ?? fromEnv(setting, sources) ?? fromFile(name, setting, sources)

const listGiven = (settings: Settings, sources: Sources): ReadonlySet<string> =>
  new Set(Object.keys(settings).filter((name) => findGiven(name, settings[name]!, sources) !== undefined))

const resolveSetting = (name: string, setting: Setting, sources: Sources): unknown => {
  const given = findGiven(name, setting, sources)
  if (given === undefined) return setting.default
  const value = given.texts === undefined ? undefined : setting.kind.parse(given.texts)
  if (value === undefined) {
    const came = setting.kind.hidden ? 'got another value (not shown)' : `got ${given.shown}`
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
  if (unknown !== undefined) throw new UnknownSettingError({ kind: `setting in ${path}:`, name: unknown, known })
}
