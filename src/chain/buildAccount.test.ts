import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocalnetZeroStates } from '../../test/support/localnetStore.ts'
import { replayLocalnet } from '../../test/support/replayLocalnet.ts'
import { amount, filled, marker } from '../../test/support/sampleMessages.ts'
import { toPlain } from '../../test/support/toPlain.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { type AccountState, type ExistingAccount, openAccount } from '../codec/tlb/Account.ts'
import { openShardAccounts } from '../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../codec/tlb/ShardState.ts'
import { toHex } from '../primitives/hex.ts'
import { buildAccount } from './buildAccount.ts'

const openExisting = (cell: Cell): ExistingAccount => {
  const account = openAccount(cell)
  assert.equal(account.kind, 'account')
  return account as ExistingAccount
}

const rebuild = (account: ExistingAccount): ExistingAccount => {
  const { address, balance, state, lastTransLt, storage } = account
  assert.equal(address.kind, 'std')
  if (address.kind !== 'std') throw new Error('unreachable')
  const { lastPaid, duePayment } = storage
  return openExisting(buildAccount({ address, balance, state, lastTransLt, lastPaid, duePayment }))
}

const active = (code: Cell, data: Cell): AccountState => ({
  kind: 'active',
  init: { fixedPrefixLength: undefined, special: undefined, code, data, library: undefined },
})

const twice = new CellWriter().writeRef(marker(1)).writeRef(marker(1)).toCell()

// lt 64, grams 4 + 8 (5 nanograms), no extra currencies 1: 77 bits before the state.
for (const { name, state, used } of [
  { name: 'uninit', state: { kind: 'uninit' } as const, used: { cells: 1n, bits: 79n } },
  { name: 'frozen', state: { kind: 'frozen', stateHash: filled(4) } as const, used: { cells: 1n, bits: 335n } },
  { name: 'active', state: active(marker(1), marker(2)), used: { cells: 3n, bits: 83n + 64n } },
  { name: 'active with shared cells', state: active(twice, marker(1)), used: { cells: 3n, bits: 83n + 32n } },
]) {
  test(`the size of an account that is ${name}, without its extra currencies`, () => {
    for (const balance of [amount(5n), amount(5n, [[7, 1000n]])]) {
      const parts = { address: { workchain: 0, hash: filled(2) }, balance, state, lastTransLt: 9n, lastPaid: 11 }
      assert.deepEqual(toPlain(openExisting(buildAccount(parts))), {
        kind: 'account',
        address: { kind: 'std', workchain: 0, hash: toHex(filled(2)), anycast: undefined },
        storage: { used, dictHash: undefined, lastPaid: 11, duePayment: undefined },
        lastTransLt: 9n,
        balance: toPlain(balance),
        state: toPlain(state),
      })
    }
  })
}

test('accounts of a recorded network have the size that we count', () => {
  const counts = { accounts: 0, withExtraCurrencies: 0, withDictHash: 0, uninit: 0 }
  const seen = new Set<string>()
  const check = (accounts: Cell): void =>
    openShardAccounts(accounts).forEach((_, { account: cell }) => {
      const hash = toHex(cell.hash())
      if (seen.has(hash)) return
      seen.add(hash)
      const account = openExisting(cell)
      assert.deepEqual(
        toPlain({ ...rebuild(account).storage, dictHash: account.storage.dictHash }),
        toPlain(account.storage),
      )
      counts.accounts++
      if (!account.balance.extra.isEmpty) counts.withExtraCurrencies++
      if (account.storage.dictHash !== undefined) counts.withDictHash++
      if (account.state.kind === 'uninit') counts.uninit++
    })
  for (const { root } of readLocalnetZeroStates()) {
    const state = openShardState(root)
    if (state.kind === 'unsplit') check(state.accounts)
  }
  for (const { after } of replayLocalnet()) check(after.accounts)
  assert.deepEqual(counts, { accounts: 1821, withExtraCurrencies: 343, withDictHash: 6, uninit: 8 })
})
