import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import { type LiteHandler, listenLite, type TestLiteServer } from '../../../test/support/listenLite.ts'
import { readDialogues } from '../../../test/support/replayServer.ts'
import { runCommandLine } from '../../../test/support/runCommandLine.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { firstToAnswer } from './runLite.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const last = { workchain: -1, shard: wholeShard, seqno: 421, rootHash: hash(0xab), fileHash: hash(0xcd) }

const serve = async (t: TestContext, handle: LiteHandler): Promise<TestLiteServer> => {
  const server = await listenLite(handle)
  t.after(() => server.close())
  return server
}

const ask = (t: TestContext, server: TestLiteServer, ...words: string[]) =>
  runCommandLine(t, ['lite', ...words, '--liteserver', formatLiteServer(server)])

const timeAnswer = (now: number): Uint8Array => encodeTlObject({ kind: 'liteServer.currentTime', now })

const infoAnswer = (): Uint8Array =>
  encodeTlObject({
    kind: 'liteServer.masterchainInfo',
    last,
    stateRootHash: hash(1),
    init: { workchain: -1, rootHash: hash(2), fileHash: hash(3) },
  })

const globalConfig = (servers: readonly TestLiteServer[]): string =>
  JSON.stringify({
    liteservers: servers.map(({ port, publicKey }) => ({
      ip: 2130706433,
      port,
      id: { '@type': 'pub.ed25519', key: toBase64(publicKey) },
    })),
    validator: { zero_state: { root_hash: toBase64(hash(2)), file_hash: toBase64(hash(3)) } },
  })

test('prints readable JSON, on one line with --json, bytes with --raw', async (t) => {
  const server = await serve(t, () => infoAnswer())
  const block = {
    workchain: -1,
    shard: '8000000000000000',
    seqno: 421,
    root_hash: 'ab'.repeat(32),
    file_hash: 'cd'.repeat(32),
  }
  const expected = {
    '@type': 'liteServer.masterchainInfo',
    last: block,
    state_root_hash: '01'.repeat(32),
    init: { workchain: -1, root_hash: '02'.repeat(32), file_hash: '03'.repeat(32) },
  }
  const plain = await ask(t, server, 'getMasterchainInfo')
  assert.deepEqual(plain, { exitCode: 0, out: `${JSON.stringify(expected, undefined, 2)}\n`, err: '' })
  const json = await ask(t, server, 'liteServer.getMasterchainInfo', '--json')
  assert.deepEqual(json, { exitCode: 0, out: `${JSON.stringify(expected)}\n`, err: '' })
  const raw = await ask(t, server, 'getMasterchainInfo', '--raw')
  assert.deepEqual(raw, { exitCode: 0, out: `${toHex(infoAnswer())}\n`, err: '' })
  assert.equal(
    (await ask(t, server, 'getMasterchainInfo', '--raw', '--json')).out,
    `{"raw":"${toHex(infoAnswer())}"}\n`,
  )
  await delay(50)
  assert.equal(server.server.connections.size, 0)
})

test('with --raw the request may be bytes, too', async (t) => {
  const asked: string[] = []
  const server = await serve(t, (data) => {
    asked.push(toHex(data))
    return Uint8Array.of(1, 2, 3)
  })
  assert.deepEqual(await ask(t, server, '--raw', '345aad16'), { exitCode: 0, out: '010203\n', err: '' })
  assert.deepEqual(asked, ['345aad16'])
  assert.equal(
    (await ask(t, server, '345aad16')).err,
    'Unknown liteserver function "345aad16".\nRun "chaincenter lite" to see all of them.\n',
  )
})

