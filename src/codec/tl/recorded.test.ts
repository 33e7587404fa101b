import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import { fixturePath, haveFixtures } from '../../../test/support/fixtures.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { formatSignedShard } from '../../primitives/shard.ts'
import { decodeLiteAnswer, encodeLiteQuery, type LiteFunctionName } from './liteQuery.ts'
import { TlError } from './TlError.ts'
import { decodeTlObject, decodeTlObjectAs, encodeTlObject, tlFunctions } from './tlObject.ts'

const findFolder = (t: TestContext, path: string): string | undefined =>
  haveFixtures(t, path) ? `${fixturePath(path)}/` : undefined

type Pair = {
  readonly name: string
  readonly request?: Readonly<Record<string, unknown>>
  readonly response_type?: string
  readonly request_tl_hex: string
  readonly wire_query_tl_hex: string
  readonly response_tl_hex: string
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T

const readPairs = (folder: string): Pair[] =>
  readdirSync(folder)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .map((name) => readJson<Pair>(folder + name))

const isMalformed = ({ name }: Pair): boolean => name === '(malformed)'

const assertSameBytes = (hex: string): void => {
  assert.equal(toHex(encodeTlObject(decodeTlObject(fromHex(hex)))), hex)
}

// The recorder notes these whatever the mode says, and the mode is what counts.
const flagOnly = new Set(['reverse_order', 'want_proof', 'one_account', 'messages_boc'])

const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]|\d+$/g, (part) => (/\d/.test(part) ? part : `_${part.toLowerCase()}`))

/** A decoded value in the notation of the recordings. */
const toRecorded = (value: unknown, name = ''): unknown => {
  if (value instanceof Uint8Array) return toHex(value)
  if (typeof value === 'bigint') return name === 'shard' ? formatSignedShard(value) : value.toString()
  if (Array.isArray(value)) return value.map((item) => toRecorded(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'kind' && !flagOnly.has(toSnakeCase(key)))
      .map(([key, item]) => [toSnakeCase(key), toRecorded(item, key)]),
  )
}

const withoutNotes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== '_' && item !== null && !flagOnly.has(key))
      .map(([key, item]) => [key, withoutNotes(item)]),
  )
}

test('recorded pairs of the local network decode, agree with their notes, and encode to the same bytes', (t) => {
  const folder = findFolder(t, 'localnet/liteserver')
  if (folder === undefined) return
  const pairs = readPairs(folder)
  const wellFormed = pairs.filter((pair) => !isMalformed(pair))
  const called = new Set<string>()
  let errors = 0
  for (const pair of wellFormed) {
    const query = decodeLiteQuery(fromHex(pair.request_tl_hex))
    assert.equal(query.call.kind, pair.name)
    assert.deepEqual(toRecorded(query.call), withoutNotes(pair.request))
    assert.equal(toHex(encodeLiteQuery(query)), pair.request_tl_hex)
    assertSameBytes(pair.wire_query_tl_hex)
    const wire = decodeTlObjectAs('liteServer.query', fromHex(pair.wire_query_tl_hex))
    assert.equal(toHex(wire.data), pair.request_tl_hex)

    const name = query.call.kind as LiteFunctionName
    const response = fromHex(pair.response_tl_hex)
    assert.equal(decodeTlObject(response).kind, pair.response_type)
    assertSameBytes(pair.response_tl_hex)
    const answer = decodeLiteAnswer(name, response)
    if (answer.ok) assert.equal(toHex(encodeResult(name, answer.result)), pair.response_tl_hex)
    else errors++
    called.add(name)
  }
  t.diagnostic(`${wellFormed.length} pairs, ${called.size} functions, ${errors} errors`)
  assert.ok(wellFormed.length >= 138 && called.size >= 31 && errors >= 10)
})

// The name and the result come from one decoded answer, so they belong together.
const encodeResult = (name: LiteFunctionName, result: unknown): Uint8Array =>
  (tlFunctions[name].encodeResult as (result: unknown) => Uint8Array)(result)

test('malformed requests fail where the node said they do', (t) => {
  const folder = findFolder(t, 'localnet/liteserver')
  if (folder === undefined) return
  const malformed = readPairs(folder).filter(isMalformed)
  assert.ok(malformed.length > 0)
  for (const pair of malformed) {
    const { message } = decodeTlObjectAs('liteServer.error', fromHex(pair.response_tl_hex))
    const request = fromHex(pair.request_tl_hex)
    assert.throws(
      () => decodeLiteQuery(request),
      (error) => error instanceof TlError && message === phraseAsNode(error, request),
      message,
    )
  }
})

