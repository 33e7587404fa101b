import { readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseRecordedTrace } from '../../actions/conformance/RecordedTrace.ts'
import { runConformance } from '../../actions/conformance/runConformance.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'

/** Unpacked; recorded traces have a few hundred kilobytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Holds the classifier against recorded traces. */
export const runActions = ({ config, workingDir, show }: CommandContext, [word]: readonly string[]): number => {
  if (word !== 'conformance') {
    const came = word === undefined ? 'nothing came' : `${JSON.stringify(word)} came`
    throw new UsageError(
      `actions takes the word conformance, and ${came}.`,
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
  const { cases } = readJson(folder, 'cases.json') as { readonly cases: readonly unknown[] }
  const { lines, passed, failed } = runConformance(cases, (file) => parseRecordedTrace(readJson(folder, file)))
  show({
    text: [...lines, `${passed} passed, ${failed} failed`].join('\n'),
    value: { passed, failed, differences: lines },
  })
  return failed === 0 ? 0 : 1
}

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
      'Name a folder with cases.json and traces in it.',
    )
  }
}
