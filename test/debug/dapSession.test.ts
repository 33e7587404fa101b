import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { DapSession } from '../../src/debug/dap/DapSession.ts'
import { type DapMessage, readRequests } from '../../src/debug/dap/messages.ts'
import { listCode } from '../../src/tvm/listCode.ts'
import type { Json } from '../support/v3Client.ts'
import { callCode, codeOf, createTestMachine } from '../support/vmSamples.ts'

const { machine } = await createTestMachine({ after }, { workers: 1 })

/** A session on a run of this code, and how many pages were loaded. */
const openSession = async (code: Cell) => {
  const sent: DapMessage[] = []
  let loads = 0
  const run = {
    name: 'run',
    notes: [],
    listing: listCode(code),
    load: async (from: number, count: number) => {
      loads++
      const call = callCode('', { contract: { code }, gasLimit: 1_000_000 })
      const options = { window: { from, count }, stack: 'diff', registers: true, cells: true, log: false } as const
      return (await machine.recordMethod(call, options)).recording
    },
  }
  const session = new DapSession(run, (message) => sent.push(message))
  let seq = 0
  const request = async (command: string, given: object = {}): Promise<Json> => {
    sent.length = 0
    await session.handle({ seq: ++seq, type: 'request', command, arguments: given as Record<string, unknown> })
    const [response, ...events] = sent as Json[]
    assert.equal(response.success, true, `${command}: ${response.message}`)
    return { ...response.body, stopped: events.find(({ event }) => event === 'stopped')?.body, events }
  }
  const frames = async (): Promise<Json[]> => (await request('stackTrace')).stackFrames
  const at = async (): Promise<number> => {
    const { scopes } = await request('scopes', { frameId: 0 })
    const { variablesReference } = scopes.find(({ name }: Json) => name === 'Step')
    const { variables } = await request('variables', { variablesReference })
    return Number(variables[0].value.split(' ')[0])
  }
  await request('initialize')
  await request('launch')
  await request('configurationDone')
  return { request, frames, at, loads: () => loads }
}

test('calls are frames: over them, into them, and out of them', async () => {
  // DROP; 1 PUSHINT; CALLREF { 2 PUSHINT; CALLREF { ADD }; INC }; INC.
  const inner = codeOf('A0')
  const outer = codeOf('72 DB3C A4', inner)
  const { request, frames, at } = await openSession(codeOf('30 71 DB3C A4', outer))
  const op = async (): Promise<string> => {
    const { content } = await request('source', { sourceReference: 1 })
    return content.split('\n')[(await frames())[0].line - 1].trim()
  }
  await request('next')
  await request('next')
  const call = await at()
  assert.match(await op(), /^CALLREF/)
  await request('next')
  assert.equal(await op(), 'INC')
  assert.equal((await frames()).length, 1)
  await request('stepBack')
  assert.equal(await at(), call)
  for (let k = 0; k < 3; k++) await request('stepIn')
  assert.equal(await op(), 'ADD')
  const nested = await frames()
  assert.equal(nested.length, 3)
  // The caller's state is that at its call.
  const stackOf = async (frameId: number): Promise<string[]> => {
    const { scopes } = await request('scopes', { frameId })
    const { variables } = await request('variables', { variablesReference: scopes[0].variablesReference })
    return variables.map(({ value }: Json) => value)
  }
  assert.deepEqual([await stackOf(0), await stackOf(2)], [['2', '1'], ['1']])
  await request('stepOut')
  assert.equal((await frames()).length, 2)
  await request('stepOut')
  assert.deepEqual([(await frames()).length, await op()], [1, 'INC'])
  const end = await request('continue')
  assert.match(end.stopped.text, /exit code 0/)
  assert.deepEqual(await stackOf(0), ['5'])
})

test('a long run is read page by page, in both directions', async () => {
  // A loop without an end: it runs out of gas.
  const { request, at, loads } = await openSession(codeOf('30 90 EA'))
  assert.equal(loads(), 1)
  const { stopped } = await request('continue')
  assert.equal(stopped.reason, 'exception')
  const last = await at()
  assert.ok(last > 40_000, String(last))
  assert.ok(loads() > 10)
  await request('stepBack')
  assert.equal(await at(), last - 1)
  await request('reverseContinue')
  assert.equal(await at(), 0)
})

test('messages are told apart in any pieces, and nonsense is refused', async () => {
  const body = JSON.stringify({ seq: 1, type: 'request', command: 'é' })
  const text = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const whole = Buffer.from(text + text)
  const pieces = async function* () {
    for (let k = 0; k < whole.length; k += 7) yield whole.subarray(k, k + 7)
  }
  const commands: string[] = []
  for await (const { command } of readRequests(pieces())) commands.push(command)
  assert.deepEqual(commands, ['é', 'é'])
  for (const bad of [
    'X: 1\r\n\r\n{}',
    'Content-Length: 999999999\r\n\r\n',
    'Content-Length: 1\r\n\r\n{',
    'a'.repeat(5000),
  ]) {
    const reading = (async () => {
      for await (const _ of readRequests(pieceOf(bad))) return
    })()
    await assert.rejects(reading, { code: 'dap_input_invalid' }, bad.slice(0, 30))
  }
})

async function* pieceOf(text: string): AsyncIterable<string> {
  yield text
}
