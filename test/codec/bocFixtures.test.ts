// Every recorded bag of cells: decoded, compared with the hash its index states, and where a node wrote it, written again
// to the same bytes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import {
  DEFAULT_BOC_LIMITS,
  decodeBoc,
  decodeSingleBoc,
  openIndexedBoc,
  readBocHeader,
} from '../../src/codec/cell/decodeBoc.ts'
import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { BocError } from '../../src/codec/cell/errors.ts'
import { MERKLE_PROOF } from '../../src/codec/cell/exotic.ts'
import { bytesEqual } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'

type Entry = Readonly<Record<string, unknown>> & { readonly file: string }

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Decodes a file strictly and checks its root hash. */
const checkHash = (path: string, hash: unknown): Cell => {
  const root = decodeSingleBoc(readFixture(path), { strict: true })
  assert.equal(toHex(root.hash()), hash, path)
  return root
}

/** Index, checksum and cache bits: the flags of the files of nodes, which other writers do not set. */
const isNodeFile = (bytes: Uint8Array): boolean => (bytes[4]! & 0xf8) === 0xe0

const formatOf = (bytes: Uint8Array) => ({
  index: (bytes[4]! & 0x80) !== 0,
  crc: (bytes[4]! & 0x40) !== 0,
  cacheBits: (bytes[4]! & 0x20) !== 0,
  innerHashes: (bytes[4]! & 0x20) !== 0,
})

test('broken: what is invalid is refused with our error', (t) => {
  if (!haveFixtures(t, 'mainnet/broken')) return
  const entries = readFixtureJson<Entry[]>('mainnet/broken/index.json')
  const refused = entries.filter(({ verdict }) => verdict === 'invalid')
  assert.equal(refused.length, 16)
  for (const { file } of refused) {
    const bytes = readFixture(`mainnet/broken/${file}`)
    for (const options of [{}, { strict: true }, { trusted: true }, { lenient: true, allowPrunedRoots: true }]) {
      assert.throws(() => decodeBoc(bytes, options), BocError, file)
    }
  }
})

test('broken: what is irregular, though @ton/core takes it, is refused like the node does', (t) => {
  if (!haveFixtures(t, 'mainnet/broken')) return
  const reasons: Readonly<Record<string, string>> = {
    'irregular_1496f28697a2.boc': 'A bag with 1 absent cells is not accepted.',
    'irregular_a33ff0ec3a9b.boc':
      'Cell 3 of the bag is not acceptable: a pruned branch with level mask 2 has 288 bits, it has 280.',
  }
  const entries = readFixtureJson<Entry[]>('mainnet/broken/index.json')
  const irregular = entries.filter(({ verdict }) => String(verdict).startsWith('irregular'))
  assert.deepEqual(
    irregular.map(({ file }) => file),
    Object.keys(reasons),
  )
  for (const { file } of irregular) {
    const bytes = readFixture(`mainnet/broken/${file}`)
    assert.throws(() => decodeBoc(bytes), new BocError(reasons[file]!), file)
    assert.throws(() => decodeBoc(bytes, { lenient: true, allowTrailing: true }), BocError, file)
  }
})

test('broken: what is valid, though @ton/core refuses it, is read, and proves the block it is named after', (t) => {
  if (!haveFixtures(t, 'mainnet/broken')) return
  const entries = readFixtureJson<Entry[]>('mainnet/broken/index.json')
  const valid = entries.filter(({ verdict }) => String(verdict).startsWith('valid'))
  assert.equal(valid.length, 6)
  for (const { file, block_root_hash } of valid) {
    const root = decodeSingleBoc(readFixture(`mainnet/broken/${file}`), { strict: true })
    // block_proof#c3 proof_for:BlockIdExt root:^Cell …: the Merkle proof of the block stands in the first reference.
    const proof = openCell(root).readRefCell()
    assert.equal(proof.exoticType, MERKLE_PROOF)
    assert.equal(toHex(proof.ref(0).hash(0)), block_root_hash, file)
    assert.ok(hasMask(proof, 2), `${file} has a pruned branch of level mask 2`)
  }
})

const hasMask = (root: Cell, mask: number): boolean => {
  const { arena } = root
  for (let i = 0; i < arena.count; i++) if (arena.exoticType(i) === 1 && arena.levelMask(i) === mask) return true
  return false
}

