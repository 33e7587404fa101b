import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Who tidies up in the end: a test, or whoever else. */
export type Cleanup = { after(ending: () => unknown): void }

/** A new temporary folder, which is removed after the test. */
export const tempFolder = (t: Cleanup): string => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}
