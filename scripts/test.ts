// npm test [-- <part of a path> …] [-- --needs-fixtures]
// Runs every *.test.ts of src, test and scripts, or those whose path contains one of the arguments. With --needs-fixtures, those that
// use what lies beside the repository (../shared), and of the others those whose path contains an argument. They run compiled: sources
// that are run as they stand take half as much time again.
import { realpathSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from './listFiles.ts'
import { runCompiled } from './runCompiled.ts'
import { findDependents } from './testRun/followImports.ts'
import { formatFile, formatSummary } from './testRun/formatResults.ts'
import { groupFiles } from './testRun/groupFiles.ts'
import { nameSources } from './testRun/nameSources.ts'
import { runFiles } from './testRun/runFiles.ts'
import { formatCounts } from './testRun/Tally.ts'

const FILE_TIMEOUT_MS = 10 * 60_000

/** The module through which tests find what lies beside the repository. */
const FIXTURES = 'test/support/fixtures'

const args = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' }, 'needs-fixtures': { type: 'boolean' } },
})
const root = resolve(args.values.root ?? join(import.meta.dirname, '..'))
const extension = extname(import.meta.filename)
const filters = args.positionals.map((filter) => filter.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\.ts$/, ''))

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const chooseFiles = (found: readonly string[]): readonly string[] => {
  const isNamed = (file: string): boolean => filters.some((filter) => file.includes(filter))
  if (args.values['needs-fixtures'] !== true) return filters.length === 0 ? found : found.filter(isNamed)
  const needy = new Set(findDependents(root, found, `${FIXTURES}${extension}`))
  return found.filter((file) => needy.has(file) || isNamed(file))
}

const runHere = async (): Promise<boolean> => {
  const found = listFiles(root, ['src', 'test', 'scripts'], [`.test${extension}`])
  const files = chooseFiles(found)
  if (files.length === 0) {
    print(filters.length === 0 ? 'There are no test files.' : `No test file has ${filters.join(' or ')} in its path.`)
    print(formatCounts({ passed: 0, failed: 0, skipped: 0 }))
    return false
  }
  const printResult = extension === '.ts' ? print : (text: string) => print(nameSources(text, root, repository()))
  const tally = await runFiles({
    groups: groupFiles(files).map((group) => group.map((file) => join(root, file))),
    // Much of the time of a test is spent waiting: for a server to start, for a block to be made.
    concurrency: Math.min(4, Math.max(3, availableParallelism())),
    timeoutMs: FILE_TIMEOUT_MS,
    onFileDone: (result, durationMs) => printResult(formatFile(root, result, durationMs)),
  })
  const counts = tally.counts()
  print(formatSummary(root, tally))
  print(formatCounts(counts))
  return counts.failed === 0 && counts.passed > 0
}

const repository = (): string => realpathSync(join(root, 'repository'))

process.exitCode =
  extension === '.ts' && args.values.root === undefined
    ? await runCompiled(root, 'test', process.argv.slice(2))
    : (await runHere())
      ? 0
      : 1
