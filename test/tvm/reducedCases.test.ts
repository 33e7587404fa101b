import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { fault, TYPE_CHECK } from '../../src/tvm/machine/faults.ts'
import type { RunObserver } from '../../src/tvm/machine/Vm.ts'
import { repository } from '../support/childScript.ts'
import { type DifferenceClass, DifferenceClasses, readClasses } from '../support/vmClasses.ts'
import { versionOf } from '../support/vmContext.ts'
import { olderConfig } from '../support/vmKnownErrors.ts'
import { EmulatorOracle, type VmOracle } from '../support/vmOracles.ts'
import { Random } from '../support/vmPrograms.ts'
import { toProgram } from '../support/vmReducer.ts'
import { compareReply, type VmRequest, VmRequests } from '../support/vmRequests.ts'
import { codeOf, sampleVmConfig } from '../support/vmSamples.ts'
import { readTransactionClasses, TransactionClasses } from '../support/vmTransactionClasses.ts'
import { EMULATED_TRANSACTIONS } from '../support/vmTransactionReducer.ts'
import { TransactionMaker } from '../support/vmTransactions.ts'

const text = (cell: Cell): string => Buffer.from(encodeBoc([cell])).toString('base64')

/** What campaigns found, cut down to the code that shows it; judged by the source of the reference. */
const cases: readonly { readonly name: string; readonly hex: string; readonly stack: readonly string[] }[] = [
  {
    name: 'ROLLREV moves the top below the others, not one above',
    // 1 2 3 4 5, ROLLREV 3.
    hex: '71 72 73 74 75 73 62',
    stack: ['1', '5', '2', '3', '4'],
  },
  // Points of BLS12-381: a result that is the point at infinity is written like the constant. Each ends with SDEQ.
  { name: 'BLS_G1_NEG of zero', hex: 'F93015 F93012 F93015 C705', stack: ['-1'] },
  { name: 'BLS_G2_NEG of zero', hex: 'F93025 F93022 F93025 C705', stack: ['-1'] },
  {
    name: 'BLS_G1_SUB of a point from itself',
    // 48 bytes of zeros, BLS_MAP_TO_G1, DUP, BLS_G1_SUB.
    hex: '70 C8 CBFF 70 01 CB7F C9 D0 F93016 20 F93011 F93015 C705',
    stack: ['-1'],
  },
  // QLSHIFT of zero: 259 bits are within five words of 52 bits, 260 are not.
  { name: 'zero shifted within five words', hex: '70 810103 B7AC', stack: ['0'] },
  { name: 'zero shifted beyond five words', hex: '70 810104 B7AC', stack: ['NaN'] },
]

for (const { name, hex, stack } of cases) {
  test(name, () => {
    const reply = new VmRequests().run({ kind: 'code', version: 15, code: text(codeOf(hex)) })
    assert.deepEqual([reply['exitCode'], reply['stackText']], [0, stack])
  })
}

// PUSHINT 0, PUSHSLICE of nothing, RUNVM. The run inside ends with an implicit return, which costs 5.
for (const { name, hex, limit, gasUsed, steps } of [
  { name: 'the run inside uses up the gas', hex: '70 8B08 DB4000', limit: 116, gasUsed: 117, steps: 6 },
  {
    // A CHKSIGNU of 512 zero bits before, which is free until RUNVM isolates gas.
    name: 'the gas that was free is more than is left',
    hex: '70 70 C8 CBFF 70 01 CBFF C9 D0 70 F910 30 70 8B08 DB4080',
    limit: 1500,
    gasUsed: 4954,
    steps: 16,
  },
]) {
  test(`RUNVM ends the outer run at once where ${name}`, () => {
    const gas = { limit, max: limit, credit: 0 }
    const reply = new VmRequests().run({ kind: 'code', version: 13, code: text(codeOf(hex)), gas })
    assert.deepEqual([reply['exitCode'], reply['gasUsed'], reply['steps']], [-14, gasUsed, steps])
  })
}

test('SENDMSG takes fees that are not in the shortest form for none', () => {
  const address = (w: CellWriter): CellWriter =>
    w.writeUint(4, 3).writeInt(0, 8).writeBytes(new Uint8Array(32).fill(0x42))
  const message = address(new CellWriter().writeUint(0b001000, 6))
    .writeCoins(5n)
    .writeBit(false)
    // Extra flags: a byte of zeros; forward fee: zero before one.
    .writeUint(0x100, 12)
    .writeUint(0x20001, 20)
    .writeUint64(0n)
    .writeUint(0, 32)
    .writeUint(0, 2)
    .toCell()
  // DROP; PUSHREF of the message; PUSHINT 1024, the fee alone; SENDMSG.
  const code = codeOf('30888104 00FB08'.replaceAll(' ', ''), message)
  const reply = new VmRequests().run({
    kind: 'method',
    config: text(sampleVmConfig({ version: 13 })),
    code: text(code),
    data: text(emptyCell),
    methodId: 0,
    address: `0:${'42'.repeat(32)}`,
    now: 1_700_000_000,
  })
  assert.deepEqual([reply['exitCode'], reply['stackText']], [0, ['400000']])
})

// Differences from another implementation that scripts/vmCampaign.ts --reduce came down to; decision 22 lists the kinds.
const DIFFERENCES = join(repository, 'test/tvm/reducedDifferences.jsonl.gz')

const nameOf = ({ instructions, versions, fields }: DifferenceClass): string =>
  `${instructions}, versions ${versions}, ${fields.join()}`

