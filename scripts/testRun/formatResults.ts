import { relative, sep } from 'node:path'
import type { FileResult, Tally } from './Tally.ts'
import { formatCounts } from './Tally.ts'

/** One line for a file, then whatever it printed, then its failures in full. */
export const formatFile = (root: string, result: FileResult, durationMs: number): string => {
  const { passed, failures, skips, output } = result
  const mark = failures.length > 0 ? 'FAIL' : skips.length > 0 ? 'skip' : 'ok  '
  const counts = formatCounts({ passed, failed: failures.length, skipped: skips.length })
  const lines = [`${mark} ${nameOf(root, result)}: ${counts} (${formatDuration(durationMs)})`]
  const text = output.join('').trimEnd()
  if (text !== '') lines.push(indent(text, '     | '))
  for (const { name, detail } of failures) lines.push(`     failed: ${name}`, indent(detail, '       '))
  return lines.join('\n')
}

/** Skipped tests with their reasons, failed tests by name, how many were skipped for what: the part a reader looks for at the end. */
export const formatSummary = (root: string, tally: Tally): string => {
  const results = tally.results()
  const skips = results.flatMap((result) =>
    result.skips.map(({ name, reason }) => `  ${nameOf(root, result)}: ${name}\n    ${reason}`),
  )
  const failures = results.flatMap((result) => result.failures.map(({ name }) => `  ${nameOf(root, result)}: ${name}`))
  return [
    ...(skips.length > 0 ? ['', `SKIPPED, not tested here (${skips.length}):`, ...skips] : []),
    ...(failures.length > 0 ? ['', `FAILED (${failures.length}):`, ...failures] : []),
    ...(skips.length > 0 ? ['', `SKIPPED for want of (${skips.length}):`, ...countReasons(results)] : []),
    '',
  ].join('\n')
}

/** How many tests were skipped for each reason; for files of one folder beside the repository once, not by file. */
const countReasons = (results: readonly FileResult[]): string[] => {
  const counts = new Map<string, number>()
  for (const { reason } of results.flatMap(({ skips }) => skips)) {
    const short = reason.replace(/^NOT TESTED: /, '').replace(/(\.\.\/[\w-]+\/[\w-]+)\/\S*[^\s.]/, '$1')
    counts.set(short, (counts.get(short) ?? 0) + 1)
  }
  const entries = [...counts].sort(([, a], [, b]) => b - a)
  return entries.map(([reason, count]) => `  ${String(count).padStart(4)}  ${reason}`)
}

/** The source of a file, named from the root. */
export const nameOf = (root: string, { file }: FileResult): string =>
  relative(root, file).split(sep).join('/').replace(/\.js$/, '.ts')

const formatDuration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

const indent = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n')
