import type { Setting } from '../config/Setting.ts'
import { settings } from '../config/settings.ts'
import type { Command, Example } from './Command.ts'
import { exitCodes } from './errors.ts'

/** Breaks a paragraph at blanks where a line would be wider than `width`. */
export const wrapText = (paragraph: string, width = 100): string =>
  paragraph.split(' ').reduce((text, word) => {
    const line = text.slice(text.lastIndexOf('\n') + 1)
    return `${text}${line.length + 1 + word.length > width ? '\n' : ' '}${word}`
  })

/** What a person sees who types the name of the program alone. */
export const formatOverview = (program: string, version: string): string => {
  const lines = [
    ['start', 'both APIs, indexer and explorer, on a private network'],
    ['start --network main', 'the same over the main network'],
    ['dev --demo', 'a private network with demo contracts and traffic'],
    ['call getMasterchainInfo', 'calls a method of a running service'],
    ['inspect EQ…', 'decodes an address, a message, a block or a file'],
    ['init', 'writes a configuration file with every setting explained'],
  ].map(([line, about]) => `  ${program} ${line!.padEnd(OVERVIEW_WIDTH)}${about}`)
  const help = `All commands and settings: ${program} help. One command: ${program} help start.`
  return [`chaincenter ${version}: APIs, indexer and explorer for TON-type blockchains.`, '', ...lines, '', help].join(
    '\n',
  )
}

const OVERVIEW_WIDTH = 26

/** The whole of help, derived from the tables of commands, settings and exit codes. */
export const formatHelp = (commands: readonly Command[]): string =>
  [
    'Usage: chaincenter <command> [words] [flags]',
    section(
      'Commands',
      commands.map((command) => [formatUsage(command), command.summary]),
    ),
    ...listGroups().map((group) => section(group, settingsOf(group).map(formatSetting))),
    section(
      'Exit codes',
      Object.values(exitCodes).map(({ code, about }) => [String(code), about]),
    ),
    'A setting is taken from its flag, else the environment, else the configuration file, else its default.',
  ].join('\n\n')

export const formatCommandHelp = (command: Command): string =>
  [
    `Usage: chaincenter ${formatUsage(command)} [flags]`,
    command.summary,
    ...(command.parameters.length === 0
      ? []
      : [
          section(
            'Words',
            command.parameters.map(({ name, about }) => [name, about]),
          ),
        ]),
    ...(command.notes ?? []).map((note) => wrapText(note)),
    ...(command.examples === undefined ? [] : [formatExamples(command.examples)]),
    'Run "chaincenter help" for the flags.',
  ].join('\n\n')

/** The line stands alone, so that it can be copied. */
const formatExamples = (examples: readonly Example[]): string =>
  ['Examples:', ...examples.map(([line, about]) => `  ${line}\n      ${about}`)].join('\n')

export const formatUsage = ({ name, parameters }: Command): string =>
  [
    name,
    ...parameters.map(({ name, optional, repeats }) => {
      const word = repeats ? `${name}…` : name
      return optional ? `[${word}]` : `<${word}>`
    }),
  ].join(' ')

export const formatFlag = ({ flag, kind }: Setting): string =>
  kind.placeholder === undefined ? flag : `${flag} <${kind.placeholder}>`

/** The default as text, or `undefined` where there is none to tell: no value, an empty list, or a switch that is off. */
export const formatDefault = (setting: Setting): string | undefined =>
  setting.default === undefined || setting.default === false
    ? undefined
    : setting.kind.format(setting.default) || undefined

const listGroups = (): string[] => [...new Set(Object.values(settings).map(({ group }) => group))]

const settingsOf = (wanted: string): Setting[] => Object.values(settings).filter(({ group }) => group === wanted)

const formatSetting = (setting: Setting): [string, string] => {
  const shown = formatDefault(setting)
  const extra = [setting.env, ...(shown === undefined ? [] : [`default ${shown}`])].filter((part) => part !== undefined)
  const flags = setting.short === undefined ? formatFlag(setting) : `${setting.short}, ${formatFlag(setting)}`
  return [flags, extra.length > 0 ? `${setting.about} [${extra.join('; ')}]` : setting.about]
}

const section = (title: string, rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([term]) => Math.min(term.length, WIDEST_TERM)))
  const lines = rows.map(([term, about]) =>
    term.length > width ? `  ${term}\n  ${' '.repeat(width)}  ${about}` : `  ${term.padEnd(width)}  ${about}`,
  )
  return [`${title}:`, ...lines].join('\n')
}

// A longer term stands on a line of its own, so that one long list of choices does not push all texts to the right.
const WIDEST_TERM = 24

/** Rows of a command's output in aligned columns. */
export const formatColumns = (rows: readonly (readonly unknown[])[]): string => {
  const cells = rows.map((row) => row.map(String))
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
