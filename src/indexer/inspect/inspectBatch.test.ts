import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractAt } from '../../../test/support/contractRunner.ts'
import {
  at,
  burn,
  key,
  liar,
  minter,
  minterKey,
  nftTransfer,
  scripted,
  transfer,
  wallet,
  walletAt,
} from '../../../test/support/inspectContracts.ts'
import {
  inspectStates,
  resolveSample,
  SampleKnown,
  type SampleState,
  sampleBlockSet,
  sampleInspector,
  sampleStates,
} from '../../../test/support/inspectSample.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { endless } from '../../../test/support/scriptedCode.ts'
import { cell, int, slice } from '../../../test/support/scriptedMethods.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import type { ContractState } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeSnake } from '../../codec/content/text.ts'
import { packCell } from '../../codec/stored/packCell.ts'
import { addressArgument } from '../../contracts/getMethods.ts'
import { compiledCode, contractAddress, contractInit } from '../../devnet/contracts/contractInit.ts'
import { jettonWalletAddress } from '../../devnet/contracts/jettonContracts.ts'
import { offChainContent, writeAddress } from '../../devnet/contracts/messages.ts'
import { nftCollectionInit, nftItemAddress } from '../../devnet/contracts/nftContracts.ts'
import { type Address, addressKeyOf } from '../../primitives/Address.ts'

const { machine } = await createTestMachine({ after })
const { signal } = new AbortController()