const phraseAsNode = ({ fault, offset }: TlError, request: Uint8Array): string => {
  if (fault === 'not_enough_bytes') return `Not enough data to read at ${offset}`
  const id = new DataView(request.buffer, request.byteOffset).getUint32(offset, true).toString(16)
  return `Unknown constructor found 0x${id} at ${offset + 4}`
}

test('the packets of a recorded session decode and encode to the same bytes', (t) => {
  const folder = findFolder(t, 'localnet/liteserver')
  if (folder === undefined) return
  const session = readJson<{ plain_events: { packet_hex?: string; stream_hex?: string }[] }>(
    `${folder}adnl-session.json`,
  )
  const kinds = session.plain_events
    // Four bytes of length and 32 of nonce before the payload, 32 of checksum behind it.
    .map(({ packet_hex, stream_hex }) => (packet_hex ?? stream_hex ?? '').slice(72, -64))
    .filter((payload) => payload !== '')
    .map((payload) => {
      assertSameBytes(payload)
      const object = decodeTlObject(fromHex(payload))
      if (object.kind === 'adnl.message.query') assertSameBytes(toHex(object.query))
      if (object.kind === 'adnl.message.answer') assertSameBytes(toHex(object.answer))
      return object.kind.replace('adnl.message.', '')
    })
  assert.deepEqual(kinds, ['query', 'answer', 'query', 'answer', 'tcp.ping', 'tcp.pong', 'query', 'answer'])
})

test('candidates inside recorded simplex signatures are objects themselves', (t) => {
  const folder = findFolder(t, 'localnet/liteserver')
  if (folder === undefined) return
  let candidates = 0
  for (const { response_tl_hex } of readPairs(folder)) {
    const proof = decodeTlObject(fromHex(response_tl_hex))
    if (proof.kind !== 'liteServer.partialBlockProof') continue
    for (const step of proof.steps) {
      if (step.kind !== 'liteServer.blockLinkForward') continue
      assert.equal(step.signatures.kind, 'liteServer.signatureSet.simplex')
      const candidate = decodeTlObjectAs('consensus.candidateHashDataOrdinary', step.signatures.candidate)
      assert.deepEqual(candidate.block, step.to)
      assertSameBytes(toHex(step.signatures.candidate))
      candidates++
    }
  }
  assert.ok(candidates > 0)
})

type MainnetItem = {
  readonly file: string
  readonly tl?: string
  readonly payload_hex?: string
  readonly inner_hex?: string
  readonly request?: { readonly hex: string }
}

/** The objects of one entry of the index, as [kind, hex]; the kind is '' where the index does not say. */
const listObjects = (folder: string, item: MainnetItem): (readonly [kind: string, hex: string])[] => {
  if (item.file.endsWith('.json')) {
    const vectors = readJson<{ vectors: { tl: string; hex: string }[] }>(folder + item.file).vectors
    return vectors.map(({ tl, hex }) => [tl, hex])
  }
  if (item.payload_hex !== undefined)
    return ['payload_hex', 'inner_hex'].map((key) => ['', item[key as 'inner_hex'] ?? ''])
  // UDP packets are none of ours.
  if (item.tl === undefined || item.tl.includes('(UDP)')) return []
  const request = item.request === undefined ? [] : [['', item.request.hex] as const]
  return [[item.tl, toHex(readFileSync(folder + item.file))], ...request]
}

test('recordings of the main network decode and encode to the same bytes', (t) => {
  const folder = findFolder(t, 'mainnet/liteserver')
  if (folder === undefined) return
  const index = readJson<MainnetItem[]>(`${folder}index.json`).filter(({ file }) => /^(tl|adnl)\//.test(file))
  const objects = index.flatMap((item) => listObjects(folder, item))
  for (const [kind, hex] of objects) {
    assertSameBytes(hex)
    if (kind !== '') assert.equal(decodeTlObject(fromHex(hex)).kind, kind)
  }
  t.diagnostic(`${objects.length} objects`)
  assert.ok(objects.length >= 13)
})
