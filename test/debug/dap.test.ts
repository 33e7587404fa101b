import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { repository } from '../support/childScript.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import type { Json } from '../support/v3Client.ts'
import { writeTree } from '../support/writeTree.ts'

const launcher = join(repository, 'bin/chaincenter.js')

/** An editor: sends requests over a pipe, and waits for responses and events. */
const startEditor = (t: TestContext, workingDir: string, args: readonly string[]) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [launcher, 'trace', ...args], {
    cwd: workingDir,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  const messages: Json[] = []
  let waiting = Buffer.alloc(0)
  let wake: () => void = () => undefined
  child.stdout.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const [header, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(waiting.toString('latin1')) ?? []
      if (header === undefined || waiting.length < header.length + Number(length)) break
      messages.push(JSON.parse(waiting.subarray(header.length, header.length + Number(length)).toString()))
      waiting = waiting.subarray(header.length + Number(length))
    }
    wake()
  })
  const find = async (matches: (message: Json) => boolean): Promise<Json> => {
    for (;;) {
      const at = messages.findIndex(matches)
      if (at >= 0) return messages.splice(at, 1)[0]
      await new Promise<void>((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`Nothing came: ${JSON.stringify(messages)}`)), 90_000)
        wake = () => {
          clearTimeout(timer)
          done()
        }
      })
    }
  }
  let seq = 0
  const request = async (command: string, given: object = {}): Promise<Json> => {
    const body = JSON.stringify({ seq: ++seq, type: 'request', command, arguments: given })
    const text = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    // Pipes cut messages anywhere.
    child.stdin.write(text.slice(0, 30))
    child.stdin.write(text.slice(30))
    const own = seq
    return find(({ type, request_seq }) => type === 'response' && request_seq === own)
  }
  const expectBody = async (command: string, given: object = {}): Promise<Json> => {
    const { success, message, body } = await request(command, given)
    assert.equal(success, true, `${command}: ${message}`)
    return body
  }
  const event = (name: string): Promise<Json> => find(({ type, event }) => type === 'event' && event === name)
  const move = async (command: string, given: object = {}): Promise<Json> => {
    await expectBody(command, { threadId: 1, ...given })
    return (await event('stopped')).body
  }
  return { child, request, expectBody, event, move }
}

const saveRun = async (t: TestContext): Promise<{ readonly workingDir: string; readonly value: Json }> => {
  const network = await startNetwork({ mining: { mode: 'manual' }, startTime: 1_700_000_000 })
  t.after(() => network.close())
  const { url = '', accounts, controls, globalConfig } = network
  const get = async (address: string): Promise<Json> => {
    const answer = await fetch(`${url}/api/v2/getTransactions?limit=1&address=${encodeURIComponent(address)}`)
    return ((await answer.json()) as Json).result[0]
  }
  const [alice] = accounts
  await controls.faucet(alice!.address, 5_000_000_000n)
  await controls.mine(3)
  const faucet = (await get(alice!.address)).in_msg.source
  const target = `${faucet}:${(await get(faucet)).transaction_id.lt}`
  const workingDir = writeTree(t, {})
  const args = ['--save', 'run.json', '--steps', 'all', '--json', '--global-config', globalConfig.path]
  const { out, err } = await runCommandLine(t, ['trace', target, ...args], { workingDir })
  assert.notEqual(out, '', err)
  return { workingDir, value: JSON.parse(out) }
}

