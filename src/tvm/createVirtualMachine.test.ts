import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { address, amount, externalMessage, filled, internalMessage } from '../../test/support/sampleMessages.ts'
import {
  accountWith,
  callCode,
  codeOf,
  configContract,
  createTestMachine,
  largeParam,
  libraryReference,
  sampleContext,
  sampleVmConfig,
} from '../../test/support/vmSamples.ts'
import type { TransactionCall } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { CellError } from '../codec/cell/errors.ts'
import { accountNoneCell, openAccount } from '../codec/tlb/Account.ts'
import { listOutMsgs, readTransaction } from '../codec/tlb/Transaction.ts'
import type { VmValue } from '../codec/tlb/VmValue.ts'
import { bytesToBigint } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { VmInputError, VmResultError } from './errors.ts'
import { NOTHING_READ } from './runs.ts'

const { machine, logLines } = await createTestMachine({ after })

const int = (value: bigint): VmValue => ({ kind: 'int', value })

describe('get-methods', () => {
  test('a method gets its arguments and its number, and leaves its results', async () => {
    // ADD: number of the method on top of the last argument.
    const run = await machine.runMethod(callCode('A0', { stack: [int(7n), int(40n)], methodId: 2 }))
    assert.deepEqual(run, {
      exitCode: 0,
      gasUsed: 23,
      stack: [int(7n), int(42n)],
      log: undefined,
      dependsOnBlock: false,
      reads: NOTHING_READ,
      loadedCells: undefined,
    })
  })

  for (const { name, hex, expected } of [
    { name: 'the time', hex: 'F823', expected: 1_700_000_000n },
    { name: 'the random seed', hex: 'F826', expected: bytesToBigint(filled(7)) },
    { name: 'its balance', hex: 'F827 6F10', expected: 1_000_000_000_000n },
    { name: 'an extra currency', hex: '77 F880', expected: 5n },
    { name: 'another extra currency', hex: '79 F880', expected: 6n },
    { name: 'a currency it has none of', hex: '78 F880', expected: 0n },
    { name: 'the network', hex: 'F835', expected: -777n },
    { name: 'its own code', hex: 'F82A F900', expected: undefined },
  ]) {
    test(`code can ask for ${name}`, async () => {
      const call = callCode(`30 ${hex}`, {
        contract: {
          balance: amount(1_000_000_000_000n, [
            [7, 5n],
            [8, 0n],
            [9, 6n],
          ]),
        },
      })
      const { stack, exitCode } = await machine.runMethod(call)
      assert.equal(exitCode, 0)
      assert.deepEqual(stack, [int(expected ?? bytesToBigint(call.contract.code.hash()))])
    })
  }

  test('a short method is run at once, with the same result', async () => {
    const call = callCode('A0', { stack: [int(7n), int(40n)], methodId: 2 })
    assert.deepEqual(machine.runShortMethod(call), await machine.runMethod(call))
    // A loop of ten thousand steps, and code that needs a library, are left to others; so is what has taken long before.
    const code = libraryReference(filled(1))
    for (const long of [callCode('30 812710 91 70 E4'), callCode('', { contract: { code } })]) {
      assert.equal(machine.runShortMethod(long), undefined)
      assert.equal(machine.runShortMethod({ ...long, gasLimit: 100 }), undefined)
    }
  })

  test('an exception is a result: its code and what it left', async () => {
    const { exitCode, stack } = await machine.runMethod(callCode('30 F221'))
    assert.deepEqual({ exitCode, stack }, { exitCode: 33, stack: [int(0n)] })
  })

  test('an endless loop ends when its gas does', async () => {
    const { exitCode, gasUsed } = await machine.runMethod(callCode('30 90 EA', { gasLimit: 10_000 }))
    assert.deepEqual({ exitCode, gasUsed }, { exitCode: -14, gasUsed: 10_004 })
  })

  test('the log comes when asked for, short or with the stack', async () => {
    const steps = await machine.runMethod(callCode('30 71', { log: 'steps' }))
    assert.equal(steps.log, 'execute DROP\nexecute PUSHINT 1\nexecute implicit RET\n')
    const stack = await machine.runMethod(callCode('30 71', { log: 'stack' }))
    assert.match(stack.log ?? '', /^stack: \[ 0 \] $/m)
    assert.match(stack.log ?? '', /^gas remaining: 299982$/m)
  })

  test('a log is bounded, and says what is left out', async () => {
    const endless = [
      ['nothing at all', 'steps', '90 EA'],
      ['the stack', 'stack', '91 70 EA'],
      ['one tuple in another', 'stack', '6D 92 6F01 EA'],
      ['a tuple twice in the next', 'stack', '71 93 20 6F02 EA'],
    ] as const
    const logs = new Map<string, string>()
    for (const [name, detail, hex] of endless) {
      // It fails where it takes more than the time of a run.
      const { exitCode, log = '' } = await machine.runMethod(callCode(hex, { gasLimit: 1_000_000, log: detail }))
      assert.equal(exitCode, -14, name)
      assert.ok(log.length > 1 << 20 && log.length < 1 << 21, `${name}: ${log.length} characters`)
      assert.match(log, /^\.\.\. \(truncated\)\n[a-z]+/, name)
      assert.match(log.slice(-200), /\nunhandled out-of-gas exception: gas consumed=\d+, limit=1000000\n$/, name)
      logs.set(name, log)
    }
    // Of a stack that is too long the top is shown.
    assert.match(logs.get('the stack')!.slice(-20_000), /^stack: \[ \.\.\.( 0)+ \] $/m)
  })

  test('long lists come back whole', async () => {
    // NULL, then 1000 times: 1, SWAP, PAIR. Lists of this kind are nested as deep as they are long.
    const run = await machine.runMethod(callCode('30 6D 8103E8 94 7101 6F02 E4', { gasLimit: 1_000_000 }))
    let length = 0
    for (let [at] = run.stack; at?.kind === 'tuple'; at = at.items[1]) length++
    assert.deepEqual(
      { exitCode: run.exitCode, entries: run.stack.length, length },
      { exitCode: 0, entries: 1, length: 1000 },
    )
    const wide = await machine.runMethod(callCode('30 8103E8 91 70 E4', { gasLimit: 1_000_000 }))
    assert.equal(wide.stack.length, 1000)
  })

  test('a stack too large to hand back is an error of its own', async () => {
    await assert.rejects(machine.runMethod(callCode('30 817530 91 70 E4', { gasLimit: 1_000_000 })), VmResultError)
    // As deep as the gas of a transaction can buy.
    await assert.rejects(machine.runMethod(callCode('30 6D 817530 92 6F01 E4', { gasLimit: 1_000_000 })), VmResultError)
  })
})

