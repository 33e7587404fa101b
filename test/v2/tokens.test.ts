import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type DnsRecord, writeDnsRecord } from '../../src/codec/content/dns.ts'
import { encodeUtf8 } from '../../src/codec/content/text.ts'
import { contentDictType, hashName } from '../../src/codec/content/tokenContent.ts'
import type { StateInit } from '../../src/codec/tlb/StateInit.ts'
import { compiledCode, contractAddress, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { dnsCollectionAddress, dnsItemAddress, dnsRootAddress } from '../../src/devnet/contracts/dnsContracts.ts'
import { jettonMintBody, jettonMinterInit, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { offChainContent, onChainContent, toAddrStd, writeAddress } from '../../src/devnet/contracts/messages.ts'
import { nftCollectionInit, nftDeployBody, nftItemAddress } from '../../src/devnet/contracts/nftContracts.ts'
import {
  type Address,
  formatAdnlAddress,
  formatFriendlyAddress,
  formatRawAddress,
  formatUpperRawAddress,
} from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { amount, filled } from '../support/sampleMessages.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const TON = 1_000_000_000n
const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const admin = at(0x61)
const holder = at(0x62)
const friendly = (address: Address): string => formatFriendlyAddress(address)

const minter = jettonMinterInit(
  admin,
  onChainContent({ name: 'Example', symbol: 'EX', decimals: '6', uri: 'https://example.org/j.json' }),
)
const collection = nftCollectionInit({
  owner: admin,
  content: offChainContent('https://example.org/c.json'),
  itemPrefix: 'https://example.org/',
  royaltyPercent: 5,
})

const wallet: DnsRecord = { kind: 'smcAddress', address: toAddrStd(at(7)), flags: 0, list: undefined }
const site: DnsRecord = { kind: 'adnlAddress', adnl: filled(8), flags: 0, list: undefined }
const storage: DnsRecord = { kind: 'storageAddress', bagId: filled(9) }
const resolver: DnsRecord = { kind: 'nextResolver', resolver: toAddrStd(dnsCollectionAddress) }
const note: DnsRecord = { kind: 'text', bytes: encodeUtf8('hello') }
const records = { wallet, site, storage, dns_next_resolver: resolver, note }

const recordDict = (named: Readonly<Record<string, DnsRecord>>): Cell =>
  Dict.of(
    contentDictType,
    Object.entries(named).map(([name, record]) => {
      const entry = new CellWriter().writeRef(writeWhole(writeDnsRecord, record)).toCell()
      return [hashName(name), wholeSlice(entry)] as const
    }),
  ).root as Cell

const nameItem = (label: string, named: Readonly<Record<string, DnsRecord>>): StateInit => {
  const name = new CellWriter().writeBytes(encodeUtf8(label)).toCell()
  const data = writeAddress(new CellWriter().writeBytes(name.hash()), dnsCollectionAddress)
  writeAddress(data, holder).writeMaybeRef(recordDict(named))
  return contractInit(compiledCode('dnsItem'), data.writeRef(name).writeUint64(1n).toCell())
}

describe('v2 tokens and names', () => {
  let service: V2NetworkService
  const jetton = contractAddress(minter)
  const nfts = contractAddress(collection)
  const alice = dnsItemAddress('alice')

  const place = (address: Address, init: StateInit): Promise<void> =>
    service.network.controls.setAccount({ address, balance: amount(10n * TON), state: { kind: 'active', init } })

  const send = (destination: Address, body: Cell): Promise<unknown> =>
    service.network.controls.impersonate({
      source: admin,
      destination,
      value: amount(2n * TON),
      bounce: false,
      stateInit: undefined,
      body,
    })

  before(async () => {
    service = await startV2Network()
    await place(jetton, minter)
    await place(nfts, collection)
    await place(alice, nameItem('alice', records))
    await send(jetton, jettonMintBody(1n, holder, 1_500_000n, TON, admin))
    await send(nfts, nftDeployBody(1n, 0n, TON, holder, '0.json'))
    await service.mine(6)
  })
  after(() => service.close())

  const ask = (address: string, more = {}): Promise<Json> =>
    askEveryWay(service.url, 'getTokenData', { address, ...more })

  it('tells of a jetton', async () => {
    const { jetton_wallet_code, ...rest } = await ask(friendly(jetton))
    assert.deepEqual(rest, {
      '@type': 'ext.tokens.jettonMasterData',
      address: friendly(jetton),
      contract_type: 'jetton_master',
      total_supply: '1500000',
      mintable: true,
      admin_address: friendly(admin),
      jetton_content: {
        type: 'onchain',
        data: { name: 'Example', symbol: 'EX', decimals: '6', uri: 'https://example.org/j.json' },
      },
    })
    assert.match(jetton_wallet_code, /^te6cck/)
  })

  it('tells of a jetton wallet that its master vouches for, in any spelling', async () => {
    const own = jettonWalletAddress(holder, jetton)
    for (const given of [
      formatRawAddress(own),
      formatUpperRawAddress(own),
      friendly(own),
      formatFriendlyAddress(own, { bounceable: false }),
      formatFriendlyAddress(own, { testOnly: true }),
    ]) {
      const { jetton_wallet_code, ...rest } = await ask(given)
      assert.deepEqual(rest, {
        '@type': 'ext.tokens.jettonWalletData',
        address: given.includes(':') ? formatUpperRawAddress(own) : given,
        contract_type: 'jetton_wallet',
        balance: '1500000',
        owner: friendly(holder),
        jetton: friendly(jetton),
      })
      assert.match(jetton_wallet_code, /^te6cck/)
    }
  })

  it('tells of a collection and of its items', async () => {
    assert.deepEqual(await ask(formatRawAddress(nfts)), {
      '@type': 'ext.tokens.nftCollectionData',
      address: formatUpperRawAddress(nfts),
      contract_type: 'nft_collection',
      next_item_index: '1',
      owner_address: friendly(admin),
      collection_content: { type: 'offchain', data: 'https://example.org/c.json' },
    })
    const item = nftItemAddress(nfts, 0n)
    assert.deepEqual(await ask(friendly(item)), {
      '@type': 'ext.tokens.nftItemData',
      address: friendly(item),
      contract_type: 'nft_item',
      init: true,
      index: '0',
      collection_address: friendly(nfts),
      owner_address: friendly(holder),
      content: { type: 'offchain', data: 'https://example.org/0.json' },
    })
  })

  const standard = ({ workchain, hash }: Address) => ({
    '@type': 'addr_std',
    workchain_id: workchain,
    address: toHex(hash),
  })

  it('tells of a name with its records', async () => {
    const { content, contract_type } = await ask(friendly(alice))
    assert.equal(contract_type, 'nft_item')
    assert.deepEqual(content, {
      domain: 'alice.ton',
      data: {
        wallet: { '@type': 'dns_smc_address', smc_addr: standard(at(7)) },
        site: { '@type': 'dns_adnl_address', adnl_addr: toHex(filled(8)) },
        storage: { '@type': 'dns_storage_address', bag_id: toHex(filled(9)) },
        dns_next_resolver: { '@type': 'dns_next_resolver', resolver: standard(dnsCollectionAddress) },
      },
    })
  })

  const refused = (address: string, more = {}): Promise<void> =>
    assertRefused(
      service.url,
      'getTokenData',
      { address, ...more },
      { status: 409, text: `Smart contract ${address} is not Jetton or NFT` },
    )

  it('knows what is no token, or was none yet', async () => {
    await refused(service.network.accounts[0]!.address)
    await refused(friendly(at(0x17)))
    await refused(friendly(jetton), { seqno: 2 })
  })

  it('does not believe a contract that its parent does not know', async () => {
    const claims = writeAddress(writeAddress(new CellWriter().writeCoins(10n ** 9n), holder), jetton)
    const forged = contractInit(compiledCode('jettonWallet'), claims.toCell())
    await place(at(0x71), forged)
    // The parent may be anything at all: nobody, or somebody of a workchain that there is not.
    for (const [byte, master] of [
      [0x72, at(0x18)],
      [0x73, { workchain: 5, hash: filled(1) }],
    ] as const) {
      const data = writeAddress(writeAddress(new CellWriter().writeCoins(5n), holder), master).toCell()
      await place(at(byte), contractInit(compiledCode('jettonWallet'), data))
    }
    await service.catchUp()
    for (const byte of [0x71, 0x72, 0x73]) await refused(friendly(at(byte)))
  })

  const resolve = (address: Address, args: Json = {}): Promise<Json> =>
    askEveryWay(service.url, 'dnsResolve', { address: formatRawAddress(address), ...args })

  const account = (address: Address) => ({ '@type': 'accountAddress', account_address: friendly(address) })

  it('resolves a name from the root', async () => {
    const { entries } = await resolve(dnsRootAddress(), { name: 'alice.ton', ttl: 5 })
    const byCategory = new Map(entries.map(({ name, category, entry }: Json) => [category, { name, entry }]))
    const expected: Record<string, Json> = {
      wallet: { '@type': 'dns.entryDataSmcAddress', smc_address: account(at(7)) },
      site: {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: formatAdnlAddress(filled(8)) },
      },
      storage: { '@type': 'dns.entryDataStorageAddress', bag_id: toHex(filled(9)) },
      dns_next_resolver: { '@type': 'dns.entryDataNextResolver', resolver: account(dnsCollectionAddress) },
      note: { '@type': 'dns.entryDataText', text: 'hello' },
    }
    assert.equal(byCategory.size, 5)
    for (const [name, entry] of Object.entries(expected)) {
      assert.deepEqual(byCategory.get(toBase64(hashName(name))), { name: '', entry }, name)
    }
  })

  it('tells who knows the rest of a name where nobody else is to be asked', async () => {
    assert.deepEqual((await resolve(dnsRootAddress(), { name: 'alice.ton' })).entries, [
      {
        '@type': 'dns.entry',
        name: 'ton.',
        category: toBase64(hashName('dns_next_resolver')),
        entry: { '@type': 'dns.entryDataNextResolver', resolver: account(dnsCollectionAddress) },
      },
    ])
    const [named] = (await resolve(dnsCollectionAddress, { name: 'alice' })).entries
    assert.deepEqual([named.name, named.entry['@type']], ['alice.', 'dns.entryDataNextResolver'])
    for (const { name } of (await resolve(dnsCollectionAddress, { name: 'alice', ttl: 1 })).entries)
      assert.equal(name, '')
    const nobody = { address: formatRawAddress(dnsRootAddress()), name: 'nobody.ton', ttl: 5 }
    await assertRefused(service.url, 'dnsResolve', nobody, { status: 500, text: 'get method failed' })
    assert.equal((await resolve(alice)).entries.length, 5)
  })

  it('refuses names that are none, and resolvers that are none', async () => {
    const args = { address: friendly(at(0x17)), name: 'a.b' }
    await assertRefused(service.url, 'dnsResolve', args, { status: 500, text: 'get method failed' })
    await assertRefused(
      service.url,
      'dnsResolve',
      { ...args, address: friendly(jetton) },
      { status: 500, text: 'get method failed' },
    )
    const text = 'failed to parse get request: failed to parse name'
    for (const name of ['a..b', '.a', 'a b', 'x'.repeat(200)]) {
      await assertRefused(service.url, 'dnsResolve', { ...args, name }, { status: 422, text })
    }
    const negative = { status: 422, text: 'failed to validate request: ttl should be non-negative' }
    await assertRefused(service.url, 'dnsResolve', { ...args, ttl: -1 }, negative)
    assert.deepEqual(service.logLines, [])
  })
})
