import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { FolderListing } from './FolderListing.ts'

test('a change that the folder shows in no other way is still seen soon after the one before', async (t) => {
  const folder = tempFolder(t)
  const time = new Date('2026-01-01')
  writeFileSync(join(folder, 'one'), '')
  utimesSync(folder, time, time)
  const listing = new FolderListing(folder)
  assert.equal(await listing.update(), true)
  writeFileSync(join(folder, 'two'), '')
  utimesSync(folder, time, time)
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names?.toSorted(), ['one', 'two'])
})

test('a folder that has not changed for long is not listed again', async (t) => {
  t.mock.timers.enable({ apis: [] })
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const folder = tempFolder(t)
  const listing = new FolderListing(folder)
  await listing.update()
  now += 2400
  assert.equal(await listing.update(), true)
  now += 200
  assert.equal(await listing.update(), true)
  now += 1
  assert.equal(await listing.update(), false)
  writeFileSync(join(folder, 'one'), '')
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names, ['one'])
})

test('a folder that comes and goes', async (t) => {
  const folder = join(tempFolder(t), 'packages')
  const listing = new FolderListing(folder)
  assert.equal(await listing.update(), false)
  assert.equal(listing.names, undefined)
  mkdirSync(folder)
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names, [])
  rmSync(folder, { recursive: true })
  assert.equal(await listing.update(), true)
  assert.equal(listing.names, undefined)
})