test('"last" is the newest block of the server that is asked', async (t) => {
  const server = await serve(t, (data) => {
    const { call } = decodeLiteQuery(data)
    if (call.kind === 'liteServer.getMasterchainInfo') return infoAnswer()
    assert.ok(call.kind === 'liteServer.getBlock')
    return encodeTlObject({ kind: 'liteServer.blockData', id: call.id, data: Uint8Array.of(7) })
  })
  const { out } = await ask(t, server, 'getBlock', 'id=last', '--json')
  const { id, data } = JSON.parse(out) as { id: { seqno: number; root_hash: string }; data: string }
  assert.deepEqual([id.seqno, id.root_hash, data], [421, 'ab'.repeat(32), '07'])
})

test('--wait puts the prefix before the request, and before the one for the newest block', async (t) => {
  const waits: unknown[] = []
  const server = await serve(t, (data) => {
    const { wait, call } = decodeLiteQuery(data)
    waits.push([call.kind, wait])
    if (call.kind === 'liteServer.getMasterchainInfo') return infoAnswer()
    return encodeTlObject({ kind: 'liteServer.blockData', id: last, data: Uint8Array.of(7) })
  })
  const { exitCode } = await ask(t, server, 'getBlock', 'id=last', '--wait', '500', '--query-timeout', '3s')
  const wait = { seqno: 500, timeoutMs: 3000 }
  assert.equal(exitCode, 0)
  assert.deepEqual(waits, [
    ['liteServer.getMasterchainInfo', wait],
    ['liteServer.getBlock', wait],
  ])
  await ask(t, server, '--raw', '345aad16', '--wait', '7', '--query-timeout', '60s')
  assert.deepEqual(waits.at(-1), ['liteServer.getTime', { seqno: 7, timeoutMs: 10_000 }])
})

test('bytes come from a file', async (t) => {
  const server = await serve(t, (data) => {
    const { call } = decodeLiteQuery(data)
    assert.ok(call.kind === 'liteServer.sendMessage')
    return encodeTlObject({ kind: 'liteServer.sendMsgStatus', status: call.body.length })
  })
  const workingDir = writeTree(t, { 'message.boc': 'abcde' })
  const args = ['lite', 'sendMessage', 'body=@message.boc', '--json', '--liteserver', formatLiteServer(server)]
  const { out } = await runCommandLine(t, args, { workingDir })
  assert.equal(out, '{"@type":"liteServer.sendMsgStatus","status":5}\n')
  const { exitCode, err } = await ask(t, server, 'sendMessage', 'body=@absent')
  assert.equal(exitCode, 2)
  assert.equal(err, 'The file absent cannot be read (ENOENT).\nGive the path of a readable file after the @.\n')
})

test("the server's own errors are a sentence with code and text, and exit code 1", async (t) => {
  let code = 651
  const server = await serve(t, () =>
    encodeTlObject({ kind: 'liteServer.error', code, message: 'no such \u001b[31mblock' }),
  )
  const { exitCode, out, err } = await ask(t, server, 'getTime')
  assert.deepEqual([exitCode, out], [1, ''])
  assert.equal(err, 'The server answered with error 651: no such \ufffd[31mblock\nRetry, or use another liteserver.\n')
  code = -400
  assert.match((await ask(t, server, 'getTime', '--raw')).err, /error -400: .*\nThe message is from the liteserver/)
  const { out: json } = await ask(t, server, 'getTime', '--json')
  assert.equal((JSON.parse(json) as { error: { code: string } }).error.code, 'node_refused')
})

test('an answer that is none is refused, and shown all the same with --raw', async (t) => {
  const answers = [timeAnswer(5), Uint8Array.of(1, 2, 3, 4, 5), new Uint8Array(0)]
  const server = await serve(t, () => answers.shift() ?? Uint8Array.of(9))
  const wrongKind = await ask(t, server, 'getMasterchainInfo')
  assert.equal(wrongKind.exitCode, 1)
  assert.match(
    wrongKind.err,
    /answered liteServer\.getMasterchainInfo with liteServer\.currentTime instead of liteServer\.masterchainInfo\./,
  )
  assert.match((await ask(t, server, 'getTime')).err, /answered with something else: /)
  assert.match((await ask(t, server, 'getTime')).err, /answered with something else: /)
  assert.equal((await ask(t, server, 'getTime', '--raw')).out, '09\n')
})

