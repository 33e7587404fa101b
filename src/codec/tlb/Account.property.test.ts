import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, type Account as CoreAccount, Dictionary, storeAccount } from '@ton/core'
import fc from 'fast-check'
import { toCoreCell } from '../../../test/support/coreCell.ts'
import { amount, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { bytesToBigint } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { type AccountState, type ExistingAccount, openAccount, writeAccount } from './Account.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const upTo = (bits: number) => fc.nat(bits).chain((n) => fc.bigInt({ min: 0n, max: (1n << BigInt(n)) - 1n }))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const cell = fc.nat(1000).map(marker)

const state: fc.Arbitrary<AccountState> = fc.oneof(
  fc.constant({ kind: 'uninit' } as const),
  fc.record({ kind: fc.constant('frozen' as const), stateHash: hash }),
  fc.record({
    kind: fc.constant('active' as const),
    init: fc.record({
      fixedPrefixLength: maybe(fc.nat(31)),
      special: maybe(fc.record({ tick: fc.boolean(), tock: fc.boolean() })),
      code: maybe(cell),
      data: maybe(cell),
      library: fc.constant(undefined),
    }),
  }),
)

const anyAccount: fc.Arbitrary<ExistingAccount> = fc.record({
  kind: fc.constant('account' as const),
  address: fc.record({
    kind: fc.constant('std' as const),
    workchain: fc.integer({ min: -128, max: 127 }),
    hash,
    anycast: fc.constant(undefined),
  }),
  storage: fc.record({
    used: fc.record({ cells: upTo(48), bits: upTo(48) }),
    dictHash: maybe(hash),
    lastPaid: fc.nat(0xffff_ffff),
    duePayment: maybe(upTo(120)),
  }),
  lastTransLt: upTo(64),
  balance: fc
    .tuple(
      upTo(120),
      fc.uniqueArray(fc.tuple(fc.nat(0xffff_ffff), upTo(200)), { maxLength: 4, selector: ([id]) => id }),
    )
    .map(([grams, extra]) => amount(grams, extra)),
  state,
})

// Two hashes and the greatest amounts do not fit one cell; only large, hence active accounts have a storage dictionary.
const account = anyAccount.map((value) =>
  value.state.kind === 'frozen' ? { ...value, storage: { ...value.storage, dictHash: undefined } } : value,
)

const coreState = (value: AccountState): CoreAccount['storage']['state'] => {
  switch (value.kind) {
    case 'uninit':
      return { type: 'uninit' }
    case 'frozen':
      return { type: 'frozen', stateHash: bytesToBigint(value.stateHash) }
    case 'active': {
      const { fixedPrefixLength, special, code, data } = value.init
      return {
        type: 'active',
        state: {
          splitDepth: fixedPrefixLength ?? null,
          special: special ?? null,
          code: code === undefined ? null : toCoreCell(code),
          data: data === undefined ? null : toCoreCell(data),
        },
      }
    }
  }
}

const toCore = ({ address, storage, lastTransLt, balance, state: own }: ExistingAccount): CoreAccount => {
  assert(address.kind === 'std')
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  balance.extra.forEach((id, value) => void other.set(id, value))
  return {
    addr: new Address(address.workchain, Buffer.from(address.hash)),
    storageStats: {
      used: storage.used,
      storageExtra: storage.dictHash === undefined ? null : { dictHash: bytesToBigint(storage.dictHash) },
      lastPaid: storage.lastPaid,
      duePayment: storage.duePayment ?? null,
    },
    storage: {
      lastTransLt,
      balance: { coins: balance.grams, other: balance.extra.isEmpty ? null : other },
      state: coreState(own),
    },
  }
}

test('an account of any content is written as @ton/core writes it, and read back', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(account, (value) => {
      const own = writeWhole(writeAccount, value)
      const core = beginCell()
        .storeBit(true)
        .store(storeAccount(toCore(value)))
        .endCell()
      assert.equal(toHex(own.hash()), core.hash().toString('hex'))
      assert.deepEqual(toPlain(openAccount(own)), toPlain(value))
    }),
    { seed, numRuns: 1000 },
  )
})