describe('the configuration', () => {
  const large = largeParam()
  const config = sampleVmConfig({ more: [[34, large]] })
  const context = sampleContext({ config })
  const rootHash = bytesToBigint(config.hash())
  const paramHash = bytesToBigint(large.hash())
  for (const { name, hex, expected } of [
    { name: 'CONFIGROOT', hex: 'F829 F900', expected: rootHash },
    { name: 'CONFIGDICT', hex: 'F830 30 F900', expected: rootHash },
    { name: 'GETPARAMLONG', hex: 'F88109 F900', expected: rootHash },
    { name: 'CONFIGPARAM', hex: '8022 F832 30 F900', expected: paramHash },
    { name: 'CONFIGOPTPARAM', hex: '8022 F833 F900', expected: paramHash },
    { name: 'PUSH c7', hex: 'ED47 6F10 6F19 F900', expected: rootHash },
    { name: 'PUSHCTRX', hex: '77 EDE0 6F10 6F19 F900', expected: rootHash },
    { name: 'GETGLOBVAR', hex: '70 F840 6F19 F900', expected: rootHash },
    { name: 'nothing of it', hex: '71', expected: 1n },
    { name: 'what every configuration has', hex: 'F82E 6F88', expected: 7n },
  ]) {
    test(`code that reads it by ${name} sees all of it, at first and later`, async () => {
      for (let time = 0; time < 2; time++) {
        const run = await machine.runMethod(callCode(`30 ${hex}`, { context }))
        assert.deepEqual(run.stack, [int(expected)])
      }
    })
  }

  test('many configurations take turns in one thread', async () => {
    const runs = Array.from({ length: 24 }, async (_, k) => {
      const id = k % 6
      const taken = sampleContext({ config: sampleVmConfig({ more: [[99, codeOf(`0${id}`)]] }) })
      const { stack } = await machine.runMethod(callCode('30 8063 F833 D0 D70B07', { context: taken }))
      assert.deepEqual(stack, [int(BigInt(id))])
      const executed = await machine.runTransaction(deploy({ context: taken }))
      assert.equal(executed.kind, 'executed')
    })
    await Promise.all(runs)
  })

  test('one that is none is refused, and the thread lives on', async () => {
    const broken = sampleContext({ config: new CellWriter().writeUint(5, 8).toCell() })
    await assert.rejects(machine.runMethod(callCode('30 71', { context: broken })), CellError)
    const halfEmpty = sampleContext({ config: sampleVmConfig({ version: 13 }) })
    assert.equal((await machine.runMethod(callCode('30 71', { context: halfEmpty }))).exitCode, 0)
  })

  test('a newer network is told of once', async () => {
    const newer = sampleContext({ config: sampleVmConfig({ version: 16 }) })
    const newerToo = sampleContext({ config: sampleVmConfig({ version: 16, more: [[99, codeOf('00')]] }) })
    for (const taken of [newer, newerToo, newer]) await machine.runMethod(callCode('30 71', { context: taken }))
    assert.equal(logLines.length, 1)
    const { level, message, version } = JSON.parse(logLines[0] ?? '') as Record<string, unknown>
    assert.deepEqual({ level, message, version }, { level: 'warn', message: 'newer network', version: 16 })
  })
})

