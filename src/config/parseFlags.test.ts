import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidSettingError, UnknownSettingError } from './errors.ts'
import { integer, list, text, toggle } from './Kind.ts'
import { parseFlags } from './parseFlags.ts'
import { setting } from './Setting.ts'

const about = { group: 'General', about: '' }
const table = {
  port: setting({ ...about, flag: '--port', kind: integer({ min: -9, max: 9 }), default: 1 }),
  quiet: setting({ ...about, flag: '--quiet', short: '-q', kind: toggle(), default: false }),
  server: setting({ ...about, flag: '--server', kind: list(text('url', 'an address')), default: [] }),
}

const parse = (...args: string[]) => {
  const { texts, words } = parseFlags(args, table)
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
  { args: ['--port'], message: 'no value came' },
  { args: ['--port', '--quiet'], message: 'no value came' },
  { args: ['--port', '1', '--port', '1'], message: 'it was given more than once' },
]) {
  test(`refuses ${JSON.stringify(args)}`, () => {
    assert.throws(() => parse(...args), {
      constructor: InvalidSettingError,
      code: 'invalid_setting',
      setting: 'port',
      message: `The setting port, from the flag --port, must be a whole number from -9 to 9, but ${message}.`,
    })
  })
}

test('a negated switch takes no value', () => {
  assert.throws(() => parse('--no-quiet=true'), {
    message: 'The setting quiet, from the flag --no-quiet, must be true or false, but this form of it takes no value.',
  })
})

for (const { args, message, advice } of [
  { args: ['--prot', '1'], message: 'There is no flag "--prot".', advice: 'Did you mean --port?' },
  { args: ['--quite=1'], message: 'There is no flag "--quite".', advice: 'Did you mean --quiet?' },
  { args: ['-z'], message: 'There is no flag "-z".', advice: 'Did you mean -q?' },
  {
    args: ['--no-port'],
    message: 'There is no flag "--no-port".',
    advice: 'Run "chaincenter help" to see every setting.',
  },
  {
    args: ['--elsewhere'],
    message: 'There is no flag "--elsewhere".',
    advice: 'Run "chaincenter help" to see every setting.',
  },
]) {
  test(`does not know ${args[0]}`, () => {
    assert.throws(() => parse(...args), { constructor: UnknownSettingError, code: 'unknown_setting', message, advice })
  })
}
