import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlain } from '../../../test/support/toPlain.ts'
import { sha256 } from '../../primitives/hash.ts'
import { AugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { recordVisited } from '../cell/HashIndex.ts'
import { buildMerkleProof, unwrapMerkleProof } from '../cell/merkle.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { accountNoneCell, openAccount, writeAccount } from './Account.ts'
import { extraCurrenciesType, NO_EXTRA_CURRENCIES } from './CurrencyCollection.ts'
import type { Anycast } from './MsgAddress.ts'
import {
  openShardAccounts,
  readDepthBalanceInfo,
  readShardAccount,
  type ShardAccount,
  type ShardAccounts,
  shardAccountsType,
  writeDepthBalanceInfo,
  writeShardAccount,
} from './ShardAccounts.ts'

const idOf = (n: number): Uint8Array => sha256(Uint8Array.of(n >> 8, n))

type Options = { readonly currency?: bigint; readonly anycast?: Anycast }

const accountWith = (hash: Uint8Array, grams: bigint, { currency, anycast }: Options = {}): ShardAccount => ({
  account: writeWhole(writeAccount, {
    kind: 'account',
    address: { kind: 'std', workchain: 0, hash, anycast },
    storage: { used: { cells: 1n, bits: 100n }, dictHash: undefined, lastPaid: 0, duePayment: undefined },
    lastTransLt: 2n,
    balance: {
      grams,
      extra: currency === undefined ? NO_EXTRA_CURRENCIES : Dict.of(extraCurrenciesType, [[7, currency]]),
    },
    state: { kind: 'uninit' },
  }),
  lastTransHash: hash,
  lastTransLt: 1n,
})

const toCell = (accounts: ShardAccounts): Cell => {
  const w = new CellWriter()
  writeAugDict(w, accounts)
  return w.toCell()
}

const many = AugDict.of(
  shardAccountsType,
  Array.from({ length: 1000 }, (_, n) => [idOf(n), accountWith(idOf(n), BigInt(n))] as const),
)

test('a ShardAccount is a reference, 256 bits and 64 bits, and is read without entering the account', () => {
  const shardAccount = { account: accountNoneCell, lastTransHash: idOf(1), lastTransLt: 77n }
  const cell = writeWhole(writeShardAccount, shardAccount)
  assert.equal(cell.bits, 320)
  assert.equal(cell.refCount, 1)
  const visited = recordVisited(() => assert.deepEqual(readWhole(cell, readShardAccount, 'It'), shardAccount))
  assert.equal(visited.has(accountNoneCell), false)
})

test('no accounts at all are eleven zero bits: no root, depth 0, nothing owned', () => {
  const cell = toCell(AugDict.of(shardAccountsType))
  assert.equal(cell.bits, 11)
  assert.deepEqual(toPlain(openShardAccounts(cell)), [{ extra: { splitDepth: 0, balance: { grams: 0n, extra: [] } } }])
})

test('balances add up over all accounts, currency by currency, and the greatest depth is kept', () => {
  const anycast = { depth: 3, prefix: Uint8Array.of(0b10100000) }
  const accounts = AugDict.of(shardAccountsType, [
    [idOf(1), accountWith(idOf(1), 5n, { currency: 100n })],
    [idOf(2), accountWith(idOf(2), 6n, { anycast })],
    [idOf(3), accountWith(idOf(3), 7n, { currency: 11n })],
    [idOf(4), { account: accountNoneCell, lastTransHash: idOf(4), lastTransLt: 9n }],
  ])
  const sum = { splitDepth: 3, balance: { grams: 18n, extra: [[7, 111n]] } }
  assert.deepEqual(toPlain(accounts.rootExtra), sum)
  assert.deepEqual(toPlain(openShardAccounts(toCell(accounts)).rootExtra), sum)
  const without = accounts.delete(idOf(2))
  assert.deepEqual(toPlain(without.rootExtra), { splitDepth: 0, balance: { grams: 12n, extra: [[7, 111n]] } })
})

test('setting accounts one by one gives the same tree as building it at once', () => {
  let grown = AugDict.of(shardAccountsType)
  for (let n = 999; n >= 0; n--) grown = grown.set(idOf(n), accountWith(idOf(n), BigInt(n)))
  assert(toCell(grown).equals(toCell(many)))
  assert.equal(many.rootExtra.balance.grams, 499_500n)
})

test('finding one of a thousand accounts enters the path to it and nothing else', () => {
  const cell = toCell(many)
  const visited = recordVisited(() => {
    const account = openAccount(openShardAccounts(cell).find(idOf(321))!.account)
    assert(account.kind === 'account' && account.balance.grams === 321n)
  })
  const count = (at: Cell): number => {
    if (!visited.has(at)) return 0
    let sum = 1
    for (let k = 0; k < at.refCount; k++) sum += count(at.ref(k))
    return sum
  }
  const entered = count(cell)
  assert(entered >= 8 && entered <= 24, `${entered} cells were entered.`)

  const proof = unwrapMerkleProof(buildMerkleProof(cell, visited), cell.hash())
  const proven = openShardAccounts(proof)
  assert.deepEqual(proven.find(idOf(321))?.lastTransHash, idOf(321))
  assert.throws(() => proven.entries(), PrunedBranchError)
})

test('a depth over 30 is refused in both directions', () => {
  const wrong = new CellWriter().writeUint(31, 5).writeUint(0, 5).toCell()
  const expected = { name: 'CellError', message: 'A split depth is at most 30, but got 31.' }
  assert.throws(() => readWhole(wrong, readDepthBalanceInfo, 'It'), expected)
  const balance = { grams: 0n, extra: NO_EXTRA_CURRENCIES }
  assert.throws(() => writeWhole(writeDepthBalanceInfo, { splitDepth: 31, balance }), CellError)
})
