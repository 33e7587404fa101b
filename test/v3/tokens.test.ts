import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { addressArgument } from '../../src/contracts/getMethods.ts'
import { createBodyDecoder } from '../../src/contracts/layouts/createBodyDecoder.ts'
import { contractAddress } from '../../src/devnet/contracts/contractInit.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonMinterInit,
  jettonTransferBody,
  jettonWalletAddress,
} from '../../src/devnet/contracts/jettonContracts.ts'
import { commentBody, offChainContent, onChainContent } from '../../src/devnet/contracts/messages.ts'
import { nftItemAddress, nftTransferBody } from '../../src/devnet/contracts/nftContracts.ts'
import { findAddress, findInt } from '../../src/devnet/demo/OrderSender.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { type Address, formatFriendlyAddress, parseAddress } from '../../src/primitives/Address.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { filled, marker } from '../support/sampleMessages.ts'
import { scriptedCode } from '../support/scriptedCode.ts'
import { cell, int, nothing, slice } from '../support/scriptedMethods.ts'
import { closeSharedMachine, TEST_START } from '../support/testNetwork.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { openV3Demo, rawText, type V3Demo } from '../support/v3Demo.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { listEverything } from '../support/v3Paging.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const GRAM = 1_000_000_000n
const STEPS = 12
/** More than anybody has. */
const TOO_MUCH = 10n ** 18n
const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const none = slice(new CellWriter().writeUint(0, 2).toCell())
const named = (address: Address | undefined) => (address === undefined ? none : addressArgument(address))

/** get_fix_price_data_v4 of a contract that sells this item. */
const saleOf = (item: Address, owner: Address | undefined) => {
  const end = [int(5 * 10 ** 9), named(at(0x61)), int(5000), none, int(0), int(0), int(0), nothing]
  return scriptedCode({
    get_fix_price_data_v4: [int(0), int(TEST_START), named(at(0x60)), named(item), named(owner), ...end],
  })
}

const auctionOf = (item: Address, owner: Address) => {
  const state = [
    int(-1),
    int(0),
    int(TEST_START + 900),
    named(at(0x60)),
    named(item),
    named(owner),
    int(7),
    none,
    int(1),
  ]
  const fees = [named(at(0x61)), int(1), int(100), named(at(0x62)), int(2), int(100)]
  const rest = [...[9, 8, TEST_START, 0, 0, 0, 0].map(int), none, none, int(0), int(0)]
  return scriptedCode({ get_auction_data_v4: [...state, ...fees, ...rest] })
}

const telemint = scriptedCode({
  get_telemint_token_name: [slice(new CellWriter().writeBytes(Buffer.from('alice')).toCell())],
  get_telemint_auction_config: [nothing, ...[0, 0, 0, 0, 0].map(int)],
  royalty_params: [int(5), int(100), named(at(0x62))],
})

const [SALE, AUCTION, STRANGE_SALE, OWNERLESS_SALE] = [at(0x51), at(0x52), at(0x53), at(0x54)] as const
const [TELEMINT, LONELY, LIAR] = [at(0x55), at(0x56), at(0x57)] as const

const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0)
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort()

