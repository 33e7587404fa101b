// npm test [-- <part of a path> …] [-- --write-skipped <file>] [-- --read-skipped <file>] [-- --again] [-- --compiled <folder>]
//   [-- --write-seconds <file>]
// Runs every *.test.ts of src, test and scripts, or those whose path contains one of the arguments. With --write-skipped, notes the
// tests that were skipped for want of ../shared; with --read-skipped, runs those alone. With --again, up to three files that failed run
// once more, alone; what passes then is named as unstable. Tests run compiled: sources that are run as they stand take half as much
// time again. With --compiled, the compiled sources stay in a folder, for further runs of the same sources; with --write-seconds, the
// seconds of each file are written to one.
//
// npm run test:long
// Runs the tests that have a long form, in that form: the campaigns, which take minutes each.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from './listFiles.ts'
import { runCompiled } from './runCompiled.ts'
import { checkSkips, type SkipAllowances } from './testRun/checkSkips.ts'
import { findDependents } from './testRun/followImports.ts'
import { formatFile, formatSummary, nameOf } from './testRun/formatResults.ts'
import { type FileSeconds, formatSeconds, groupFiles } from './testRun/groupFiles.ts'
import { nameSources } from './testRun/nameSources.ts'
import { runAgain } from './testRun/runAgain.ts'
import { runFiles } from './testRun/runFiles.ts'
import { formatCounts, outermostTest } from './testRun/Tally.ts'

const FILE_TIMEOUT_MS = 10 * 60_000
const LONG_FILE_TIMEOUT_MS = 60 * 60_000

/**
 * A function has to run eight times as long as usual before the engine of Node.js 20 optimizes it. Most processes of tests end before that
 * pays: it was a sixth of all CPU time. Later versions compile in more steps, and have no such option.
 */
const optimizeLate = process.versions.node.startsWith('20.') ? ['--interrupt-budget=540672'] : []

/** The module by which a test knows whether its long form is wanted. */
const TEST_LENGTH = 'test/support/testLength'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string' },
    long: { type: 'boolean', default: false },
    'write-skipped': { type: 'string' },
    'read-skipped': { type: 'string' },
    again: { type: 'boolean', default: false },
    'write-seconds': { type: 'string' },
    compiled: { type: 'string' },
  },
})
const root = resolve(values.root ?? join(import.meta.dirname, '..'))
const extension = extname(import.meta.filename)
const repository = existsSync(join(root, 'repository')) ? realpathSync(join(root, 'repository')) : root
const filters = positionals.map((filter) => filter.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\.ts$/, ''))

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Tests that another run has skipped, each with its file. */
const readSkipped = (path: string): readonly { readonly file: string; readonly name: string }[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [file = '', name = ''] = line.split('\t')
      return { file: file.replace(/\.ts$/, extension), name }
    })

const earlier = values['read-skipped'] === undefined ? undefined : readSkipped(values['read-skipped'])

const chooseFiles = (found: readonly string[]): readonly string[] => {
  const listed = earlier && new Set(earlier.map(({ file }) => file))
  const known = listed ? found.filter((file) => listed.has(file)) : found
  const chosen = values.long ? findDependents(root, known, `${TEST_LENGTH}${extension}`) : known
  return filters.length === 0 ? chosen : chosen.filter((file) => filters.some((filter) => file.includes(filter)))
}

const readJson = <T>(path: string): T | undefined =>
  existsSync(join(repository, path)) ? (JSON.parse(readFileSync(join(repository, path), 'utf8')) as T) : undefined

const runHere = async (): Promise<boolean> => {
  const files = chooseFiles(listFiles(root, ['src', 'test', 'scripts'], [`.test${extension}`]))
  if (files.length === 0) {
    print(filters.length === 0 ? 'There are no test files.' : `No test file has ${filters.join(' or ')} in its path.`)
    print(formatCounts({ passed: 0, failed: 0, skipped: 0 }))
    return false
  }
  const printResult = extension === '.ts' ? print : (text: string) => print(nameSources(text, root, repository))
  if (values.long) process.env['CHAINCENTER_TEST_LONG'] = '1'
  const seconds = new Map<string, number>()
  const groups = groupFiles(files, readJson<FileSeconds>('test/longest.json'))
  const how = {
    names: earlier && [...new Set(earlier.map(({ name }) => name))],
    timeoutMs: values.long ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS,
  }
  const tally = await runFiles({
    ...how,
    groups: groups.map((group) => group.map((file) => join(root, file))),
    // Much of the time of a test is spent waiting: for a server to start, for a block to be made.
    concurrency: Math.max(4, Math.min(6, availableParallelism())),
    onFileDone: (result, durationMs) => {
      seconds.set(nameOf(root, result), durationMs / 1000)
      printResult(formatFile(root, result, durationMs))
    },
  })
  const unstable = values.again ? await runAgain(tally, root, how, printResult) : []
  const results = tally.results()
  const hasShared = existsSync(join(repository, '../shared'))
  const tooMany = checkSkips(results, readJson<SkipAllowances>('test/skips.json'), hasShared)
  if (values['write-skipped'] !== undefined) {
    const lines = results.flatMap((result) =>
      result.skips
        .filter(({ reason }) => reason.includes('../shared/'))
        .map(({ name }) => `${nameOf(root, result)}\t${outermostTest(result, name)}\n`),
    )
    writeFileSync(values['write-skipped'], [...new Set(lines)].join(''))
  }
  if (values['write-seconds'] !== undefined) writeFileSync(values['write-seconds'], formatSeconds(seconds))
  print(formatSummary(root, tally))
  if (unstable.length > 0)
    print([`UNSTABLE, failed once and passed alone (${unstable.length}):`, ...unstable].join('\n  '))
  for (const line of tooMany) print(`FAILED: ${line}`)
  const { passed, failed, skipped } = tally.counts()
  const counts = { passed, failed: failed + tooMany.length, skipped }
  print(formatCounts(counts))
  return counts.failed === 0 && passed > 0
}

process.exitCode =
  extension === '.ts' && values.root === undefined
    ? await runCompiled(root, 'test', process.argv.slice(2), {
        nodeArguments: ['--max-semi-space-size=64', ...optimizeLate],
        preload: 'scripts/testRun/lightTracking',
        folder: values.compiled,
      })
    : (await runHere())
      ? 0
      : 1
