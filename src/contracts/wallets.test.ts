import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filled } from '../../test/support/sampleMessages.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { fromPaddedBase64 } from '../primitives/base64.ts'
import {
  findRestrictions,
  findWalletFacts,
  findWalletKind,
  unlockedBalance,
  type WalletKind,
  walletKinds,
} from './wallets.ts'

const kindNamed = (interfaceName: string): WalletKind =>
  walletKinds.find((kind) => kind.interfaceName === interfaceName)!

describe('the table of wallets', () => {
  test('has each hash once, and finds every row by its hash', () => {
    for (const kind of walletKinds) {
      const hash = fromPaddedBase64(kind.codeHash)
      assert.equal(hash.length, 32, kind.codeHash)
      assert.equal(findWalletKind(hash), kind)
    }
    assert.equal(new Set(walletKinds.map(({ codeHash }) => codeHash)).size, walletKinds.length)
    assert.equal(findWalletKind(filled(1)), undefined)
  })

  test('counts eleven codes as wallets', () => {
    const types = walletKinds.flatMap(({ walletType }) => walletType ?? [])
    assert.deepEqual(types, [
      'wallet v1 r1',
      'wallet v1 r2',
      'wallet v1 r3',
      'wallet v2 r1',
      'wallet v2 r2',
      'wallet v3 r1',
      'wallet v3 r2',
      'wallet v4 r1',
      'wallet v4 r2',
      'wallet v5 beta',
      'wallet v5 r1',
    ])
  })

  test('names each kind of account and revision once', () => {
    const states = walletKinds.flatMap(({ accountState }) => accountState ?? [])
    const names = states.map(({ type, revision }) => `${type} ${revision}`)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(names.sort(), [
      'dns.accountState 1',
      'pchan.accountState -1',
      'rwallet.accountState 1',
      'wallet.highload.v1.accountState 1',
      'wallet.highload.v1.accountState 2',
      'wallet.highload.v2.accountState 1',
      'wallet.highload.v2.accountState 2',
      'wallet.v3.accountState 1',
      'wallet.v3.accountState 2',
      'wallet.v4.accountState 2',
    ])
  })
})

describe('the data of a wallet', () => {
  const key = filled(0xab)
  const big = 0xfffffff0
  const cases: readonly { name: string; data: CellWriter; facts: object }[] = [
    {
      name: 'wallet_v1r1',
      data: new CellWriter().writeUint(big, 32).writeBytes(key),
      facts: { seqno: big, publicKey: key },
    },
    {
      name: 'wallet_v3r2',
      data: new CellWriter().writeUint(big, 32).writeUint(0x80000001, 32).writeBytes(key),
      facts: { seqno: big, walletId: -0x7fffffff, publicKey: key },
    },
    {
      name: 'wallet_v5r1',
      data: new CellWriter().writeBit(true).writeUint(29, 32).writeUint(0x7fffff11, 32).writeBytes(key).writeBit(false),
      facts: { signatureAllowed: true, seqno: 29, walletId: 0x7fffff11, publicKey: key },
    },
    {
      name: 'wallet_v5r1',
      data: new CellWriter().writeBit(false).writeUint(1, 32).writeUint(2, 32).writeBytes(key),
      facts: { signatureAllowed: false, seqno: 1, walletId: 2, publicKey: key },
    },
    {
      name: 'wallet_v5_beta',
      data: new CellWriter().writeUint(29, 33).writeInt(-239, 32).writeUint(0, 48).writeBytes(key).writeBit(false),
      facts: { seqno: 29, publicKey: key },
    },
    {
      name: 'wallet_highload_v2r1',
      data: new CellWriter()
        .writeInt(-5, 32)
        .writeUintWide(1n << 60n, 64)
        .writeBytes(key)
        .writeBit(false),
      facts: { walletId: -5, publicKey: key },
    },
    {
      name: 'wallet_highload_v3r1',
      data: new CellWriter().writeBytes(key).writeUint(0x10ad, 32).writeUintWide(0n, 66),
      facts: { walletId: 0x10ad, publicKey: key },
    },
    {
      name: 'wallet_preprocessed_v2',
      data: new CellWriter().writeBytes(key).writeUint(0xfffe, 16),
      facts: { seqno: 0xfffe, publicKey: key },
    },
  ]
  for (const { name, data, facts } of cases) {
    test(`of ${name} is read as ${Object.keys(facts).join(', ')}`, () => {
      assert.deepEqual(findWalletFacts(kindNamed(name), data.toCell()), facts)
    })
  }

  test('that is too short, or no ordinary cell, says nothing', () => {
    const library = new CellWriter().writeUint(2, 8).writeBytes(key).toExoticCell()
    for (const kind of walletKinds.filter(({ layout }) => layout !== 'none')) {
      assert.equal(findWalletFacts(kind, emptyCell), undefined)
      assert.equal(findWalletFacts(kind, new CellWriter().writeUint(0, 32).toCell()), undefined)
      assert.equal(findWalletFacts(kind, library), undefined)
    }
  })
})

describe('a restricted wallet', () => {
  const head = () => new CellWriter().writeUint(1, 32).writeUint(2, 32).writeBytes(filled(3))

  test('that was not set up has no limits', () => {
    assert.deepEqual(findRestrictions(head().toCell()), { startAt: 0, limits: [] })
  })

  test('with damaged limits has none that are known', () => {
    assert.equal(findRestrictions(head().writeUint(7, 32).toCell()), undefined)
    assert.equal(findRestrictions(head().writeUint(7, 32).writeBit(true).writeRef(emptyCell).toCell()), undefined)
    assert.equal(findRestrictions(emptyCell), undefined)
  })

  test('keeps back what the last limit that has begun says', () => {
    const restrictions = {
      startAt: 1000,
      limits: [
        { seconds: -1, value: 90n },
        { seconds: 50, value: 60n },
        { seconds: 100, value: 0n },
      ],
    }
    const at = (now: number, balance = 100n) => unlockedBalance(restrictions, balance, now, undefined)
    assert.deepEqual([at(1000), at(1049), at(1050), at(1100), at(1050, 59n)], [10n, 10n, 40n, 100n, 0n])
    const floating = { ...restrictions, startAt: 0 }
    assert.equal(unlockedBalance(floating, 100n, 1050, undefined), 10n)
    assert.equal(unlockedBalance(floating, 100n, 1050, 1000), 40n)
    assert.equal(unlockedBalance({ startAt: 5, limits: [] }, 100n, 0, undefined), 100n)
  })
})
