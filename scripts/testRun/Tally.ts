import { resolve } from 'node:path'
import { inspect } from 'node:util'

export type Failure = { readonly name: string; readonly detail: string }
export type Skip = { readonly name: string; readonly reason: string }

/** What happened in one test file. Names are full: suite and parent names joined with `>`. */
export type FileResult = {
  readonly file: string
  passed: number
  readonly failures: Failure[]
  readonly skips: Skip[]
  /** The full names of its suites. */
  readonly suites: Set<string>
  /** Standard output, standard error and diagnostics (a seed, a figure), in the order they came. */
  readonly output: string[]
  /** Top-level tests that were announced and have not ended. A process that exits early leaves some behind. */
  unfinished: number
}

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** The part of a `node:test` event that is counted. The same on Node 20, 22 and 24. */
export type TestOutcome = {
  readonly name: string
  readonly nesting: number
  readonly file: string
  readonly skip?: string | boolean | undefined
  readonly todo?: string | boolean | undefined
  readonly details: { readonly type?: string | undefined; readonly error?: unknown }
}

const WHOLE_FILE = '(the whole file)'

/** What Node 20 says of a test that a pattern of names leaves out; later versions do not mention it. */
const NOT_CHOSEN = 'test name does not match pattern'

/**
 * Counts tests. A suite is not a test; a parent that fails only because a test inside it failed is not a second failure;
 * a file that ends without having run a test is a failure, since it would otherwise pass by doing nothing.
 */
export class Tally {
  readonly #files = new Map<string, FileResult>()

  file(path: string): FileResult {
    const file = resolve(path)
    let result = this.#files.get(file)
    if (result === undefined) {
      result = { file, passed: 0, failures: [], skips: [], suites: new Set(), output: [], unfinished: 0 }
      this.#files.set(file, result)
    }
    return result
  }

  /** Takes the result of another run of a file instead of its own. */
  replace(result: FileResult): void {
    this.#files.set(result.file, result)
  }

  expect(path: string): void {
    this.file(path).unfinished += 1
  }

  /** Called when the file's process has ended. */
  close(path: string): FileResult {
    const result = this.file(path)
    if (result.failures.some(({ name }) => name === WHOLE_FILE)) return result
    if (result.unfinished > 0) {
      const detail = `The process ended before ${result.unfinished} of its tests had.`
      result.failures.push({ name: WHOLE_FILE, detail })
    } else if (result.passed + result.failures.length + result.skips.length === 0) {
      result.failures.push({ name: WHOLE_FILE, detail: 'The file ended without running a test.' })
    }
    return result
  }

  pass(outcome: TestOutcome, fullName: string): void {
    const result = this.file(outcome.file)
    if (isWholeFile(outcome)) return
    if (outcome.nesting === 0) result.unfinished -= 1
    if (outcome.details.type === 'suite') result.suites.add(fullName)
    if (outcome.skip === NOT_CHOSEN) return
    if (isSkipped(outcome.skip)) {
      result.skips.push({ name: fullName, reason: reasonOf(outcome.skip) })
    } else if (isSkipped(outcome.todo)) {
      result.skips.push({ name: fullName, reason: `to do: ${reasonOf(outcome.todo)}` })
    } else if (outcome.details.type !== 'suite') {
      result.passed += 1
    }
  }

  fail(outcome: TestOutcome, fullName: string): void {
    const result = this.file(outcome.file)
    if (outcome.nesting === 0 && !isWholeFile(outcome)) result.unfinished -= 1
    if (isSkipped(outcome.todo)) {
      result.skips.push({ name: fullName, reason: `to do: ${reasonOf(outcome.todo)}` })
      return
    }
    if (failureType(outcome.details.error) === 'subtestsFailed') return
    const name = isWholeFile(outcome) ? WHOLE_FILE : fullName
    result.failures.push({ name, detail: describeFailure(outcome.details.error) })
  }

  results(): FileResult[] {
    return [...this.#files.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
  }

  counts(): Counts {
    const results = this.results()
    return {
      passed: results.reduce((sum, result) => sum + result.passed, 0),
      failed: results.reduce((sum, result) => sum + result.failures.length, 0),
      skipped: results.reduce((sum, result) => sum + result.skips.length, 0),
    }
  }
}

/** The outermost test of a full name: where it is run, all below it is. */
export const outermostTest = ({ suites }: FileResult, fullName: string): string => {
  const names = fullName.split(' > ')
  const depth = names.findIndex((_, k) => !suites.has(names.slice(0, k + 1).join(' > ')))
  return names.at(depth)!
}

export const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** `node:test` reports a file as a test of its own only when it ran none, or when the process itself failed. */
const isWholeFile = ({ name, nesting, file }: TestOutcome): boolean => nesting === 0 && resolve(name) === resolve(file)

const isSkipped = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false

const reasonOf = (mark: string | boolean | undefined): string =>
  typeof mark === 'string' && mark !== '' ? mark : 'no reason given'

const failureType = (error: unknown): unknown => (error as { failureType?: unknown } | undefined)?.failureType

const describeFailure = (error: unknown): string => {
  const { cause, exitCode, signal } = error as { cause?: unknown; exitCode?: number; signal?: string }
  if (typeof cause === 'object' && cause !== null && 'stack' in cause) return withoutInternals(String(cause.stack))
  if (exitCode !== undefined || signal)
    return `The process ended with exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}.`
  return inspect(cause ?? error)
}

/** A stack without the frames of Node itself: what is left is the test and our code. */
const withoutInternals = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^\s+at .*\(?node:|^\s+at async Promise\.all/.test(line))
    .join('\n')
