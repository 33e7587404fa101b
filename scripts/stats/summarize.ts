import { parseSync } from 'oxc-parser'
import { isTestFile } from '../walls/SourceFile.ts'

export type Source = { readonly path: string; readonly text: string }

export type Stats = {
  readonly files: number
  /** Lines of a file. */
  readonly median: number
  readonly p95: number
  readonly lines: number
  /** Lines of import declarations, of all lines. */
  readonly importShare: number
  /** Exported name to the files that export it. */
  readonly names: ReadonlyMap<string, readonly string[]>
  /** Files over 500 lines that are not generated, the longest first. */
  readonly long: readonly { readonly path: string; readonly lines: number }[]
}

const LONG_FILE = 500

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** A generated file says so in its first line. */
const isGenerated = (text: string): boolean => /generated|written by scripts/i.test(text.slice(0, text.indexOf('\n')))

/** Counts files and exports; tests and benches are left out. */
export const summarize = (sources: readonly Source[]): Stats => {
  const files = sources
    .filter(({ path }) => !isTestFile(path))
    .map(({ path, text }) => {
      const { module, errors } = parseSync(path, text)
      if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`)
      return {
        path,
        lines: countLines(text),
        importLines: module.staticImports.reduce((sum, { start, end }) => sum + countLines(text.slice(start, end)), 0),
        names: module.staticExports.flatMap(({ entries }) =>
          entries.map(({ exportName }) => exportName.name ?? 'default'),
        ),
        isLong: countLines(text) > LONG_FILE && !isGenerated(text),
      }
    })
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b)
  const total = sizes.reduce((sum, lines) => sum + lines, 0)
  const names = new Map<string, string[]>()
  for (const file of files) for (const name of file.names) names.set(name, [...(names.get(name) ?? []), file.path])
  return {
    files: files.length,
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    p95: sizes[Math.floor(sizes.length * 0.95)] ?? 0,
    lines: total,
    importShare: total === 0 ? 0 : files.reduce((sum, { importLines }) => sum + importLines, 0) / total,
    names,
    long: files
      .filter(({ isLong }) => isLong)
      .map(({ path, lines }) => ({ path, lines }))
      .sort((a, b) => b.lines - a.lines),
  }
}

type Names = Stats['names']

/** How the exported names of two trees differ. A name that both have counts as moved if no file exports it in both. */
export const compareNames = (before: Names, now: Names): Record<'added' | 'removed' | 'moved', string[]> => ({
  added: [...now.keys()].filter((name) => !before.has(name)).sort(),
  removed: [...before.keys()].filter((name) => !now.has(name)).sort(),
  moved: [...now]
    .filter(([name, files]) => before.has(name) && !before.get(name)!.some((file) => files.includes(file)))
    .map(([name]) => name)
    .sort(),
})
