import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadAccount } from '@ton/core'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { LIBRARY_REFERENCE } from '../../src/codec/cell/exotic.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import type { Account } from '../../src/codec/tlb/Account.ts'
import { readShardAccount, type ShardAccount, writeShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { toCoreCell } from '../support/coreCell.ts'
import { haveFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { Tally } from '../support/rewriteBlock.ts'
import { assertSameCell, rewriteAccount } from '../support/rewriteState.ts'

type AccountEntry = {
  readonly file: string
  readonly address: string
  readonly status: 'active' | 'frozen' | 'uninit' | 'nonexist'
  readonly balance?: string
  readonly last_trans_lt_in_storage?: string
  readonly last_paid?: number
  readonly used?: { readonly cells: string; readonly bits: string }
  readonly extra_currencies?: readonly [number, string][]
  readonly code_hash?: string
  readonly data_hash?: string
  readonly code_boc_is_library?: boolean
  readonly libraries?: number
  readonly special?: { readonly tick: boolean; readonly tock: boolean }
  readonly account_hash: string
  readonly form: 'account' | 'shard_account'
  readonly root_hash: string
  readonly last_trans_hash?: string
  readonly last_trans_lt?: string
  readonly due_payment?: string
  readonly frozen_hash?: string
}

const folder = 'mainnet/accounts'
const misjudged = 'block-71398501/0_5623c5df4b8e7e7c43b9b04b4cc71067b067281f26988ef462e5698c2f4c0b0c.boc'

const hashOf = (cell: Cell | undefined): string | undefined => (cell === undefined ? undefined : toHex(cell.hash()))

/** What we read, in the words of the index. */
const describe = (account: Account, shardAccount: ShardAccount | undefined): Partial<AccountEntry> => {
  assert(account.kind === 'account')
  const { address, storage, lastTransLt, balance, state } = account
  assert(address.kind === 'std')
  const init = state.kind === 'active' ? state.init : undefined
  const libraries = init?.library && new Dict(simpleLibsType, init.library).entries().length
  return {
    address: formatRawAddress(address),
    status: state.kind,
    balance: String(balance.grams),
    last_trans_lt_in_storage: String(lastTransLt),
    last_paid: storage.lastPaid,
    used: { cells: String(storage.used.cells), bits: String(storage.used.bits) },
    ...(balance.extra.isEmpty
      ? {}
      : { extra_currencies: balance.extra.entries().map(([id, amount]) => [id, String(amount)] as const) }),
    ...(init && {
      code_hash: hashOf(init.code)!,
      data_hash: hashOf(init.data)!,
      code_boc_is_library: init.code?.exoticType === LIBRARY_REFERENCE,
    }),
    ...(libraries === undefined ? {} : { libraries }),
    ...(init?.special && { special: init.special }),
    ...(storage.duePayment === undefined ? {} : { due_payment: String(storage.duePayment) }),
    ...(state.kind === 'frozen' ? { frozen_hash: toHex(state.stateHash) } : {}),
    ...(shardAccount && {
      last_trans_hash: toHex(shardAccount.lastTransHash),
      last_trans_lt: String(shardAccount.lastTransLt),
    }),
  } as Partial<AccountEntry>
}

/** The part of an index entry that describes the account. */
const expected = (entry: AccountEntry): Partial<AccountEntry> => {
  const fields = [
    'file',
    'form',
    'account_hash',
    'root_hash',
    'network',
    'friendly',
    'source',
    'asserted_by_source',
    'as_of',
  ]
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !fields.includes(key)))
}

test('recorded accounts are written back to the same cells, and read as their index and @ton/core say', (t) => {
  if (!haveFixtures(t, folder)) return
  const tally = new Tally()
  for (const entry of readFixtureJson<AccountEntry[]>(`${folder}/index.json`)) {
    // Two of them come from writers that state wrong level masks.
    const root = decodeSingleBoc(readFixture(`${folder}/${entry.file}`), { lenient: true })
    assert.equal(toHex(root.hash()), entry.root_hash)
    const shardAccount =
      entry.form === 'shard_account' ? readWhole(root, readShardAccount, 'A ShardAccount') : undefined
    if (shardAccount !== undefined) assertSameCell('ShardAccount', writeWhole(writeShardAccount, shardAccount), root)
    const cell = shardAccount?.account ?? root
    assert.equal(toHex(cell.hash()), entry.account_hash)
    const account = rewriteAccount(cell, tally)
    // The index takes one account for absent that is there, and that @ton/core reads like us.
    if (entry.status === 'nonexist') assert.equal(entry.file, misjudged)
    else assert.deepEqual(describe(account, shardAccount), expected(entry), entry.file)
    assert(account.kind === 'account')
    const core = loadAccount(toCoreCell(cell).beginParse().skip(1))
    assert.deepEqual(
      [core.storage.lastTransLt, core.storage.balance.coins, core.storage.state.type, core.storageStats.used.cells],
      [account.lastTransLt, account.balance.grams, account.state.kind, account.storage.used.cells],
    )
    const dictHash = core.storageStats.storageExtra?.dictHash.toString(16).padStart(64, '0')
    assert.equal(dictHash, account.storage.dictHash && toHex(account.storage.dictHash))
  }
  t.diagnostic(tally.toString())
  assert.equal(
    [...tally.counts].reduce((sum, [what, n]) => sum + (/^Account \w+$/.test(what) ? n : 0), 0),
    183,
  )
})
