import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, filled, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { type ExistingAccount, openAccount } from '../../codec/tlb/Account.ts'
import { addCurrency, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateExtra } from '../../codec/tlb/McStateExtra.ts'
import { openShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { maxCoins } from '../../primitives/coins.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { createGenesis, type Genesis } from './createGenesis.ts'
import { type GenesisAccount, GenesisError, type GenesisOptions } from './GenesisOptions.ts'

const library = Dict.of(simpleLibsType, [
  [marker(1).hash(), { isPublic: true, root: marker(1) }],
  [marker(2).hash(), { isPublic: false, root: marker(2) }],
  // Under a name that is not its own: nobody could find it.
  [filled(1), { isPublic: true, root: marker(3) }],
]).root as Cell

const account = (workchain: number, byte: number, more: Partial<GenesisAccount> = {}): GenesisAccount => ({
  address: { workchain, hash: filled(byte) },
  balance: amount(1_000_000_000n),
  init: undefined,
  ...more,
})

const code = marker(8)
const accounts = [
  account(0, 1, { balance: amount(5n, [[7, 100n]]) }),
  account(0, 0xf1, { init: { code, data: marker(9), library } }),
  account(-1, 1, { init: { code, data: marker(9), library, special: { tick: true, tock: true } } }),
  account(-1, 2, { init: { code, data: marker(9), library }, balance: amount(6n, [[7, 50n]]) }),
]

const options: GenesisOptions = {
  globalId: -217,
  utime: 1_790_000_000,
  validatorKey: filled(7),
  minSplit: 1,
  maxSplit: 2,
  configCode: code,
  electorCode: marker(10),
  accounts,
}

const openStates = ({ zeroStates }: Genesis): ShardStateUnsplit[] =>
  zeroStates.map(({ root }) => {
    const state = openShardState(root)
    assert.equal(state.kind, 'unsplit')
    return state as ShardStateUnsplit
  })

const genesis = createGenesis(options)
const [master, base] = openStates(genesis) as [ShardStateUnsplit, ShardStateUnsplit]
const extra = openMcStateExtra(master.custom!)

const findAccount = ({ accounts: cell }: ShardStateUnsplit, byte: number): ExistingAccount => {
  const found = openAccount(openShardAccounts(cell).find(filled(byte))!.account)
  assert.equal(found.kind, 'account')
  return found as ExistingAccount
}

test('there is a first state of the masterchain and one of the basechain, of the same network and time', () => {
  for (const [k, state] of [master, base].entries()) {
    assert.equal(state.shard.workchain, k - 1)
    assert.deepEqual([state.globalId, state.genUtime], [-217, 1_790_000_000])
    const { id, bytes, root } = genesis.zeroStates[k]!
    assert.deepEqual([id.workchain, id.rootHash, id.fileHash], [k - 1, root.hash(), sha256(bytes)])
  }
})

test('the masterchain names the state that the basechain begins with', () => {
  const { rootHash, fileHash } = genesis.zeroStates[1]!.id
  const basechain = findConfigParam(extra.config.config, 12)!.find(0)!
  assert.deepEqual([basechain.zerostateRootHash, basechain.zerostateFileHash], [rootHash, fileHash])
  assert.deepEqual([basechain.minSplit, basechain.maxSplit], [1, 2])
})

test('the configuration is that in the data of its contract, for the key that was given', () => {
  for (const configKey of [undefined, filled(3)]) {
    const [state] = openStates(createGenesis({ ...options, configKey }))
    const { state: held } = findAccount(state!, 0x55)
    assert.equal(held.kind, 'active')
    if (held.kind !== 'active') return
    assert.deepEqual(held.init.special, { tick: false, tock: true })
    assert.ok(held.init.code!.equals(code))
    const r = openCell(held.init.data!)
    const { config, configAddr } = openMcStateExtra(state!.custom!).config
    assert.ok(r.readRefCell().equals(config.root as Cell))
    assert.deepEqual([r.readUint(32), r.readBytes(32), r.readBit()], [0, configKey ?? filled(7), false])
    r.expectEnd('The data')
    assert.deepEqual(configAddr, filled(0x55))
  }
})

test('accounts are where they belong, and their money adds up', () => {
  const hashesOf = ({ accounts: cell }: ShardStateUnsplit): string[] =>
    openShardAccounts(cell)
      .entries()
      .map(([hash]) => toHex(hash).slice(0, 2))
  assert.deepEqual(hashesOf(master), ['01', '02', '33', '55'])
  assert.deepEqual(hashesOf(base), ['01', 'f1'])
  assert.deepEqual(toPlain(openStateTotals(base.totals).totalBalance), toPlain(amount(1_000_000_005n, [[7, 100n]])))
  assert.deepEqual(toPlain(openStateTotals(master.totals).totalBalance), toPlain(amount(21_000_000_006n, [[7, 50n]])))
  assert.deepEqual(toPlain(extra.globalBalance), toPlain(amount(22_000_000_011n, [[7, 150n]])))
  for (const state of [master, base]) {
    const dict = openShardAccounts(state.accounts)
    const sum = dict.entries().reduce((total, [, { account: cell }]) => {
      const each = openAccount(cell)
      return each.kind === 'none' ? total : addCurrency(total, each.balance)
    }, ZERO_CURRENCY)
    assert.deepEqual(toPlain(dict.rootExtra.balance), toPlain(sum))
  }
})

test('an account is as it was asked for', () => {
  assert.deepEqual(findAccount(base, 1).state, { kind: 'uninit' })
  const { state, lastTransLt, storage } = findAccount(base, 0xf1)
  const init = { fixedPrefixLength: undefined, special: undefined, code, data: marker(9), library }
  assert.deepEqual(toPlain(state), toPlain({ kind: 'active', init }))
  assert.deepEqual([lastTransLt, storage.lastPaid], [0n, 0])
})

test('contracts with ticks or tocks are fundamental, in the masterchain', () => {
  assert.deepEqual(
    findConfigParam(extra.config.config, 31)!
      .entries()
      .map(([hash]) => toHex(hash).slice(0, 2)),
    ['01', '33', '55'],
  )
})

test('public libraries of masterchain accounts are those of the network', () => {
  assert.deepEqual(toPlain(openStateTotals(master.totals).libraries), [
    [
      toHex(marker(1).hash()),
      toPlain({
        lib: marker(1),
        publishers: [
          [filled(1), true],
          [filled(2), true],
        ],
      }),
    ],
  ])
  assert.ok(openStateTotals(base.totals).libraries.isEmpty)
})

test('the same options give the same bytes, in whatever order accounts come; others do not', () => {
  const hashes = (more: Partial<GenesisOptions>): string[] =>
    createGenesis({ ...options, ...more }).zeroStates.map(({ id }) => toHex(id.fileHash))
  const [masterHash, baseHash] = hashes({})
  assert.deepEqual(hashes({ accounts: accounts.toReversed() }), [masterHash, baseHash])
  const [otherKey, sameBase] = hashes({ validatorKey: filled(6) })
  assert.notEqual(otherKey, masterHash)
  assert.equal(sameBase, baseHash)
  assert.notEqual(hashes({ utime: 1_790_000_001 })[1], baseHash)
})

for (const { name, more, message } of [
  { name: 'no network', more: { globalId: 0 }, message: /other than zero, but got 0/ },
  { name: 'a wide network id', more: { globalId: 2 ** 31 }, message: /32 bits .*got 2147483648/ },
  { name: 'no time', more: { utime: 0 }, message: /seconds from 1 to 4294967295, but got 0/ },
  { name: 'a broken time', more: { utime: 1.5 }, message: /got 1\.5/ },
  {
    name: 'a short validator key',
    more: { validatorKey: new Uint8Array(31) },
    message: /validator must have 32 bytes, but got 31/,
  },
  { name: 'a long configuration key', more: { configKey: new Uint8Array(33) }, message: /32 bytes, but got 33/ },
  {
    name: 'a short root of names',
    more: { dnsRoot: new Uint8Array(3) },
    message: /names must have 32 bytes, but got 3/,
  },
  { name: 'too many shards', more: { maxSplit: 5 }, message: /got 1 and 5/ },
  { name: 'less at most than at least', more: { minSplit: 3 }, message: /got 3 and 2/ },
  { name: 'another workchain', more: { accounts: [account(1, 1)] }, message: /workchain 0 or -1, one is at 1:0101/ },
  {
    name: 'two accounts in one place',
    more: { accounts: [account(0, 1), account(0, 1)] },
    message: /Expected one account per address/,
  },
  { name: 'another elector', more: { accounts: [account(-1, 0x33)] }, message: /but got two for -1:3333/ },
  { name: 'another configuration', more: { accounts: [account(-1, 0x55)] }, message: /but got two for -1:5555/ },
] satisfies { name: string; more: Partial<GenesisOptions>; message: RegExp }[]) {
  test(`${name}: refused`, () => {
    assert.throws(
      () => createGenesis({ ...options, ...more }),
      (error) => error instanceof GenesisError && message.test(error.message),
    )
  })
}

test('amounts that no account can hold, one by one or together, are refused', () => {
  const refuse = (balances: readonly bigint[]): void =>
    assert.throws(() => {
      createGenesis({ ...options, accounts: balances.map((grams, k) => account(0, k, { balance: amount(grams) })) })
    }, CellError)
  refuse([-1n])
  refuse([maxCoins + 1n])
  refuse([maxCoins, 1n])
})
