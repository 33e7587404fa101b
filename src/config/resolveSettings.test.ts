import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidSettingError, UnknownSettingError } from './errors.ts'
import { integer, list, secret, text, toggle } from './Kind.ts'
import { resolveSettings } from './resolveSettings.ts'
import { setting } from './Setting.ts'

const about = { group: 'General', about: '' }
const table = {
  port: setting({ ...about, flag: '--port', env: 'PORT', kind: integer({ min: 1, max: 65_535 }), default: 8081 }),
  quiet: setting({ ...about, flag: '--quiet', env: 'QUIET', kind: toggle(), default: false }),
  servers: setting({ ...about, flag: '--server', env: 'SERVERS', kind: list(text('url', 'an address')), default: [] }),
  key: setting({ ...about, flag: '--key', env: 'KEY', kind: secret('key', 'a key'), default: undefined }),
  pin: setting({ ...about, flag: '--pin', env: 'PIN', kind: hiddenPin(), default: undefined }),
  help: setting({ ...about, flag: '--help', inFile: false, kind: toggle(), default: false }),
}

function hiddenPin() {
  return { ...integer({ min: 0, max: 9999 }), hidden: true } as const
}

type Given = { flags?: Record<string, string[]>; env?: Record<string, string>; file?: Record<string, unknown> }

const resolve = ({ flags = {}, env = {}, file }: Given) =>
  resolveSettings(table, {
    flags: new Map(Object.entries(flags)),
    env,
    file: file && { path: 'conf.json', values: file },
  })

test('a flag wins over the environment, that over the file, and that over the default', () => {
  const flags = { port: ['1'] }
  const env = { PORT: '2' }
  const file = { port: 3 }
  assert.equal(resolve({ flags, env, file }).port, 1)
  assert.equal(resolve({ env, file }).port, 2)
  assert.equal(resolve({ file }).port, 3)
  assert.equal(resolve({}).port, 8081)
})

test('a switch can be turned off again by a source that comes first', () => {
  assert.equal(resolve({ flags: { quiet: ['false'] }, env: { QUIET: 'true' } }).quiet, false)
  assert.equal(resolve({ env: { QUIET: '0' }, file: { quiet: true } }).quiet, false)
})

test('a list comes from repeated flags, from commas in the environment, from an array in the file', () => {
  assert.deepEqual(resolve({ flags: { servers: ['a,b', 'c'] } }).servers, ['a,b', 'c'])
  assert.deepEqual(resolve({ env: { SERVERS: 'a, b' } }).servers, ['a', 'b'])
  assert.deepEqual(resolve({ file: { servers: ['a', 'b'] } }).servers, ['a', 'b'])
  assert.deepEqual(resolve({}).servers, [])
})

test('an empty environment variable counts as absent', () => {
  assert.equal(resolve({ env: { PORT: '' }, file: { port: 3 } }).port, 3)
})

test('the values are frozen and complete', () => {
  const values = resolve({})
  assert.ok(Object.isFrozen(values))
  assert.deepEqual(Object.keys(values), Object.keys(table))
})

const portMessage = (origin: string, came: string) =>
  `The setting port, from ${origin}, must be a whole number from 1 to 65535, but it was ${came}.`

for (const { name, given, message } of [
  { name: 'a flag', given: { flags: { port: ['x'] } }, message: portMessage('the flag --port', '"x"') },
  { name: 'a variable', given: { env: { PORT: '0' } }, message: portMessage('the environment variable PORT', '"0"') },
  { name: 'the file', given: { file: { port: 70_000 } }, message: portMessage('port in conf.json', '"70000"') },
  { name: 'null in the file', given: { file: { port: null } }, message: portMessage('port in conf.json', '"null"') },
  { name: 'an array in the file', given: { file: { port: [1] } }, message: portMessage('port in conf.json', '"[1]"') },
  {
    name: 'a long text',
    given: { flags: { port: ['y'.repeat(1000)] } },
    message: portMessage('the flag --port', `"${'y'.repeat(80)}" and 920 more characters`),
  },
  {
    name: 'a text for a list in the file',
    given: { file: { servers: 'a' } },
    message:
      'The setting servers, from servers in conf.json, must be a list, each item an address, but it was "\\"a\\"".',
  },
]) {
  test(`a wrong value in ${name} is refused with its origin, what was expected and what came`, () => {
    assert.throws(() => resolve(given), { constructor: InvalidSettingError, code: 'invalid_setting', message })
  })
}

test('a hidden value does not appear in the error about it', () => {
  assert.throws(
    () => resolve({ env: { PIN: 'letmein' } }),
    (error: InvalidSettingError) => {
      assert.equal(error.code, 'invalid_setting')
      assert.doesNotMatch(`${error.message} ${error.advice} ${error.stack}`, /letmein/)
      return true
    },
  )
  assert.equal(resolve({ env: { KEY: 'k' } }).key?.reveal(), 'k')
})

for (const { key, advice } of [
  { key: 'prot', advice: 'Did you mean port?' },
  { key: 'help', advice: 'Run "chaincenter help" to see every setting.' },
  { key: 'toString', advice: 'Run "chaincenter help" to see every setting.' },
]) {
  test(`the file may not hold ${key}`, () => {
    assert.throws(() => resolve({ file: { [key]: 1 } }), {
      constructor: UnknownSettingError,
      message: `There is no setting, in conf.json, "${key}".`,
      advice,
    })
  })
}
