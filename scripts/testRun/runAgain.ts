import { formatFile, nameOf } from './formatResults.ts'
import { type RunOptions, runFiles } from './runFiles.ts'
import type { Tally } from './Tally.ts'

/** With more files that failed, it is not chance. */
const MAX_FILES = 3

/**
 * Runs files that failed once more, each alone. A failure that does not come again is one of a busy machine, or of a race: it is shown
 * in full and named in the end, and does not fail the run. One that comes again does.
 */
export const runAgain = async (
  tally: Tally,
  root: string,
  options: Pick<RunOptions, 'timeoutMs' | 'names'>,
  print: (text: string) => void,
): Promise<readonly string[]> => {
  const failed = tally.results().filter(({ failures }) => failures.length > 0)
  if (failed.length > MAX_FILES) return []
  const unstable: string[] = []
  for (const before of failed) {
    print(`\nRunning ${nameOf(root, before)} again, alone.`)
    const again = await runFiles({
      ...options,
      groups: [[before.file]],
      concurrency: 1,
      onFileDone: (result, durationMs) => print(formatFile(root, result, durationMs)),
    })
    const after = again.file(before.file)
    tally.replace(after)
    if (after.failures.length > 0) continue
    for (const { name } of before.failures) unstable.push(`${nameOf(root, before)}: ${name}`)
  }
  return unstable
}
