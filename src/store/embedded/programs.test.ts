import assert from 'node:assert/strict'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { haveDatabase } from '../../../test/support/database.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { EmbeddedServerError } from '../errors.ts'
import { chooseIdentity, findPackage, preparePrograms } from './programs.ts'

const { signal } = new AbortController()
const isRoot = process.getuid?.() === 0

/** The installed package as npm without install scripts leaves it: without a single link. */
const bareCopy = (t: TestContext): string => {
  const folder = join(tempFolder(t), 'package')
  const installed = findPackage()!
  mkdirSync(folder)
  cpSync(join(installed, 'package.json'), join(folder, 'package.json'))
  cpSync(join(installed, 'native'), join(folder, 'native'), { recursive: true })
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) rmSync(join(folder, target), { force: true })
  return folder
}

test('links that npm left out are made, and the programs run', async (t) => {
  if (!haveDatabase(t)) return
  const folder = bareCopy(t)
  chmodSync(join(folder, '..'), 0o755)
  chmodSync(join(folder, 'native/bin/postgres'), 0o644)
  const identity = chooseIdentity(join(folder, 'none'))
  const programs = await preparePrograms({ identity, signal, copyFolders: [] }, folder)
  assert.equal(
    programs.postgres,
    join(folder, 'native/bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres'),
  )
  assert.equal(programs.major, 18)
  assert.match(programs.version, /^18\.\d+$/)
})

test('where the identity is not let in, a copy is run that it can read', {
  skip: !isRoot && 'only root can test it',
}, async (t) => {
  if (!haveDatabase(t)) return
  // Temporary folders are for their owner only, as the home of root is.
  const folder = bareCopy(t)
  const place = tempFolder(t)
  chmodSync(place, 0o755)
  const identity = chooseIdentity(join(folder, 'none'))
  assert.notEqual(identity, undefined)
  const refused = await preparePrograms({ identity, signal, copyFolders: [] }, folder).catch((error: unknown) => error)
  assert.ok(refused instanceof EmbeddedServerError)
  assert.match(
    refused.message,
    /^The PostgreSQL that comes with the program does not run here: .*EACCES.* --database-url\.$/,
  )

  const options = { identity, signal, copyFolders: [place] }
  // Several processes may be at it at once.
  const [programs, again] = await Promise.all([preparePrograms(options, folder), preparePrograms(options, folder)])
  assert.ok(programs.postgres.startsWith(place))
  assert.deepEqual(programs, again)
  assert.equal(readdirSync(place).length, 1)
  assert.ok(!existsSync(join(programs.postgres, '../../lib/libpq.a')))

  // What somebody else put at the place of the copy is not run.
  chmodSync(join(programs.postgres, '../../..'), 0o777)
  await assert.rejects(preparePrograms(options, folder), /belongs to another user/)
})

test('a package that is not there is named', async () => {
  const missing = await preparePrograms({ identity: undefined, signal, copyFolders: [] }, '').catch(
    (error: unknown) => error,
  )
  assert.ok(missing instanceof EmbeddedServerError)
})
