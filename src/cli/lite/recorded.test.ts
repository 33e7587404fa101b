import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { splitWaitPrefix } from '../../codec/tl/liteQuery.ts'
import { decodeTlObject, encodeTlObject, type TlFieldDescription, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlObject } from '../../codec/tl/tlTypes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { formatTlObject } from './formatTlObject.ts'
import { getLiteFunction, parseArguments, parseTlFields, parseTlValue } from './liteArguments.ts'

type Pair = {
  readonly name: string
  readonly request?: Readonly<Record<string, unknown>>
  readonly request_tl_hex: string
  readonly response_tl_hex: string
}

const readPairs = (): Pair[] =>
  listFixtures('localnet/liteserver', '.json')
    .filter((path) => /\/\d{3}-/.test(path))
    .map((path) => readFixtureJson<Pair>(path))

// The recorder notes these whatever the mode says, and the mode is what counts.
const flagOnly = new Set(['reverse_order', 'want_proof', 'one_account', 'messages_boc', '_'])

const withoutFlags = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([name]) => !flagOnly.has(name))
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutFlags(item)]))
}

const noFiles = (): never => assert.fail('a file was read')

test('every recorded request, written as JSON, has the bytes that the node was asked with', (t) => {
  const pairs = readPairs().filter(({ name, request }) => request !== undefined && name.startsWith('liteServer.'))
  for (const { name, request, request_tl_hex } of pairs) {
    const { rest } = splitWaitPrefix(fromHex(request_tl_hex))
    const parsed = parseArguments(getLiteFunction(name), [JSON.stringify(withoutFlags(request))], noFiles)
    assert.equal(toHex(parsed.encode()), toHex(rest), name)
  }
  t.diagnostic(`${pairs.length} requests`)
  assert.ok(pairs.length > 130)
})

const hasUnion = (fields: readonly TlFieldDescription[]): boolean => fields.some(({ type }) => type === 'union')

test('every recorded answer, shown as JSON, says all that its bytes do', (t) => {
  const shown = new Set<string>()
  for (const { response_tl_hex } of readPairs()) {
    const object = decodeTlObject(fromHex(response_tl_hex))
    const { '@type': kind, ...fields } = JSON.parse(JSON.stringify(formatTlObject(object))) as Record<string, unknown>
    assert.equal(kind, object.kind)
    const description = tlSchema[object.kind]
    if (hasUnion(description.fields)) continue
    const read = parseTlFields(description.fields, new Map(Object.entries(fields)), (field, value) =>
      parseTlValue(field, value, noFiles),
    )
    assert.equal(toHex(encodeTlObject({ kind: object.kind, ...read } as TlObject)), response_tl_hex)
    shown.add(object.kind)
  }
  t.diagnostic(`${shown.size} kinds of answer`)
  assert.ok(shown.size > 20)
})

test('links of a proof name their constructors', () => {
  const answers = readPairs()
    .map(({ response_tl_hex }) => decodeTlObject(fromHex(response_tl_hex)))
    .filter(({ kind }) => kind === 'liteServer.partialBlockProof')
  const steps = answers.flatMap((answer) => formatTlObject(answer)['steps'] as Record<string, unknown>[])
  const kinds = new Set(steps.map((step) => step['@type']))
  assert.deepEqual(kinds, new Set(['liteServer.blockLinkBack', 'liteServer.blockLinkForward']))
  const signed = steps.filter((step) => step['@type'] === 'liteServer.blockLinkForward')
  for (const { signatures } of signed as { signatures: Record<string, unknown> }[]) {
    assert.equal(signatures['@type'], 'liteServer.signatureSet.simplex')
    assert.match(String(signatures['session_id']), /^[0-9a-f]{64}$/)
  }
})
