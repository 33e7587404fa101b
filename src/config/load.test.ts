import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeTree } from '../../test/support/writeTree.ts'
import { ConfigFileError } from './errors.ts'
import { loadConfig } from './load.ts'
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
  { name: 'absent', content: undefined, message: /^The configuration file .*x\.json cannot be read \(ENOENT\)\.$/ },
  { name: 'not JSON', content: '{ logLevel: 1 }', message: /^The configuration file .*x\.json is not JSON: / },
  { name: 'an array', content: '[]', message: /must hold a JSON object with a key for each setting\.$/ },
  { name: 'null', content: 'null', message: /must hold a JSON object with a key for each setting\.$/ },
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