describe('libraries', () => {
  const library = codeOf('71 72')
  const outer = new CellWriter().writeUint(1, 8).writeRef(libraryReference(library.hash())).toCell()
  const findLibrary = (hash: Uint8Array): Cell | undefined => [library, outer].find((cell) => cell.hasHash(hash))

  test('code may be a library, and libraries may refer to others', async () => {
    const code = libraryReference(library.hash())
    const run = await machine.runMethod(callCode('', { contract: { code }, context: sampleContext({ findLibrary }) }))
    assert.deepEqual(run.stack, [int(0n), int(1n), int(2n)])
    // From c4: outer, through it the first one.
    const through = await machine.runMethod(
      callCode('30 ED44 D0 D4 30 D0 D307 31 D4 30 D0 D70B07', {
        contract: { data: new CellWriter().writeRef(libraryReference(outer.hash())).toCell() },
        context: sampleContext({ findLibrary }),
      }),
    )
    assert.deepEqual(through.stack, [int(0x71n)])
  })

  test('one that the code makes up on the way is found too', async () => {
    // Builds the reference from the hash in its data: NEWC, 2 STU 8, c4 slice, STSLICER, TRUE, ENDXC, CTOS, PLDU 8.
    const call = callCode('30 72 C8 CB07 ED44 D0 CF16 7F CF23 D0 D70B07', {
      contract: { data: new CellWriter().writeBytes(library.hash()).toCell() },
      context: sampleContext({ findLibrary }),
    })
    const run = await machine.runMethod({ ...call, log: 'steps' })
    assert.deepEqual({ exitCode: run.exitCode, stack: run.stack }, { exitCode: 0, stack: [int(0x71n)] })
    const without = await machine.runMethod({ ...call, context: sampleContext() })
    assert.equal(without.exitCode, 9)
  })

  test('a transaction does not see those of the one before', async () => {
    const account = accountWith({ code: libraryReference(codeOf('F800').hash()) })
    const find = (hash: Uint8Array): Cell | undefined => (codeOf('F800').hasHash(hash) ? codeOf('F800') : undefined)
    const codes: (number | undefined)[] = []
    for (const context of [sampleContext({ findLibrary: find }), sampleContext()]) {
      const run = await machine.runTransaction(deploy({ account, context }))
      assert.equal(run.kind, 'executed')
      codes.push(run.kind === 'executed' ? exitCodeOf(run.transaction) : undefined)
    }
    assert.deepEqual(codes, [0, 9])
  })
})

const deploy = (more: Partial<TransactionCall> = {}): TransactionCall => ({
  account: accountWith({ code: codeOf('F800') }),
  cause: { kind: 'message', message: internalMessage({ value: amount(1_000_000_000n) }) },
  lt: 2_000_001n,
  context: sampleContext(),
  ignoreSignatures: false,
  log: 'none',
  ...more,
})

const exitCodeOf = (transaction: Cell): number | undefined => {
  const { description } = readTransaction(openCell(transaction))
  if (description.kind !== 'ord' || description.computePhase.kind !== 'vm') return undefined
  return description.computePhase.exitCode
}

