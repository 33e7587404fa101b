import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { untar } from './untar.ts'

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

test('the files of an archive come in its order', () => {
  assert.deepEqual(
    Array.from(untar(gzipSync(archive)), ({ path, data }) => [path, Buffer.from(data).toString()]),
    [
      ['a/one', 'x'.repeat(513)],
      ['a/empty', ''],
      ['two', 'yes'],
    ],
  )
})

test('an archive that is cut short or uses long names is an error', () => {
  assert.throws(() => [...untar(gzipSync(archive.subarray(0, 1100)))], /byte 512/)
  assert.throws(() => [...untar(gzipSync(entry('././@LongLink', 'L', 'n'.repeat(120))))], /byte 0/)
})
