import { resolve } from 'node:path'
import { run } from 'node:test'
import { type FileResult, Tally, type TestOutcome } from './Tally.ts'

export type RunOptions = {
  /** Absolute paths. */
  readonly files: readonly string[]
  readonly concurrency: number
  readonly timeoutMs: number
  readonly onFileDone: (result: FileResult, durationMs: number) => void
}

const RUNNER_SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/**
 * Runs test files, a process each, and hands over each file's result in the order of `files`. The processes inherit this
 * one's `--import tsx`, so whoever calls this has to have been started with it.
 */
export const runFiles = async ({ files, concurrency, timeoutMs, onFileDone }: RunOptions): Promise<Tally> => {
  const tally = new Tally()
  const openNames = new Map<string, string[]>()
  const durations = new Map<string, number>()
  const waiting = new Set(files.map((file) => resolve(file)))
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
    advance(resolve(outcome.file))
    tally[kind](outcome, (openNames.get(outcome.file) ?? [outcome.name]).slice(0, outcome.nesting + 1).join(' > '))
  }

  const stream = run({ files: [...files], concurrency, timeout: timeoutMs })
  stream.on('test:enqueue', ({ name, nesting, file }) => {
    if (file !== undefined && nesting === 0 && resolve(name) !== resolve(file)) tally.expect(file)
  })
  stream.on('test:start', ({ name, nesting, file }) => {
    if (file !== undefined) openNames.set(file, [...(openNames.get(file) ?? []).slice(0, nesting), name])
  })
  stream.on('test:complete', ({ name, nesting, details }) => {
    if (nesting === 0) durations.set(resolve(name), details.duration_ms)
  })
  stream.on('test:pass', (event) => {
    if (event.file !== undefined) count({ ...event, file: event.file }, 'pass')
  })
  stream.on('test:fail', (event) => {
    if (event.file !== undefined) count({ ...event, file: event.file }, 'fail')
  })
  stream.on('test:stdout', ({ file, message }) => void tally.file(file).output.push(message))
  stream.on('test:stderr', ({ file, message }) => void tally.file(file).output.push(message))
  // Errors after a test's end come without a file, while that file is being reported; so does the runner's own summary.
  stream.on('test:diagnostic', ({ file = current, message }) => {
    if (file !== undefined && !RUNNER_SUMMARY.test(message)) tally.file(file).output.push(`${message}\n`)
  })
  await new Promise<void>((done, refuse) => {
    stream.on('error', refuse).on('end', done).resume()
  })
  advance(undefined)
  for (const file of waiting) finish(file)
  return tally
}
