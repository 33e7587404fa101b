import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDnsContent } from '../../../test/support/dnsContent.ts'
import { address, filled } from '../../../test/support/sampleMessages.ts'
import { addressOf, cellOf, intArgument, intOf, sliceArgument } from '../../../test/support/stackValues.ts'
import { incomingMessage, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type DnsRecord, readDnsRecord } from '../../codec/content/dns.ts'
import { encodeUtf8 } from '../../codec/content/text.ts'
import { hashName } from '../../codec/content/tokenContent.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import {
  changeRecordBody,
  dnsCollectionAddress,
  dnsCollectionInit,
  dnsItemAddress,
  dnsRootAddress,
  dnsRootInit,
  renewNameBody,
} from './dnsContracts.ts'
import { commentBody, toAddrStd } from './messages.ts'
import { nftTransferBody } from './nftContracts.ts'

const TON = 1_000_000_000n
const YEAR = 365 * 24 * 60 * 60
const alice = address(0, 0xa1)
const bob = address(0, 0xb0)

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> => {
  const ledger = new TinyLedger((await createTestMachine(t)).machine)
  ledger.put(dnsRootAddress(), 10n * TON, dnsRootInit())
  ledger.put(dnsCollectionAddress, 10n * TON, dnsCollectionInit())
  return ledger
}

/** Follows a name from resolver to resolver, as clients do. Answers with the record, or with how far it got. */
const resolve = async (ledger: TinyLedger, name: string, category: string): Promise<DnsRecord | string> => {
  let at: Address = dnsRootAddress()
  let rest = encodeUtf8(`${name.split('.').reverse().join('\0')}\0`)
  const id = BigInt(`0x${toHex(hashName(category))}`)
  for (;;) {
    const request = sliceArgument(new CellWriter().writeBytes(rest).toCell())
    const [bits, answer] = await ledger.runMethod(at, 'dnsresolve', [request, intArgument(id)])
    const resolved = Number(intOf(bits)) / 8
    if (answer?.kind !== 'cell') return `nothing after ${resolved} of ${rest.length}`
    const record = readWhole(answer.cell, readDnsRecord, 'A record')
    if (resolved === rest.length) return record
    if (record.kind !== 'nextResolver' || record.resolver.kind !== 'std') return 'no next resolver'
    at = record.resolver
    rest = rest.subarray(resolved)
  }
}

test('a name is bought, leads where its owner says, and is found from the root', async (t) => {
  const ledger = await createLedger(t)
  const item = dnsItemAddress('alice')
  const bought = await ledger.send(incomingMessage(alice, dnsCollectionAddress, 2n * TON, commentBody('alice')))
  assert.deepEqual(outcomeCodes(bought), [0, 0])
  const [name] = await ledger.runMethod(item, 'get_domain')
  assert.equal(name?.kind, 'slice')
  if (name?.kind !== 'slice') return
  assert.deepEqual(openSlice(name.slice).readBytes(5), encodeUtf8('alice'))

  const wallet: DnsRecord = { kind: 'smcAddress', address: toAddrStd(alice), flags: 0, list: undefined }
  const site: DnsRecord = { kind: 'adnlAddress', adnl: filled(7), flags: 0, list: undefined }
  for (const [category, record] of [['wallet', wallet] as const, ['site', site] as const]) {
    const changed = await ledger.send(incomingMessage(alice, item, TON, changeRecordBody(1n, category, record)))
    assert.deepEqual(outcomeOpcodes(changed), ['4eb1f0f9', 'd53276db'])
    assert.deepEqual(await resolve(ledger, 'alice.ton', category), record)
  }
  assert.equal(await resolve(ledger, 'alice.ton', 'storage'), 'nothing after 1 of 1')
  assert.equal(await resolve(ledger, 'alice.com', 'wallet'), 'nothing after 0 of 10')

  const data = await ledger.runMethod(item, 'get_nft_data')
  assert.deepEqual(
    [addressOf(data[2]), addressOf(data[3])],
    [formatRawAddress(dnsCollectionAddress), formatRawAddress(alice)],
  )
  const entries = readWhole(cellOf(data[4]), readDnsContent, 'Content')
  assert.deepEqual(entries.map((entry) => entry.name).sort(), ['site', 'wallet'])
  const [at] = await ledger.runMethod(dnsCollectionAddress, 'get_nft_address_by_index', [data[1]!])
  assert.equal(addressOf(at), formatRawAddress(item))

  assert.deepEqual(
    outcomeCodes(await ledger.send(incomingMessage(alice, item, TON, changeRecordBody(2n, 'site', undefined)))),
    [0, 'skipped'],
  )
  assert.equal(await resolve(ledger, 'alice.ton', 'site'), 'nothing after 1 of 1')
})