test('of the servers of a global configuration the first that answers is asked', async (t) => {
  const dead = await serve(t, () => timeAnswer(1))
  await dead.close()
  const mute = await serve(t, () => undefined)
  const good = await serve(t, () => timeAnswer(3))
  const workingDir = writeTree(t, { 'net.json': globalConfig([dead, mute, good]) })
  const run = (...args: string[]) => runCommandLine(t, ['lite', 'getTime', '--json', ...args], { workingDir })
  const { exitCode, out } = await run('--global-config', 'net.json')
  assert.deepEqual([exitCode, out], [0, '{"@type":"liteServer.currentTime","now":3}\n'])
  const env = { CHAINCENTER_GLOBAL_CONFIG: join(workingDir, 'net.json') }
  assert.equal((await runCommandLine(t, ['lite', 'getTime', '--json'], { env })).out, out)
  const none = { CHAINCENTER_LITESERVERS: `${formatLiteServer(dead)}, ${formatLiteServer(mute)}` }
  const failed = await runCommandLine(t, ['lite', 'getTime', '--query-timeout', '300ms'], { env: { ...env, ...none } })
  assert.equal(failed.exitCode, 1)
  assert.match(
    failed.err,
    /^None of 2 liteservers answered; .* is unavailable: No connection to 127\.0\.0\.1:\d+: .*\nRetry, or run "chaincenter doctor" /,
  )
})

for (const { name, args, files = {}, message } of [
  { name: 'no server', args: [], message: 'No liteserver is configured.' },
  {
    name: 'a file that is not there',
    args: ['--global-config', 'absent.json'],
    message: /^The network configuration .*absent\.json cannot be read: ENOENT/,
  },
  {
    name: 'a file that is something else',
    args: ['--global-config', 'x.json'],
    files: { 'x.json': '{}' },
    message: /x\.json is not a network configuration: expected an object at validator\./,
  },
  {
    name: 'a file without servers',
    args: ['--global-config', 'x.json'],
    files: { 'x.json': globalConfig([]) },
    message: 'The global configuration x.json contains no liteserver.',
  },
]) {
  test(`with ${name} it says what to do`, async (t) => {
    for (const command of [['lite', 'getTime'], ['doctor']]) {
      const { exitCode, out, err } = await runCommandLine(t, [...command, ...args], { workingDir: writeTree(t, files) })
      assert.deepEqual([exitCode, out], [2, ''])
      const [what = '', advice] = err.split('\n')
      if (typeof message === 'string') assert.equal(what, message)
      else assert.match(what, message)
      assert.equal(
        advice,
        'Set a liteserver with --liteserver host:port:key, or a global configuration with --global-config <file>.',
      )
    }
  })
}

test('a server that is none is refused with the flag it came from', async (t) => {
  const { exitCode, err } = await runCommandLine(t, ['lite', 'getTime', '--liteserver', 'localhost:1'])
  assert.equal(exitCode, 2)
  assert.equal(
    err,
    'Invalid setting liteservers from the flag --liteserver: expected a list, each item a liteserver as host:port:key, with its key of 32 bytes in base64 or hex, but got "localhost:1".\nFix the flag --liteserver, or remove it to use the default.\n',
  )
})

test('a key that is no point of the curve is a failure like any other, also where nobody listens', async (t) => {
  const server = await serve(t, () => timeAnswer(1))
  await server.close()
  const { exitCode, err } = await ask(t, { ...server, publicKey: new Uint8Array(32) }, 'getTime')
  assert.equal(exitCode, 1)
  assert.match(err, /No secret can be shared with the key/)
  await delay(50)
})

test('what is wrong with a request is told before anybody is asked', async (t) => {
  const { exitCode, err } = await runCommandLine(t, ['lite', 'getBlok'])
  assert.deepEqual([exitCode, err], [2, 'Unknown liteserver function "getBlok".\nDid you mean getBlock?\n'])
  assert.equal((await runCommandLine(t, ['lite', 'getBlock', 'id=x'])).exitCode, 2)
})

