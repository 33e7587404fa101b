import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openLocalnet } from './localnetArchive.ts'

/** The folder beside the repository, which a clone on its own does not have. */
export const sharedRoot = join(import.meta.dirname, '../../../shared')

let localnet: string | undefined

/**
 * The path of a recorded file or folder. The recorded local network (`localnet`) comes with the repository, unpacked on first use;
 * recordings of other networks are in `../shared/fixtures`, if there is one.
 */
export const fixturePath = (path: string): string => {
  if (!/^localnet(\/|$)/.test(path)) return join(sharedRoot, 'fixtures', path)
  localnet ??= openLocalnet()
  return join(localnet, path)
}

/** Whether the recorded data under `path` is there; where it is not, the test is skipped and says so. */
export const haveFixtures = (t: TestContext, path: string): boolean => {
  if (existsSync(fixturePath(path))) return true
  t.skip(`NOT TESTED: there is no recorded data at ../shared/fixtures/${path}.`)
  return false
}

export const readFixture = (path: string): Uint8Array => {
  const buffer = readFileSync(fixturePath(path))
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}

export const readFixtureJson = <T>(path: string): T => JSON.parse(readFileSync(fixturePath(path), 'utf8')) as T

/** Paths of all files under `path` with this ending, as `readFixture` takes them, in order. */
export const listFixtures = (path: string, ending: string): string[] =>
  readdirSync(fixturePath(path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(path, name).replaceAll('\\', '/'))
    .sort()
