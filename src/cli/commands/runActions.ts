import { readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseRecordedTrace, type RecordedTrace } from '../../actions/conformance/RecordedTrace.ts'
import { type ConformanceCase, runConformance } from '../../actions/conformance/runConformance.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'

/** Unpacked; recorded traces have a few hundred kilobytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Holds the classifier against recorded traces. */
export const runActions = ({ config, workingDir, show }: CommandContext, [word]: readonly string[]): number => {
  if (word !== 'conformance') {
    const came = word === undefined ? 'got none' : `got ${JSON.stringify(word)}`
    throw new UsageError(
      `Expected the action conformance, but ${came}.`,
      'Try: chaincenter actions conformance --dir DIR',
    )
  }
  if (config.dir === undefined) {
    throw new UsageError(
      'The folder with the recorded traces is missing.',
      'Name it: chaincenter actions conformance --dir DIR',
    )
  }
  const folder = resolve(workingDir, config.dir)
  const cases = readCases(folder)
  const { lines, passed, failed } = runConformance(cases, (file) => readTrace(folder, file))
  const summary =
    cases.length === 0 ? 'cases.json has no cases: nothing was compared.' : `${passed} passed, ${failed} failed`
  show({ text: [...lines, summary].join('\n'), value: { passed, failed, differences: lines } })
  return failed === 0 && passed > 0 ? 0 : 1
}

const readCases = (folder: string): readonly ConformanceCase[] => {
  const file = readJson(folder, 'cases.json')
  const cases = isObject(file) ? file['cases'] : undefined
  if (!Array.isArray(cases)) throw malformed('cases.json', 'expected an object with a list called cases')
  return cases.map((each: unknown, at) => {
    const { id = at, name = '', trace_file: file, expected_actions: expected = [] } = isObject(each) ? each : {}
    if (typeof file !== 'string') throw malformed('cases.json', `case ${at} names no trace_file`)
    if (!Array.isArray(expected) || !expected.every(isObject)) {
      throw malformed('cases.json', `the expected_actions of case ${at} should be a list of objects`)
    }
    return { id: String(id), name: String(name), trace_file: file, expected_actions: expected }
  })
}

const readTrace = (folder: string, name: string): RecordedTrace => {
  const file = readJson(folder, name)
  try {
    return parseRecordedTrace(file)
  } catch (error) {
    throw malformed(name, error instanceof Error ? error.message : String(error))
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (name: string, reason: string): UsageError =>
  new UsageError(`The file ${name} is malformed: ${reason}.`, 'Set --dir to a folder with cases.json and traces.')

const readJson = (folder: string, name: string): unknown => {
  const path = join(folder, name)
  if (!path.startsWith(folder + sep))
    throw new UsageError(`The file ${name} is not below the folder.`, 'Check cases.json.')
  try {
    const bytes = readFileSync(path)
    const plain = name.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes
    return JSON.parse(plain.toString('utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `The file ${path} cannot be read: ${reason}`,
      'Set --dir to a folder with cases.json and traces.',
    )
  }
}
