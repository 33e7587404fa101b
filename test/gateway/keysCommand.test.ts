import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addUsage, dayOf } from '../../src/store/keys/keyUsage.ts'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../support/database.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { tempFolder } from '../support/tempFolder.ts'

test('keys are made, listed, replaced and ended by the command line', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t, 'empty')
  const workingDir = tempFolder(t)
  const run = (...args: string[]) => runCommandLine(t, ['keys', ...args, '--database-url', databaseUrl], { workingDir })
  const json = async (...args: string[]) => {
    const { exitCode, out, err } = await run(...args, '--json')
    assert.equal(exitCode, 0, out + err)
    return JSON.parse(out)
  }
  const made = await json('create', '--network', 'main', '--plan', 'plus', '--owner', 'alice', '--note', 'price feed')
  assert.match(made.key, /^cc_main_[0-9a-z]{10}_[0-9a-z]{32}$/)
  assert.deepEqual({ ...made, key: '', id: '' }, { key: '', id: '', network: 'main', plan: 'plus', rate: '25' })
  const own = await json(
    'create',
    '--plan',
    'custom',
    '--rate',
    '500:1000',
    '--scope',
    'stream:all',
    '--scope',
    'debug',
  )
  assert.deepEqual(own.scopes, ['stream:all', 'debug'])
  assert.equal(own.rate, '500:1000')
  assert.equal((await json('create', '--plan', 'partner', '--define-plan', 'partner=7')).rate, '7')
  const secretFile = join(workingDir, '.chaincenter/keys.secret')
  assert.equal(statSync(secretFile).mode & 0o777, 0o600)
  const { keys } = await json('list')
  assert.equal(keys.length, 3)
  const first = keys.find(({ id }: { id: string }) => id === made.id)
  assert.deepEqual([first.owner, first.note, first.plan, first.network], ['alice', 'price feed', 'plus', 'main'])
  assert.equal(first.scopes, undefined)
  assert.ok(!JSON.stringify(keys).includes(made.key) && !('hash' in first))

  const rotated = await json('rotate', made.id, '--overlap', '1h')
  assert.equal(rotated.replaces, made.id)
  assert.ok(Math.abs(Date.parse(rotated.until) - Date.now() - 3_600_000) < 60_000)
  // Whoever gives a whole key means it.
  assert.equal((await json('revoke', own.key)).id, own.id)
  const listed = (await run('list')).out
  assert.match(listed, /alice +\S+ +works until/)
  assert.match(listed, /custom 500:1000 +stream:all debug +.* revoked \d{4}-\d\d-\d\d/)

  const database = await openFreshDatabase(t, { url: databaseUrl })
  const today = { keyId: made.id, endpoint: 'v2/getTransactions', day: dayOf(Date.now()), refused: 2, failed: 1 }
  await database.transaction((client) =>
    addUsage(client, [
      { ...today, requests: 10 },
      { ...today, day: today.day - 40, requests: 1000 },
    ]),
  )
  await database.transaction((client) => addUsage(client, [{ ...today, requests: 5 }]))
  const { usage } = await json('usage', '--days', '7')
  assert.deepEqual(
    usage.map(({ requests, refused, failed }: Record<string, number>) => [requests, refused, failed]),
    [[15, 4, 2]],
  )
  assert.match((await run('usage', own.id)).out, /No key asked anything/)

  const failures: [args: string[], message: RegExp][] = [
    [['create', '--plan', 'gold'], /Unknown plan "gold"[\s\S]*free, plus, advanced, custom/],
    [['create', '--plan', 'custom'], /needs a rate/],
    [['create', '--rate', '5'], /--plan custom only/],
    [['create', '--rate', '0'], /--rate/],
    [['create', '--scope', 'all'], /--scope[\s\S]*stream:all, webhooks:read/],
    [['revoke'], /prefix of the key to revoke/],
    [['revoke', 'cc_main_0000000000'], /No active API key starts with "cc_main_0000000000"/],
    [['rotate', own.id], /No active API key starts with/],
    [['list', 'x'], /takes no argument/],
    [['destroy'], /Unknown keys action "destroy"[\s\S]*create, list, revoke, rotate, usage/],
  ]
  for (const [args, message] of failures) {
    const { exitCode, err } = await run(...args)
    assert.equal(exitCode, 2, args.join(' '))
    assert.match(err, message)
  }
  // With another secret nothing would fit, and that is said.
  const kept = readFileSync(secretFile)
  writeFileSync(secretFile, `${'0'.repeat(64)}\n`)
  assert.match((await run('create')).err, /made with another secret than the one in .*keys\.secret/)
  assert.match((await run('create', '--keys-secret', 'short')).err, /16 characters at least/)
  writeFileSync(secretFile, 'nonsense')
  assert.match((await run('create')).err, /Expected 64 hex digits/)
  writeFileSync(secretFile, kept)
  assert.equal((await run('create')).exitCode, 0)
})
