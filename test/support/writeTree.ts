import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Writes files (path to content) into a new temporary folder, which is removed after the test. Returns the folder. */
export const writeTree = (t: TestContext, files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-test-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}
