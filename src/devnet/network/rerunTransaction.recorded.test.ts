import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fixturePath } from '../../../test/support/fixtures.ts'
import { loadLocalnetStore } from '../../../test/support/localnetStore.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { fromHex } from '../../primitives/hex.ts'
import { TransactionNotFoundError } from './errors.ts'
import { rerunTransaction } from './rerunTransaction.ts'

type Recorded = {
  readonly hash: string
  readonly type: string
  readonly compute?: { readonly exit_code?: number; readonly vm_steps?: number } | null
}

test('recorded transactions are run again, with the log of as many steps as they took', async (t) => {
  const store = await loadLocalnetStore()
  const { machine: vm } = await createTestMachine(t, { workers: 1 })
  const lines = readFileSync(fixturePath('localnet/transactions.jsonl'), 'utf8').trim().split('\n')
  const recorded = lines.map((line) => JSON.parse(line) as Recorded)
  // A transaction of each type, and every fiftieth of all: some with a code of failure, some later ones of an account.
  const kinds = new Map(recorded.map((transaction) => [transaction.type, transaction]))
  const chosen = [...kinds.values(), ...recorded.filter((_, k) => k % 100 === 0)]
  for (const { hash, compute } of chosen) {
    const log = await rerunTransaction(store, vm, fromHex(hash))
    const steps = log.split('\n').filter((line) => line.startsWith('execute ')).length
    if (compute?.vm_steps !== undefined) assert.equal(steps, compute.vm_steps, hash)
  }
  await assert.rejects(rerunTransaction(store, vm, new Uint8Array(32)), (error) => {
    assert.ok(error instanceof TransactionNotFoundError)
    assert.match(error.message, /^Transaction 0{64} was not found in the masterchain blocks 1 to 400 /)
    return true
  })
})
