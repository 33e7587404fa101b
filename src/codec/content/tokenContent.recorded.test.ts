import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { findAttribute, readTokenContent, tokenValueBytes } from '../../../test/support/tokenContent.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { openCell } from '../cell/CellReader.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { decodeVmStack } from '../tlb/VmStack.ts'
import { decodeUtf8 } from './text.ts'
import { type TokenValue, writeTokenContent } from './tokenContent.ts'

type RecordedField = {
  readonly encoding?: string
  readonly chunks?: number
  readonly length?: number
  readonly sha256?: string
  readonly text?: string
  readonly base64?: string
  readonly error?: string
}
type Recorded = {
  readonly root_hash: string
  readonly boc: string
  readonly decoded:
    | { readonly layout: 'offchain'; readonly uri: string }
    | { readonly layout: 'onchain' | 'semichain' | 'dns'; readonly fields: Record<string, RecordedField> }
}
type Indexed = {
  readonly file: string
  readonly layout?: string
  readonly keys?: readonly string[]
  readonly uri?: string
}

/** Checks a value against what is noted of it; long ones are noted by length and hash alone. */
const checkValue = (value: TokenValue, expected: RecordedField, where: string): void => {
  if (expected.error !== undefined) {
    assert.equal(value.kind, 'other', where)
    return
  }
  const bytes = tokenValueBytes(value)
  assert.ok(bytes !== undefined, where)
  assert.deepEqual(
    { encoding: value.kind, length: bytes.length, sha256: toHex(sha256(bytes)) },
    { encoding: expected.encoding, length: expected.length, sha256: expected.sha256 },
    where,
  )
  if (value.kind === 'chunked') assert.equal(value.chunks.length, expected.chunks, where)
  if (expected.text !== undefined) assert.equal(decodeUtf8(bytes), expected.text, where)
  if (expected.base64 !== undefined) assert.equal(toBase64(bytes), expected.base64, where)
}

test('recorded contents are read as their index says', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata/index.json')) return
  const counts: Record<string, number> = {}
  let fields = 0
  let sameHash = 0
  const index = readFixtureJson<readonly Indexed[]>('mainnet/metadata/index.json')
  for (const { file, layout, keys, uri } of index.filter((each) => each.file.startsWith('content/'))) {
    const { boc, decoded, root_hash } = readFixtureJson<Recorded>(`mainnet/metadata/${file}`)
    const cell = decodeSingleBoc(fromBase64(boc))
    assert.equal(toHex(cell.hash()), root_hash, file)
    counts[decoded.layout] = (counts[decoded.layout] ?? 0) + 1
    assert.equal(decoded.layout, layout, file)
    if (decoded.layout === 'dns') continue
    const content = readTokenContent(openCell(cell))
    if (toHex(writeWhole(writeTokenContent, content).hash()) === root_hash) sameHash++
    if (decoded.layout === 'offchain') {
      assert.ok(content.kind === 'offChain', file)
      assert.equal(decodeUtf8(content.uri), decoded.uri, file)
      assert.equal(decoded.uri, uri, file)
      continue
    }
    assert.ok(content.kind === 'onChain', file)
    assert.equal(findAttribute(content, 'uri') !== undefined, decoded.layout === 'semichain', file)
    const names = content.attributes.map(({ key, name }) => name ?? toHex(key))
    assert.deepEqual(names.toSorted(), Object.keys(decoded.fields).toSorted(), file)
    assert.deepEqual(names.toSorted(), keys?.toSorted(), file)
    for (const [k, { value }] of content.attributes.entries()) {
      checkValue(value, decoded.fields[names[k]!]!, `${file} ${names[k]}`)
      fields++
    }
  }
  t.diagnostic(`${JSON.stringify(counts)}, ${fields} attributes; ${sameHash} written to the same hash`)
  assert.ok((counts['offchain'] ?? 0) >= 53 && (counts['onchain'] ?? 0) >= 25 && (counts['semichain'] ?? 0) >= 7)
})

type AssertedStack = {
  readonly file: string
  readonly method?: string
  readonly asserted_by_source?: { readonly symbol: string; readonly decimals: number }
}

test('the content that recorded get_jetton_data returns names the token as its source asserts', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata/index.json')) return
  let checked = 0
  for (const entry of readFixtureJson<readonly AssertedStack[]>('mainnet/metadata/index.json')) {
    if (entry.method !== 'get_jetton_data' || entry.asserted_by_source === undefined) continue
    const { boc } = readFixtureJson<{ readonly boc: string }>(`mainnet/metadata/${entry.file}`)
    const value = decodeVmStack(fromBase64(boc))[3]
    assert.ok(value?.kind === 'cell', entry.file)
    const content = readWhole(value.cell, readTokenContent, 'The content')
    if (content.kind !== 'onChain') continue
    const text = (name: string): string | undefined => {
      const found = findAttribute(content, name)
      const bytes = found && tokenValueBytes(found)
      return bytes && decodeUtf8(bytes)
    }
    if (text('symbol') === undefined) continue
    assert.equal(text('symbol'), entry.asserted_by_source.symbol, entry.file)
    assert.equal(Number(text('decimals') ?? 9), entry.asserted_by_source.decimals, entry.file)
    checked++
  }
  t.diagnostic(`${checked} tokens`)
  assert.ok(checked >= 4)
})
