import type { Setting } from '../config/Setting.ts'
import { settings } from '../config/settings.ts'
import { wrapText } from './formatHelp.ts'

const HEAD = `// Settings of chaincenter. Remove the slashes before a line to set it; the values shown are the defaults.
// Flags and environment variables override this file: see "chaincenter help", or docs/settings.md.
`

/** A configuration file with every setting in it, explained and not set. */
export const formatConfigFile = (): string => {
  const known = Object.entries(settings as Readonly<Record<string, Setting>>).filter(
    ([, { inFile }]) => inFile !== false,
  )
  const groups = [...new Set(known.map(([, { group }]) => group))]
  const sections = groups.map((group) => {
    const entries = known
      .filter(([, setting]) => setting.group === group)
      .map(([name, setting]) => formatEntry(name, setting))
    return [`  // ${group}`, ...entries].join('\n\n')
  })
  return `${HEAD}{\n${sections.join('\n\n\n')}\n}\n`
}

const formatEntry = (name: string, setting: Setting): string =>
  [
    ...wrapText(setting.about, WIDTH)
      .split('\n')
      .map((line) => `  // ${line}`),
    `  // ${JSON.stringify(name)}: ${JSON.stringify(exampleOf(setting))},`,
  ].join('\n')

const WIDTH = 110

/** The default or, where there is none, the form of a value. */
const exampleOf = ({ kind, default: value }: Setting): unknown => {
  if (kind.repeats)
    return Array.isArray(value) && value.length > 0 ? kind.format(value).split(',') : [`<${kind.placeholder}>`]
  if (value === undefined) return kind.placeholder === undefined ? true : `<${kind.placeholder}>`
  const text = kind.format(value)
  // Numbers and switches stand as they are; durations and the like are texts.
  return (typeof value === 'number' || typeof value === 'boolean') && String(value) === text ? value : text
}
