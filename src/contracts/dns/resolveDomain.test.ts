import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractAt, findAmong, runnerOf } from '../../../test/support/contractRunner.ts'
import { haveFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { cell, int, nothing, type Scripts, scriptedMethods } from '../../../test/support/scriptedMethods.ts'
import { createTestMachine, sampleContext } from '../../../test/support/vmSamples.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type DnsRecord, writeDnsRecord } from '../../codec/content/dns.ts'
import { encodeUtf8 } from '../../codec/content/text.ts'
import { contentDictType, hashName } from '../../codec/content/tokenContent.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { compiledCode, contractInit } from '../../devnet/contracts/contractInit.ts'
import {
  dnsCollectionAddress,
  dnsCollectionInit,
  dnsItemAddress,
  dnsRootAddress,
  dnsRootInit,
} from '../../devnet/contracts/dnsContracts.ts'
import { toAddrStd, writeAddress } from '../../devnet/contracts/messages.ts'
import type { Address } from '../../primitives/Address.ts'
import { ParseError } from '../../primitives/errors.ts'
import { findToken } from '../tokens/findToken.ts'
import { DnsError, decodeDomain, encodeDomain, ResolverMissingError, resolveDomain } from './resolveDomain.ts'

const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })

const recordCell = (record: DnsRecord): Cell => writeWhole(writeDnsRecord, record)
const nextResolver = (resolver: Address): DnsRecord => ({ kind: 'nextResolver', resolver: toAddrStd(resolver) })
const wallet: DnsRecord = { kind: 'smcAddress', address: toAddrStd(at(7)), flags: 0, list: undefined }
const site: DnsRecord = { kind: 'adnlAddress', adnl: filled(8), flags: 0, list: undefined }
const storage: DnsRecord = { kind: 'storageAddress', bagId: filled(9) }
const note: DnsRecord = { kind: 'text', bytes: encodeUtf8('hello') }

const recordDict = (records: Readonly<Record<string, DnsRecord>>): Cell =>
  Dict.of(
    contentDictType,
    Object.entries(records).map(([name, record]) => {
      const entry = new CellWriter().writeRef(recordCell(record)).toCell()
      return [hashName(name), wholeSlice(entry)] as const
    }),
  ).root as Cell

/** The records found, by the names of their categories. */
const resolved = async (answer: ReturnType<typeof resolveDomain>): Promise<unknown> => {
  const found = await answer
  if (found.kind === 'delegated') return found
  return Object.fromEntries(found.entries.map(({ name, value }) => [name ?? 'other', value]))
}

const { machine } = await createTestMachine({ after })

const itemWith = (label: string, records: Readonly<Record<string, DnsRecord>>) => {
  const name = new CellWriter().writeBytes(encodeUtf8(label)).toCell()
  const data = writeAddress(new CellWriter().writeBytes(name.hash()), dnsCollectionAddress)
  writeAddress(data, at(3)).writeMaybeRef(Object.keys(records).length === 0 ? undefined : recordDict(records))
  return contractAt(
    dnsItemAddress(label),
    contractInit(compiledCode('dnsItem'), data.writeRef(name).writeUint64(1n).toCell()),
  )
}

