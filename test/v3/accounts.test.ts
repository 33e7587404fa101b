import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Address as CoreAddress, Cell as CoreCell } from '@ton/core'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV2 } from '../support/v2Client.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const ZERO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
const stranger = `0:${'5A'.repeat(32)}`
const receiver = `0:${'2B'.repeat(32)}`
const frozen = `0:${'3C'.repeat(32)}`
const rich = `0:${'4D'.repeat(32)}`

const upper = (text: string): string => CoreAddress.parse(text).toRawString().toUpperCase()
const friendly = (text: string, bounceable: boolean, testOnly = false): string =>
  CoreAddress.parse(text).toString({ bounceable, testOnly, urlSafe: true })

after(closeSharedMachine)

describe('v3 accounts', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let endings: (() => unknown)[] = []
  const addressOf = (name: string): string => upper(service.network.accounts.find((it) => it.name === name)!.address)
  /** Who has the name of the demonstration. */
  const ownerOfName = async (): Promise<string> =>
    (await ask('dns/records', { domain: 'chaincenter.ton' })).records[0].nft_item_owner
  const ask = (name: string, args: object): Promise<Json> => askBothWays(service.url, name, { ...args })
  const refuse = (name: string, args: object, status: number, text: string | RegExp): Promise<void> =>
    assertV3Refused(service.url, name, { ...args }, status, text)
  const v2 = async (name: string, args: object): Promise<Json> =>
    (await getV2(`${service.url}/api/v2`, name, { ...args })).body.result
  const rowsOf = (sql: string): Promise<Json[]> =>
    database.transaction(async (client) => (await client.query(sql)).rows as Json[])

  const mineUntil = async (isReached: () => Promise<boolean>): Promise<void> => {
    for (let blocks = 0; !(await isReached()); blocks++) {
      assert.ok(blocks < 120, 'the demonstration was not there in time')
      await service.network.controls.mine(1)
      await delay(10)
      if (blocks % 5 === 4) await service.catchUp()
    }
    await service.catchUp()
  }

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
    database = await openFreshDatabase(cleanup as unknown as TestContext)
    service = await startV3Network(cleanup, database, { network: { demo: true } })
    const { controls } = service.network
    await controls.faucet(parseAddress(receiver), 1_500_000_000n)
    // An index knows of what has happened: accounts of the first state that nothing happened to are not in it.
    for (const { address } of service.network.accounts) await controls.faucet(parseAddress(address), 1_000_000_000n)
    await mineUntil(async () => (await rowsOf('SELECT 1 FROM dns_entries WHERE dns_wallet IS NOT NULL')).length > 0)
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
    endings = []
  })

  it('states of accounts, with code, data, methods and what they are called', async () => {
    const names = ['alice', 'bob', 'frank', 'grace']
    const address = names.map(addressOf)
    const { accounts, address_book, metadata } = await ask('accountStates', { address })
    assert.deepEqual(metadata, {})
    const found = new Map<string, Json>(accounts.map((each: Json) => [each.address, each]))
    const seen = names.map((name) => found.get(addressOf(name)))
    assert.deepEqual(
      seen.map((each) => [each.status, each.interfaces]),
      [
        ['active', ['wallet_v4r2']],
        ['active', ['wallet_v5r1']],
        ['active', ['wallet_v3r2']],
        ['active', ['wallet_highload_v3r1']],
      ],
    )
    for (const each of accounts) {
      const live = await v2('getAddressInformation', { address: each.address })
      assert.equal(each.balance, live.balance, each.address)
      assert.equal(each.last_transaction_lt, live.last_transaction_id.lt)
      assert.equal(each.last_transaction_hash, live.last_transaction_id.hash)
      if (each.status !== 'active') continue
      assert.equal(CoreCell.fromBase64(each.code_boc).hash().toString('base64'), each.code_hash)
      assert.equal(CoreCell.fromBase64(each.data_boc).hash().toString('base64'), each.data_hash)
      assert.equal(CoreCell.fromBase64(live.code).hash().toString('base64'), each.code_hash)
      assert.equal(CoreCell.fromBase64(live.data).hash().toString('base64'), each.data_hash)
      // No checksum: the flag of it would make the sixth character another.
      assert.match(each.code_boc, /^te6ccg/)
      // Wallets of the third kind tell their methods apart by hand.
      const methods = each.interfaces[0] === 'wallet_v3r2' ? [78_748] : each.contract_methods
      assert.ok(methods.includes(78_748), 'get_public_key')
      assert.deepEqual(address_book[each.address].interfaces, each.interfaces)
    }
  })

  it('lists of accounts in every form, and what is left out of them', async () => {
    const alice = addressOf('alice')
    const bob = addressOf('bob')
    const whole = await ask('accountStates', { address: [alice, bob] })
    const forms = [
      { address: `${alice},${friendly(bob, true)}` },
      { address: [friendly(alice, false, true), bob.toLowerCase(), stranger, alice, ''] },
      { 'address[]': [alice, friendly(bob, false).replaceAll('-', '+').replaceAll('_', '/')] },
    ]
    for (const form of forms) {
      const { accounts } = await ask('accountStates', form)
      assert.deepEqual(
        accounts.map((each: Json) => each.address).sort(),
        whole.accounts.map((each: Json) => each.address).sort(),
      )
    }
    const bare = await ask('accountStates', { address: [alice], include_boc: 'false' })
    const [{ code_boc, data_boc, ...rest }] = (await ask('accountStates', { address: [alice] })).accounts
    assert.ok(code_boc && data_boc)
    assert.deepEqual(bare.accounts, [rest])
    const filtered = await ask('accountStates', { address: [alice, bob], code_hash: rest.code_hash })
    assert.deepEqual(
      filtered.accounts.map((each: Json) => each.address),
      [alice],
    )
    const nobody = await ask('accountStates', { address: [stranger] })
    assert.deepEqual(nobody, { accounts: [], address_book: {}, metadata: {} })
    const quiet = await getV3(
      `${service.url}/api/v3`,
      'accountStates',
      { address: alice, x_no_metadata: 1 },
      { 'X-No-Address-Book': 'true' },
    )
    assert.deepEqual([quiet.body.address_book, quiet.body.metadata], [{}, {}])
    const many = Array.from({ length: 1000 }, (_, k) => `0:${k.toString(16).padStart(64, '0')}`)
    assert.equal((await ask('accountStates', { address: many })).accounts.length, 0)
    for (const name of ['accountStates', 'walletStates']) {
      await refuse(name, {}, 422, 'address of account is required')
      await refuse(name, { address: [alice, 'x'] }, 422, /index 1 of "address"$/)
      await refuse(name, { address: `${alice.slice(0, -1)}` }, 422, /^failed to decode: schema: error converting value/)
      await refuse(name, { address: [...many, alice] }, 422, 'maximum 1000 values allowed, 1001 given')
    }
    await refuse('accountStates', { address: alice, include_boc: 'x' }, 422, /for "include_boc"$/)
    await refuse('accountStates', { address: alice, code_hash: 'x' }, 422, /for index 0 of "code_hash"$/)
  })

  it('wallets: kind, number and seqno as v2 tells them', async () => {
    const names = ['alice', 'bob', 'frank', 'grace', 'judy']
    const [{ address: item }] = await rowsOf('SELECT encode(address, $$hex$$) AS address FROM jetton_masters LIMIT 1')
    const jetton = `0:${item.slice(2).toUpperCase()}`
    const { wallets, address_book, metadata } = await ask('walletStates', {
      address: [...names.map(addressOf), receiver, jetton, stranger],
    })
    assert.equal(wallets.length, names.length + 2)
    assert.deepEqual(Object.keys(metadata), [jetton])
    assert.equal(Object.keys(address_book).length, wallets.length)
    const kinds = new Set<string>()
    for (const wallet of wallets) {
      const live = await v2('getWalletInformation', { address: wallet.address })
      assert.equal(wallet.is_wallet, live.wallet)
      assert.equal(wallet.wallet_type, live.wallet_type)
      assert.equal(wallet.seqno, live.seqno)
      assert.equal(wallet.wallet_id, live.wallet_id === undefined ? undefined : live.wallet_id >>> 0)
      assert.equal(wallet.is_signature_allowed, live.is_signature_allowed)
      assert.equal(wallet.balance, live.balance)
      assert.ok(!('extra_currencies' in wallet))
      kinds.add(wallet.wallet_type ?? `none ${wallet.status}`)
    }
    assert.deepEqual([...kinds].sort(), ['none active', 'none uninit', 'wallet v3 r2', 'wallet v4 r2', 'wallet v5 r1'])
  })

  it('an address book under the spelling of the caller', async () => {
    const dave = await ownerOfName()
    const spelled = friendly(dave, true, true)
    const book = await ask('addressBook', { address: [dave, spelled, stranger, 'nonsense', `${dave},${stranger}`] })
    const row = { user_friendly: friendly(dave, false), domain: 'chaincenter.ton', interfaces: ['wallet_v4r2'] }
    const unreadable = { user_friendly: null, domain: null, interfaces: [] }
    assert.deepEqual(book, {
      [dave]: row,
      [spelled]: row,
      [stranger]: { user_friendly: friendly(stranger, false), domain: null, interfaces: [] },
      nonsense: unreadable,
      [`${dave},${stranger}`]: unreadable,
    })
    // It is not left out where others are, and what nobody can read is no failure.
    const { body } = await getV3(
      `${service.url}/api/v3`,
      'addressBook',
      { address: dave },
      { 'X-No-Address-Book': '1' },
    )
    assert.deepEqual(body, { [dave]: row })
    assert.deepEqual(await ask('addressBook', { address: ['x', 'y'] }), { x: unreadable, y: unreadable })
    await refuse('addressBook', {}, 422, 'at least 1 address required')
    await refuse('addressBook', { address: '' }, 422, 'at least 1 address required')
    const many = Array.from({ length: 1025 }, (_, k) => `x${k}`)
    assert.equal(Object.keys(await ask('addressBook', { address: many.slice(1) })).length, 1024)
    await refuse('addressBook', { address: many }, 422, 'maximum 1024 values allowed, 1025 given')
  })

  it('the shortest domain that leads back to its owner', async () => {
    const [{ nft_item_owner: owner }] = await rowsOf(
      'SELECT nft_item_owner FROM dns_entries WHERE dns_wallet IS NOT NULL',
    )
    const put = (number: number, domain: string, ownedBy: Uint8Array) =>
      database.transaction((client) =>
        client.query(
          'INSERT INTO dns_entries (last_lt, domain, nft_item_address, nft_item_owner, dns_wallet) VALUES (1, $1, $2, $3, $4)',
          [domain, Buffer.alloc(33, number), ownedBy, owner],
        ),
      )
    await put(201, 'b.t.me', Buffer.alloc(33, 7))
    await put(202, 'zz.ton', owner)
    await put(203, 'aa.ton', owner)
    const dave = await ownerOfName()
    assert.equal((await ask('addressBook', { address: dave }))[dave].domain, 'aa.ton')
    await rowsOf(`DELETE FROM dns_entries WHERE last_lt = 1`)
  })

  it('metadata: roles, masters of wallets, and what has been found out', async () => {
    const text = (key: Buffer): string => `${key.readInt8(0)}:${key.subarray(1).toString('hex').toUpperCase()}`
    const [wallet] = await rowsOf('SELECT * FROM jetton_wallets WHERE balance > 0 LIMIT 1')
    const [collection] = await rowsOf('SELECT * FROM nft_collections ORDER BY since_lt DESC LIMIT 1')
    const [item] = await rowsOf('SELECT * FROM nft_items WHERE index = 1 LIMIT 1')
    const [walletText, masterText] = [text(wallet.address), text(wallet.jetton)]
    const [collectionText, itemText] = [text(collection.address), text(item.address)]
    const asked = { address: [walletText, collectionText, itemText, stranger, 'nonsense'] }
    const walletInfo = {
      valid: true,
      type: 'jetton_wallets',
      extra: { owner: text(wallet.owner), jetton: masterText, balance: String(wallet.balance) },
    }
    assert.deepEqual(await ask('metadata', asked), {
      [walletText]: { is_indexed: true, token_info: [walletInfo] },
      [masterText]: { is_indexed: false, token_info: [{ type: 'jetton_masters' }] },
      [collectionText]: { is_indexed: false, token_info: [{ type: 'nft_collections' }] },
      [itemText]: { is_indexed: false, token_info: [{ type: 'nft_items', nft_index: '1' }] },
    })
    await database.transaction(async (client) => {
      const put = (address: Buffer, type: string, valid: boolean | null, extra: object) =>
        client.query(
          `INSERT INTO address_metadata (next_try_at, tries, valid, address, type, name, symbol, image, extra)
           VALUES (now(), 0, $1, $2, $3, 'A name', $4, NULL, $5)`,
          [valid, address, type, type === 'jetton_masters' ? 'DEMO' : null, JSON.stringify(extra)],
        )
      await put(wallet.jetton, 'jetton_masters', true, { decimals: '9', social: ['x'] })
      await put(collection.address, 'nft_collections', false, { left: 'out' })
      await put(item.address, 'nft_items', null, {})
      // The item is a collection, too, of which nothing has been found out.
      await client.query(
        'INSERT INTO nft_collections SELECT since_lt, last_lt, 0, $1, owner_address, code_hash, data_hash FROM nft_items WHERE address = $1',
        [item.address],
      )
    })
    assert.deepEqual(await ask('metadata', asked), {
      [walletText]: { is_indexed: true, token_info: [walletInfo] },
      [masterText]: {
        is_indexed: true,
        token_info: [
          {
            valid: true,
            type: 'jetton_masters',
            name: 'A name',
            symbol: 'DEMO',
            is_nsfw: false,
            is_scam: false,
            extra: { decimals: '9', social: ['x'] },
          },
        ],
      },
      [collectionText]: { is_indexed: true, token_info: [{ valid: false, type: 'nft_collections' }] },
      [itemText]: {
        is_indexed: false,
        token_info: [{ type: 'nft_collections' }, { type: 'nft_items', nft_index: '1' }],
      },
    })
    // Without members that have no name of their own there is no `extra`, not an empty one.
    await rowsOf(`UPDATE address_metadata SET valid = true WHERE type = 'nft_items'`)
    const { [itemText]: named } = await ask('metadata', { address: itemText })
    const flags = { is_nsfw: false, is_scam: false }
    assert.deepEqual(named.token_info, [
      { type: 'nft_collections' },
      { valid: true, type: 'nft_items', name: 'A name', nft_index: '1', ...flags },
    ])
    // The same stands beside other answers, and the contracts have the names of what they are.
    const { metadata, address_book } = await ask('accountStates', { address: [walletText, collectionText] })
    assert.deepEqual(Object.keys(metadata).sort(), [walletText, masterText, collectionText].sort())
    assert.match(address_book[walletText].interfaces.join(), /jetton_wallet/)
    assert.deepEqual(address_book[collectionText].interfaces, ['nft_collection'])
    assert.equal(address_book[collectionText].user_friendly, friendly(collectionText, true))
    await refuse('metadata', {}, 422, 'at least 1 address required')
    await rowsOf('DELETE FROM address_metadata')
  })

  it('old questions about one account, from the index and from a node', async () => {
    const bob = addressOf('bob')
    for (const [name, alias, live] of [
      ['addressInformation', 'account', 'getAddressInformation'],
      ['walletInformation', 'wallet', 'getWalletInformation'],
    ] as const) {
      const indexed = await ask(name, { address: bob })
      const fromNode = await ask(name, { address: friendly(bob, true), use_v2: 'true' })
      const { code: _, data: __, ...rest } = indexed
      assert.deepEqual({ ...fromNode, ...rest }, fromNode)
      const told = await v2(live, { address: bob })
      assert.deepEqual(
        [indexed.balance, indexed.last_transaction_lt, indexed.last_transaction_hash, indexed.status],
        [told.balance, told.last_transaction_id.lt, told.last_transaction_id.hash, 'active'],
      )
      const { body } = await getV3(`${service.url}/api/v3`, alias, { address: bob })
      assert.deepEqual(body, indexed)
      await refuse(name, {}, 401, 'address of account is required')
      await refuse(name, { address: '' }, 422, 'failed to decode: schema: error converting value for "address"')
      await refuse(name, { address: 'x', use_v2: 'maybe' }, 422, /"address" \(and 1 other error\)$/)
      const nobody = { balance: '0', last_transaction_lt: '0', last_transaction_hash: ZERO_HASH, status: 'uninit' }
      const more = name === 'addressInformation' ? { code: null, data: null, frozen_hash: null } : {}
      assert.deepEqual(await ask(name, { address: stranger }), { ...nobody, ...more })
      const unused = await ask(name, { address: stranger, use_v2: true })
      assert.deepEqual(unused, { ...nobody, ...more, status: 'uninitialized' })
      assert.equal((await ask(name, { address: receiver })).balance, '1500000000')
    }
    const { code, data } = await ask('addressInformation', { address: bob })
    const live = await v2('getAddressInformation', { address: bob })
    assert.ok(CoreCell.fromBase64(code).equals(CoreCell.fromBase64(live.code)))
    assert.ok(CoreCell.fromBase64(data).equals(CoreCell.fromBase64(live.data)))
    const [{ address }] = await rowsOf('SELECT encode(address, $$hex$$) AS address FROM jetton_masters LIMIT 1')
    for (const use_v2 of [false, true]) {
      await refuse('walletInformation', { address: `0:${address.slice(2)}`, use_v2 }, 409, 'not a wallet')
    }
  })

  it('accounts that are frozen, gone, or hold other currencies', async () => {
    const { controls } = service.network
    const stateHash = new Uint8Array(32).fill(9)
    const extra = { grams: 2_000_000_000n, extra: Dict.of(extraCurrenciesType, [[100, 2_500_000n]]) }
    await controls.setAccount({ address: parseAddress(rich), balance: extra, state: { kind: 'uninit' } })
    await controls.setAccount({ address: parseAddress(frozen), balance: extra, state: { kind: 'frozen', stateHash } })
    for (const text of [frozen, rich]) await controls.faucet(parseAddress(text), 1_000_000_000n)
    await service.mine(3)
    const { accounts } = await ask('accountStates', { address: [frozen, rich] })
    const other = { 100: '2500000' }
    const of = (text: string): Json => accounts.find((each: Json) => each.address === text)
    const frozenHash = Buffer.from(stateHash).toString('base64')
    assert.deepEqual(
      [of(frozen), of(rich)].map((each) => [each.status, each.frozen_hash, each.extra_currencies]),
      [
        ['frozen', frozenHash, other],
        ['uninit', undefined, other],
      ],
    )
    const { wallets } = await ask('walletStates', { address: rich })
    assert.deepEqual([wallets[0].extra_currencies, wallets[0].balance], [other, of(rich).balance])
    const old = await ask('addressInformation', { address: frozen })
    assert.deepEqual([old.status, old.frozen_hash, old.code], ['frozen', frozenHash, null])
    const { frozen_hash } = await ask('addressInformation', { address: frozen, use_v2: true })
    assert.equal(frozen_hash, frozenHash)
    await refuse('walletInformation', { address: frozen }, 409, 'not a wallet')
    assert.equal((await ask('walletInformation', { address: rich })).status, 'uninit')
  })

  it('nothing went wrong inside', () => {
    assert.deepEqual(service.logLines, [])
  })
})
