import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A new temporary folder, which is removed after the test. */
export const tempFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
