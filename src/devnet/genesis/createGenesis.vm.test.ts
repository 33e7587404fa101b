import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { amount, filled, internalMessage } from '../../../test/support/sampleMessages.ts'
import { callCode, codeOf, createTestMachine, sampleContext } from '../../../test/support/vmSamples.ts'
import type { TransactionCall } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { openMcStateExtra } from '../../codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import { compiledCode } from '../contracts/contractInit.ts'
import { createGenesis } from './createGenesis.ts'

const { machine, logLines } = await createTestMachine({ after })

const UTIME = 1_790_000_000
const accept = codeOf('F800')

const [master, base] = createGenesis({
  globalId: -217,
  utime: UTIME,
  validatorKey: filled(7),
  minSplit: 0,
  maxSplit: 0,
  configCode: compiledCode('config'),
  electorCode: compiledCode('elector'),
  accounts: [
    {
      address: { workchain: 0, hash: filled(2) },
      balance: amount(5_000_000_000n),
      init: { code: accept, data: emptyCell },
    },
  ],
}).zeroStates.map(({ root }) => openShardState(root)) as [ShardStateUnsplit, ShardStateUnsplit]

const context = sampleContext({
  config: openMcStateExtra(master.custom!).config.config.root as Cell,
  now: UTIME + 10,
})

const accountOf = ({ accounts }: ShardStateUnsplit, byte: number): ShardAccount =>
  openShardAccounts(accounts).find(filled(byte))!

const run = async (call: Pick<TransactionCall, 'account' | 'cause'>) => {
  const result = await machine.runTransaction({
    ...call,
    lt: 1_000_001n,
    context,
    ignoreSignatures: false,
    log: 'none',
  })
  assert.equal(result.kind, 'executed')
  if (result.kind !== 'executed') throw new Error('unreachable')
  const transaction = readTransaction(openCell(result.transaction))
  return { transaction, account: result.account, compute: computeOf(transaction) }
}

const computeOf = ({ description }: Transaction) => {
  if (description.kind !== 'ord' && description.kind !== 'tick_tock')
    throw new Error('No such transaction was asked for.')
  if (description.computePhase.kind !== 'vm') throw new Error('The contract should have run.')
  const { success, gasFees, gasLimit } = description.computePhase
  return { success, gasFees, gasLimit }
}

test('a message to an account that is there from the start costs what the main network asks for', async () => {
  const message = internalMessage({ value: amount(1_000_000_000n), createdLt: 5n })
  const { transaction, account, compute } = await run({
    account: accountOf(base, 2),
    cause: { kind: 'message', message },
  })
  assert.deepEqual(compute, { success: true, gasFees: 6_667n, gasLimit: 1_000_000n })
  assert.equal(transaction.totalFees.grams, 6_667n)
  const now = openAccount(account.account)
  assert.equal(now.kind === 'account' ? now.balance.grams : 0n, 5_999_993_333n)
})

for (const { name, byte, kind } of [
  { name: 'elector', byte: 0x33, kind: 'tick' },
  { name: 'configuration contract', byte: 0x55, kind: 'tock' },
] as const) {
  test(`the ${name} gets its ${kind} and pays nothing`, async () => {
    const { transaction, compute } = await run({ account: accountOf(master, byte), cause: { kind } })
    assert.deepEqual(compute, { success: true, gasFees: 0n, gasLimit: 70_000_000n })
    assert.equal(transaction.totalFees.grams, 0n)
  })
}

test('code learns which network it is on', async () => {
  const { exitCode, stack } = await machine.runMethod(callCode('30 F835', { context }))
  assert.deepEqual({ exitCode, stack }, { exitCode: 0, stack: [{ kind: 'int', value: -217n }] })
})

test('the machine knows all rules of the network', () => {
  assert.deepEqual(logLines, [])
})