test('names below a name are looked up where its owner says', async (t) => {
  const ledger = await createLedger(t)
  await ledger.send(incomingMessage(alice, dnsCollectionAddress, 2n * TON, commentBody('alice')))
  await ledger.send(incomingMessage(alice, dnsCollectionAddress, 2n * TON, commentBody('below')))
  const below = dnsItemAddress('below')
  const record: DnsRecord = { kind: 'nextResolver', resolver: toAddrStd(below) }
  const next = changeRecordBody(1n, 'dns_next_resolver', record)
  await ledger.send(incomingMessage(alice, dnsItemAddress('alice'), TON, next))
  const request = sliceArgument(new CellWriter().writeBytes(encodeUtf8('\0sub\0')).toCell())
  const [bits, answer] = await ledger.runMethod(dnsItemAddress('alice'), 'dnsresolve', [request, intArgument(1n)])
  assert.equal(intOf(bits), 8n)
  assert.deepEqual(readWhole(cellOf(answer), readDnsRecord, 'A record'), record)
})

test('names that are taken, too cheap or not names are refused', async (t) => {
  const ledger = await createLedger(t)
  const buy = (who: Address, value: bigint, name: string) =>
    ledger.send(incomingMessage(who, dnsCollectionAddress, value, commentBody(name)))
  assert.deepEqual(outcomeCodes(await buy(alice, TON / 2n, 'alice')), [204, 'skipped'])
  for (const name of ['abc', '-abc', 'abc-', 'a.bc', 'Alice', 'ünïcode'])
    assert.deepEqual(outcomeCodes(await buy(alice, 2n * TON, name)), [200, 'skipped'], name)
  assert.deepEqual(outcomeCodes(await buy(alice, 2n * TON, 'al-1')), [0, 0])
  assert.deepEqual(outcomeOpcodes(await buy(bob, 2n * TON, 'al-1')), ['00000000', outcomeBody, 'd53276db'])
  assert.equal(addressOf((await ledger.runMethod(dnsItemAddress('al-1'), 'get_editor'))[0]), formatRawAddress(alice))
})

test('a name is its owner’s as long as they renew it', async (t) => {
  const ledger = await createLedger(t)
  await ledger.send(incomingMessage(alice, dnsCollectionAddress, 2n * TON, commentBody('alice')))
  const item = dnsItemAddress('alice')
  const release = new CellWriter().writeUint(0x4ed14b65, 32).writeUint64(5n).toCell()
  const renewed = ledger.now + YEAR - 10
  ledger.now = renewed
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, item, TON, renewNameBody(1n)))), [
    401,
    'skipped',
  ])
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(alice, item, TON, renewNameBody(1n)))), [
    0,
    'skipped',
  ])
  assert.equal(intOf((await ledger.runMethod(item, 'get_last_fill_up_time'))[0]), BigInt(renewed))
  ledger.now += YEAR
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, item, 2n * TON, release))), [414, 'skipped'])
  ledger.now += 1
  const taken = await ledger.send(incomingMessage(bob, item, 2n * TON, release))
  assert.deepEqual(outcomeOpcodes(taken), ['4ed14b65', '370fec51'])
  assert.equal(addressOf((await ledger.runMethod(item, 'get_editor'))[0]), formatRawAddress(bob))
  const order = { queryId: 2n, newOwner: alice, responseDestination: bob, forwardAmount: 1n, forwardPayload: undefined }
  const given = await ledger.send(incomingMessage(bob, item, TON, nftTransferBody(order)))
  assert.deepEqual(outcomeOpcodes(given), ['5fcc3d14', '05138d91', 'd53276db'])
})

// What the collection tells an item has no opcode: it begins with the buyer's address.
const outcomeBody = '80161616'