describe('jettons', () => {
  test('a master and a wallet that it vouches for, with events', async () => {
    const inspector = sampleInspector(machine, sampleStates([minter]))
    const { address } = wallet(7n)
    const states = [
      { contract: minter, lt: 10n },
      { contract: wallet(7n), lt: 12n },
    ]
    const found = await inspectStates(inspector, states, [transfer(address, 11n), burn(address, 12n)])
    assert.deepEqual(found.contracts.jetton_masters, [
      {
        since_lt: 10n,
        last_lt: 10n,
        mintable: true,
        total_supply: 0n,
        address: minterKey,
        admin_address: key(9),
        wallet_code_hash: compiledCode('jettonWallet').hash(),
        code_hash: minter.code.hash(),
        data_hash: minter.data.hash(),
        content: { name: 'Nul is not', symbol: '\\u0000', decimals: '9' },
      },
    ])
    assert.deepEqual(found.contracts.jetton_wallets, [
      {
        since_lt: 12n,
        last_lt: 12n,
        mintless_is_claimed: undefined,
        balance: 7n,
        address: addressKeyOf(address),
        owner: key(2),
        jetton: minterKey,
        code_hash: compiledCode('jettonWallet').hash(),
        data_hash: wallet(7n).data.hash(),
      },
    ])
    const common = {
      now: 1_700_000_001,
      mc_seqno: 1,
      aborted: false,
      query_id: 2n ** 64n - 1n,
      account: addressKeyOf(address),
      response_destination: new Uint8Array(0),
      custom_payload: undefined,
      jetton_master: minterKey,
    }
    assert.deepEqual(found.jettonTransfers, [
      {
        ...common,
        lt: 11n,
        amount: 5n,
        forward_amount: 1n,
        source: key(2),
        destination: key(3),
        forward_payload: packCell(emptyCell),
      },
    ])
    assert.deepEqual(found.jettonBurns, [{ ...common, lt: 12n, amount: 6n, owner: key(2) }])
    assert.deepEqual(found.nftTransfers, [])
    // The data of the master, of the wallet, and the word of the master.
    assert.equal(inspector.stats.runs, 3)
    assert.deepEqual(
      found.codes.map(({ code_hash }) => code_hash),
      [minter.code.hash(), compiledCode('jettonWallet').hash()],
    )
  })

  test('a wallet that lies about its master gives no row and no event', async () => {
    const elsewhere = walletAt(at(67), at(2), 100n)
    for (const contract of [liar, elsewhere]) {
      const inspector = sampleInspector(machine, sampleStates([minter]))
      const found = await inspectStates(
        inspector,
        [{ contract, lt: 1n }],
        [transfer(contract.address, 1n), burn(contract.address, 1n)],
      )
      assert.deepEqual(found.contracts.jetton_wallets, [])
      assert.deepEqual([found.jettonTransfers, found.jettonBurns], [[], []])
      assert.deepEqual(inspector.stats.refused, { jetton_wallet: 1 })
    }
  })

  test('a master that is not there, or that is no master, vouches for nobody', async () => {
    for (const others of [[], [scripted(minter.address, { get_wallet_address: endless })]]) {
      const inspector = sampleInspector(machine, sampleStates(others))
      const found = await inspectStates(inspector, [{ contract: wallet(7n), lt: 1n }])
      assert.deepEqual(found.contracts.jetton_wallets, [])
    }
  })

  test('once vouched for, a wallet costs one run for each change, also after a restart', async () => {
    const known = new SampleKnown()
    const states = sampleStates([minter])
    const first = sampleInspector(machine, states, { known })
    known.take(await inspectStates(first, [{ contract: wallet(1n), lt: 1n }]))
    assert.deepEqual([first.stats.runs, states.reads.length], [2, 1])
    known.take(await inspectStates(first, [{ contract: wallet(2n), lt: 2n }]))
    assert.deepEqual([first.stats.runs, first.stats.vouchedBefore, states.reads.length], [3, 1, 1])
    const second = sampleInspector(machine, states, { known })
    const found = await inspectStates(second, [{ contract: wallet(3n), lt: 3n }])
    assert.equal(found.contracts.jetton_wallets[0]?.balance, 3n)
    assert.deepEqual([second.stats.runs, second.stats.vouchedBefore, states.reads.length], [1, 1, 1])
    // Its code is stored by then.
    assert.deepEqual(found.codes, [])
  })

  test('an older state of a known wallet only says since when it is there, and takes no run', async () => {
    const known = new SampleKnown()
    const first = sampleInspector(machine, sampleStates([minter]), { known })
    known.take(await inspectStates(first, [{ contract: wallet(9n), lt: 9n }]))
    const { address } = wallet(1n)
    for (const inspector of [first, sampleInspector(machine, sampleStates([minter]), { known })]) {
      const runs = inspector.stats.runs
      const found = await inspectStates(inspector, [{ contract: wallet(3n), lt: 3n }], [transfer(address, 3n)])
      const [row] = found.contracts.jetton_wallets
      assert.deepEqual([row?.since_lt, row?.last_lt, row?.balance], [3n, 9n, 9n])
      assert.deepEqual(row, { ...known.wallets[0]!, since_lt: 3n })
      assert.deepEqual(found.jettonTransfers[0]?.jetton_master, minterKey)
      assert.deepEqual([inspector.stats.runs - runs, inspector.stats.storedNewer], [0, 1])
    }
    // A store that went back has to be filled again.
    known.wallets.length = 0
    const found = await inspectStates(first, [{ contract: wallet(3n), lt: 3n }])
    assert.deepEqual([found.contracts.jetton_wallets[0]?.last_lt, found.contracts.jetton_wallets[0]?.balance], [3n, 3n])
  })

  test('a claim that changed, or one by other code, is not covered by the word that was given before', async () => {
    const known = new SampleKnown()
    const inspector = sampleInspector(machine, sampleStates([minter]), { known })
    const { address } = wallet(1n)
    await inspectStates(inspector, [{ contract: wallet(1n), lt: 1n }])
    const otherOwner = await inspectStates(
      inspector,
      [{ contract: walletAt(address, at(4), 1n), lt: 2n }],
      [transfer(address, 2n)],
    )
    assert.deepEqual([otherOwner.contracts.jetton_wallets, otherOwner.jettonTransfers], [[], []])
    const runs = inspector.stats.runs
    const upgraded = scripted(address, {
      get_wallet_data: [int(1), addressArgument(at(2)), addressArgument(minter.address), cell(emptyCell)],
    })
    const found = await inspectStates(inspector, [{ contract: upgraded, lt: 3n }], [transfer(address, 3n)])
    // The same claim at the same address: the master says the same, and was asked.
    assert.equal(found.contracts.jetton_wallets.length, 1)
    assert.equal(found.jettonTransfers.length, 1)
    assert.equal(inspector.stats.runs + inspector.stats.cachedRuns - runs, 2)
  })

  test('a wallet that was known and is gone has its last event, and no others', async () => {
    const inspector = sampleInspector(machine, sampleStates([minter]))
    const { address } = wallet(1n)
    await inspectStates(inspector, [{ contract: wallet(1n), lt: 1n }])
    const gone = [{ gone: address, lt: 5n }]
    const found = await inspectStates(inspector, gone, [burn(address, 4n), transfer(address, 5n, true)])
    assert.deepEqual(
      [found.jettonBurns, found.jettonTransfers].map((events) => events.map(({ lt }) => lt)),
      [[4n], []],
    )
    assert.deepEqual((await inspectStates(inspector, [{ gone: at(5), lt: 5n }], [burn(at(5), 4n)])).jettonBurns, [])
  })

  test('without any states there are the events of what is known, and the codes', async () => {
    const known = new SampleKnown()
    known.take(
      await inspectStates(sampleInspector(machine, sampleStates([minter])), [{ contract: wallet(1n), lt: 1n }]),
    )
    const inspector = sampleInspector(machine, undefined, { known })
    const { address } = wallet(1n)
    const requests = [transfer(address, 2n), transfer(liar.address, 2n)]
    const states: SampleState[] = [
      { contract: wallet(2n), lt: 2n },
      { contract: liar, lt: 2n },
    ]
    const found = await inspectStates(inspector, states, requests)
    assert.deepEqual(
      found.jettonTransfers.map(({ account }) => account),
      [addressKeyOf(address)],
    )
    assert.deepEqual(
      found.codes.map(({ code_hash }) => code_hash),
      [liar.code.hash()],
    )
    assert.deepEqual(found.contracts.jetton_wallets, [])
  })
})