test('blocks: hashes as in the index, and files of nodes written again byte for byte', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks')) return
  const others: string[] = []
  let same = 0
  const entries = readFixtureJson<Entry[]>('mainnet/blocks/index.json')
  for (const { file, root_hash, file_hash } of entries) {
    const bytes = readFixture(`mainnet/blocks/${file}`)
    const [root] = decodeBoc(bytes)
    assert.equal(toHex(root!.hash()), root_hash, file)
    const written = encodeBoc([root!], BLOCK_BOC)
    if (bytesEqual(written, bytes)) {
      same++
      assert.equal(sha256(written), file_hash, file)
      assert.ok(isNodeFile(bytes), file)
    } else others.push(`${file} ${bytes[4]!.toString(16)}`)
  }
  assert.deepEqual([entries.length, same], [152, 146])
  // Written by other programs: all but one show it in their flags (no cache bits, or no index, or no checksum); the
  // last marks its root as shared, which it is not, so that a node never wrote it.
  assert.deepEqual(others.sort(), [
    'mainnet/-1_8000000000000000_21519373.alt1.boc c2',
    'mainnet/-1_8000000000000000_36338460.boc e2',
    'mainnet/-1_8000000000000000_49383163.boc 1',
    'mainnet/0_8000000000000000_34118816.boc 41',
    'mainnet/0_8000000000000000_34703989.alt1.boc 42',
    'mainnet/0_8000000000000000_71398501.boc 2',
  ])
  assert.throws(
    () => decodeBoc(readFixture('mainnet/blocks/mainnet/-1_8000000000000000_36338460.boc'), { strict: true }),
    new BocError('Cell 0 of the bag is not acceptable: its cache bit is 1, but it is referred to 1 times.'),
  )
})

test('localnet blocks: both hashes as in the index, and every file written again byte for byte', () => {
  const { blocks } = readFixtureJson<{ blocks: Entry[] }>('localnet/blocks/index.json')
  assert.equal(blocks.length, 1511)
  for (const { file, root_hash, file_hash } of blocks) {
    const bytes = readFixture(`localnet/blocks/${file}`)
    const root = checkHash(`localnet/blocks/${file}`, root_hash)
    assert.ok(bytesEqual(encodeBoc([root], BLOCK_BOC), bytes), file)
    assert.equal(sha256(bytes), file_hash, file)
  }
})

test('blocks found by their index hold the same cells', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks')) return
  let opened = 0
  for (const { file, root_hash } of readFixtureJson<Entry[]>('mainnet/blocks/index.json')) {
    const bytes = readFixture(`mainnet/blocks/${file}`)
    if (!formatOf(bytes).index) {
      assert.throws(() => openIndexedBoc(bytes), BocError)
      continue
    }
    const [root] = openIndexedBoc(bytes)
    const loader = root!.arena.loader
    assert.equal(openCell(root!).readUint(32), 0x11ef55aa)
    assert.equal(root!.arena.loader, loader)
    assert.equal(toHex(root!.hash()), root_hash, file)
    opened++
  }
  assert.equal(opened, 148)
})

test('states: root hashes, and files of nodes written again byte for byte', (t) => {
  if (!haveFixtures(t, 'mainnet/states')) return
  const same: string[] = []
  const others: string[] = []
  for (const { file, root_hash } of readFixtureJson<Entry[]>('mainnet/states/index.json')) {
    const bytes = readFixture(`mainnet/states/${file}`)
    const root = checkHash(`mainnet/states/${file}`, root_hash)
    const list = bytesEqual(encodeBoc([root], BLOCK_BOC), bytes) ? same : others
    list.push(file)
  }
  assert.deepEqual([same.length, others], [7, []])
  const keys = readFixtureJson<Record<string, unknown>>('localnet/config/keys.json')
  for (const name of ['zerostate', 'basestate0']) {
    const bytes = readFixture(`localnet/config/${name}.boc`)
    const root = decodeSingleBoc(bytes, { strict: true })
    assert.ok(JSON.stringify(keys).includes(toHex(root.hash())), name)
    assert.ok(JSON.stringify(keys).includes(sha256(bytes)), name)
    assert.ok(bytesEqual(encodeBoc([root], BLOCK_BOC), bytes), name)
  }
})

test('transactions: hashes as in the index', (t) => {
  if (!haveFixtures(t, 'mainnet/transactions')) return
  const entries = readFixtureJson<Entry[]>('mainnet/transactions/index.json')
  assert.equal(entries.length, 132)
  const several: [string, number][] = []
  for (const { file, hash } of entries) {
    const roots = decodeBoc(readFixture(`mainnet/transactions/${file}`), { strict: true })
    assert.equal(toHex(roots[0]!.hash()), hash, file)
    if (roots.length > 1) several.push([file, roots.length])
  }
  assert.deepEqual(several, [['8cfea4730799269c.boc', 16]])
})

