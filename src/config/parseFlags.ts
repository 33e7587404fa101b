import { InvalidSettingError, UnknownSettingError } from './errors.ts'
import type { Setting, Settings } from './Setting.ts'

/** What the command line gave: texts by setting name, and the words that are not flags. */
export type Flags = { readonly texts: ReadonlyMap<string, readonly string[]>; readonly words: readonly string[] }

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
    if (inline !== undefined) throw refuse(spelling, 'this form of it takes no value')
    return 'false'
  }
  if (inline !== undefined) return inline
  if (isSwitch(spelling.setting)) return 'true'
  // "--config --json" is a forgotten value, not a file called --json; "--config=--json" is taken at its word.
  if (rest[0] === undefined || rest[0].startsWith('--')) throw refuse(spelling, 'no value came')
  return rest.shift() ?? ''
}

const refuse = ({ flag, name, setting }: Spelling, came: string): InvalidSettingError =>
  new InvalidSettingError({ setting: name, origin: `the flag ${flag}`, expected: setting.kind.expects, came })
