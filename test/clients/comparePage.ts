import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BY_TESTS, readPage, readRuns } from '../../scripts/clients/matrixPage.ts'
import { repository } from '../support/childScript.ts'

/** The check that is about the page, not about the library. */
export const PAGE_CHECK = 'docs/clients.md tells of these checks'

export const installedVersion = (library: string): string => {
  const text = readFileSync(join(repository, 'node_modules', library, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

/** docs/clients.md must tell of the checks of a library, and of no others. */
export const comparePage = (library: string, checks: readonly string[]): void => {
  const told = readRuns(readPage()).find((run) => run.library === library)
  assert.deepEqual(
    { version: told?.version, runBy: told?.runBy, checks: told?.checks },
    { version: installedVersion(library), runBy: BY_TESTS, checks: checks.map((name) => ({ name })) },
    `To write the page: npm run clients -- --only ${library}`,
  )
}
