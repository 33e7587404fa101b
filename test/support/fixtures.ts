import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/**
 * What lies beside the repository, which a clone that stands alone does not have. This is the only module that knows where: the tests
 * that reach it by their imports are those of `npm test -- --needs-fixtures`.
 */
export const sharedRoot = join(import.meta.dirname, '../../../shared')

/** The recorded data. */
export const fixturesRoot = join(sharedRoot, 'fixtures')

/** Whether the recorded data under `path` is there; where it is not, the test is skipped and says so. */
export const haveFixtures = (t: TestContext, path: string): boolean => {
  if (existsSync(join(fixturesRoot, path))) return true
  t.skip(`NOT TESTED: there is no recorded data at ../shared/fixtures/${path}.`)
  return false
}

export const readFixture = (path: string): Uint8Array => {
  const buffer = readFileSync(join(fixturesRoot, path))
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}

export const readFixtureJson = <T>(path: string): T => JSON.parse(readFileSync(join(fixturesRoot, path), 'utf8')) as T

/** Paths of all files under `path` with this ending, relative to the root of the fixtures, in order. */
export const listFixtures = (path: string, ending: string): string[] =>
  readdirSync(join(fixturesRoot, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(path, name).replaceAll('\\', '/'))
    .sort()