test('without words it lists every function with its arguments', async (t) => {
  const { exitCode, out } = await runCommandLine(t, ['lite'])
  assert.equal(exitCode, 0)
  assert.ok(out.includes('\n  lookupBlock [mode=number] id=(workchain,shard,seqno) [lt=number] [utime=number]\n'))
  assert.ok(out.includes('\n  getConfigParams [mode=number] id=block param_list=number,…\n'))
  const { functions } = JSON.parse((await runCommandLine(t, ['lite', '--json'])).out) as {
    functions: { name: string; arguments: unknown[] }[]
  }
  assert.equal(functions.length, 31)
  assert.deepEqual(functions.find(({ name }) => name === 'liteServer.getLibraries')?.arguments, [
    { name: 'library_list', type: 'vector int256', optional: false },
  ])
})

test('a Ctrl-C ends a request that is under way, without a word', async (t) => {
  const signals = Object.assign(new EventEmitter(), { exit: () => {} })
  const server = await serve(t, () => {
    setTimeout(() => signals.emit('SIGINT'), 10)
    return undefined
  })
  const args = ['lite', 'getTime', '--liteserver', formatLiteServer(server)]
  assert.deepEqual(await runCommandLine(t, args, { signals }), { exitCode: 0, out: '', err: '' })
  await delay(50)
  assert.equal(server.server.connections.size, 0)
})

test('a recorded node is asked through the command line', async (t) => {
  const dialogues = readDialogues()
  const server = await serve(t, (data) => dialogues.get(toHex(data)))
  const { out } = await ask(t, server, 'lookupBlock', 'mode=1', 'id=(-1,8000000000000000,395)', '--json')
  const { id } = JSON.parse(out) as { id: { root_hash: string } }
  assert.equal(id.root_hash, '213bae3feb01cc752f2f8537708498c67a74042b37ea49d2d2a861c66c27809b')
  const missing = await ask(t, server, 'lookupBlock', 'mode=1', 'id=(-1,8000000000000000,9999999)')
  assert.equal(missing.exitCode, 1)
  assert.match(missing.err, /error 651: cannot find block \(-1,8000000000000000\) seqno=9999999: ltdb: block not found/)
})

test('the next attempt starts at once after a failure, and after a while beside a slow one', async () => {
  const started: string[] = []
  const attempt =
    (name: string, ms: number, fails = false) =>
    async (): Promise<string> => {
      started.push(name)
      await delay(ms)
      if (fails) throw new Error(name)
      return name
    }
  assert.equal(await firstToAnswer([attempt('a', 0), attempt('b', 0)], 10_000), 'a')
  assert.deepEqual(started, ['a'])
  started.length = 0
  const attempts = [attempt('a', 0, true), attempt('b', 60_000), attempt('c', 5), attempt('d', 0)]
  attempts[1] = async () => {
    started.push('b')
    return new Promise(() => undefined)
  }
  assert.equal(await firstToAnswer(attempts, 50), 'c')
  await delay(120)
  assert.deepEqual(started, ['a', 'b', 'c'])
})

test('where all fail, all reasons are told', async () => {
  const fail = (name: string) => async () => {
    throw new Error(name)
  }
  await assert.rejects(firstToAnswer([fail('a'), fail('b')], 50), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message }: Error) => message),
      ['a', 'b'],
    )
    return true
  })
})

test('a late failure starts nobody', async () => {
  const started: string[] = []
  const slow = async (): Promise<string> => {
    await delay(40)
    throw new Error('late')
  }
  const quick = async (): Promise<string> => 'quick'
  const never = async (): Promise<string> => {
    started.push('never')
    return 'never'
  }
  assert.equal(await firstToAnswer([slow, quick, never], 10), 'quick')
  await delay(60)
  assert.deepEqual(started, [])
})