test('accounts: hashes as in the index; two with a wrong level mask only leniently', (t) => {
  if (!haveFixtures(t, 'mainnet/accounts')) return
  const lenient: string[] = []
  const entries = readFixtureJson<Entry[]>('mainnet/accounts/index.json')
  for (const { file, root_hash } of entries) {
    const bytes = readFixture(`mainnet/accounts/${file}`)
    assert.equal(toHex(decodeSingleBoc(bytes, { lenient: true }).hash()), root_hash, file)
    try {
      decodeSingleBoc(bytes, { strict: true })
    } catch (error) {
      assert.deepEqual(
        error,
        new BocError('Cell 0 of the bag is not acceptable: its level mask is 1, its content gives 0.'),
      )
      lenient.push(file)
    }
  }
  assert.equal(entries.length, 183)
  // A third-party writer gave the cells above a library reference a level.
  assert.deepEqual(lenient.sort(), ['0_00b5ea43cd3f0a16c00b_bf80a94d.boc', '0_2b615dd31285cfaf5725_75992706.boc'])
})

test('configs: hashes as in the index, and proofs that hold', (t) => {
  if (!haveFixtures(t, 'mainnet/configs')) return
  let plain = 0
  let proofs = 0
  for (const { file, root_hash } of readFixtureJson<Entry[]>('mainnet/configs/index.json')) {
    if (!file.endsWith('.boc')) continue
    if (root_hash === undefined) {
      const [first] = decodeBoc(readFixture(`mainnet/configs/${file}`), { strict: true })
      assert.equal(first!.exoticType, MERKLE_PROOF, file)
      proofs++
    } else {
      checkHash(`mainnet/configs/${file}`, root_hash)
      plain++
    }
  }
  assert.deepEqual([plain, proofs], [38, 3])
})

test('contracts: code hashes as in the index, and data cells', (t) => {
  if (!haveFixtures(t, 'mainnet/contracts')) return
  const entries = readFixtureJson<Entry[]>('mainnet/contracts/index.json')
  const named = new Set<string>()
  for (const { file, code_hash, base64 } of entries) {
    if (!file.endsWith('.boc')) continue
    named.add(`mainnet/contracts/${file}`)
    const root = checkHash(`mainnet/contracts/${file}`, code_hash)
    if (typeof base64 === 'string') assert.ok(decodeSingleBoc(Buffer.from(base64, 'base64')).equals(root), file)
  }
  const rest = listFixtures('mainnet/contracts', '.boc').filter((path) => !named.has(path))
  for (const path of rest) assert.equal(decodeSingleBoc(readFixture(path), { strict: true }).level, 0)
  assert.deepEqual([named.size, rest.length], [507, 73])
})

type ProofRoot = { readonly virtual_hash: string }

test('proofs of lite servers: each root is a Merkle proof of the cell that the index names', (t) => {
  if (!haveFixtures(t, 'mainnet/liteserver')) return
  let roots = 0
  for (const { file, roots: expected } of readFixtureJson<Entry[]>('mainnet/liteserver/index.json')) {
    if (!file.startsWith('proofs/')) continue
    const found = decodeBoc(readFixture(`mainnet/liteserver/${file}`), { strict: true })
    assert.deepEqual(
      found.map((root) => toHex(root.ref(0).hash(0))),
      (expected as ProofRoot[]).map(({ virtual_hash }) => virtual_hash),
      file,
    )
    assert.ok(found.every((root) => root.exoticType === MERKLE_PROOF && root.level === 0))
    roots += found.length
  }
  assert.equal(roots, 31)
})

test('proofs of nodes: each proves the header of its block', (t) => {
  if (!haveFixtures(t, 'mainnet/liteserver')) return
  let count = 0
  for (const { file, root_hash_of_block } of readFixtureJson<Entry[]>('mainnet/liteserver/index.json')) {
    if (!file.startsWith('node-proofs/')) continue
    const root = decodeSingleBoc(readFixture(`mainnet/liteserver/${file}`), { strict: true })
    assert.equal(toHex(openCell(root).readRefCell().ref(0).hash(0)), root_hash_of_block, file)
    count++
  }
  assert.equal(count, 21)
})

/** The bags inside any bytes: where one starts, its header says where it ends. */
const findBags = (bytes: Uint8Array): Uint8Array[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const bags: Uint8Array[] = []
  for (let at = buffer.indexOf('b5ee9c72', 0, 'hex'); at >= 0; at = buffer.indexOf('b5ee9c72', at + 4, 'hex')) {
    const { length } = readBocHeader(bytes.subarray(at), DEFAULT_BOC_LIMITS)
    bags.push(bytes.subarray(at, at + length))
  }
  return bags
}

type Pair = { readonly response_tl_hex: string; readonly name: string }

test('answers of the local lite server: every bag decoded strictly and written again byte for byte', () => {
  let bags = 0
  let states = 0
  for (const path of listFixtures('localnet/liteserver', '.json').filter((name) => /\/\d{3}-/.test(name))) {
    const { response_tl_hex, name } = readFixtureJson<Pair>(path)
    for (const bag of findBags(Buffer.from(response_tl_hex, 'hex'))) {
      const roots = decodeBoc(bag, { strict: true })
      assert.ok(bytesEqual(encodeBoc(roots, formatOf(bag)), bag), path)
      if (name === 'liteServer.getState') {
        states++
        assert.ok(isNodeFile(bag), path)
      }
      bags++
    }
  }
  assert.deepEqual([bags, states], [205, 2])
})