test('an editor debugs a replay over pipes', { timeout: 240_000 }, async (t) => {
  const { workingDir, value } = await saveRun(t)
  const { steps, steps_total: total } = value.vm
  const editor = startEditor(t, workingDir, ['run.json', '--dap'])
  const { expectBody, move, event, request } = editor

  const capabilities = await expectBody('initialize', { adapterID: 'tvm', linesStartAt1: true })
  assert.equal(capabilities.supportsStepBack, true)
  await event('initialized')
  await expectBody('launch', { stopOnEntry: true })
  assert.match((await event('output')).body.output, /exact/)
  await expectBody('setExceptionBreakpoints', { filters: ['uncaught'] })
  await expectBody('configurationDone')
  assert.equal((await event('stopped')).body.reason, 'entry')
  assert.deepEqual(await expectBody('threads'), { threads: [{ id: 1, name: 'compute phase' }] })

  const where = async (): Promise<Json> => (await expectBody('stackTrace', { threadId: 1 })).stackFrames
  const scope = async (name: string, frameId = 0): Promise<Json[]> => {
    const { scopes } = await expectBody('scopes', { frameId })
    const { variablesReference } = scopes.find((each: Json) => each.name === name)
    return (await expectBody('variables', { variablesReference })).variables
  }
  const stepNumber = async (): Promise<number> =>
    Number((await scope('Step')).find(({ name }) => name === 'step').value.split(' ')[0])
  const [frame] = await where()
  const { content } = await expectBody('source', { source: frame.source })
  const lines: string[] = content.split('\n')
  assert.equal(lines[frame.line - 1], steps[0].op)
  assert.ok(lines.includes('// recv_external'))

  // Steps, forward and back, with the stack of the recording.
  await move('stepIn')
  await move('stepIn')
  assert.equal(await stepNumber(), 2)
  const before = await scope('Stack')
  await move('next')
  assert.equal((await move('stepBack')).reason, 'step')
  assert.deepEqual(
    (await scope('Stack')).map(({ value: text }) => text),
    before.map(({ value: text }) => text),
  )
  assert.deepEqual(
    (await scope('Registers')).map(({ name }) => name).filter((name) => /^c[3457]$/.test(name)),
    ['c3', 'c4', 'c5', 'c7'],
  )

  // A breakpoint in the disassembly.
  const checked = steps.find(({ op }: Json) => op.startsWith('CHKSIGNU'))
  const line = lines.findIndex((text) => text.trim() === checked.op) + 1
  assert.ok(line > 0, checked.op)
  const { breakpoints } = await expectBody('setBreakpoints', { source: frame.source, breakpoints: [{ line }] })
  assert.deepEqual([breakpoints[0].verified, breakpoints[0].line], [true, line])
  assert.equal((await move('continue')).reason, 'breakpoint')
  assert.equal((await where())[0].line, line)
  await expectBody('setBreakpoints', { source: frame.source, breakpoints: [] })

  // An instruction breakpoint, by the address of the disassembly.
  const send = steps.findLast(({ act }: Json) => act !== undefined)
  const { instructions } = await expectBody('disassemble', {
    memoryReference: '0x1',
    instructionOffset: -1,
    instructionCount: lines.length + 1,
  })
  assert.equal(instructions[0].presentationHint, 'invalid')
  assert.deepEqual(
    instructions.slice(1).map(({ instruction }: Json) => instruction),
    lines,
  )
  const { address: instructionReference } = instructions.find(({ instruction }: Json) => instruction.trim() === send.op)
  await expectBody('setInstructionBreakpoints', { breakpoints: [{ instructionReference }] })
  assert.equal((await move('continue')).reason, 'instruction breakpoint')
  assert.equal(steps[await stepNumber()].op, send.op)
  const frames = await where()
  assert.ok(frames.length >= 1)
  const top = await expectBody('evaluate', { expression: 's1', frameId: 0 })
  assert.match(top.result, /^C\{/)
  const cell = (await expectBody('variables', { variablesReference: top.variablesReference })).variables
  assert.deepEqual(
    cell.slice(0, 2).map(({ name }: Json) => name),
    ['hash', 'data'],
  )
  await expectBody('setInstructionBreakpoints', { breakpoints: [] })

  // The end, back to the beginning, and away.
  assert.match((await move('continue')).text, /exit code 0/)
  assert.equal(await stepNumber(), total)
  assert.equal((await move('reverseContinue')).reason, 'entry')
  assert.equal(await stepNumber(), 0)
  const odd = await request('completions')
  assert.deepEqual([odd.success, /not supported/.test(odd.message)], [false, true])
  await move('continue')
  await expectBody('continue', { threadId: 1 })
  assert.equal((await event('exited')).body.exitCode, 0)
  await event('terminated')
  await expectBody('disconnect')
  const [exitCode] = await once(editor.child, 'exit')
  assert.equal(exitCode, 0)

  // A source map: steps and breakpoints are those of lines, and a thrown exception stops.
  const cells = [...new Set(steps.map((step: Json) => step.cell))] as string[]
  const map = {
    language: 'tolk',
    code_hash: value.vm.code_hash,
    files: [{ path: 'wallet.tolk', text: 'one\ntwo\nthree\n' }],
    marks: Object.fromEntries(cells.map((hash, k) => [hash, [[0, Math.min(k, 2)]]])),
    places: [1, 2, 3].map((l) => ({ f: 0, l, c: 1, fn: `part${l}` })),
    methods: {},
    errors: {},
  }
  writeFileSync(join(workingDir, 'wallet.json'), JSON.stringify(map))
  writeFileSync(join(workingDir, 'empty.boc'), Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64'))
  const changed = ['--source', 'wallet.json', '--set', 'data=empty.boc']
  const lined = startEditor(t, workingDir, ['run.json', '--dap', ...changed])
  await lined.expectBody('initialize')
  await lined.expectBody('launch', { stopOnEntry: false })
  const source = { name: 'wallet.tolk', sourceReference: 2 }
  const set = await lined.expectBody('setBreakpoints', { source, breakpoints: [{ line: 2 }, { line: 9 }] })
  assert.deepEqual(
    set.breakpoints.map(({ verified }: Json) => verified),
    [true, false],
  )
  await lined.expectBody('configurationDone')
  assert.equal((await lined.event('stopped')).body.reason, 'breakpoint')
  const [at] = (await lined.expectBody('stackTrace', { threadId: 1 })).stackFrames
  assert.deepEqual([at.line, at.source.name], [2, 'wallet.tolk'])
  assert.equal((await lined.expectBody('source', { source: at.source })).content, 'one\ntwo\nthree\n')
  let stop = await lined.move('continue')
  while (stop.reason === 'breakpoint') stop = await lined.move('continue')
  assert.equal(stop.reason, 'exception')
  const info = await lined.expectBody('exceptionInfo', { threadId: 1 })
  assert.equal(info.exceptionId, 'cell_underflow')
  await lined.expectBody('disconnect')
})
