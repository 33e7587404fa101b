import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { encodeConfigParam, findConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { type OutList, writeOutList } from '../../src/codec/tlb/OutList.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { openStateTotals } from '../../src/codec/tlb/ShardState.ts'
import { openMasterView } from '../../src/devnet/collate/MasterView.ts'
import { specialMessage } from '../../src/devnet/collate/runMessages.ts'
import { contractAddress } from '../../src/devnet/contracts/contractInit.ts'
import { createSigner, externalMessage, signedBody } from '../../src/devnet/contracts/messages.ts'
import { configChange, faucetAddress, faucetInit } from '../../src/devnet/contracts/systemContracts.ts'
import { checkChain } from '../support/chainRules/checkChain.ts'
import { coins, createOwnChain, type OwnChainOptions, toExternal } from '../support/OwnChain.ts'
import { type OwnChain, runWorkload } from '../support/ownWorkload.ts'
import { isLong } from '../support/testLength.ts'

const TRANSACTIONS = isLong ? 2000 : 600

const open = async (t: TestContext, options: OwnChainOptions): Promise<OwnChain> => {
  const chain = await createOwnChain(options)
  t.after(() => chain.close())
  return chain
}

/** Changes how many shards there shall be, through the configuration contract. */
const changeSplit = (chain: OwnChain, seqno: number, depth: number) => {
  const workchains = findConfigParam(openMasterView(chain.store).extra.config.config, 12)!
  const value = encodeConfigParam(12, workchains.set(0, { ...workchains.find(0)!, minSplit: depth, maxSplit: depth }))
  return toExternal(configChange(chain.configKey, seqno, chain.now() + 600, 12, value))
}

const assertRules = async (t: TestContext, { store }: OwnChain, allowDevControls = false) => {
  const report = await checkChain(store, { allowDevControls })
  assert.deepEqual(report.violations.slice(0, 5), [])
  const { blocks, transactions, messages } = report
  t.diagnostic(`${blocks} blocks, ${transactions} transactions, ${messages} messages`)
  return report
}

describe('the rules of the reference hold on every block of our own', () => {
  for (const [shards, minSplit] of [
    [1, 0],
    [4, 2],
  ] as const) {
    it(`under a random load of ${TRANSACTIONS} transactions with ${shards} shards`, async (t) => {
      const chain = await open(t, { minSplit, faucets: 8 })
      await runWorkload(chain, { transactions: TRANSACTIONS, seed: 5 })
      const { transactions } = await assertRules(t, chain)
      assert.ok(transactions >= TRANSACTIONS)
      assert.ok(chain.store.keyBlockSeqnos.length >= (isLong ? 4 : 1))
    })
  }

  it('while shards split and merge under load', async (t) => {
    const chain = await open(t, { faucets: 8 })
    let seqno = 0
    const seen = new Set<number>()
    for (const depth of [2, 0, 1, 3, 0]) {
      await chain.make({ externals: [changeSplit(chain, seqno++, depth)] })
      await runWorkload(chain, { transactions: 150, seed: 40 + seqno, changesConfig: false })
      for (let left = 20; chain.store.shardTops.length !== 2 ** depth && left > 0; left--) await chain.make()
      assert.equal(chain.store.shardTops.length, 2 ** depth)
      seen.add(chain.store.shardTops.length)
    }
    assert.deepEqual([...seen].sort(), [1, 2, 4, 8])
    await assertRules(t, chain)
  })

  it('with currencies minted and sent on, and libraries published and withdrawn', async (t) => {
    const key = createSigner(new Uint8Array(32).fill(0x31))
    const init = faucetInit(key.publicKey)
    const minter = contractAddress(init, -1)
    const chain = await open(t, { accounts: [{ address: minter, balance: coins(10n ** 12n), init }] })
    let counter = 0
    const order = (actions: OutList) => {
      const body = new CellWriter().writeUint(counter++, 32).writeUint(chain.now() + 600, 32)
      return toExternal(
        externalMessage(minter, signedBody(key, body.writeRef(writeWhole(writeOutList, actions)).toCell())),
      )
    }
    const change = (seqno: number, id: number, value: Cell) =>
      toExternal(configChange(chain.configKey, seqno, chain.now() + 600, id, value))
    const toMint = Dict.of(extraCurrenciesType, [
      [239, 1_000_000n],
      [7, 5n],
    ])
    await chain.make({ externals: [change(0, 2, encodeConfigParam(2, minter.hash))] })
    await chain.make({ externals: [change(1, 7, encodeConfigParam(7, toMint))] })
    await chain.make()
    const { extra, state } = openMasterView(chain.store)
    assert.deepEqual(extra.globalBalance.extra.entries(), [
      [7, 5n],
      [239, 1_000_000n],
    ])
    const account = openShardAccounts(state.accounts).find(minter.hash)!
    const opened = openAccount(account.account)
    assert.deepEqual(opened.kind === 'account' && opened.balance.extra.find(239), 1_000_000n)

    const receiver = { workchain: 0, hash: new Uint8Array(32).fill(0x99) }
    const some = { grams: 10n ** 9n, extra: Dict.of(extraCurrenciesType, [[239, 400n]]) }
    const sent = specialMessage({ source: minter, destination: receiver, value: some, bounce: false }, 0n, 0)
    const library = new CellWriter().writeUint(0xdeadbeef, 32).toCell()
    await chain.make({
      externals: [
        order([
          { kind: 'sendMessage', mode: 1, message: sent },
          { kind: 'changeLibrary', mode: 2, library: { kind: 'cell', library } },
        ]),
      ],
    })
    for (let k = 0; k < 3; k++) await chain.make()
    const libraries = openStateTotals(openMasterView(chain.store).state.totals).libraries
    assert.deepEqual(libraries.find(library.hash())?.publishers.entries(), [[minter.hash, true]])
    await chain.make({
      externals: [order([{ kind: 'changeLibrary', mode: 0, library: { kind: 'hash', hash: library.hash() } }])],
    })
    assert.ok(openStateTotals(openMasterView(chain.store).state.totals).libraries.isEmpty)
    await assertRules(t, chain)
  })

  it('with messages put in and accounts changed by hand, apart from these', async (t) => {
    const chain = await open(t, { minSplit: 1, faucets: 4 })
    const [first, second] = chain.faucets.map(({ publicKey }) => faucetAddress(publicKey))
    const stranger = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
    const message = { source: stranger, value: coins(5_000_000_000n), bounce: true, stateInit: undefined }
    await chain.make({
      injected: [
        { ...message, destination: first!, body: emptyCell },
        { ...message, destination: first!, body: emptyCell },
        { ...message, destination: second!, body: emptyCell },
        { ...message, destination: { workchain: -1, hash: stranger.hash }, bounce: false, body: emptyCell },
      ],
    })
    await chain.make({ overrides: [{ address: second!, balance: coins(1_000_000n), state: undefined }] })
    await chain.make({ overrides: [{ address: stranger, balance: coins(77n), state: { kind: 'uninit' } }] })
    await chain.make({ overrides: [{ address: stranger, balance: undefined, state: { kind: 'none' } }] })
    for (let k = 0; k < 4; k++) await chain.make()
    const report = await assertRules(t, chain, true)
    assert.deepEqual([report.injected, report.overrides], [4, 3])
  })
})
