import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBlockSet } from '../../../test/support/inspectSample.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { activeAccount, frozenAccount, uninitAccount } from '../../../test/support/sampleState.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type ExistingAccount, writeAccount } from '../../codec/tlb/Account.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedBlockSet, TouchedAccount } from '../blockSets.ts'
import type { AccountResolver, ChainStates } from '../ports.ts'
import { createUnchangedResolver } from './accountStates.ts'
import { createBlocksOnlyResolver, createStateResolver } from './resolveAccounts.ts'

const { signal } = new AbortController()
const address = { workchain: -1, hash: filled(7) }
const amounts: CurrencyCollection = frozenAccount.balance

const cellOf = (account: ExistingAccount) => writeWhole(writeAccount, { ...account, balance: amounts })

/** A block set in which an account was touched whose currencies its block does not show. */
const blockSetOf = (account: ExistingAccount, more: Partial<TouchedAccount> = {}): DecodedBlockSet => {
  const blockSet = sampleBlockSet(5, [{ gone: address, lt: 40n }])
  const init = account.state.kind === 'active' ? account.state.init : undefined
  const touched: TouchedAccount = {
    ...blockSet.accounts[0]!,
    status: account.state.kind,
    stateHash: cellOf(account).hash(),
    extraCurrencies: 'unknown',
    codeHash: init?.code?.hash(),
    dataHash: init?.data?.hash(),
    ...more,
  }
  return { ...blockSet, accounts: [touched] }
}

const statesOf = (account: ExistingAccount) => {
  const asked: string[] = []
  const states: ChainStates = {
    forget: () => undefined,
    openAt: async (seqno) => ({
      block: { workchain: -1, shard: 1n << 63n, seqno, rootHash: filled(1), fileHash: filled(1) },
      findAccount: async (who) => {
        asked.push(toHex(addressKeyOf(who)))
        return cellOf(account)
      },
      findContract: () => Promise.reject(new TypeError('Nobody should ask for a contract.')),
      getContext: () => Promise.reject(new TypeError('Nobody should ask for the context.')),
    }),
  }
  return { states, asked }
}

const show = async (resolver: AccountResolver, blockSet: DecodedBlockSet) =>
  (await resolver.resolve([blockSet], signal)).map(({ code, data, extraCurrencies }) => ({
    code: typeof code === 'object' ? toHex(code.hash()) : code,
    data: typeof data === 'object' ? toHex(data.hash()) : data,
    extraCurrencies,
  }))

for (const account of [uninitAccount, frozenAccount, activeAccount]) {
  const init = account.state.kind === 'active' ? account.state.init : undefined
  const known = {
    code: init?.code && toHex(init.code.hash()),
    data: init?.data && toHex(init.data.hash()),
    extraCurrencies: { '239': '666666' },
  }

  test(`currencies that a block does not show are found in the state: ${account.state.kind}`, async () => {
    for (const create of [createStateResolver, createUnchangedResolver]) {
      const { states, asked } = statesOf(account)
      assert.deepEqual(await show(create(states), blockSetOf(account)), [known])
      assert.deepEqual(asked, [toHex(addressKeyOf(address))])
    }
  })

  test(`they stay unknown where there is no state: ${account.state.kind}`, async () => {
    const unknown = { code: init && 'unknown', data: init && 'unknown', extraCurrencies: 'unknown' }
    assert.deepEqual(await show(createBlocksOnlyResolver(), blockSetOf(account)), [unknown])
    const { states } = statesOf(account)
    const changed = blockSetOf(account, { stateHash: filled(3) })
    assert.deepEqual(await show(createUnchangedResolver(states), changed), [unknown])
  })
}

test('nobody is asked for an account without code that its block shows in full', async () => {
  for (const extraCurrencies of [undefined, { '7': '1' }]) {
    const { states, asked } = statesOf(uninitAccount)
    const blockSet = blockSetOf(uninitAccount, { extraCurrencies })
    assert.deepEqual(await show(createStateResolver(states), blockSet), [
      { code: undefined, data: undefined, extraCurrencies },
    ])
    assert.deepEqual(asked, [])
  }
})