test('archives: every block has the hashes in its name, and is written again byte for byte', (t) => {
  if (!haveFixtures(t, 'mainnet/archives')) return
  const counts = { block: 0, proof: 0, prooflink: 0 }
  for (const path of listFixtures('mainnet/archives', '.pack')) {
    for (const [name, bytes] of readPackage(readFixture(path))) {
      const [, kind, rootHash, fileHash] =
        /^(block|proof|prooflink)_\(.*\):([0-9A-F]{64}):([0-9A-F]{64})$/.exec(name) ?? []
      if (kind === undefined) assert.fail(`${name} of ${path} is of an unknown kind`)
      const root = decodeSingleBoc(bytes, { strict: true })
      const proven = kind === 'block' ? root.hash() : openCell(root).readRefCell().ref(0).hash(0)
      assert.equal(toHex(proven).toUpperCase(), rootHash, name)
      if (kind === 'block') assert.equal(sha256(bytes).toUpperCase(), fileHash, name)
      assert.ok(bytesEqual(encodeBoc([root], formatOf(bytes)), bytes), name)
      counts[kind as keyof typeof counts]++
    }
  }
  assert.deepEqual(counts, { block: 684, proof: 265, prooflink: 419 })
})

/** u32 ae8fdd01, then entries: u16 1e8b, u16 name length, u32 data length, name, data; all numbers little-endian. */
const readPackage = (bytes: Uint8Array): (readonly [string, Uint8Array])[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  assert.equal(buffer.readUInt32LE(0), 0xae8fdd01)
  const entries: (readonly [string, Uint8Array])[] = []
  for (let at = 4; at < buffer.length; ) {
    assert.equal(buffer.readUInt16LE(at), 0x1e8b)
    const data = at + 8 + buffer.readUInt16LE(at + 2)
    const end = data + buffer.readUInt32LE(at + 4)
    entries.push([buffer.toString('utf8', at + 8, data), bytes.subarray(data, end)])
    at = end
  }
  return entries
}

test('bags inside recorded JSON are decoded, and those with a hash beside them have it', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata')) return
  let stated = 0
  for (const { file, root_hash } of readFixtureJson<Entry[]>('mainnet/metadata/index.json')) {
    if (root_hash === undefined) continue
    const { boc } = readFixtureJson<{ boc: string }>(`mainnet/metadata/${file}`)
    assert.equal(toHex(decodeSingleBoc(Buffer.from(boc, 'base64'), { strict: true }).hash()), root_hash, file)
    stated++
  }
  assert.equal(stated, 130)
  const account = readFixtureJson<{ state: string; proof: string }>(
    'mainnet/liteserver/accounts/testnet_0_e33ed33a42eb.json',
  )
  const listed = readFixtureJson<Entry[]>('mainnet/liteserver/index.json').find(({ file }) =>
    file.startsWith('accounts/'),
  )
  assert.equal(toHex(decodeSingleBoc(Buffer.from(account.state, 'base64')).hash()), listed!['state_root_hash'])
  assert.deepEqual(
    decodeBoc(Buffer.from(account.proof, 'base64')).map((root) => toHex(root.ref(0).hash(0))),
    (listed!['roots'] as ProofRoot[]).map(({ virtual_hash }) => virtual_hash),
  )
  let found = 0
  for (const path of [...listFixtures('mainnet', '.json'), ...listFixtures('localnet', '.json')]) {
    const text = Buffer.from(readFixture(path)).toString('utf8')
    for (const [, spelled] of text.matchAll(/"((?:te6cc|[bB]5[eE]{2}9[cC]72)[\w+/=-]*)"/g)) {
      const bytes = Buffer.from(spelled!, /^[\da-fA-F]+$/.test(spelled!) ? 'hex' : 'base64')
      for (const root of decodeBoc(bytes)) root.hash()
      found++
    }
  }
  assert.equal(found, 5154)
})

test('no .boc of the recorded data is left out', (t) => {
  if (!haveFixtures(t, 'mainnet')) return
  const folders = new Set(listFixtures('', '.boc').map((path) => path.split('/').slice(0, 2).join('/')))
  assert.deepEqual([...folders].sort(), [
    'localnet/blocks',
    'localnet/config',
    'mainnet/accounts',
    'mainnet/blocks',
    'mainnet/broken',
    'mainnet/configs',
    'mainnet/contracts',
    'mainnet/liteserver',
    'mainnet/states',
    'mainnet/transactions',
  ])
})