describe('names of the network of our own', () => {
  const root = dnsRootAddress()
  const carol = itemWith('carol', { wallet })
  const contracts = [
    contractAt(root, dnsRootInit()),
    contractAt(dnsCollectionAddress, dnsCollectionInit()),
    itemWith('alice', { wallet, site, storage, text: note, dns_next_resolver: nextResolver(dnsCollectionAddress) }),
    itemWith('bob', {}),
    carol,
  ]
  const run = runnerOf(machine, sampleContext(), findAmong(contracts))

  test('are resolved from the root over the zone to the item', async () => {
    assert.deepEqual(await resolved(resolveDomain(run, root, 'carol.ton', 2)), { wallet })
    assert.deepEqual(await resolved(resolveDomain(run, root, 'Alice.TON.', 2)), {
      wallet,
      site,
      storage,
      other: note,
      dns_next_resolver: nextResolver(dnsCollectionAddress),
    })
  })

  test('are relative to the resolver asked first', async () => {
    assert.deepEqual(await resolved(resolveDomain(run, dnsCollectionAddress, 'carol', 1)), { wallet })
    assert.deepEqual(await resolved(resolveDomain(run, carol.address, '', 0)), { wallet })
    assert.deepEqual(await resolved(resolveDomain(run, carol.address, '.', 0)), { wallet })
  })

  test('end where no more resolvers are to be asked', async () => {
    const collection = { kind: 'delegated', name: 'ton.', resolver: dnsCollectionAddress }
    assert.deepEqual(await resolveDomain(run, root, 'carol.ton', 0), collection)
    assert.deepEqual(await resolveDomain(run, root, 'ton', 0), collection)
    const item = { kind: 'delegated', name: 'carol.', resolver: carol.address }
    assert.deepEqual(await resolveDomain(run, root, 'carol.ton', 1), item)
    assert.deepEqual(await resolveDomain(run, dnsCollectionAddress, 'carol', 0), item)
  })

  test('are spelled as the part that the last resolver was asked for', async () => {
    const nameOf = async (resolver: Address, name: string, hops: number) =>
      (await resolveDomain(run, resolver, name, hops)).name
    assert.equal(await nameOf(root, 'carol.ton', 2), '')
    assert.equal(await nameOf(dnsCollectionAddress, 'carol', 0), 'carol.')
    assert.equal(await nameOf(dnsCollectionAddress, 'carol', 1), '')
    assert.equal(await nameOf(carol.address, '', 0), '.')
    assert.equal(await nameOf(root, 'example.org', 0), 'example.org.')
  })

  test('that have no records lead to none, those that nobody has fail', async () => {
    assert.deepEqual(await resolved(resolveDomain(run, root, 'bob.ton', 5)), {})
    assert.deepEqual(await resolved(resolveDomain(run, root, 'example.org', 5)), {})
    assert.deepEqual(await resolved(resolveDomain(run, root, '', 5)), {})
    await assert.rejects(resolveDomain(run, root, 'nobody.ton', 2), ResolverMissingError)
    const zone = await resolveDomain(run, root, 'nobody.ton', 1)
    assert.ok(zone.kind === 'delegated' && zone.name === 'nobody.')
  })

  test('are not asked of what is no resolver', async () => {
    await assert.rejects(resolveDomain(run, at(1), 'a.b', 5), DnsError)
    const master = contractAt(at(2), contractInit(compiledCode('nftItem'), emptyCell))
    const other = runnerOf(machine, sampleContext(), findAmong([master]))
    await assert.rejects(resolveDomain(other, at(2), 'a.b', 5), DnsError)
  })

  test('below an item are asked of the resolver it names', async () => {
    assert.deepEqual(await resolved(resolveDomain(run, root, 'carol.alice.ton', 5)), { wallet })
    assert.deepEqual(await resolved(resolveDomain(run, root, 'sub.bob.ton', 5)), {})
  })

  test('are NFT items with their records', async () => {
    const item = await findToken(run, carol.address)
    assert.ok(item?.kind === 'nftItem')
    assert.deepEqual(item.collection, dnsCollectionAddress)
    assert.deepEqual(item.content, { kind: 'onChain', texts: {}, imageData: undefined })
    assert.deepEqual(item.domain, {
      label: 'carol',
      entries: [{ category: hashName('wallet'), name: 'wallet', value: wallet }],
    })
    const bare = await findToken(run, dnsItemAddress('bob'))
    assert.equal(bare?.kind === 'nftItem' && bare.domain, undefined)
  })
})

test('the root resolver of the main network is understood', async (t) => {
  const path = 'mainnet/contracts/dns/DnsRootResolver_9ffe1498.boc'
  if (!haveFixtures(t, path)) return
  const data = new CellWriter()
  for (const byte of [1, 2, 3]) writeAddress(data, at(byte))
  const root = contractAt(at(9), contractInit(decodeSingleBoc(readFixture(path)), data.toCell()))
  const run = runnerOf(machine, sampleContext(), findAmong([root]))
  const zones = ['foundation.ton', 'telegram.t.me'].map((name) => resolveDomain(run, root.address, name, 0))
  const answers = await Promise.all(zones)
  assert.deepEqual(
    answers.map((answer) => answer.kind === 'delegated' && answer.name),
    ['ton.', 't.me.'],
  )
})

