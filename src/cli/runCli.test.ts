import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { type TestContext, test } from 'node:test'
import { writeTree } from '../../test/support/writeTree.ts'
import { CodedError } from '../primitives/errors.ts'
import type { Command } from './Command.ts'
import { commands } from './commands.ts'
import { type Host, runCli } from './runCli.ts'

class OfflineError extends CodedError {
  readonly code = 'offline'
  override readonly retryable = true
}

const order: string[] = []
const testCommands: readonly Command[] = [
  ...commands,
  {
    name: 'greet',
    summary: 'Greets.',
    parameters: [
      { name: 'who', about: 'Whom.' },
      { name: 'how', about: 'How.', optional: true },
    ],
    run({ show }, [who, how]) {
      show({ text: `${how ?? 'Hello'} ${who}`, value: { who } })
    },
  },
  {
    name: 'offline',
    summary: 'Fails as expected.',
    parameters: [],
    run: () => Promise.reject(new OfflineError('The node did not answer.', { cause: new Error('socket') })),
  },
  {
    name: 'bug',
    summary: 'Fails as nobody expects.',
    parameters: [],
    run() {
      throw new TypeError('x is not a function')
    },
  },
  {
    name: 'open',
    summary: 'Opens two things and logs.',
    parameters: [],
    run({ shutdown, logger }) {
      shutdown.add('one', () => order.push('one'))
      shutdown.add('two', () => order.push('two'))
      logger.info('opened', { count: 2 })
    },
  },
  {
    name: 'stuck',
    summary: 'Cannot close what it opened.',
    parameters: [],
    run({ shutdown }) {
      shutdown.add('one', () => Promise.reject(new Error('no')))
    },
  },
]

const run = async (t: TestContext, args: readonly string[], host: Partial<Host> = {}) => {
  let out = ''
  let err = ''
  const exitCode = await runCli(
    {
      args,
      env: {},
      workingDir: writeTree(t, {}),
      version: '1.2.3',
      isTerminal: false,
      signals: Object.assign(new EventEmitter(), { exit: () => {} }),
      writeOut: (text) => {
        out += text
      },
      writeError: (text) => {
        err += text
      },
      ...host,
    },
    testCommands,
  )
  return { exitCode, out, err }
}

const bugAdvice = 'This is a bug: please report it with the output of --verbose.'

for (const { args, exitCode, out = '', err = '' } of [
  { args: ['--version'], exitCode: 0, out: '1.2.3\n' },
  { args: ['start', '-V'], exitCode: 0, out: '1.2.3\n' },
  { args: ['--version', '--json'], exitCode: 0, out: '{"version":"1.2.3"}\n' },
  { args: ['greet', 'you'], exitCode: 0, out: 'Hello you\n' },
  { args: ['greet', 'you', 'Bye'], exitCode: 0, out: 'Bye you\n' },
  { args: ['greet', 'you', '--json'], exitCode: 0, out: '{"who":"you"}\n' },
  {
    args: ['greet'],
    exitCode: 2,
    err: 'The command greet takes 1 to 2 arguments, but got 0.\nUsage: chaincenter greet <who> [how]\n',
  },
  {
    args: ['start', 'now'],
    exitCode: 2,
    err: 'The command start takes no arguments, but got 1.\nUsage: chaincenter start\n',
  },
  { args: ['great'], exitCode: 2, err: 'Unknown command "great".\nDid you mean greet?\n' },
  { args: ['help', 'great'], exitCode: 2, err: 'Unknown command "great".\nDid you mean greet?\n' },
  { args: ['start', '--jsn'], exitCode: 2, err: 'Unknown flag "--jsn".\nDid you mean --json?\n' },
  {
    args: ['start', '--jsn', '--json'],
    exitCode: 2,
    out: '{"error":{"code":"unknown_setting","message":"Unknown flag \\"--jsn\\".","advice":"Did you mean --json?"}}\n',
  },
  { args: ['offline'], exitCode: 1, err: 'The node did not answer.\nRetry.\n' },
  {
    args: ['bug'],
    exitCode: 70,
    err: `Internal error: x is not a function\n${bugAdvice}\n`,
  },
]) {
  test(`${args.join(' ')} ends with ${exitCode}`, async (t) => {
    assert.deepEqual(await run(t, args), { exitCode, out, err })
  })
}

test('the stack, and that of the cause, appear only with --verbose', async (t) => {
  const { err } = await run(t, ['offline', '--verbose'])
  assert.match(err, /^The node did not answer\.\nRetry\.\n\nOfflineError: The node.*\n {4}at /)
  assert.match(err, /\nCaused by: Error: socket\n {4}at /)
})

test('the name of the program alone shows ten lines, which can be typed as they stand', async (t) => {
  const { exitCode, out } = await run(t, [], { program: 'node bin/chaincenter.js' })
  assert.equal(exitCode, 0)
  const lines = out.trimEnd().split('\n')
  assert.equal(lines.length, 10)
  assert.ok(lines.every((line) => line.length <= 110))
  assert.match(out, /^ {2}node bin\/chaincenter\.js start {2,}both APIs/m)
  assert.deepEqual(Object.keys(JSON.parse((await run(t, ['--json'])).out) as object), ['version', 'commands'])
})

test('help and --help show every command and setting', async (t) => {
  const { exitCode, out } = await run(t, ['help'])
  assert.equal(exitCode, 0)
  assert.equal((await run(t, ['--help'])).out, out)
  for (const expected of ['greet <who> [how]', '--data-dir <folder>', 'CHAINCENTER_LOG_LEVEL; default info', '130']) {
    assert.ok(out.includes(expected), expected)
  }
})

test('help of one command shows its words', async (t) => {
  const { out } = await run(t, ['help', 'greet'])
  assert.match(out, /^Usage: chaincenter greet <who> \[how\] \[flags\]\n\nGreets\.\n\nWords:\n {2}who {2}Whom\.\n/)
  assert.equal((await run(t, ['greet', '--help'])).out, out)
})

test('what a command opened is closed when it ends; logs are JSON away from a terminal', async (t) => {
  const { exitCode, out, err } = await run(t, ['open'])
  assert.deepEqual({ exitCode, out, order }, { exitCode: 0, out: '', order: ['two', 'one'] })
  const { message, count } = JSON.parse(err) as Record<string, unknown>
  assert.deepEqual({ message, count }, { message: 'opened', count: 2 })
})

test('logs are pretty on a terminal, and NO_COLOR keeps them plain', async (t) => {
  assert.ok((await run(t, ['open'], { isTerminal: true })).err.includes('\u001b[36minfo'))
  assert.match((await run(t, ['open'], { isTerminal: true, env: { NO_COLOR: '1' } })).err, / info {2}opened count=2\n$/)
  assert.equal((await run(t, ['open', '--log-level', 'error'])).err, '')
})

test('a command that cannot close what it opened has failed', async (t) => {
  const { exitCode, err } = await run(t, ['stuck'])
  assert.equal(exitCode, 1)
  assert.match(err, /"message":"close failed","name":"one"/)
})
