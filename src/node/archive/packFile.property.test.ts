import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodePack, encodePackEntry } from '../../../test/support/encodePack.ts'
import { packEntries } from '../../../test/support/packEntries.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { PACK_START } from '../../codec/pack/packFormat.ts'
import { openPack, type PackEntry, readPackEntry, type ScanEnd, scanPack } from './packFile.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

type Found = { readonly end: ScanEnd; readonly read: { readonly name: string; readonly data: Uint8Array }[] }

const readAll = async (path: string, bytes: Uint8Array): Promise<Found> => {
  writeFileSync(path, bytes)
  const file = await openPack(path)
  try {
    const places: PackEntry[] = []
    const onEntry = (entry: PackEntry): void => void places.push(entry)
    const end = await scanPack(file, { from: PACK_START, size: bytes.length, maxEntries: 1000, onEntry })
    const read = []
    for (const place of places) read.push((await readPackEntry(file, place))!)
    return { end, read }
  } finally {
    await file.close()
  }
}

const entry = fc.record({
  name: fc.string({ maxLength: 40, unit: 'binary-ascii' }),
  data: fc.uint8Array({ maxLength: 400 }),
})
const packs = fc.array(entry, { maxLength: 12 })
const encode = (entries: readonly { name: string; data: Uint8Array }[]): Uint8Array =>
  encodePack(entries.map(({ name, data }) => encodePackEntry(name, data)))

test('what was written is read, as an independent reader reads it', async (t) => {
  const path = join(tempFolder(t), 'a.pack')
  await fc.assert(
    fc.asyncProperty(packs, async (entries) => {
      const bytes = encode(entries)
      const { end, read } = await readAll(path, bytes)
      assert.deepEqual(
        read,
        [...packEntries(bytes)].map(({ name, data }) => ({ name, data: data.slice() })),
      )
      assert.deepEqual(end, { offset: bytes.length, reason: 'complete' })
    }),
    { seed, numRuns: 200 },
  )
  t.diagnostic(`seed ${seed}`)
})

test('changed and cut packages never cause an error, and never give an entry that is not all there', async (t) => {
  const path = join(tempFolder(t), 'a.pack')
  const change = fc.record({ at: fc.nat(5000), byte: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(packs, fc.array(change, { maxLength: 4 }), fc.nat(5000), async (entries, changes, cut) => {
      const bytes = encode(entries)
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte
      const kept = bytes.subarray(0, Math.max(0, bytes.length - (cut % 3 === 0 ? cut : 0)))
      const { end, read } = await readAll(path, kept)
      const length = read.reduce((sum, { name, data }) => sum + 8 + name.length + data.length, 0)
      assert.ok(end.offset <= Math.max(PACK_START, kept.length))
      assert.equal(end.offset, PACK_START + length)
    }),
    { seed, numRuns: 500 },
  )
  t.diagnostic(`seed ${seed}`)
})
