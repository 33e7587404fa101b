import type { Setting } from '../config/Setting.ts'
import { settings } from '../config/settings.ts'
import type { Command } from './Command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const isShell = (text: string): text is Shell => (shells as readonly string[]).includes(text)

type Value =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'path' | 'other' | 'none' }

/** A flag as completion needs it. */
type Flag = { readonly names: readonly string[]; readonly about: string; readonly value: Value }

/** The first word after a command: one of a few, a path, or anything. */
type Word = { readonly command: string; readonly about: string; readonly value: Value }

type Tables = { readonly flags: readonly Flag[]; readonly words: readonly Word[] }

/** A script that completes commands, their actions, flags and the values of flags. */
export const formatCompletion = (shell: Shell, commands: readonly Command[]): string => {
  const tables = { flags: listFlags(), words: listWords(commands) }
  return { bash: formatBash, zsh: formatZsh, fish: formatFish }[shell](tables)
}

const listFlags = (): Flag[] =>
  Object.values(settings as Readonly<Record<string, Setting>>).map(({ flag, short, about, kind }) => ({
    names: [
      flag,
      ...(short === undefined ? [] : [short]),
      ...(kind.placeholder === undefined ? [`--no-${flag.slice(2)}`] : []),
    ],
    about: firstSentence(about),
    value: completionOf(kind.placeholder),
  }))

const PATHS = ['file', 'folder', 'path']

const completionOf = (placeholder: string | undefined): Value => {
  if (placeholder === undefined) return { kind: 'none' }
  if (/^[a-z0-9-]+(\|[a-z0-9-]+)+$/i.test(placeholder)) return { kind: 'choices', choices: placeholder.split('|') }
  return { kind: PATHS.includes(placeholder) ? 'path' : 'other' }
}

const listWords = (commands: readonly Command[]): Word[] =>
  commands.map(({ name, summary, parameters: [first] }) => ({
    command: name,
    about: firstSentence(summary),
    value: wordOf(name === 'help' ? commands.map((each) => each.name) : first?.choices, first?.isPath),
  }))

const wordOf = (choices: readonly string[] | undefined, isPath: boolean | undefined): Value => {
  if (choices !== undefined) return { kind: 'choices', choices }
  return { kind: isPath ? 'path' : 'none' }
}

const firstSentence = (text: string): string => /^.*?(?=[.:;](\s|$)|$)/.exec(text)![0]

const valuesBy = <K extends Value['kind']>(flags: readonly Flag[], kind: K) =>
  flags.filter((flag): flag is Flag & { value: Extract<Value, { kind: K }> } => flag.value.kind === kind)

const pattern = ({ names }: Flag): string => names.join('|')

/** The branches of a `case`, which bash and zsh share: what completes the value of a flag, or the word after a command. */
const formatBranches = (
  { flags, words }: Tables,
  complete: { readonly choices: (choices: readonly string[]) => string; readonly path: string },
): { readonly values: string[]; readonly arguments: string[] } => ({
  values: [
    ...valuesBy(flags, 'choices').map(
      (flag) => `    ${pattern(flag)}) ${complete.choices(flag.value.choices)}; return ;;`,
    ),
    `    ${valuesBy(flags, 'path').map(pattern).join('|')}) ${complete.path}; return ;;`,
    `    ${valuesBy(flags, 'other').map(pattern).join('|')}) return ;;`,
  ],
  arguments: words.flatMap(({ command, value }) => {
    if (value.kind === 'choices') return [`    ${command}) ${complete.choices(value.choices)} ;;`]
    return value.kind === 'path' ? [`    ${command}) ${complete.path} ;;`] : []
  }),
})

/** The command is the first word that is neither a flag nor the value of one. */
const withValues = ({ flags }: Tables): string =>
  flags
    .filter(({ value }) => value.kind !== 'none')
    .map(pattern)
    .join('|')

const formatBash = (tables: Tables): string => {
  const from = (list: readonly string[]): string => `COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$current"))`
  const branches = formatBranches(tables, { choices: from, path: 'COMPREPLY=($(compgen -f -- "$current"))' })
  return `# bash completion of chaincenter. To use it: source <(chaincenter completion bash)
_chaincenter() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command='' i
  COMPREPLY=()
  case "$previous" in
${branches.values.join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
    ${withValues(tables)}) ((i++)) ;;
    -*) ;;
    *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  if [[ $current == -* ]]; then
    ${from(tables.flags.flatMap(({ names }) => names))}
    return
  fi
  case "$command" in
    '') ${from(tables.words.map(({ command }) => command))} ;;
${branches.arguments.join('\n')}
  esac
}
complete -o filenames -F _chaincenter chaincenter
`
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const formatZsh = (tables: Tables): string => {
  const branches = formatBranches(tables, { choices: (choices) => `compadd -- ${choices.join(' ')}`, path: '_files' })
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([name, about]) => `    ${quote(`${name.replaceAll(':', '\\:')}:${about}`)}`).join('\n')
  return `#compdef chaincenter
# zsh completion of chaincenter. To use it: source <(chaincenter completion zsh)
_chaincenter() {
  local previous="\${words[CURRENT - 1]}" command='' i
  local -a commands=(
${described(tables.words.map(({ command, about }) => [command, about]))}
  )
  local -a flags=(
${described(tables.flags.flatMap(({ names, about }) => names.map((name) => [name, about] as const)))}
  )
  case "$previous" in
${branches.values.join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
    ${withValues(tables)}) ((i++)) ;;
    -*) ;;
    *) command="\${words[i]}"; break ;;
    esac
  done
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe flag flags
    return
  fi
  case "$command" in
    '') _describe command commands ;;
${branches.arguments.join('\n')}
  esac
}
compdef _chaincenter chaincenter
`
}

const formatFish = ({ flags, words }: Tables): string => {
  const names = words.map(({ command }) => command).join(' ')
  const commands = words.flatMap(({ command, about, value }) => [
    `complete -c chaincenter -n "not __fish_seen_subcommand_from ${names}" -a ${command} -d ${quote(about)}`,
    ...(value.kind === 'choices'
      ? [`complete -c chaincenter -n "__fish_seen_subcommand_from ${command}" -a '${value.choices.join(' ')}'`]
      : []),
    ...(value.kind === 'path' ? [`complete -c chaincenter -n "__fish_seen_subcommand_from ${command}" -F`] : []),
  ])
  const options = flags.flatMap((flag) =>
    flag.names.map((name) => {
      const form = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
      return `complete -c chaincenter ${form}${fishValue(flag.value)} -d ${quote(flag.about)}`
    }),
  )
  return [
    '# fish completion of chaincenter. To use it: chaincenter completion fish | source',
    'complete -c chaincenter -f',
    ...commands,
    ...options,
    '',
  ].join('\n')
}

const fishValue = (value: Value): string => {
  if (value.kind === 'choices') return ` -xa '${value.choices.join(' ')}'`
  return { path: ' -rF', other: ' -x', none: '' }[value.kind]
}
