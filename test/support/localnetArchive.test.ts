import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { childArguments, childScript } from './childScript.ts'
import { sharedRoot } from './fixtures.ts'
import { archiveFolder, hashOf, listArchives, listRecording, openLocalnet } from './localnetArchive.ts'
import { tempFolder } from './tempFolder.ts'

/** The folders of the unpacked recording that tests rely on, with the number of their files. */
const FILES = { 'api-v2': 2303, blocks: 1512, config: 4, decoded: 14, liteserver: 142, 'node-db': 14 }

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('the archives in the repository have the listed hashes and are small', () => {
  const sizes = listArchives().map(({ name, hash }) => {
    const bytes = readFileSync(join(archiveFolder, name))
    assert.equal(hashOf(bytes), hash, name)
    return bytes.length
  })
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 15_000_000, `${sizes}`)
})

test('processes that unpack at the same time get the same whole folder', async (t) => {
  const cache = tempFolder(t)
  const script = childScript(import.meta.dirname, 'openLocalnetChild')
  const run = () => promisify(execFile)(process.execPath, [...childArguments, script, cache])
  const folders = (await Promise.all([run(), run(), run()])).map(({ stdout }) => stdout.trim())
  assert.equal(new Set(folders).size, 1)
  assert.deepEqual(readdirSync(cache), [folders[0]!.slice(cache.length + 1)])
  for (const [name, count] of Object.entries(FILES)) {
    assert.equal(listFiles(join(folders[0]!, 'localnet', name)).length, count, name)
  }
  assert.equal(openLocalnet(cache), folders[0])
})

test('the archives hold what was recorded, byte for byte', (t) => {
  const recorded = join(sharedRoot, 'fixtures/localnet')
  if (!existsSync(recorded)) return t.skip('NOT TESTED: there is no recorded data at ../shared/fixtures/localnet.')
  const unpacked = openLocalnet()
  const files = listRecording(recorded)
  for (const { path, data } of files) assert.ok(readFileSync(join(unpacked, path)).equals(data), path)
  assert.equal(listFiles(unpacked).length, files.length)
})
