import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeTree } from '../../test/support/writeTree.ts'
import { ConfigFileError, InvalidSettingError, UnknownSettingError } from './errors.ts'
import { integer, list, secret, text, toggle } from './Kind.ts'
import { loadConfig, parseFlags, resolveSettings } from './load.ts'
import { loadNetworkConfig } from './loadFurther.ts'
import { setting } from './Setting.ts'
import { settings } from './settings.ts'

test('without anything set, everything has its default', async (t) => {
  const { config, words } = await loadConfig({ args: ['start'], env: {}, workingDir: writeTree(t, {}) })
  const defaults = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]))
  assert.deepEqual({ ...config }, defaults)
  assert.deepEqual(words, ['start'])
})

test('chaincenter.json in the working folder is read, and another file when it is named', async (t) => {
  const workingDir = writeTree(t, {
    'chaincenter.json': '{ "logLevel": "warn", "dataDir": "here" }',
    'other.json': '{ "logLevel": "debug" }',
  })
  const other = join(workingDir, 'other.json')
  const load = async (args: string[], env = {}) => (await loadConfig({ args, env, workingDir })).config
  assert.deepEqual((await load([])).logLevel, 'warn')
  assert.deepEqual((await load([])).dataDir, 'here')
  assert.deepEqual((await load(['--config', other])).logLevel, 'debug')
  assert.deepEqual((await load(['--config', other])).dataDir, '.chaincenter')
  assert.deepEqual((await load([], { CHAINCENTER_CONFIG: other })).logLevel, 'debug')
  assert.deepEqual((await load(['--log-level', 'error'], { CHAINCENTER_LOG_LEVEL: 'silent' })).logLevel, 'error')
})

for (const { name, content, message } of [
  { name: 'absent', content: undefined, message: /^Cannot read the configuration file .*x\.json \(ENOENT\)\.$/ },
  { name: 'not JSON', content: '{ logLevel: 1 }', message: /^Invalid JSON in the configuration file .*x\.json: / },
  {
    name: 'an array',
    content: '[]',
    message: /^Expected a JSON object with a key per setting in the configuration file /,
  },
  {
    name: 'null',
    content: 'null',
    message: /^Expected a JSON object with a key per setting in the configuration file /,
  },
]) {
  test(`a configuration file that is ${name} is refused`, async (t) => {
    const workingDir = writeTree(t, content === undefined ? {} : { 'x.json': content })
    const args = ['--config', join(workingDir, 'x.json')]
    await assert.rejects(loadConfig({ args, env: {}, workingDir }), (error: ConfigFileError) => {
      assert.ok(error instanceof ConfigFileError)
      assert.equal(error.code, 'invalid_config_file')
      assert.match(error.message, message)
      return true
    })
  })
}

test('flags, short flags and environment names are unique', () => {
  for (const part of ['flag', 'short', 'env'] as const) {
    const used = Object.values(settings).flatMap((setting) => (part in setting ? [setting[part as 'flag']] : []))
    assert.deepEqual(used, [...new Set(used)], part)
  }
})

const common = { group: 'General', about: '' }
const flagTable = {
  port: setting({ ...common, flag: '--port', kind: integer({ min: -9, max: 9 }), default: 1 }),
  quiet: setting({ ...common, flag: '--quiet', short: '-q', kind: toggle(), default: false }),
  server: setting({ ...common, flag: '--server', kind: list(text('url', 'an address')), default: [] }),
}

const parse = (...args: string[]) => {
  const { texts, words } = parseFlags(args, flagTable)
  return { texts: Object.fromEntries(texts), words }
}

for (const { args, texts = {}, words = [] } of [
  { args: [] },
  { args: ['start', '--port', '5', 'x'], texts: { port: ['5'] }, words: ['start', 'x'] },
  { args: ['--port=5'], texts: { port: ['5'] } },
  { args: ['--port='], texts: { port: [''] } },
  { args: ['--port', '-5'], texts: { port: ['-5'] } },
  { args: ['--server=a=b'], texts: { server: ['a=b'] } },
  { args: ['--server=--quiet'], texts: { server: ['--quiet'] } },
  { args: ['--server', 'a', '--server', 'b'], texts: { server: ['a', 'b'] } },
  { args: ['--quiet', 'x'], texts: { quiet: ['true'] }, words: ['x'] },
  { args: ['-q'], texts: { quiet: ['true'] } },
  { args: ['--no-quiet'], texts: { quiet: ['false'] } },
  { args: ['--quiet=maybe'], texts: { quiet: ['maybe'] } },
  { args: ['-', '--', '--port', '-q'], words: ['-', '--port', '-q'] },
]) {
  test(`reads ${JSON.stringify(args)}`, () => assert.deepEqual(parse(...args), { texts, words }))
}