describe('batches', () => {
  test('the newest state counts, and the contract is there since its code is', async () => {
    const inspector = sampleInspector(machine, sampleStates([minter]))
    const { address } = wallet(1n)
    const before = { contract: scripted(address, { seqno: [int(1)] }), lt: 1n }
    const [second, third] = [2n, 3n].map((lt) => ({ contract: wallet(lt), lt }))
    const blockSets = [before, second!, third!].map((state, k) =>
      sampleBlockSet(k + 1, [state], [transfer(address, state.lt)]),
    )
    const { contracts, jettonTransfers } = await inspector.inspect(blockSets, resolveSample([third!]), signal)
    const [row, ...more] = contracts.jetton_wallets
    assert.deepEqual(more, [])
    assert.deepEqual([row?.since_lt, row?.last_lt, row?.balance], [2n, 3n, 3n])
    assert.deepEqual(
      jettonTransfers.map(({ lt, mc_seqno, now }) => [lt, mc_seqno, now]),
      [
        [1n, 1, 1_700_000_001],
        [2n, 2, 1_700_000_002],
        [3n, 3, 1_700_000_003],
      ],
    )
    assert.equal(inspector.stats.accounts, 1)
  })

  test('rows do not depend on how many are looked at at once', async () => {
    const owners = Array.from({ length: 20 }, (_, k) => at(100 + k))
    const states = owners.map((owner, k) => ({
      contract: walletAt(jettonWalletAddress(owner, minter.address), owner, BigInt(k)),
      lt: BigInt(k),
    }))
    const results = []
    for (const parallel of [1, 7]) {
      const inspector = sampleInspector(machine, sampleStates([minter]), { parallel })
      results.push((await inspectStates(inspector, states)).contracts.jetton_wallets)
    }
    assert.equal(results[0]?.length, 20)
    assert.deepEqual(results[0], results[1])
  })

  test('nothing at all', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    const { contracts, codes } = await inspector.inspect([], [], signal)
    assert.ok(Object.values(contracts).every((rows) => rows.length === 0))
    assert.deepEqual(codes, [])
  })

  test('what the source does not have is counted and left alone', async () => {
    const inspector = sampleInspector(machine, sampleStates([minter]))
    const unknown = { code: 'unknown', data: 'unknown', extraCurrencies: undefined } as const
    const resolved = [{ account: minterKey, lastLt: 1n, ...unknown }]
    const { contracts, codes } = await inspector.inspect(
      [sampleBlockSet(1, [{ contract: minter, lt: 1n }])],
      resolved,
      signal,
    )
    assert.deepEqual([contracts.jetton_masters, codes, inspector.stats.unknown], [[], [], 1])
  })

  test('states are opened only where there is something to look at, and must be of the same chain', async () => {
    let opened = 0
    let forgotten = 0
    const states = sampleStates([minter])
    const counting = {
      forget: () => void forgotten++,
      openAt: (seqno: number, given: AbortSignal) => {
        opened++
        return states.openAt(seqno, given)
      },
    }
    const inspector = sampleInspector(machine, counting)
    await inspectStates(inspector, [{ contract: scripted(at(1), { seqno: [int(1)] }), lt: 1n }])
    assert.equal(opened, 0)
    await inspectStates(inspector, [{ contract: minter, lt: 1n }])
    assert.equal(opened, 1)
    const blockSet = { ...sampleBlockSet(2, [{ contract: minter, lt: 2n }]), rootHash: filled(0xee) }
    const resolved = resolveSample([{ contract: minter, lt: 2n }])
    await assert.rejects(inspector.inspect([blockSet], resolved, signal), { code: 'state_mismatch', retryable: true })
    assert.equal(forgotten, 1)
  })

  test('codes that were there only in between are listed, too', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    const [before, now] = [1n, 2n].map((lt) => ({ contract: scripted(at(1), { seqno: [int(lt)] }), lt }))
    const blockSets = [sampleBlockSet(1, [before!]), sampleBlockSet(2, [now!])]
    const resolved = [before!, now!].flatMap((state) => resolveSample([state]))
    const { codes } = await inspector.inspect(blockSets, resolved, signal)
    assert.deepEqual(
      codes.map(({ code_hash }) => code_hash),
      [before!.contract.code.hash(), now!.contract.code.hash()],
    )
  })

  test('a result that depends on nothing else is not asked for twice', async () => {
    const inspector = sampleInspector(machine, sampleStates([]))
    for (const lt of [1n, 2n]) {
      const { contracts } = await inspectStates(inspector, [{ contract: minter, lt }])
      assert.equal(contracts.jetton_masters[0]?.last_lt, lt)
    }
    assert.deepEqual([inspector.stats.runs, inspector.stats.cachedRuns], [1, 1])
    // NOW: it may be another at any time.
    const clock = scripted(at(1), { get_jetton_data: new CellWriter().writeUint(0xf823, 16).toCell() })
    for (const lt of [1n, 2n]) await inspectStates(inspector, [{ contract: clock, lt }])
    assert.deepEqual([inspector.stats.runs, inspector.stats.cachedRuns], [3, 1])
  })
})

