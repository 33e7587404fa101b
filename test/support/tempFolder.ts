import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Who tidies up in the end: a test, or whoever else. */
export type Cleanup = { after(ending: () => unknown): void }

/** Folders of tests that have ended. */
const ended = new Set<string>()

const removeEnded = (): void => {
  for (const folder of ended) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  ended.clear()
}

process.on('exit', removeEnded)

/**
 * A new temporary folder. It is removed some time after the test: hooks run in the order in which they were added, so
 * the hook of the folder runs before the one that stops the server whose files are in it.
 */
export const tempFolder = (t: Cleanup): string => {
  removeEnded()
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-test-'))
  t.after(() => ended.add(folder))
  return folder
}
