import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { extractTar, readTar, writeTar } from './tar.ts'
import { tempFolder } from './tempFolder.ts'

const entry = (path: string, type: string, data: string): Buffer => {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write(data.length.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  header.write('ustar', 257)
  const padded = Buffer.alloc(Math.ceil(data.length / 512) * 512)
  padded.write(data)
  return Buffer.concat([header, padded])
}

const archive = Buffer.concat([
  entry('a/', '5', ''),
  entry('a/one', '0', 'x'.repeat(513)),
  entry('a/empty', '0', ''),
  entry('a/link', '2', ''),
  entry('two', '0', 'yes'),
  Buffer.alloc(1024),
])

const files = [
  ['a/one', 'x'.repeat(513)],
  ['a/empty', ''],
  ['two', 'yes'],
] as const

const listFiles = (bytes: Uint8Array): string[][] =>
  Array.from(readTar(bytes), ({ path, data }) => [path, Buffer.from(data).toString()])

test('the files of an archive come in its order', () => {
  assert.deepEqual(listFiles(archive), files)
})

test('an archive that is cut short or uses long names is an error', () => {
  assert.throws(() => [...readTar(archive.subarray(0, 1100))], /byte 512/)
  assert.throws(() => [...readTar(entry('././@LongLink', 'L', 'n'.repeat(120)))], /byte 0/)
})

test('what is written is read back, by us and by the tar program', (t) => {
  const written = writeTar(files.map(([path, text]) => ({ path, data: Buffer.from(text) })))
  assert.deepEqual(listFiles(written), files)
  const folder = tempFolder(t)
  assert.equal(extractTar(written, folder), files.length)
  for (const [path, text] of files) assert.equal(readFileSync(join(folder, path), 'utf8'), text)
  writeFileSync(join(folder, 'written.tar'), written)
  const { status, stdout } = spawnSync('tar', ['tf', 'written.tar'], { cwd: folder, encoding: 'utf8' })
  if (status === null) t.diagnostic('NOT TESTED with the tar program: there is none.')
  else assert.deepEqual([status, stdout], [0, 'a/one\na/empty\ntwo\n'])
})

test('a path that leads out of the folder is refused', (t) => {
  const folder = tempFolder(t)
  const hostile = writeTar([{ path: 'a/../../out', data: Buffer.from('no') }])
  assert.throws(() => extractTar(hostile, folder), /leads out of the folder/)
  assert.equal(existsSync(join(folder, '../out')), false)
})