describe('resolvers that answer otherwise', () => {
  const root = at(1)
  const records = recordDict({ wallet })
  const resolver = (address: Address, answer: (name: string) => VmStack): Scripts[number] => [
    address,
    {
      dnsresolve: ([name, category]) => {
        assert.deepEqual(category, int(0))
        const r = openSlice((name as { slice: Parameters<typeof openSlice>[0] }).slice)
        return answer(Buffer.from(r.readBytes(r.remainingBits / 8)).toString())
      },
    },
  ]
  const resolve = (scripts: Scripts, name = 'alice.ton', hops = 5) =>
    resolveDomain(scriptedMethods(scripts).run, root, name, hops)

  test('may take the zero byte behind a label along or leave it', async () => {
    for (const bits of [32, 40]) {
      const zone = resolver(at(2), (name) => (name === '\0alice\0' ? [int(56), cell(records)] : [int(0), nothing]))
      const scripts = [resolver(root, () => [int(bits), cell(recordCell(nextResolver(at(2))))]), zone]
      assert.deepEqual(await resolved(resolve(scripts)), { wallet })
    }
  })

  test('may know names without the byte in front alone', async () => {
    const plain = (name: string): VmStack => (name === 'ton\0alice\0' ? [int(80), cell(records)] : [int(0), nothing])
    assert.deepEqual(await resolved(resolve([resolver(root, plain)])), { wallet })
    const refusing: Scripts[number] = [
      root,
      {
        dnsresolve: (stack) => {
          const [name] = stack
          const first = name?.kind === 'slice' && openSlice(name.slice).readUint(8)
          return first === 0 ? { exitCode: 413, stack: [] } : [int(80), cell(records)]
        },
      },
    ]
    assert.deepEqual(await resolved(resolve([refusing])), { wallet })
  })

  test('are refused when what they leave makes no sense', async () => {
    const next = cell(recordCell(nextResolver(at(2))))
    const cases: Record<string, VmStack> = {
      nothing: [],
      'one entry': [int(88)],
      'three entries': [int(88), cell(records), int(1)],
      'no number': [cell(records), cell(records)],
      'no cell': [int(88), int(1)],
      'more bits than asked': [int(96), cell(records)],
      'negative bits': [int(-8), cell(records)],
      'no whole bytes': [int(7), cell(records)],
      'a huge number': [int(1n << 200n), cell(records)],
      'no records': [int(88), cell(emptyCell)],
      'half a label': [int(24), next],
      'nothing resolved': [int(0), next],
      'no resolver': [int(40), cell(recordCell(wallet))],
      'no record': [int(40), cell(emptyCell)],
    }
    for (const [why, stack] of Object.entries(cases)) {
      await assert.rejects(resolve([resolver(root, () => stack)]), DnsError, why)
    }
  })

  test('cannot lead in circles', async () => {
    const circle = resolver(root, () => [int(8), cell(recordCell(nextResolver(root)))])
    await assert.rejects(resolve([circle], 'a.b', 1000), DnsError)
    const others = Array.from({ length: 100 }, (_, k) =>
      resolver(at(k + 1), () => [int(8), cell(recordCell(nextResolver(at(k + 2))))]),
    )
    const { run, calls } = scriptedMethods(others)
    const longest = Array.from({ length: 63 }, () => 'a').join('.')
    await assert.rejects(resolveDomain(run, root, longest, 1000), DnsError)
    assert.equal(calls.length, 64)
  })
})

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

test('names are encoded from the last label to the first', () => {
  const cases: Record<string, string> = {
    ton: 'ton\0',
    'alice.ton': 'ton\0alice\0',
    'sub.alice.ton.': 'ton\0alice\0sub\0',
    'ALICE.Ton': 'ton\0alice\0',
    'ü.t.me': 'me\0t\0ü\0',
    '': '',
    '.': '',
  }
  for (const [name, encoded] of Object.entries(cases)) assert.deepEqual(encodeDomain(name), bytes(encoded), name)
})

test('names that are none are refused', () => {
  const long = 'a'.repeat(126)
  for (const name of ['.ton', 'a..b', '..', 'a b', 'a\tb', 'a\0b', 'a\u00a0b', '\ud800', 'a\u007fb', long]) {
    assert.throws(() => encodeDomain(name), ParseError, JSON.stringify(name))
  }
  assert.equal(encodeDomain('a'.repeat(125)).length, 126)
})

test('encoded names, and parts of them from the front, are decoded', () => {
  assert.equal(decodeDomain(bytes('ton\0alice\0')), 'alice.ton')
  assert.equal(decodeDomain(bytes('ton\0alice')), 'alice.ton')
  assert.equal(decodeDomain(bytes('\0ton\0')), 'ton')
  assert.equal(decodeDomain(bytes('')), '')
  assert.equal(decodeDomain(new Uint8Array([0xff, 0])), undefined)
})
