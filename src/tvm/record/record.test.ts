import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { fixturePath, haveFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { contextOf, findShardAccount, replayLocalnet } from '../../../test/support/replayLocalnet.ts'
import { amount, externalMessage, internalMessage } from '../../../test/support/sampleMessages.ts'
import { accountWith, callCode, codeOf, createTestMachine, sampleContext } from '../../../test/support/vmSamples.ts'
import type { RunContext, TransactionCall } from '../../chain/ports.ts'
import type { RecordedRun, RecordedValue, RecordOptions, VmRecording } from '../../chain/recording.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { readShardAccount, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { toHex, toUpperHex } from '../../primitives/hex.ts'

const { machine } = await createTestMachine({ after }, { workers: 1 })

const ALL: RecordOptions = {
  window: { from: 0, count: 20_000 },
  stack: 'diff',
  registers: true,
  cells: true,
  log: false,
}
const SUMMARY: RecordOptions = { window: undefined, stack: 'none', registers: false, cells: false, log: false }

const record = async (hex: string, options: Partial<RecordOptions> = {}, gasLimit = 1_000_000): Promise<VmRecording> =>
  (await machine.recordMethod(callCode(hex, { gasLimit }), { ...ALL, ...options })).recording

const sum = <T>(list: readonly T[], of: (item: T) => number): number =>
  list.reduce((total, item) => total + of(item), 0)

/** What must hold of every recording that has all steps: sums of gas, and the stack that the diffs lead to. */
const checkFacts = (recording: VmRecording, what = ''): void => {
  const { gas, steps, steps_total: total, summary, final, checkpoints } = recording
  assert.equal(steps.length, total, what)
  assert.equal(
    sum(steps, (step) => step.gas),
    gas.used,
    `${what}: gas of steps`,
  )
  assert.equal(
    sum(summary.cells, (cell) => cell.gas),
    gas.used,
    `${what}: gas of cells`,
  )
  assert.equal(
    sum(summary.methods, (method) => method.self),
    gas.used,
    `${what}: gas of methods`,
  )
  assert.equal(
    sum(summary.instructions, (instruction) => instruction.gas),
    gas.used,
    `${what}: gas of instructions`,
  )
  assert.equal(
    sum(summary.stacks, (stack) => stack.gas),
    gas.used,
    `${what}: gas of stacks`,
  )
  if (total === 0) return
  assert.ok(isDeepStrictEqual(applyDiffs(recording), final.stack), `${what}: final stack`)
  assert.equal(Object.keys(checkpoints).length, Math.ceil(total / 256), what)
}

/** Goes from the first checkpoint to the end; all checkpoints on the way must agree. */
const applyDiffs = ({ steps, checkpoints }: RecordedRun): readonly RecordedValue[] => {
  const stack: RecordedValue[] = [...checkpoints[String(steps[0]!.i)]!]
  for (const { i, pop, push } of steps) {
    const checkpoint = checkpoints[String(i)]
    if (checkpoint !== undefined) assert.ok(isDeepStrictEqual(stack, checkpoint), `checkpoint ${i}`)
    stack.splice(stack.length - pop!, pop!, ...push!)
  }
  return stack
}

describe('recorded get-methods', () => {
  test('steps tell place, gas, stack and what became of it', async () => {
    // Drops the number of the method, adds 2 and 3.
    const recording = await record('30 72 73 A0')
    checkFacts(recording)
    assert.deepEqual(
      recording.steps.map(({ op, offset, gas, pop, push, d }) => ({ op, offset, gas, pop, push, d })),
      [
        { op: 'DROP', offset: 0, gas: 18, pop: 1, push: [], d: 0 },
        { op: 'PUSHINT 2', offset: 8, gas: 18, pop: 0, push: [{ t: 'int', v: '2' }], d: 0 },
        { op: 'PUSHINT 3', offset: 16, gas: 18, pop: 0, push: [{ t: 'int', v: '3' }], d: 0 },
        { op: 'ADD', offset: 24, gas: 18, pop: 2, push: [{ t: 'int', v: '5' }], d: 0 },
        { op: 'implicit RET', offset: 32, gas: 5, pop: 0, push: [], d: 0 },
      ],
    )
    assert.equal(recording.exit_code, 0)
    assert.equal(recording.failure, undefined)
  })

  test('calls deepen, returns do not leave it so, and jumps keep it', async () => {
    // An inline body is called, which jumps to another.
    const recording = await record('30 94 71 91 72 D9 D8 73')
    checkFacts(recording)
    assert.deepEqual(
      recording.steps.map(({ op, d }) => `${d} ${op}`),
      [
        '0 DROP',
        '0 PUSHCONT x719172D9',
        '0 EXECUTE',
        '1 PUSHINT 1',
        '1 PUSHCONT x72',
        '1 JMPX',
        '1 PUSHINT 2',
        '1 implicit RET',
        '0 PUSHINT 3',
        '0 implicit RET',
      ],
    )
    assert.equal(recording.summary.stacks.length, 2)
  })

  test('loads of code cells count for the cell, and the end of a cell is a step', async () => {
    const inner = codeOf('71')
    const call = callCode('', { contract: { code: codeOf('30 DB3C', inner, codeOf('72')) } })
    const { recording } = await machine.recordMethod(call, ALL)
    checkFacts(recording)
    const cells = recording.summary.cells.map(({ hash, loads_first, loads_again }) => [hash, loads_first, loads_again])
    assert.ok(cells.some((cell) => cell[0] === toBase64(inner.hash()) && cell[1] === 1 && cell[2] === 0))
    assert.ok(recording.steps.some(({ op }) => op === 'implicit JMPREF'))
    assert.deepEqual(recording.summary.loads, { first: 2, again: 0 })
  })

  test('conditions count by outcome', async () => {
    // Ten rounds: IFRET with what is left of a counter's last bit.
    const recording = await record('30 70 7A 96 A4 20 71 B0 90 DE E4')
    checkFacts(recording)
    const branches = recording.summary.coverage.flatMap((cell) => cell.branches)
    assert.deepEqual(
      branches.map(([, yes, no]) => [yes, no]),
      [[5, 5]],
    )
  })

  test('cells of the page are there once', async () => {
    const recording = await record('30 C8 C9 20 D0')
    checkFacts(recording)
    const [hash] = Object.keys(recording.cells).filter((key) =>
      recording.final.stack.some((v) => 'h' in v && v.h === key),
    )
    assert.ok(hash !== undefined)
    assert.equal(toBase64(decodeSingleBoc(fromBase64(recording.cells[hash]!)).hash()), hash)
    assert.equal((await record('30 C8 C9', { cells: false })).cells_left_out, 0)
  })

  test('registers tell what changed', async () => {
    // SETGLOB 5, and another c4.
    const recording = await record('30 77 F865 C8 C9 ED54')
    const changes = recording.steps.flatMap(({ op, reg }) => (reg === undefined ? [] : [[op, Object.keys(reg)]]))
    assert.deepEqual(changes.slice(0, 2), [
      ['SETGLOB 5', ['c7']],
      ['POP c4', ['c4']],
    ])
    assert.ok(recording.registers?.c7?.['0.3'] !== undefined)
  })

  test('the stack comes whole or as its top', async () => {
    const full = await record('30 71 72 73', { stack: 'full' })
    assert.deepEqual(full.steps[3]?.stack, [
      { t: 'int', v: '1' },
      { t: 'int', v: '2' },
    ])
    const top = await record('30 71 72 73', { stack: { top: 1 } })
    assert.deepEqual(top.steps[3]?.stack, [{ t: 'int', v: '2' }])
    assert.equal(top.steps[3]?.depth, 2)
    assert.equal((await record('30 71', { stack: 'none' })).steps[1]?.push, undefined)
  })
})

describe('failures', () => {
  test('an exception that nobody catches', async () => {
    const recording = await record('30 71 F263')
    checkFacts(recording)
    assert.equal(recording.exit_code, 35)
    assert.equal(recording.failure?.step, 2)
    assert.equal(recording.failure?.location?.offset, 16)
    assert.deepEqual(recording.steps[2]?.exc, { code: 35, text: 'exception', caught: false })
  })

  test('an exception of the machine that is caught, and one that is not', async () => {
    // TRY: a cell underflow in the body; the handler drops what it gets and throws 40.
    const recording = await record('30 95 C8C9D0D307 93 5BF228 F2FF')
    checkFacts(recording)
    assert.deepEqual(
      recording.throws.map(({ code, caught, text }) => [code, caught, text]),
      [
        [9, true, 'cell underflow'],
        [40, false, 'exception'],
      ],
    )
    assert.equal(recording.failure?.code, 40)
  })

  test('no gas left', async () => {
    const recording = await record('30 90 EA', {}, 500)
    checkFacts(recording)
    assert.equal(recording.exit_code, -14)
    assert.equal(recording.gas.used, 500)
    assert.equal(recording.failure?.step, recording.steps_total - 1)
    assert.equal(recording.steps.at(-1)?.left, 0)
    assert.equal(recording.steps.at(-1)?.exc?.text, 'out of gas')
  })

  test('thrown in a run inside the run', async () => {
    // The code of the inner run throws 36.
    const recording = await record('30 70 8B2F2248 DB4000')
    checkFacts(recording)
    const child = recording.steps.find((step) => step.child !== undefined)?.child
    assert.equal(child?.exit_code, 36)
    assert.equal(child?.failure?.step, 0)
    assert.deepEqual(
      recording.children.map(({ path, exit_code, steps_total }) => ({ path, exit_code, steps_total })),
      [{ path: [3], exit_code: 36, steps_total: 1 }],
    )
    assert.equal(recording.exit_code, 0)
  })
})

test('later steps of a run inside the run', async () => {
  // The inner run loops until its 30,000 gas are used up.
  const code = '30 70 8B290EA8 817530 DB4008'
  const whole = await record(code)
  const outer = whole.steps.find((step) => step.child !== undefined)!
  const first = outer.child!
  assert.deepEqual([first.steps.length, first.truncated, first.steps_total > 1500], [1000, true, true])
  const { steps, steps_from } = await record(code, { window: { from: 900, count: 600, path: [outer.i] } })
  assert.deepEqual([steps.length, steps[0]!.i, steps_from], [1, outer.i, outer.i])
  const page = steps[0]!.child!
  assert.deepEqual([page.steps_from, page.steps.length, page.steps_total], [900, 600, first.steps_total])
  assert.deepEqual(page.steps.slice(0, 100), first.steps.slice(900))
  assert.ok(page.checkpoints['900'])
})

const transactionOf = (hex: string, context: RunContext = sampleContext()): TransactionCall => ({
  account: accountWith({ code: codeOf(hex) }),
  cause: { kind: 'message', message: internalMessage({ value: amount(400_000_000n) }) },
  lt: 2_000_001n,
  context,
  ignoreSignatures: false,
  log: 'none',
})

describe('recorded transactions', () => {
  test('each action names the step that queued it', async () => {
    // RAWRESERVE of 1 with mode 0, then SETCODE with an empty cell.
    const { run, recording } = await machine.recordTransaction(transactionOf('71 70 FB02 C8C9 FB04'), ALL)
    assert.equal(run.kind, 'executed')
    checkFacts(recording!)
    assert.deepEqual(
      recording!.actions.map((step) => recording!.steps[step]?.op),
      ['RAWRESERVE', 'SETCODE'],
    )
    assert.deepEqual(
      recording!.steps.flatMap(({ act }) => act ?? []),
      [0, 1],
    )
    assert.deepEqual(recording!.entry, { method_id: 0 })
  })

  test('an external message that is not accepted is recorded as well', async () => {
    const call = { ...transactionOf('F264'), cause: { kind: 'message' as const, message: externalMessage() } }
    const { run, recording } = await machine.recordTransaction(call, ALL)
    assert.equal(run.kind, 'notAccepted')
    assert.equal(recording?.failure?.step, 0)
  })

  test('there is nothing to record where the contract did not run', async () => {
    const account: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
    const { run, recording } = await machine.recordTransaction({ ...transactionOf(''), account }, ALL)
    assert.equal(run.kind, 'executed')
    assert.equal(recording, undefined)
  })
})

test('a long run is paged, each page a slice of the whole, and its summary is the same', async () => {
  // A loop of 3 steps a round for 100,000 rounds.
  const hex = '30 70 830F 92 A4 00 E4'
  const limit = 20_000_000
  const call = callCode(hex, { gasLimit: limit })
  const page = async (from: number, count: number): Promise<VmRecording> =>
    (await machine.recordMethod(call, { ...ALL, window: { from, count } })).recording
  const whole = await page(60_000, 20_000)
  assert.equal(whole.steps.length, 20_000)
  assert.equal(whole.truncated, false)
  for (const from of [60_000, 65_123, 79_000]) {
    const part = await page(from, 1_000)
    assert.deepEqual(part.steps, whole.steps.slice(from - 60_000, from - 59_000))
    assert.deepEqual(part.summary, whole.summary)
    assert.ok(part.checkpoints[String(from)] !== undefined)
  }
  const last = await page(whole.steps_total - 5, 20_000)
  assert.equal(last.steps.length, 5)
  const { recording } = await machine.recordMethod(call, SUMMARY)
  assert.deepEqual(recording.summary, whole.summary)
  assert.equal(recording.steps.length, 0)
})

test('a page of large values is cut and says so', async () => {
  // A tuple of 200 numbers, one of which is set again and again.
  const hex = '30 6F00 8100C8 93 706F8C E4 811388 93 776F50 E4'
  const recording = await record(hex, { cells: false }, 5_000_000)
  const { steps, steps_total: total } = recording
  assert.ok(recording.truncated)
  assert.ok(steps.length > 1_000 && steps.length < 20_000 && steps.length < total)
  // The next page goes on where this one ends.
  const next = await record(hex, { cells: false, window: { from: steps.length, count: 10 } }, 5_000_000)
  assert.equal(next.steps[0]?.i, steps.length)
  assert.equal(next.truncated, false)
})

/** Instruction, place and gas of each step of a log. */
const parseLog = (log: string): string[] => {
  const steps: string[] = []
  let place = ''
  for (const line of log.split('\n')) {
    const at = /^code cell hash: (?<hash>\w+) offset: (?<offset>\d+)/.exec(line)?.groups
    if (at !== undefined) place = `${at['hash']}:${at['offset']}`
    if (line.startsWith('execute ')) {
      const op = line.slice(8).trim()
      steps.push(op.startsWith('implicit ') ? op : `${place} ${op}`)
    }
    if (line.startsWith('gas remaining: ')) steps[steps.length - 1] += ` left ${line.slice(15).trim()}`
  }
  return steps
}

test('steps of recorded transactions are those of the log', async () => {
  let count = 0
  const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
  const codes = new Map<string, number>()
  for (const { extra, before, master } of replayLocalnet()) {
    const context = { ...contextOf(master), randomSeed: extra.randSeed }
    for (const [address, block] of openAccountBlocks(extra).entries()) {
      const [first] = block.transactions.entries()
      const [lt, cell] = first!
      const { now, inMsg } = readTransaction(openCell(cell))
      if (inMsg === undefined) continue
      const account = findShardAccount(before, address) ?? NO_ACCOUNT
      const call: TransactionCall = {
        account,
        cause: { kind: 'message', message: inMsg },
        lt,
        context: { ...context, now },
        ignoreSignatures: false,
        log: 'gas',
      }
      const key = toBase64(account.account.hash()).slice(0, 1)
      const seen = codes.get(key) ?? 0
      if (seen >= 3) continue
      codes.set(key, seen + 1)
      const { run, recording } = await machine.recordTransaction(call, ALL)
      assert.ok(run.kind === 'executed' && run.transaction.hasHash(cell.hash()))
      if (recording === undefined) continue
      checkFacts(recording, toUpperHex(cell.hash()))
      const logged = parseLog(run.log!)
      const recorded = recording.steps.map(({ cell: hash, offset, op, left, exc }) => {
        const place = op.startsWith('implicit ') ? '' : `${toUpperHex(fromBase64(hash))}:${offset} `
        return `${place}${op}${exc === undefined ? ` left ${left}` : ''}`
      })
      assert.deepEqual(
        recorded,
        logged.map((line, k) => (recording.steps[k]?.exc ? line.split(' left')[0] : line)),
      )
      count++
    }
    if (count > 120) break
  }
  assert.ok(count > 60, `${count}`)
})

test('transactions of a block of the main network add up', async (t) => {
  const states = 'mainnet/accounts/block-71398501'
  if (!haveFixtures(t, states)) return
  const block = openBlock(decodeSingleBoc(readFixture('mainnet/blocks/mainnet/0_8000000000000000_71398501.boc')))
  const extra = openBlockExtra(block.extra)
  const context: RunContext = {
    config: decodeSingleBoc(readFixture('mainnet/configs/mainnet/config_20260513_b2c0d863.boc')),
    now: 0,
    randomSeed: extra.randSeed,
    previousBlocks: undefined,
    findLibrary: undefined,
  }
  const counts = { runs: 0, equal: 0, precompiled: 0, caught: 0, failed: 0, actions: 0 }
  for (const [address, { transactions }] of openAccountBlocks(extra).entries()) {
    const path = `${states}/0_${toHex(address)}.boc`
    const [first] = transactions.entries()
    if (!existsSync(fixturePath(path)) || first === undefined) continue
    const [lt, cell] = first
    const { inMsg, now } = readTransaction(openCell(cell))
    const call: TransactionCall = {
      account: readWhole(decodeSingleBoc(readFixture(path)), readShardAccount, 'A ShardAccount'),
      cause: { kind: 'message', message: inMsg! },
      lt,
      context: { ...context, now },
      ignoreSignatures: false,
      log: 'none',
    }
    const { run, recording } = await machine.recordTransaction(call, ALL)
    if (recording === undefined || run.kind !== 'executed') continue
    const name = toUpperHex(cell.hash())
    checkFacts(recording, name)
    counts.runs++
    if (run.transaction.hasHash(cell.hash())) counts.equal++
    const { description } = readTransaction(openCell(run.transaction))
    assert.ok(description.kind === 'ord' && description.computePhase.kind === 'vm', name)
    const { gasUsed, success, exitCode } = description.computePhase
    if (recording.precompiled) counts.precompiled++
    else assert.equal(Number(gasUsed), recording.gas.used, name)
    assert.equal(description.action?.totalActions ?? 0, success ? recording.actions.length : 0, name)
    // A contract may fail after it has committed, which is a success all the same.
    assert.equal(recording.failure === undefined, exitCode === 0 || exitCode === 1, name)
    assert.equal(recording.exit_code, exitCode, name)
    assert.equal(Math.max(...recording.summary.methods.map(({ total }) => total)), recording.gas.used, name)
    counts.caught += recording.throws.filter(({ caught }) => caught).length
    counts.actions += recording.actions.length
    if (!success) counts.failed++
  }
  // Eight need libraries that are not given here, and end otherwise than on chain.
  assert.deepEqual(counts, { runs: 26, equal: 18, precompiled: 5, caught: 2, failed: 8, actions: 14 })
})
