import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const contractRoot = join(import.meta.dirname, '../../../shared/contract')

/** A file of the published contract as text; where it is not at hand, the test is skipped and says so. */
export const contractText = (t: TestContext, path: string): string | undefined => {
  const file = join(contractRoot, path)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  t.skip(`NOT TESTED: there is no ../shared/contract/${path}.`)
  return undefined
}