test('programs on which another implementation differs end as they were judged', async () => {
  const machine = new VmRequests()
  const emulator = await EmulatorOracle.open()
  const classes = readClasses(DIFFERENCES)
  for (const each of classes) {
    const { request, theirs, verdict } = each
    const expect = request.expect ?? {}
    assert.deepEqual(compareReply(machine.run(request), expect), [], nameOf(each))
    assert.notDeepEqual(compareReply(theirs, expect), [], nameOf(each))
    if (verdict === 'source') continue
    assert.equal(verdict, 'ours', nameOf(each))
    const [answer] = await emulator.answer([request])
    assert.deepEqual(answer, expect, nameOf(each))
  }
  assert.ok(classes.length > 100)
})

// The same for transactions: a case for each set of fields that differ and each judgement, made smaller where that could be done.
const TRANSACTIONS = join(repository, 'test/tvm/reducedTransactions.jsonl.gz')

test('transactions on which another implementation differs come out as they were judged', async () => {
  const machine = new VmRequests()
  const emulator = await EmulatorOracle.open()
  const classes = readTransactionClasses(TRANSACTIONS)
  for (const { request, theirs, verdict, reason, fields } of classes) {
    const name = `${verdict}, ${reason}: ${fields.join()}`
    const expect = request.expect ?? {}
    assert.deepEqual(compareReply(machine.run(request), expect), [], name)
    assert.notDeepEqual(compareReply(theirs, expect), [], name)
    if (verdict === 'source') assert.ok(reason, name)
    else {
      assert.equal(verdict, 'ours', name)
      const [answer] = await emulator.answer([request])
      assert.deepEqual(compareReply(answer ?? {}, expect), [], name)
      assert.ok(answer, name)
    }
  }
  assert.ok(classes.length > 50)
})

test('a transaction is reduced to the actions that show the difference, by rules that the judge knows', async () => {
  // An executor that takes all for version 9.
  const machine = new VmRequests()
  const wrong: VmOracle = {
    name: 'wrong executor',
    newestVersion: 15,
    answer: async (requests) =>
      requests.map((request) => {
        const changed = { ...request, config: olderConfig(request.config!, 9) }
        const result = machine.execute(changed)
        return {
          ...machine.run(changed),
          transaction: result.kind === 'executed' ? text(result.transaction) : undefined,
        }
      }),
    close: () => {},
  }
  const classes = new TransactionClasses(wrong, await EmulatorOracle.open())
  const maker = new TransactionMaker(new Random(17), 15)
  const configs = new Map<string, string>()
  for (let k = 0; k < 60; k++) {
    const { configKey, ...request } = maker.request()
    if (configKey !== undefined && request.config !== undefined) configs.set(configKey, request.config)
    const config = request.config ?? configs.get(configKey ?? '')!
    const whole = { ...request, config }
    if (compareReply(machine.run(whole), (await wrong.answer([whole]))[0]!).length > 0) await classes.add(whole)
  }
  assert.deepEqual(classes.unreduced, [])
  const judged = classes.all.filter(({ verdict }) => verdict === 'ours')
  assert.ok(judged.length > 3, JSON.stringify(classes.all.map(({ verdict, fields }) => [verdict, fields])))
  for (const { request } of judged) assert.ok(versionOf(request.config!) <= EMULATED_TRANSACTIONS)
})

/** Our machine with an error: `err` may change what it sees before each step, or raise an exception. */
const wrongMachine = (err: RunObserver['step']): VmOracle => {
  const machine = new VmRequests({ step: err, fault: () => {} })
  return {
    name: 'wrong machine',
    newestVersion: 15,
    answer: async (requests) => requests.map((request) => machine.run(request)),
    close: () => {},
  }
}

// A loop of three rounds and a second cell around what differs: PUSHINT 3, PUSHCONT { PUSHINT 5; 21; MUL; NEWC; 8 STU; ENDC }, REPEAT.
const LONG: VmRequest = {
  kind: 'code',
  code: text(codeOf('73 98 75 8015 A8 C8 CB07 C9 E4 7172', codeOf('76 77 6F02'))),
}

const reduceAgainst = async (versions: readonly number[], err: RunObserver['step']): Promise<DifferenceClass> => {
  const classes = new DifferenceClasses(wrongMachine(err), await EmulatorOracle.open())
  await classes.add(versions.map((version) => ({ ...LONG, version })))
  assert.deepEqual(classes.unreduced, [])
  assert.equal(classes.all.length, 1)
  return classes.all[0]!
}

test('a difference in a value is reduced to the instruction and the operands that show it', async () => {
  const found = await reduceAgainst([15, 9], (vm, word) => {
    const top = vm.stack.length - 1
    // MUL takes 21 and more for one more.
    if (word >> 16 === 0xa8 && Number(vm.stack[top]) >= 21) vm.stack[top] = Number(vm.stack[top]) + 1
  })
  assert.deepEqual(
    [found.instructions, found.versions, found.fields, found.exitCodes, found.count, found.verdict],
    ['MUL', '0–15', ['stackText'], [0, 0], 2, 'ours'],
  )
  assert.deepEqual(toProgram(found.request).stack, [1, 21])
  assert.deepEqual([found.request.expect?.['stackText'], found.theirs['stackText']], [['21'], ['22']])
})

test('a difference in the exit code is reduced to the instruction that fails, by the versions in which it does', async () => {
  const found = await reduceAgainst([9], (vm, word) => {
    // NEWC fails up to version 9.
    if (word >> 16 === 0xc8 && vm.version <= 9) fault(TYPE_CHECK)
  })
  assert.deepEqual(
    [found.instructions, found.versions, found.fields, found.exitCodes, found.count, found.verdict],
    ['NEWC', '0–9', ['exitCode'], [0, 7], 1, 'ours'],
  )
})