describe('transactions', () => {
  test('a message makes a transaction and a new account', async () => {
    const run = await machine.runTransaction(deploy({ log: 'steps' }))
    assert.equal(run.kind, 'executed')
    if (run.kind !== 'executed') return
    const transaction = readTransaction(openCell(run.transaction))
    assert.equal(transaction.lt, 2_000_001n)
    assert.equal(transaction.now, 1_700_000_000)
    assert.equal(transaction.prevTransLt, 1_000_000n)
    assert.deepEqual(transaction.prevTransHash, filled(9))
    assert.deepEqual(run.account.lastTransHash, run.transaction.hash())
    assert.equal(run.account.lastTransLt, 2_000_001n)
    const account = openAccount(run.account.account)
    assert.ok(account.kind === 'account')
    assert.equal(account.balance.grams, 6_000_000_000n - transaction.totalFees.grams)
    assert.deepEqual(run.account.account.hash(), transaction.stateUpdate.newHash)
    assert.equal(run.log, 'execute ACCEPT\nchanging gas limit to 1000000\nexecute implicit RET\n')
    assert.equal(exitCodeOf(run.transaction), 0)
    assert.equal(listOutMsgs(transaction).length, 0)
  })

  test('equal inputs make equal transactions', async () => {
    const hashes = new Set<string>()
    for (let k = 0; k < 3; k++) {
      const run = await machine.runTransaction(deploy())
      hashes.add(run.kind === 'executed' ? toHex(run.transaction.hash()) : '')
    }
    assert.equal(hashes.size, 1)
    assert.ok(!hashes.has(''))
  })

  test('an account that is not there becomes one with a balance', async () => {
    const account = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
    const run = await machine.runTransaction(deploy({ account }))
    assert.ok(run.kind === 'executed')
    const made = openAccount(run.account.account)
    assert.ok(made.kind === 'account')
    assert.deepEqual([made.state.kind, made.balance.grams], ['uninit', 1_000_000_000n])
  })

  test('an external message that is not accepted leaves no transaction, but says why', async () => {
    const run = await machine.runTransaction(
      deploy({
        account: accountWith({ code: codeOf('F221') }),
        cause: { kind: 'message', message: externalMessage() },
      }),
    )
    assert.deepEqual(run, {
      kind: 'notAccepted',
      exitCode: 33,
      steps: 1,
      reason: 'External message not accepted by smart contract',
      log: 'execute THROW 33\ndefault exception handler, terminating vm with exit code 33\n',
    })
  })

  test('ticks and tocks run, and cost special contracts nothing', async () => {
    const at = { workchain: -1, hash: filled(0x66) }
    const account = accountWith({ code: codeOf('F800'), special: { tick: true, tock: true } }, at)
    const context = sampleContext({ config: sampleVmConfig({ special: [at.hash] }) })
    for (const kind of ['tick', 'tock'] as const) {
      const run = await machine.runTransaction(deploy({ account, cause: { kind }, context }))
      assert.ok(run.kind === 'executed')
      const { description, totalFees } = readTransaction(openCell(run.transaction))
      assert.ok(description.kind === 'tick_tock')
      assert.deepEqual([description.isTock, totalFees.grams], [kind === 'tock', 0n])
    }
  })

  test('the configuration contract is special without being listed, and no other', async () => {
    const fees = await Promise.all(
      [configContract, filled(0x77)].map(async (hash) => {
        const account = accountWith(
          { code: codeOf('F800'), special: { tick: true, tock: false } },
          { workchain: -1, hash },
        )
        const run = await machine.runTransaction(deploy({ account, cause: { kind: 'tick' } }))
        assert.ok(run.kind === 'executed')
        return readTransaction(openCell(run.transaction)).totalFees.grams
      }),
    )
    assert.equal(fees[0], 0n)
    assert.ok(fees[1] !== undefined && fees[1] > 0n)
  })
})

describe('input that cannot be run', () => {
  const message = internalMessage({ value: amount(1n) })
  for (const { name, call, error } of [
    { name: 'a time of zero', call: { context: sampleContext({ now: 0 }) }, error: VmInputError },
    { name: 'a short seed', call: { context: sampleContext({ randomSeed: filled(1).slice(1) }) }, error: VmInputError },
    { name: 'an lt of zero', call: { lt: 0n }, error: VmInputError },
    {
      name: 'an account that is none',
      call: { account: { account: message, lastTransHash: filled(0), lastTransLt: 0n } },
      error: CellError,
    },
    {
      name: 'a message that is none',
      call: { cause: { kind: 'message', message: emptyCell } as const },
      error: CellError,
    },
    {
      name: 'a message to another account',
      call: { account: accountWith({ code: codeOf('F800') }, address(0, 3)) },
      error: VmInputError,
    },
    {
      name: 'a tick without an account',
      call: {
        account: { account: accountNoneCell, lastTransHash: filled(0), lastTransLt: 0n },
        cause: { kind: 'tick' } as const,
      },
      error: VmInputError,
    },
  ]) {
    test(`${name} is refused, and the next run is not`, async () => {
      await assert.rejects(machine.runTransaction(deploy(call)), error)
      assert.equal((await machine.runTransaction(deploy())).kind, 'executed')
    })
  }

  test('so is a get-method with a number, a gas limit or a balance out of range', async () => {
    for (const call of [
      callCode('30', { methodId: 2 ** 31 }),
      callCode('30', { gasLimit: 0 }),
      callCode('30', { gasLimit: 1.5 }),
      callCode('30', { contract: { balance: amount(1n << 64n) } }),
    ]) {
      await assert.rejects(machine.runMethod(call), VmInputError)
    }
  })
})
