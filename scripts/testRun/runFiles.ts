import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type FileResult, Tally, type TestOutcome } from './Tally.ts'

export type RunOptions = {
  /** Absolute paths; those of a group run in one process, one after the other. */
  readonly groups: readonly (readonly string[])[]
  readonly concurrency: number
  readonly timeoutMs: number
  /** Runs only tests that are called so, with all that is inside them. */
  readonly names?: readonly string[] | undefined
  readonly onFileDone: (result: FileResult, durationMs: number) => void
}

const RUNNER_SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/**
 * Runs test files, a process for each group, and hands over each file's result in the order that was given. The processes inherit this
 * one's `--import tsx`, so whoever calls this has to have been started with it.
 */
export const runFiles = async (options: RunOptions): Promise<Tally> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-tests-'))
  try {
    return await runEntries(options, writeEntries(folder, options.groups))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is run, and the files that are in it. */
type Entries = ReadonlyMap<string, readonly string[]>

/** The test of a group that lasts while its files are loaded. */
const LOADING = 'loading a group'

/**
 * A group runs as a file that imports its files, beside a test that lasts until then: as soon as no test is left, `node:test` calls what is
 * to be called after all of them, and a file that still waits for something before its first test would lose it.
 */
const writeEntries = (folder: string, groups: RunOptions['groups']): Entries =>
  new Map(
    groups.map((group, k) => {
      const files = group.map((file) => resolve(file))
      if (files.length === 1) return [files[0]!, files]
      const entry = join(folder, `group${k}.test.mjs`)
      writeFileSync(
        join(folder, `group${k}.mjs`),
        files.map((file) => `import '${pathToFileURL(file).href}'\n`).join(''),
      )
      writeFileSync(
        entry,
        `import { test } from 'node:test'
let end
const loaded = new Promise((done) => { end = done })
test('${LOADING}', () => loaded)
try { await import('./group${k}.mjs') } finally { end() }
`,
      )
      return [entry, files]
    }),
  )

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const runEntries = async (
  { concurrency, timeoutMs, names, onFileDone }: RunOptions,
  entries: Entries,
): Promise<Tally> => {
  const tally = new Tally()
  const openNames = new Map<string, string[]>()
  const durations = new Map<string, number>()
  const waiting = new Set([...entries.values()].flat())
  const isGroup = (file: string): boolean => (entries.get(file)?.length ?? 1) > 1
  let current: string | undefined

  const finish = (file: string): void => {
    waiting.delete(file)
    onFileDone(tally.close(file), durations.get(file) ?? 0)
  }
  // `node:test` reports files one after the other, whichever finished first: a new name means the one before is done.
  const advance = (file: string | undefined): void => {
    if (file === current) return
    if (current !== undefined) finish(current)
    current = file
  }
  const count = (outcome: TestOutcome, kind: 'pass' | 'fail'): void => {
    if (isGroup(outcome.file)) {
      if (kind === 'fail') failGroup(outcome)
      return
    }
    advance(resolve(outcome.file))
    tally[kind](outcome, (openNames.get(outcome.file) ?? [outcome.name]).slice(0, outcome.nesting + 1).join(' > '))
  }

  // Its process failed: those of its files that have not been through fail with it.
  const failGroup = (outcome: TestOutcome): void => {
    for (const file of entries.get(outcome.file) ?? []) {
      if (waiting.has(file)) tally.fail({ ...outcome, file, name: file }, file)
    }
  }

  const stream = run({
    files: [...entries.keys()],
    concurrency,
    timeout: timeoutMs,
    ...(names && { testNamePatterns: [...names, LOADING].map((name) => new RegExp(`^${escapePattern(name)}$`)) }),
  })
  stream.on('test:enqueue', ({ name, nesting, file }) => {
    if (file === undefined || nesting !== 0 || isGroup(file)) return
    if (resolve(name) !== resolve(file)) tally.expect(file)
  })
  stream.on('test:start', ({ name, nesting, file }) => {
    if (file !== undefined) openNames.set(file, [...(openNames.get(file) ?? []).slice(0, nesting), name])
  })
  stream.on('test:complete', ({ name, nesting, details, file }) => {
    if (nesting !== 0) return
    const isWhole = waiting.has(resolve(name))
    if (isWhole) durations.set(resolve(name), details.duration_ms)
    // Files of a group have no time of their own but that of their tests.
    else if (file !== undefined && !entries.has(file))
      durations.set(file, (durations.get(file) ?? 0) + details.duration_ms)
  })
  stream.on('test:pass', (event) => {
    if (event.file !== undefined) count({ ...event, file: event.file }, 'pass')
  })
  stream.on('test:fail', (event) => {
    if (event.file !== undefined) count({ ...event, file: event.file }, 'fail')
  })
  const note = (file: string, message: string): void => {
    const owner = isGroup(file) ? (current ?? entries.get(file)![0]!) : file
    tally.file(owner).output.push(message)
  }
  stream.on('test:stdout', ({ file, message }) => note(file, message))
  stream.on('test:stderr', ({ file, message }) => note(file, message))
  // Errors after a test's end come without a file, while that file is being reported; so does the runner's own summary.
  stream.on('test:diagnostic', ({ file = current, message }) => {
    if (file !== undefined && !RUNNER_SUMMARY.test(message)) note(file, `${message}\n`)
  })
  await new Promise<void>((done, refuse) => {
    stream.on('error', refuse).on('end', done).resume()
  })
  advance(undefined)
  for (const file of waiting) finish(file)
  return tally
}