describe('items', () => {
  const collectionInit = nftCollectionInit({
    owner: at(9),
    content: offChainContent('https://nft.example/c.json'),
    itemPrefix: 'https://nft.example/',
    royaltyPercent: 5,
  })
  const collection = contractAt(contractAddress(collectionInit), collectionInit)
  const collectionKey = addressKeyOf(collection.address)
  const text = (value: string): Cell => writeWhole(writeSnake, Buffer.from(value))
  /** As the code of items keeps itself once it has an owner. */
  const itemAt = (address: Address, owner: Address): ContractState => {
    const data = writeAddress(writeAddress(new CellWriter().writeUint64(3n), collection.address), owner)
    return contractAt(address, contractInit(compiledCode('nftItem'), data.writeRef(text('3.json')).toCell()))
  }
  const item = (owner: Address): ContractState => itemAt(nftItemAddress(collection.address, 3n), owner)

  test('collection, an item that it vouches for, and one that it does not', async () => {
    const inspector = sampleInspector(machine, sampleStates([collection]))
    const states = [collection, item(at(2)), itemAt(at(68), at(2))].map((contract) => ({ contract, lt: 4n }))
    const asked = [item(at(2)).address, at(68)]
    const found = await inspectStates(
      inspector,
      states,
      asked.map((address) => nftTransfer(address, 4n)),
    )
    assert.deepEqual(found.contracts.nft_collections, [
      {
        since_lt: 4n,
        last_lt: 4n,
        next_item_index: 0n,
        address: collectionKey,
        owner_address: key(9),
        code_hash: collection.code.hash(),
        data_hash: collection.data.hash(),
        content: { uri: 'https://nft.example/c.json' },
      },
    ])
    assert.deepEqual(found.contracts.nft_items, [
      {
        since_lt: 4n,
        last_lt: 4n,
        init: true,
        index: 3n,
        address: addressKeyOf(item(at(2)).address),
        collection_address: collectionKey,
        owner_address: key(2),
        code_hash: item(at(2)).code.hash(),
        data_hash: item(at(2)).data.hash(),
        content: { uri: 'https://nft.example/3.json' },
      },
    ])
    assert.deepEqual(
      found.nftTransfers.map(({ account, collection: of, old_owner, new_owner }) => [
        account,
        of,
        old_owner,
        new_owner,
      ]),
      [[addressKeyOf(item(at(2)).address), collectionKey, key(2), key(3)]],
    )
    assert.deepEqual(found.contracts.dns_entries, [])
  })

  test('once vouched for, an item that changes hands costs one run: its content is what it was', async () => {
    const inspector = sampleInspector(machine, sampleStates([collection]))
    await inspectStates(inspector, [{ contract: item(at(2)), lt: 1n }])
    assert.equal(inspector.stats.runs, 3)
    const { contracts } = await inspectStates(inspector, [{ contract: item(at(3)), lt: 2n }])
    assert.deepEqual(contracts.nft_items[0]?.owner_address, key(3))
    assert.deepEqual([inspector.stats.runs, inspector.stats.cachedRuns, inspector.stats.vouchedBefore], [4, 1, 1])
  })

  test('an item of its own', async () => {
    const none = slice(new CellWriter().writeUint(0, 2).toCell())
    const stack = (content: Cell) => [int(-1), int(0), none, none, cell(content)]
    const lone = scripted(at(7), { get_nft_data: stack(offChainContent('ipfs://x')) })
    const broken = scripted(at(8), { get_nft_data: stack(new CellWriter().writeUint(7, 8).toCell()) })
    const inspector = sampleInspector(machine, sampleStates([]))
    const states = [lone, broken].map((contract) => ({ contract, lt: 1n }))
    const found = await inspectStates(
      inspector,
      states,
      [at(7), at(8)].map((address) => nftTransfer(address, 1n)),
    )
    assert.deepEqual(
      found.contracts.nft_items.map(({ address, collection_address, owner_address, content }) => [
        address,
        collection_address,
        owner_address,
        content,
      ]),
      [[key(7), undefined, undefined, { uri: 'ipfs://x' }]],
    )
    assert.deepEqual(
      found.nftTransfers.map(({ account, collection: of }) => [account, of]),
      [[key(7), undefined]],
    )
  })
})