describe('v3 tokens', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let demo: V3Demo
  let people: Map<string, DevAccount>
  let second: Address
  const endings: (() => unknown)[] = []
  const url = (): string => service.url
  const holder = (text: string): DevAccount => people.get(text) ?? assert.fail(`${text} is nobody`)
  const everything = (name: string, key: string, args: object = {}) => listEverything(url(), name, key, { ...args })
  const refused = (name: string, args: object, text: string | RegExp) =>
    assertV3Refused(url(), name, { ...args }, 422, text)

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    const decoder = createBodyDecoder()
    const network = { startTime: TEST_START, shards: 2 }
    service = await startV3Network(cleanup, await openFreshDatabase(cleanup), { decoder, network })
    demo = await openV3Demo(service)
    const { plan } = demo
    people = new Map(plan.accounts.map((account) => [rawText(account.wallet.address), account]))
    const [alice, bob] = [plan.accounts[0]!, plan.accounts[1]!]
    const walletOf = (who: DevAccount) => jettonWalletAddress(who.wallet.address, plan.jetton.address)
    const init = jettonMinterInit(bob.wallet.address, onChainContent({ name: 'Second', symbol: 'TWO', decimals: '0' }))
    second = contractAddress(init)
    const mint = jettonMintBody(9n, alice.wallet.address, 500n, GRAM / 10n, bob.wallet.address)
    const burn = (amount: bigint) => jettonBurnBody(amount, amount, bob.wallet.address)
    const give = (amount: bigint, to: Address, note?: string) =>
      jettonTransferBody({
        queryId: 2n ** 64n - 1n - amount,
        amount,
        destination: to,
        responseDestination: note === undefined ? undefined : bob.wallet.address,
        forwardAmount: note === undefined ? 0n : 10_000_000n,
        forwardPayload: note === undefined ? undefined : commentBody(note),
      })
    const request = (destination: Address, body: ReturnType<typeof commentBody>) => ({
      destination,
      value: GRAM / 5n,
      bounce: true,
      body,
    })
    await demo.send(bob, [
      { destination: second, value: GRAM, bounce: false, init, body: mint },
      request(walletOf(bob), give(5n, alice.wallet.address, 'for alice')),
      request(walletOf(bob), burn(7n)),
      request(walletOf(bob), burn(TOO_MUCH)),
    ])
    await demo.settle()
    await demo.send(alice, [
      request(walletOf(alice), give(6n, bob.wallet.address)),
      request(walletOf(alice), give(TOO_MUCH, bob.wallet.address)),
      request(jettonWalletAddress(alice.wallet.address, second), give(500n, bob.wallet.address)),
    ])
    for (let k = 0; k < STEPS; k++) {
      await demo.traffic.step()
      await service.network.controls.mine(1)
    }
    const item = (index: number) => nftItemAddress(plan.collection.address, BigInt(index))
    await demo.place(SALE, saleOf(item(1), alice.wallet.address))
    await demo.place(AUCTION, auctionOf(item(2), bob.wallet.address))
    await demo.place(STRANGE_SALE, saleOf(item(0), alice.wallet.address))
    await demo.place(OWNERLESS_SALE, saleOf(item(4), undefined))
    await demo.place(TELEMINT, telemint)
    const content = cell(offChainContent('https://demo.invalid/lonely.json'))
    await demo.place(
      LONELY,
      scriptedCode({ get_nft_data: [int(-1), int(7), none, named(alice.wallet.address), content] }),
    )
    const claim = [int(10n ** 20n), named(alice.wallet.address), named(plan.jetton.address), cell(marker(1))]
    await demo.place(LIAR, scriptedCode({ get_wallet_data: claim }))
    await demo.tell(alice.wallet.address, LIAR, give(1n, bob.wallet.address))
    for (const [index, to] of [SALE, AUCTION, STRANGE_SALE, OWNERLESS_SALE].entries()) {
      const owner = findAddress(await demo.runMethod(item(index + 1), 'get_nft_data', []), 3)
      const body = nftTransferBody({
        queryId: BigInt(index),
        newOwner: to,
        responseDestination: undefined,
        forwardAmount: 0n,
        forwardPayload: undefined,
      })
      await demo.send(holder(rawText(owner!)), [request(item(index + 1), body)])
    }
    await demo.settle()
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  it('jettons: all, by address, by admin; supply is what all wallets have together', async () => {
    const masters = await everything('jetton/masters', 'jetton_masters')
    assert.deepEqual(
      distinct(masters.map(({ address }) => address)),
      distinct([demo.plan.jetton.address, second].map(rawText)),
    )
    for (const master of masters) {
      const { address, admin_address } = master
      assert.deepEqual(await everything('jetton/masters', 'jetton_masters', { address }), [master])
      assert.deepEqual(await everything('jetton/masters', 'jetton_masters', { admin_address, address }), [master])
      assert.deepEqual(await everything('jetton/masters', 'jetton_masters', { admin_address }), [master])
      const wallets = await everything('jetton/wallets', 'jetton_wallets', { jetton_address: address })
      const sum = wallets.reduce((total: bigint, { balance }) => total + BigInt(balance), 0n)
      assert.equal(String(sum), master.total_supply)
      const supply = findInt(await demo.runMethod(parseAddress(address), 'get_jetton_data', []), 0)
      assert.equal(String(supply), master.total_supply)
    }
    const admins = masters.map(({ admin_address }) => admin_address)
    assert.deepEqual(await everything('jetton/masters', 'jetton_masters', { admin_address: admins }), masters)
    assert.deepEqual(await everything('jetton/masters', 'jetton_masters', { address: admins }), [])
    const { address_book, metadata } = await askBothWays(url(), 'jetton/masters')
    assert.deepEqual(
      distinct(Object.keys(address_book)),
      distinct([...masters.map(({ address }) => address), ...admins]),
    )
    assert.deepEqual(distinct(Object.keys(metadata)), distinct(masters.map(({ address }) => address)))
    const bare = await askBothWays(url(), 'jetton/masters', { x_no_address_book: 1, x_no_metadata: 'true' })
    assert.deepEqual([bare.address_book, bare.metadata], [{}, {}])
  })

  it('jetton wallets in every order; a wallet that lies about its master is none', async () => {
    const wallets = (args: object = {}) => everything('jetton/wallets', 'jetton_wallets', args)
    const all = await wallets()
    assert.ok(all.length >= 6)
    for (const { address, owner, jetton, balance } of all) {
      const stack = await demo.runMethod(parseAddress(address), 'get_wallet_data', [])
      assert.equal(String(findInt(stack, 0)), balance)
      assert.equal(rawText(findAddress(stack, 1)!), owner)
      assert.equal(rawText(findAddress(stack, 2)!), jetton)
    }
    const raw = rawText(demo.plan.jetton.address)
    const ofJetton = all.filter(({ jetton }) => jetton === raw)
    assert.deepEqual(await wallets({ jetton_address: raw }), ofJetton)
    const byBalance = [...ofJetton].sort(
      (a, b) => compare(BigInt(a.balance), BigInt(b.balance)) || compare(a.address, b.address),
    )
    assert.deepEqual(await wallets({ jetton_address: raw, sort: 'asc' }), byBalance)
    assert.deepEqual(await wallets({ jetton_address: raw, sort: 'D' }), byBalance.toReversed())
    const byAddress = [...all].sort((a, b) => compare(a.address, b.address))
    const addresses = all.map(({ address }) => address)
    assert.deepEqual(await wallets({ address: addresses.join(',') }), byAddress)
    assert.deepEqual(await wallets({ address: addresses, sort: 'desc' }), byAddress)
    const owners: string[] = distinct(all.map(({ owner }) => owner))
    const since = new Map(all.map(({ address }, place) => [address, place]))
    const byOwner = [...all].sort(
      (a, b) => compare(a.owner, b.owner) || compare(since.get(a.address)!, since.get(b.address)!),
    )
    assert.deepEqual(await wallets({ owner_address: owners }), byOwner)
    const richest = [...all].sort(
      (a, b) =>
        compare(a.owner, b.owner) || compare(BigInt(b.balance), BigInt(a.balance)) || compare(b.address, a.address),
    )
    assert.deepEqual(await wallets({ owner_address: owners, sort: 'desc' }), richest)
    assert.deepEqual(await wallets({ owner_address: owners, jetton_address: raw }), ofJetton)
    const [alice] = [...people.keys()] as [string]
    const both = { owner_address: alice, jetton_address: [raw, rawText(second)] }
    assert.deepEqual(
      await wallets(both),
      byOwner.filter(({ owner }) => owner === alice),
    )
    const full = all.filter(({ balance }) => balance !== '0')
    assert.ok(full.length < all.length)
    assert.deepEqual(await wallets({ exclude_zero_balance: true }), full)
    assert.deepEqual(await wallets({ exclude_zero_balance: 'f', address: '' }), all)
    assert.deepEqual(await wallets({ address: rawText(LIAR) }), [])
    const friendly = formatFriendlyAddress(parseAddress(alice), { bounceable: false, testOnly: true })
    assert.deepEqual(
      await wallets({ owner_address: friendly }),
      byOwner.filter(({ owner }) => owner === alice),
    )
    const { address_book } = await askBothWays(url(), 'jetton/wallets', { limit: 1000 })
    const expected = all.flatMap(({ address, owner, jetton }) => [address, owner, jetton])
    assert.deepEqual(distinct(Object.keys(address_book)), distinct(expected))
  })

  /** What a list of events answers to all kinds of questions must be what a plain filter over all of them finds. */
  const checkEvents = async (
    name: string,
    key: string,
    sides: { from: string; to?: string; list: Record<string, string>; one: Record<string, string> },
  ) => {
    const ask = (args: object) => everything(name, key, args)
    const see = async (args: object): Promise<Json[]> =>
      (await getV3(`${url()}/api/v3`, name, { limit: 1000, x_no_address_book: 1, x_no_metadata: 1, ...args })).body[key]
    const asc = await ask({ sort: 'asc' })
    assert.ok(asc.length > 3, `${name}: ${asc.length}`)
    const byLt = (a: Json, b: Json) =>
      compare(BigInt(a.transaction_lt), BigInt(b.transaction_lt)) ||
      compare(a[sides.list['account']!], b[sides.list['account']!])
    const byTime = (a: Json, b: Json) => compare(a.transaction_now, b.transaction_now) || byLt(a, b)
    assert.deepEqual([...asc].sort(byLt), asc)
    assert.deepEqual(await ask({}), asc.toReversed())
    const owners = distinct(asc.flatMap((row) => [row[sides.from], ...(sides.to === undefined ? [] : [row[sides.to]])]))
    const ownerName = sides.list['owner']!
    for (const owner of [...owners.map((each) => [each]), owners, owners.slice(0, 2)]) {
      const isFrom = (row: Json) => owner.includes(row[sides.from])
      const isTo = (row: Json) => sides.to !== undefined && owner.includes(row[sides.to])
      assert.deepEqual(
        await (owner.length > 1 ? ask : see)({ [ownerName]: owner, sort: 'asc' }),
        asc.filter((row) => isFrom(row) || isTo(row)),
      )
      if (sides.to === undefined) continue
      assert.deepEqual(
        await (owner.length > 1 ? ask : see)({ [ownerName]: owner, sort: 'asc', direction: 'out' }),
        asc.filter(isFrom),
      )
      assert.deepEqual(
        await (owner.length > 1 ? ask : see)({ [ownerName]: owner, direction: 'in' }),
        asc.filter(isTo).toReversed(),
      )
      assert.deepEqual(
        await (owner.length > 1 ? ask : see)({ [ownerName]: owner, direction: 'both' }),
        asc.filter((row) => isFrom(row) || isTo(row)).toReversed(),
      )
    }
    for (const [parameter, member] of Object.entries(sides.one)) {
      for (const value of distinct(asc.map((row) => row[member]).filter((each) => each !== null))) {
        const found = asc.filter((row) => row[member] === value)
        assert.deepEqual(await see({ [parameter]: value, sort: 'asc' }), found)
        const some = found.filter(
          (row) => row[sides.from] === owners[0] || (sides.to !== undefined && row[sides.to] === owners[0]),
        )
        assert.deepEqual(await see({ [parameter]: value, [ownerName]: owners[0], sort: 'asc' }), some)
      }
    }
    const accountName = sides.list['accountParameter']!
    const accountMember = sides.list['account']!
    const accounts = distinct(asc.map((row) => row[accountMember]))
    for (const keys of [...accounts.map((each) => [each]), accounts]) {
      const found = asc.filter((row) => keys.includes(row[accountMember]))
      assert.deepEqual(await see({ [accountName]: keys, sort: 'asc' }), found)
      const owner = found[0][sides.from]
      const some = found.filter(
        (row) => row[sides.from] === owner || (sides.to !== undefined && row[sides.to] === owner),
      )
      assert.deepEqual(await see({ [accountName]: keys, [ownerName]: owner, sort: 'asc' }), some)
    }
    const middle = asc[Math.floor(asc.length / 2)]
    const { transaction_lt: lt, transaction_now: now } = middle
    const notBefore = asc.filter((row) => BigInt(row.transaction_lt) >= BigInt(lt))
    const notAfter = asc.filter((row) => BigInt(row.transaction_lt) <= BigInt(lt))
    assert.deepEqual(await ask({ start_lt: lt, sort: 'asc' }), notBefore)
    assert.deepEqual(await ask({ end_lt: lt, sort: 'asc' }), notAfter)
    assert.deepEqual(
      await ask({ start_lt: lt, end_lt: lt, sort: 'asc' }),
      notAfter.filter((row) => notBefore.includes(row)),
    )
    assert.deepEqual(await see({ end_lt: '18446744073709551615' }), asc.toReversed())
    assert.deepEqual(await see({ start_lt: '18446744073709551615' }), [])
    const timed = [...asc].sort(byTime)
    assert.deepEqual(
      await ask({ start_utime: now, sort: 'asc' }),
      timed.filter((row) => row.transaction_now >= now),
    )
    assert.deepEqual(await ask({ end_utime: now }), timed.filter((row) => row.transaction_now <= now).toReversed())
    assert.deepEqual(
      await ask({ start_utime: `${now}.9`, end_utime: now }),
      timed.filter((row) => row.transaction_now === now).toReversed(),
    )
    assert.deepEqual(await ask({ start_utime: 0, [ownerName]: owners }), timed.toReversed())
    assert.deepEqual(
      await ask({ end_utime: 4_294_967_295, start_lt: lt, [ownerName]: owners, sort: 'asc' }),
      timed.filter((row) => BigInt(row.transaction_lt) >= BigInt(lt)),
    )
    assert.deepEqual(await see({ end_utime: TEST_START - 1 }), [])
    for (const row of asc) await checkTransaction(row, accountMember)
    return asc
  }

  /** The transaction that an event names must be there, and of the account. */
  const checkTransaction = async (row: Json, member: string): Promise<void> => {
    const args = new URLSearchParams({
      address: row[member],
      lt: row.transaction_lt,
      hash: row.transaction_hash,
      limit: '1',
    })
    const { result } = (await (await fetch(`${url()}/api/v2/getTransactions?${args}`)).json()) as Json
    assert.equal(result[0].transaction_id.lt, row.transaction_lt)
    assert.equal(result[0].utime, row.transaction_now)
  }

  it('jetton transfers: those that were carried out, by every road', async () => {
    const all = await checkEvents('jetton/transfers', 'jetton_transfers', {
      from: 'source',
      to: 'destination',
      list: { owner: 'owner_address', account: 'source_wallet', accountParameter: 'jetton_wallet' },
      one: { jetton_master: 'jetton_master' },
    })
    assert.ok(all.every(({ transaction_aborted }) => transaction_aborted === false))
    const noted = all.find(({ query_id }) => query_id === String(2n ** 64n - 6n))
    const [alice, bob] = [...people.keys()] as [string, string]
    assert.deepEqual([noted.source, noted.destination, noted.amount], [bob, alice, '5'])
    assert.deepEqual([noted.response_destination, noted.forward_ton_amount], [bob, '10000000'])
    assert.equal(noted.decoded_forward_payload['@type'], 'text_comment')
    const plain = all.find(({ query_id }) => query_id === String(2n ** 64n - 7n))
    assert.deepEqual(
      [plain.response_destination, plain.forward_payload, plain.decoded_forward_payload],
      ['addr_none', null, null],
    )
    const { address_book } = await askBothWays(url(), 'jetton/transfers', { limit: 1000 })
    const shown = all.flatMap((row) => [
      row.source,
      row.destination,
      row.source_wallet,
      row.jetton_master,
      row.response_destination,
    ])
    assert.deepEqual(distinct(Object.keys(address_book)), distinct(shown))
    const alias = await everything('jetton/transfers', 'jetton_transfers', { address: alice, direction: 'out' })
    assert.deepEqual(
      alias,
      await everything('jetton/transfers', 'jetton_transfers', { owner_address: alice, direction: 'out' }),
    )
    assert.deepEqual(await everything('jetton/transfers', 'jetton_transfers', { jetton_wallet: rawText(LIAR) }), [])
    const { body } = await getV3(`${url()}/api/v3`, 'jetton/transfers', { 'owner_address[]': alice, limit: 1000 })
    assert.deepEqual(
      body.jetton_transfers,
      await everything('jetton/transfers', 'jetton_transfers', { owner_address: alice }),
    )
  })

  it('jetton burns, those that failed among them', async () => {
    const bob = [...people.keys()][1]!
    const burns = (args: object = {}) => everything('jetton/burns', 'jetton_burns', args)
    const mine = await burns({ address: bob, sort: 'asc' })
    const [good, bad] = [
      mine.find(({ amount }) => amount === '7'),
      mine.find(({ amount }) => amount === String(TOO_MUCH)),
    ]
    assert.deepEqual([good.transaction_aborted, bad.transaction_aborted], [false, true])
    assert.deepEqual([good.owner, good.query_id, good.response_destination], [bob, '7', bob])
    assert.deepEqual(await burns({ owner_address: bob, address: '', sort: 'asc' }), mine)
    assert.deepEqual(await burns({ owner_address: bob, address: bob, sort: 'asc' }), mine)
    assert.deepEqual(await burns({ jetton_wallet: [good.jetton_wallet], owner_address: bob, sort: 'asc' }), mine)
    assert.deepEqual(await burns({ jetton_master: good.jetton_master, address: bob, sort: 'asc' }), mine)
    const all = await burns({ sort: 'asc' })
    assert.deepEqual(await burns({ jetton_master: good.jetton_master, sort: 'asc' }), all)
    assert.deepEqual(await burns({ jetton_master: rawText(second) }), [])
    const { transaction_now: now, transaction_lt: lt } = good
    assert.deepEqual(await burns({ address: bob, start_utime: now, end_utime: now, start_lt: lt, end_lt: lt }), [good])
    await checkTransaction(bad, 'jetton_wallet')
    const { address_book } = await askBothWays(url(), 'jetton/burns', { limit: 1000 })
    const shown = all.flatMap((row) => [row.owner, row.jetton_wallet, row.jetton_master, row.response_destination])
    assert.deepEqual(distinct(Object.keys(address_book)), distinct(shown))
  })

  it('collections by address and by owner', async () => {
    const collections = (args: object = {}) => everything('nft/collections', 'nft_collections', args)
    const all = await collections()
    assert.equal(all.length, 2)
    const [ours] = all.filter(({ owner_address }) => owner_address !== null)
    assert.equal(ours.address, rawText(demo.plan.collection.address))
    const { address: collection_address, owner_address } = ours
    assert.deepEqual(await collections({ collection_address }), [ours])
    assert.deepEqual(await collections({ owner_address }), [ours])
    assert.deepEqual(await collections({ owner_address: [owner_address, rawText(at(1))], collection_address }), [ours])
    assert.deepEqual(await collections({ owner_address: [owner_address, rawText(at(1))] }), [ours])
    assert.deepEqual(await collections({ collection_address: all.map(({ address }) => address) }), all)
    assert.deepEqual(await collections({ owner_address: rawText(at(1)), collection_address }), [])
    const next = findInt(await demo.runMethod(demo.plan.collection.address, 'get_collection_data', []), 0)
    assert.equal(ours.next_item_index, String(next))
  })

  it('items: owners as the items themselves say, in every order', async () => {
    const items = (args: object = {}) => everything('nft/items', 'nft_items', args)
    const all = await items()
    assert.equal(all.length, 7)
    const collections = new Map(
      (await everything('nft/collections', 'nft_collections')).map((each) => [each.address, each]),
    )
    for (const item of all) {
      const stack = await demo.runMethod(parseAddress(item.address), 'get_nft_data', [])
      assert.equal(rawText(findAddress(stack, 3)!), item.owner_address)
      assert.equal(String(findInt(stack, 1)), item.index)
      assert.deepEqual(item.collection, collections.get(item.collection_address) ?? null)
      assert.deepEqual(await items({ address: item.address }), [item])
    }
    const lonely = all.find(({ address }) => address === rawText(LONELY))
    assert.deepEqual([lonely.collection_address, lonely.collection, lonely.index], [null, null, '7'])
    // One without a collection comes behind those that are in one.
    const place = ({ collection_address }: Json) => collection_address ?? '~'
    const byIndex = (a: Json, b: Json) => compare(BigInt(a.index), BigInt(b.index)) || compare(a.address, b.address)
    const byOwner = (a: Json, b: Json) =>
      compare(a.owner_address, b.owner_address) || compare(place(a), place(b)) || byIndex(a, b)
    const owners = distinct(all.map(({ owner_address }) => owner_address))
    const listed = [...all].sort(byOwner)
    assert.deepEqual(await items({ owner_address: owners }), listed)
    for (const owner_address of owners) {
      assert.deepEqual(
        await items({ owner_address }),
        listed.filter((item) => item.owner_address === owner_address),
      )
    }
    const collection_address = rawText(demo.plan.collection.address)
    const inOurs = all.filter((item) => item.collection_address === collection_address).sort(byIndex)
    assert.deepEqual(
      inOurs.map(({ index }) => index),
      ['0', '1', '2', '3', '4'],
    )
    assert.deepEqual(await items({ collection_address }), inOurs)
    assert.deepEqual(await items({ collection_address, owner_address: owners }), inOurs)
    assert.deepEqual(await items({ collection_address, index: ['3', '001', '9'.repeat(100)] }), [inOurs[1], inOurs[3]])
    assert.deepEqual(await items({ collection_address, index: '9'.repeat(100) }), [])
    assert.deepEqual(await items({ collection_address, index: [''] }), inOurs)
    const addresses = all.map(({ address }) => address)
    assert.deepEqual(
      await items({ address: addresses.slice(1, 4), collection_address }),
      addresses
        .slice(1, 4)
        .map((address) => all.find((item) => item.address === address))
        .filter((item) => item.collection_address === collection_address)
        .sort(byIndex),
    )
    assert.deepEqual(await items({ address: addresses, owner_address: owners }), listed)
    const owner_address = lonely.owner_address
    const mine = listed.filter((item) => item.owner_address === owner_address && item.collection_address !== null)
    assert.deepEqual(await items({ owner_address, collection_address: [...collections.keys()] }), mine)
    const newest = [...all].sort(
      (a, b) => compare(BigInt(b.last_transaction_lt), BigInt(a.last_transaction_lt)) || compare(b.address, a.address),
    )
    assert.deepEqual(await items({ sort_by_last_transaction_lt: true }), newest)
    assert.deepEqual(await items({ sort_by_last_transaction_lt: 1, owner_address: owners }), newest)
    assert.deepEqual(
      await items({ sort_by_last_transaction_lt: 'on', collection_address }),
      newest.filter((item) => item.collection_address === collection_address),
    )
    assert.equal((await askBothWays(url(), 'nft/items', { limit: '0' })).nft_items.length, 1)
    const { address_book, metadata } = await askBothWays(url(), 'nft/items', { limit: 1000 })
    const shown = all.flatMap((item) => [
      item.address,
      item.owner_address,
      ...(item.collection_address ? [item.collection_address] : []),
    ])
    assert.deepEqual(distinct(Object.keys(address_book)), distinct(shown))
    assert.deepEqual(distinct(Object.keys(metadata)), distinct([...addresses, ...collections.keys()]))
  })

  it('appendix C 6: an item is on sale only where the sale names it, and its seller may be nobody', async () => {
    const items = (args: object = {}) => everything('nft/items', 'nft_items', args)
    const [alice, bob] = [...people.keys()] as [string, string]
    const collection_address = rawText(demo.plan.collection.address)
    const inOurs = await items({ collection_address })
    const sold = inOurs
      .slice(1)
      .map((item) => [item.on_sale, item.sale_contract_address, item.auction_contract_address, item.real_owner])
    assert.deepEqual(sold, [
      [true, rawText(SALE), undefined, alice],
      [true, undefined, rawText(AUCTION), bob],
      [false, undefined, undefined, undefined],
      [true, rawText(OWNERLESS_SALE), undefined, undefined],
    ])
    const behind = (item: Json): string => item.real_owner ?? item.owner_address
    const all = await items()
    const place = ({ collection_address: collection }: Json) => collection ?? '~'
    const byBehind = [...all].sort(
      (a, b) =>
        compare(behind(a), behind(b)) || compare(place(a), place(b)) || compare(BigInt(a.index), BigInt(b.index)),
    )
    const owners = distinct(all.flatMap((item) => [behind(item), item.owner_address]))
    for (const owner of owners) {
      const expected = byBehind.filter((item) => behind(item) === owner)
      assert.deepEqual(await items({ owner_address: owner, include_on_sale: true }), expected)
      assert.deepEqual(
        await items({ owner_address: owner, include_on_sale: true, collection_address }),
        expected.filter((item) => item.collection_address === collection_address),
      )
    }
    assert.deepEqual(await items({ owner_address: owners, include_on_sale: true }), byBehind)
    assert.deepEqual(await items({ include_on_sale: true }), all)
    const newest = await items({ owner_address: owners, include_on_sale: true, sort_by_last_transaction_lt: true })
    assert.deepEqual(newest, await items({ sort_by_last_transaction_lt: true }))
    const some = { address: inOurs.map(({ address }) => address), owner_address: [alice, bob], include_on_sale: true }
    assert.deepEqual(
      await items(some),
      byBehind.filter(
        (item) => inOurs.some(({ address }) => address === item.address) && [alice, bob].includes(behind(item)),
      ),
    )
  })

  it('sales, then auctions, then items that sell themselves', async () => {
    const address = [TELEMINT, AUCTION, OWNERLESS_SALE, SALE, at(1)].map(rawText)
    const { nft_sales, address_book } = await askBothWays(url(), 'nft/sales', { address })
    assert.deepEqual(
      nft_sales.map((sale: Json) => [sale.type, sale.address, sale.nft_item?.index]),
      [
        ['getgems_sale', rawText(SALE), '1'],
        ['getgems_sale', rawText(OWNERLESS_SALE), '4'],
        ['getgems_auction', rawText(AUCTION), '2'],
        ['telemint', rawText(TELEMINT), undefined],
      ],
    )
    const [sale, ownerless, auction, idle] = nft_sales
    const [alice, bob] = [...people.keys()] as [string, string]
    assert.deepEqual(
      [sale.nft_owner_address, sale.created_at, sale.details.full_price],
      [alice, TEST_START, '5000000000'],
    )
    assert.deepEqual([sale.nft_item.on_sale, sale.nft_item.real_owner], [true, alice])
    assert.equal('nft_owner_address' in ownerless, false)
    assert.deepEqual([auction.nft_owner_address, auction.details.min_bid], [bob, '8'])
    assert.deepEqual([idle.details.token_name, 'nft_address' in idle], ['alice', false])
    for (const each of [SALE, AUCTION, at(0x60)].map(rawText)) assert.ok(each in address_book, each)
    assert.deepEqual((await askBothWays(url(), 'nft/sales', { address: rawText(at(1)) })).nft_sales, [])
  })

  it('item transfers by every road', async () => {
    const all = await checkEvents('nft/transfers', 'nft_transfers', {
      from: 'old_owner',
      to: 'new_owner',
      list: { owner: 'owner_address', account: 'nft_address', accountParameter: 'item_address' },
      one: { collection_address: 'nft_collection' },
    })
    const last = all.findLast(({ new_owner }) => new_owner === rawText(SALE))
    assert.deepEqual([last.forward_amount, last.forward_payload, last.response_destination], ['0', null, 'addr_none'])
    for (const { nft_address } of all) {
      const [item] = await everything('nft/items', 'nft_items', { address: nft_address })
      const { new_owner } = all.findLast((row) => row.nft_address === nft_address && !row.transaction_aborted)
      assert.equal(new_owner, item.owner_address)
    }
    const { address_book } = await askBothWays(url(), 'nft/transfers', { limit: 1000 })
    const shown = all.flatMap((row) => [
      row.nft_address,
      row.nft_collection,
      row.old_owner,
      row.new_owner,
      row.response_destination,
    ])
    assert.deepEqual(distinct(Object.keys(address_book)), distinct(shown))
  })

  it('what cannot be answered is refused in the words of the contract', async () => {
    const [one, two] = [rawText(at(1)), rawText(at(2))]
    const many = (count: number): string[] =>
      Array.from({ length: count }, (_, k) => `0:${k.toString(16).padStart(64, '0')}`)
    const oneOwner = 'exact one owner_address required for multiple jetton_address'
    await refused('jetton/wallets', { jetton_address: [one, two] }, oneOwner)
    await refused('jetton/wallets', { jetton_address: [one, two], owner_address: [one, two] }, oneOwner)
    await refused('jetton/wallets', { sort: 'up', owner_address: one }, 'wrong value for sort parameter')
    await refused(
      'jetton/wallets',
      { exclude_zero_balance: 'perhaps' },
      'failed to decode: schema: error converting value for "exclude_zero_balance"',
    )
    await refused('nft/items', { index: '1' }, 'index parameter is not allowed without the collection_address')
    await refused('nft/items', { index: ['1', 'x2'], collection_address: one }, 'index should contain digits only')
    await refused('nft/items', { index: '1,2', collection_address: one }, 'index should contain digits only')
    await refused(
      'nft/items',
      { collection_address: [one, two] },
      'exact one owner_address required for multiple collection_address',
    )
    await refused('nft/items', { limit: 1001 }, 'limit is not allowed: 1001 > 1000')
    await refused(
      'nft/items',
      { address: [one, 'x'] },
      'failed to decode: schema: error converting value for index 1 of "address"',
    )
    await refused('nft/sales', {}, 'at least 1 address required')
    await refused('nft/sales', { address: '' }, 'at least 1 address required')
    await refused('nft/sales', { address: many(1001) }, 'maximum 1000 addresses allowed')
    for (const name of ['jetton/transfers', 'nft/transfers']) {
      await refused(name, { direction: 'up' }, 'failed to decode: schema: error converting value for "direction"')
      await refused(name, { owner_address: many(1001) }, /maximum 1000/)
      await refused(name, { start_utime: '' }, 'failed to decode: schema: error converting value for "start_utime"')
      await refused(
        name,
        { start_lt: -1, end_lt: 'x' },
        'failed to decode: schema: error converting value for "start_lt" (and 1 other error)',
      )
      await refused(name, { sort: 'x' }, 'wrong value for sort parameter')
      assert.equal((await getV3(`${url()}/api/v3`, name, { owner_address: many(1000) })).status, 200)
    }
    await refused(
      'jetton/transfers',
      { jetton_master: '' },
      'failed to decode: schema: error converting value for "jetton_master"',
    )
    await refused('jetton/burns', { jetton_wallet: many(1001) }, /maximum 1000/)
    await refused('nft/transfers', { item_address: many(1001) }, /maximum 1000/)
    for (const [name, parameter] of [
      ['jetton/masters', 'address'],
      ['jetton/masters', 'admin_address'],
      ['nft/collections', 'collection_address'],
    ] as const) {
      await refused(name, { [parameter]: many(1025) }, /maximum 1024/)
      assert.equal((await getV3(`${url()}/api/v3`, name, { [parameter]: many(1024) })).status, 200)
    }
    const { headers } = await getV3(`${url()}/api/v3`, 'nft/items', { limit: 1 })
    const cursor = headers.get('x-next-cursor')
    await refused('nft/items', { sort_by_last_transaction_lt: true, cursor }, /^The cursor belongs to another query/)
    await refused('jetton/transfers', { start_utime: 1, cursor }, /^The cursor belongs to another query/)
    // On a machine that has too much to do the node may be slow to answer now and then.
    assert.deepEqual(
      service.logLines.filter((line) => !line.includes('liteserver unreachable')),
      [],
    )
  })
})
