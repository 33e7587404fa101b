import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { CHECKED_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { contractAddress } from '../../src/devnet/contracts/contractInit.ts'
import { changeRecordBody, dnsCollectionAddress, dnsItemAddress } from '../../src/devnet/contracts/dnsContracts.ts'
import { jettonTransferBody } from '../../src/devnet/contracts/jettonContracts.ts'
import { commentBody, toAddrStd } from '../../src/devnet/contracts/messages.ts'
import {
  approveBody,
  multisigInit,
  multisigOrderAddress,
  newOrderBody,
} from '../../src/devnet/contracts/multisigContracts.ts'
import { findInt } from '../../src/devnet/demo/OrderSender.ts'
import { type Address, parseAddress } from '../../src/primitives/Address.ts'
import { fromBase64, toBase64 } from '../../src/primitives/base64.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { filled } from '../support/sampleMessages.ts'
import { closeSharedMachine, TEST_START } from '../support/testNetwork.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { openV3Demo, rawText, type V3Demo } from '../support/v3Demo.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { listEverything } from '../support/v3Paging.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const GRAM = 1_000_000_000n
const EXPIRATION = TEST_START + 100_000
const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const LABELS = ['chaincenter', 'anotherone', 'longest-of-all']
const sortedTexts = (texts: Iterable<string>): string[] => [...new Set(texts)].sort()
const unknownBody = new CellWriter().writeUint(0x12345678, 32).writeUint(5, 3).toCell()

describe('v3 names, multisigs and vesting', {
  skip: missingDatabase(),
}, () => {
  let service: V3NetworkService
  let demo: V3Demo
  let texts: Record<string, string>
  let lonely: Address
  const endings: (() => unknown)[] = []
  const everything = (name: string, key: string, args: object = {}) =>
    listEverything(service.url, name, key, { ...args })
  const refused = (name: string, args: object, text: string | RegExp) =>
    assertV3Refused(service.url, name, { ...args }, 422, text)
  const order = (seqno: bigint) => multisigOrderAddress(demo.plan.multisig.address, seqno)

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    service = await startV3Network(cleanup, await openFreshDatabase(cleanup), { network: { startTime: TEST_START } })
    demo = await openV3Demo(service)
    const { plan } = demo
    texts = Object.fromEntries(plan.accounts.map(({ name, wallet }) => [name, rawText(wallet.address)]))
    const [alice, bob, , dave] = plan.accounts as [
      (typeof plan.accounts)[0],
      (typeof plan.accounts)[0],
      unknown,
      (typeof plan.accounts)[0],
    ]
    const init = multisigInit({ threshold: 1, signers: [at(0x31)], proposers: [] })
    lonely = contractAddress(init)
    const transfer = jettonTransferBody({
      queryId: 2n ** 60n + 1n,
      amount: 77n,
      destination: at(0x41),
      responseDestination: undefined,
      forwardAmount: 1n,
      forwardPayload: commentBody('from us all'),
    })
    const send = (destination: Address, body?: ReturnType<typeof commentBody>) => ({
      destination,
      value: 1000n,
      bounce: false,
      ...(body && { body }),
    })
    const messages = [
      send(bob.wallet.address, commentBody('order')),
      send(at(0x42), transfer),
      send(at(0x43), unknownBody),
      send(at(0x44)),
    ]
    const start = { queryId: 1n, isSigner: true, index: 0, expirationDate: EXPIRATION, messages }
    const ask = (destination: Address, body: ReturnType<typeof commentBody>) => ({
      destination,
      value: GRAM,
      bounce: true,
      body,
    })
    await demo.send(alice, [
      { destination: lonely, value: GRAM, bounce: false, init },
      ask(plan.multisig.address, newOrderBody({ ...start, seqno: 0n })),
    ])
    for (const label of LABELS.slice(1))
      await demo.send(dave, [{ ...ask(dnsCollectionAddress, commentBody(label)), value: 2n * GRAM }])
    await demo.settle()
    const wallet = { kind: 'smcAddress', address: toAddrStd(bob.wallet.address), flags: 0, list: undefined } as const
    const records = LABELS.map((label) => ask(dnsItemAddress(label), changeRecordBody(5n, 'wallet', wallet)))
    await demo.send(dave, [
      ...records,
      ask(plan.multisig.address, newOrderBody({ ...start, seqno: 1n, isSigner: false })),
    ])
    await demo.send(bob, [ask(order(0n), approveBody(3n, 1))])
    await demo.settle()
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  it('names that lead to a wallet, the shortest first, and one by its name', async () => {
    const records = (args: object) => everything('dns/records', 'records', args)
    const all = await records({ wallet: texts['bob'] })
    assert.deepEqual(
      all.map(({ domain }) => domain),
      ['anotherone.ton', 'chaincenter.ton', 'longest-of-all.ton'],
    )
    for (const record of all) {
      assert.deepEqual(await records({ domain: record.domain }), [record])
      assert.deepEqual(
        [record.nft_item_owner, record.dns_wallet, record.dns_next_resolver],
        [texts['dave'], texts['bob'], null],
      )
      const label = record.domain.replace('.ton', '')
      assert.equal(record.nft_item_address, rawText(dnsItemAddress(label)))
    }
    const key = demo.plan.name.owner.key.publicKey
    assert.deepEqual([all[1].dns_site_adnl, all[0].dns_site_adnl], [toBase64(key), null])
    const { address_book } = await askBothWays(service.url, 'dns/records', { wallet: texts['bob'] })
    assert.deepEqual(
      sortedTexts(Object.keys(address_book)),
      sortedTexts([...all.map((each) => each.nft_item_address), texts['dave']!, texts['bob']!]),
    )
    assert.deepEqual(await records({ wallet: texts['alice'] }), [])
    assert.deepEqual(await records({ domain: 'chaincenter.to' }), [])
    await refused('dns/records', { domain: 'a\0b.ton' }, /error converting value for "domain"$/)
    await refused('dns/records', {}, 'either wallet address or domain is required')
    await refused('dns/records', { domain: '' }, 'either wallet address or domain is required')
    await refused(
      'dns/records',
      { wallet: texts['bob'], domain: 'x.ton' },
      'provide either wallet address or domain, not both',
    )
    await refused('dns/records', { wallet: '' }, 'failed to decode: schema: error converting value for "wallet"')
  })

  it('multisigs by address and by member, with all their orders', async () => {
    const multisigs = (args: object) => everything('multisig/wallets', 'multisigs', args)
    const { plan } = demo
    const [ours, other] = [rawText(plan.multisig.address), rawText(lonely)]
    const asc = await multisigs({ address: [other, ours], sort: 'asc' })
    assert.deepEqual(
      asc.map(({ address }) => address),
      [ours, other],
    )
    assert.deepEqual(await multisigs({ address: `${ours},${other}` }), asc.toReversed())
    const [found, bare] = asc
    assert.deepEqual(
      found.signers,
      ['alice', 'bob', 'carol'].map((name) => texts[name]),
    )
    assert.deepEqual([found.proposers, found.threshold, found.next_order_seqno], [[texts['dave']], 2, '2'])
    assert.equal(findInt(await demo.runMethod(plan.multisig.address, 'get_multisig_data', []), 0), 2n)
    assert.deepEqual([bare.orders, bare.proposers], [[], []])
    assert.deepEqual(
      found.orders.map((each: Json) => [each.address, each.order_seqno, each.actions]),
      [
        [rawText(order(0n)), '0', null],
        [rawText(order(1n)), '1', null],
      ],
    )
    for (const name of ['alice', 'carol', 'dave'])
      assert.deepEqual(await multisigs({ wallet_address: texts[name] }), [found])
    assert.deepEqual(await multisigs({ wallet_address: [texts['alice'], rawText(at(0x31))], sort: 'asc' }), asc)
    assert.deepEqual(await multisigs({ wallet_address: texts['alice'], address: other }), [])
    assert.deepEqual(await multisigs({ wallet_address: texts['erin'] }), [])
    assert.deepEqual((await multisigs({ address: ours, include_orders: false }))[0].orders, [])
    const { address_book } = await askBothWays(service.url, 'multisig/wallets', { address: ours })
    const members = ['alice', 'bob', 'carol', 'dave'].map((name) => texts[name]!)
    assert.deepEqual(
      sortedTexts(Object.keys(address_book)),
      sortedTexts([ours, ...members, rawText(order(0n)), rawText(order(1n))]),
    )
    await refused('multisig/wallets', {}, 'At least one of address or wallet_address should be specified')
    await refused('multisig/wallets', { address: '' }, 'At least one of address or wallet_address should be specified')
    await refused('multisig/wallets', { address: ours, sort: 'no' }, 'wrong value for sort parameter')
    await refused('multisig/wallets', { address: ours, limit: 1001 }, 'limit is not allowed: 1001 > 1000')
  })

  it('orders, and what they would do', async () => {
    const orders = (args: object) => everything('multisig/orders', 'orders', args)
    const multisig_address = rawText(demo.plan.multisig.address)
    const asc = await orders({ multisig_address, sort: 'asc' })
    assert.deepEqual(
      asc.map((each) => [each.order_seqno, each.approvals_mask, each.approvals_num, each.sent_for_execution]),
      [
        ['0', '3', 2, true],
        ['1', '0', 0, false],
      ],
    )
    assert.deepEqual(
      asc.map(({ threshold, expiration_date, actions }) => [threshold, expiration_date, actions]),
      [
        [2, EXPIRATION, null],
        [2, EXPIRATION, null],
      ],
    )
    assert.deepEqual(await orders({ multisig_address }), asc.toReversed())
    assert.deepEqual(await orders({ address: asc.map(({ address }) => address), sort: 'asc' }), asc)
    assert.deepEqual(await orders({ address: asc[0].address, multisig_address }), [asc[0]])
    assert.deepEqual(await orders({ address: asc[0].address, multisig_address: rawText(lonely) }), [])
    assert.deepEqual(await orders({ multisig_address: [multisig_address, rawText(lonely)], sort: 'asc' }), asc)
    const data = await demo.runMethod(parseAddress(asc[0].address), 'get_order_data', [])
    assert.deepEqual([findInt(data, 1), findInt(data, 5), findInt(data, 7)], [0n, 3n, BigInt(EXPIRATION)])
    const answer = await askBothWays(service.url, 'multisig/orders', { address: asc[0].address, parse_actions: true })
    const [{ actions, order_boc }] = answer.orders
    assert.ok(decodeSingleBoc(fromBase64(order_boc)).bits > 0)
    assert.deepEqual(
      actions.map((each: Json) => [each.destination, each.value, each.parsed, each.error, each.parsed_body_type]),
      [
        [texts['bob'], '1000', true, null, 'ton_transfer'],
        [rawText(at(0x42)), '1000', true, null, 'jetton_transfer'],
        [rawText(at(0x43)), '1000', true, null, 'unknown'],
        [rawText(at(0x44)), '1000', true, null, 'ton_transfer'],
      ],
    )
    assert.deepEqual(actions[0].parsed_body, { comment: 'order', encrypted: false })
    assert.deepEqual(actions[2].parsed_body, {
      opcode: 0x12345678,
      data: toBase64(encodeBoc([unknownBody], CHECKED_BOC)),
    })
    assert.deepEqual(actions[2].parsed_body.data, actions[2].body_raw)
    const raw = await (
      await fetch(`${service.url}/api/v3/multisig/orders?parse_actions=1&address=${asc[0].address}`)
    ).text()
    assert.ok(raw.includes(`"query_id":${2n ** 60n + 1n}`), 'numbers keep all their digits')
    const named = [
      ...asc[0].signers,
      asc[0].address,
      multisig_address,
      ...[0x41, 0x42, 0x43, 0x44].map((byte) => rawText(at(byte))),
    ]
    assert.deepEqual(sortedTexts(Object.keys(answer.address_book)), sortedTexts(named))
    await refused('multisig/orders', {}, 'At least one of address or multisig_address should be specified')
    await refused(
      'multisig/orders',
      { address: asc[0].address, parse_actions: 'x' },
      'failed to decode: schema: error converting value for "parse_actions"',
    )
    const many = Array.from({ length: 1025 }, () => multisig_address)
    await refused('multisig/orders', { multisig_address: many }, /maximum 1024/)
    await refused('multisig/wallets', { wallet_address: many }, /maximum 1024/)
  })

  it('vesting wallets of those who own, fill and may be paid by them', async () => {
    const vestings = (args: object) => everything('vesting', 'vesting_contracts', args)
    const { vesting } = demo.plan
    const contract_address = rawText(vesting.address)
    const [found] = await vestings({ contract_address })
    const data = await demo.runMethod(vesting.address, 'get_vesting_data', [])
    const { start_time, total_duration, unlock_period, cliff_duration, total_amount } = found
    const shown = [start_time, total_duration, unlock_period, cliff_duration, total_amount].map(BigInt)
    assert.deepEqual(
      shown,
      [0, 1, 2, 3, 4].map((place) => findInt(data, place)),
    )
    assert.deepEqual([found.sender_address, found.owner_address], [texts['erin'], texts['heidi']])
    assert.deepEqual(found.whitelist, sortedTexts(['alice', 'bob', 'carol'].map((name) => texts[name]!)))
    for (const name of ['erin', 'heidi']) {
      assert.deepEqual(await vestings({ wallet_address: texts[name] }), [found])
      assert.deepEqual(await vestings({ wallet_address: [texts[name], texts['ivan']], check_whitelist: true }), [found])
    }
    assert.deepEqual(await vestings({ wallet_address: texts['bob'] }), [])
    assert.deepEqual(await vestings({ wallet_address: texts['bob'], check_whitelist: 1 }), [found])
    assert.deepEqual(await vestings({ wallet_address: texts['ivan'], check_whitelist: 1 }), [])
    const { address_book } = await askBothWays(service.url, 'vesting', { contract_address })
    assert.deepEqual(
      sortedTexts(Object.keys(address_book)),
      sortedTexts([contract_address, ...['erin', 'heidi', 'alice', 'bob', 'carol'].map((name) => texts[name]!)]),
    )
    await refused('vesting', {}, 'at least one of contract_address or wallet_address is required')
    await refused(
      'vesting',
      { contract_address, wallet_address: texts['bob'] },
      'only one of contract_address or wallet_address should be specified',
    )
    await refused(
      'vesting',
      { contract_address: 'x' },
      'failed to decode: schema: error converting value for index 0 of "contract_address"',
    )
    await refused('vesting', { contract_address: Array.from({ length: 1001 }, () => contract_address) }, /maximum 1000/)
    const { headers } = await getV3(`${service.url}/api/v3`, 'dns/records', { wallet: texts['bob'], limit: 1 })
    await refused('vesting', { contract_address, cursor: headers.get('x-next-cursor') }, /^The cursor belongs/)
    assert.deepEqual(service.logLines, [])
  })
})