for (const { args, message } of [
  { args: ['--port'], message: 'got no value' },
  { args: ['--port', '--quiet'], message: 'got no value' },
  { args: ['--port', '1', '--port', '1'], message: 'it was given more than once' },
]) {
  test(`refuses ${JSON.stringify(args)}`, () => {
    assert.throws(() => parse(...args), {
      constructor: InvalidSettingError,
      code: 'invalid_setting',
      setting: 'port',
      message: `Invalid setting port from the flag --port: expected a whole number from -9 to 9, but ${message}.`,
    })
  })
}

test('a negated switch takes no value', () => {
  assert.throws(() => parse('--no-quiet=true'), {
    message: 'Invalid setting quiet from the flag --no-quiet: expected true or false, but this form takes no value.',
  })
})

for (const { args, message, advice } of [
  { args: ['--prot', '1'], message: 'Unknown flag "--prot".', advice: 'Did you mean --port?' },
  { args: ['--quite=1'], message: 'Unknown flag "--quite".', advice: 'Did you mean --quiet?' },
  { args: ['-z'], message: 'Unknown flag "-z".', advice: 'Did you mean -q?' },
  {
    args: ['--no-port'],
    message: 'Unknown flag "--no-port".',
    advice: 'Run "chaincenter help" to see all settings.',
  },
  {
    args: ['--elsewhere'],
    message: 'Unknown flag "--elsewhere".',
    advice: 'Run "chaincenter help" to see all settings.',
  },
]) {
  test(`does not know ${args[0]}`, () => {
    assert.throws(() => parse(...args), { constructor: UnknownSettingError, code: 'unknown_setting', message, advice })
  })
}

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
  `Invalid setting port from ${origin}: expected a whole number from 1 to 65535, but got ${came}.`

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
      'Invalid setting servers from servers in conf.json: expected a list, each item an address, but got "\\"a\\"".',
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
  { key: 'help', advice: 'Run "chaincenter help" to see all settings.' },
  { key: 'toString', advice: 'Run "chaincenter help" to see all settings.' },
]) {
  test(`the file may not hold ${key}`, () => {
    assert.throws(() => resolve({ file: { [key]: 1 } }), {
      constructor: UnknownSettingError,
      message: `Unknown setting in conf.json: "${key}".`,
      advice,
    })
  })
}

test('comments and trailing commas are read, also where text looks like one', async (t) => {
  const workingDir = writeTree(t, {
    'chaincenter.json': `// Mine
{
  /* "port": 1, */
  "dataDir": "a//b/*c*/", // "port": 2
  "allowedHosts": ["x,]", ], // last ]
  // "port": 3,
}`,
  })
  const { config, given } = await loadConfig({ args: [], env: {}, workingDir })
  assert.deepEqual([config.dataDir, config.port, [...given].sort()], ['a//b/*c*/', 8081, ['allowedHosts', 'dataDir']])
})

test('a further network shares what is of the service, and nothing of the network or its database', async (t) => {
  const workingDir = writeTree(t, { 'own.json': '{ "anonymousV2": "9", "liteservers": [], "retention": 7000 }' })
  const args = [
    'start',
    '--network',
    'main',
    '--also',
    'test',
    '--also',
    'own=own.json',
    '--port',
    '90',
    '--retention',
    '5000',
  ]
  const env = {
    CHAINCENTER_DATABASE_URL: 'postgres://first',
    CHAINCENTER_TEST__DATABASE_URL: 'postgres://second',
    CHAINCENTER_ANONYMOUS_V2: '3',
  }
  const load = async (also?: string) => {
    const { config, beside } = await loadNetworkConfig({ args, env, workingDir, also })
    const { network, port, databaseUrl, dataDir, retention, anonymousV2 } = config
    return [beside?.name, network, port, databaseUrl?.reveal(), dataDir, retention, anonymousV2.perSecond]
  }
  assert.deepEqual(await load(), [undefined, 'main', 90, 'postgres://first', '.chaincenter', 5000, 3])
  const folder = (name: string): string => join('.chaincenter', 'networks', name)
  assert.deepEqual(await load('test'), ['test', 'test', 90, 'postgres://second', folder('test'), undefined, 3])
  assert.deepEqual(await load('own'), ['own', 'custom', 90, undefined, folder('own'), 7000, 9])
})
