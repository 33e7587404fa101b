import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { haveFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { type Cell, type CellSlice, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict, type DictType, writeDict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { cellValue, uintKey } from '../../codec/cell/dictTypes.ts'
import { encodeUtf8 } from '../../codec/content/text.ts'
import { contentDictType, hashName } from '../../codec/content/tokenContent.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { findReadable } from '../getMethods.ts'
import { readTokenContent, type TokenContent } from './tokenContent.ts'

const find = (cell: Cell): TokenContent | undefined => findReadable(() => readTokenContent(cell))

/** A chain of cells with these bytes each, behind what `w` holds already. */
const chain = (w: CellWriter, parts: readonly Uint8Array[]): Cell => {
  const cells = [
    w.writeBytes(parts[0] ?? new Uint8Array(0)),
    ...parts.slice(1).map((p) => new CellWriter().writeBytes(p)),
  ]
  return cells.reduceRight<Cell | undefined>(
    (next, cell) => (next === undefined ? cell : cell.writeRef(next)).toCell(),
    undefined,
  )!
}

const byte = (value: number): CellWriter => new CellWriter().writeUint(value, 8)
const text = (value: string): Uint8Array[] => [encodeUtf8(value)]
const snake = (...parts: Uint8Array[]): Cell => chain(byte(0), parts)
const inReference = (cell: Cell): CellSlice => wholeSlice(new CellWriter().writeRef(cell).toCell())

const onChain = (entries: Record<string, CellSlice>): Cell => {
  const w = byte(0)
  const named = Object.entries(entries).map(([name, value]) => [hashName(name), value] as const)
  writeDict(w, Dict.of(contentDictType, named))
  return w.toCell()
}

const chunksType: DictType<number, Cell> = { key: uintKey(32), value: cellValue }
const chunked = (entries: readonly (readonly [number, Cell])[]): Cell => {
  const w = byte(1)
  writeDict(w, Dict.of(chunksType, entries))
  return w.toCell()
}

const texts = (entries: Record<string, CellSlice>) => {
  const content = find(onChain(entries))
  return content?.kind === 'onChain' ? content.texts : undefined
}

describe('content off the chain', () => {
  test('is the address in the cell and the chain behind it', () => {
    const cell = chain(byte(1), [...text('https://example'), ...text('.org/'), ...text('ü.json')])
    assert.deepEqual(find(cell), { kind: 'offChain', uri: 'https://example.org/ü.json' })
    assert.deepEqual(find(byte(1).toCell()), { kind: 'offChain', uri: '' })
  })

  test('that is no UTF-8, or no whole bytes, is no content', () => {
    assert.equal(find(chain(byte(1), [new Uint8Array([0xff, 0xfe])])), undefined)
    assert.equal(find(byte(1).writeBit(true).toCell()), undefined)
  })

  test('may break off inside a byte as long as the whole has none', () => {
    const end = new CellWriter().writeUint(0x1, 4).toCell()
    assert.deepEqual(find(byte(1).writeUint(0x4, 4).writeRef(end).toCell()), { kind: 'offChain', uri: 'A' })
  })

  test('is cut before the cell that 8192 bytes have no room for', () => {
    const parts = Array.from({ length: 100 }, (_, k) => new Uint8Array(100).fill(65 + (k % 26)))
    const content = find(chain(byte(1), parts))
    assert.equal(content?.kind === 'offChain' && content.uri.length, 8100)
  })
})

describe('content on the chain', () => {
  test('has its attributes in references or in place, as chains or in chunks', () => {
    const image = new Uint8Array([0x89, 0x50, 0xff])
    const content = find(
      onChain({
        uri: inReference(snake(...text('https://example.org/j.json'))),
        name: wholeSlice(snake(...text('In place, '), ...text('with a chain'))),
        symbol: inReference(
          chunked([
            [1, chain(new CellWriter(), text('B'))],
            [0, chain(new CellWriter(), text('A'))],
          ]),
        ),
        decimals: wholeSlice(chunked([[0, chain(new CellWriter(), text('9'))]])),
        amount_style: inReference(chunked([])),
        image_data: inReference(snake(image)),
      }),
    )
    assert.deepEqual(content, {
      kind: 'onChain',
      texts: {
        uri: 'https://example.org/j.json',
        name: 'In place, with a chain',
        symbol: 'AB',
        decimals: '9',
        amount_style: '',
      },
      imageData: image,
    })
    assert.deepEqual(find(byte(0).writeBit(false).toCell()), { kind: 'onChain', texts: {}, imageData: undefined })
  })

  test('leaves out what it cannot read and what is not of the standard', () => {
    const library = new CellWriter().writeUint(2, 8).writeBytes(filled(1)).toExoticCell()
    const good = inReference(snake(...text('good')))
    const cases: Record<string, CellSlice> = {
      'bytes that are no UTF-8': inReference(snake(new Uint8Array([0xc3]))),
      'bits that are no bytes': inReference(byte(0).writeBit(true).toCell()),
      'another encoding': inReference(byte(2).toCell()),
      'no encoding': inReference(emptyCell),
      'an exotic cell': inReference(library),
      'a chain into an exotic cell': inReference(byte(0).writeRef(library).toCell()),
      'chunks that are no dictionary': inReference(byte(1).writeBit(true).writeRef(emptyCell).toCell()),
    }
    for (const [why, value] of Object.entries(cases)) {
      assert.deepEqual(texts({ name: value, symbol: good }), { symbol: 'good' }, why)
    }
    assert.deepEqual(texts({ colour: good, symbol: good }), { symbol: 'good' })
  })

  test('is cut value by value', () => {
    const long = Array.from({ length: 90 }, () => new Uint8Array(120).fill(0x61))
    const read = texts({
      description: inReference(snake(...long)),
      name: inReference(chunked(long.map((part, k) => [k, chain(new CellWriter(), [part])] as const))),
      symbol: inReference(snake(...text('S'))),
    })
    assert.deepEqual(
      Object.entries(read!).map(([name, value]) => [name, value.length]),
      [
        ['name', 8160],
        ['description', 8160],
        ['symbol', 1],
      ],
    )
  })
})

test('cells that are no content are none', () => {
  for (const cell of [
    emptyCell,
    byte(2).toCell(),
    byte(0).toCell(),
    byte(0).writeBit(true).toCell(),
    byte(0).writeBit(true).writeRef(emptyCell).toCell(),
  ]) {
    assert.equal(find(cell), undefined)
  }
})

describe('content made to hurt', () => {
  /** A dictionary of all 2^depth keys of which each level is one cell. */
  const sharedDict = (keyBits: number, depth: number, leaf: Cell): Cell => {
    // hml_same$11 with the rest of the key, all zero, then the value.
    const rest = keyBits - depth
    const bits = 32 - Math.clz32(rest)
    let node = new CellWriter().writeUint(0b110, 3).writeUint(rest, bits).writeRef(leaf).toCell()
    for (let k = 0; k < depth; k++) node = new CellWriter().writeUint(0, 2).writeRef(node).writeRef(node).toCell()
    return node
  }

  test('ends soon: a few cells that spell out endlessly many chunks', () => {
    const started = performance.now()
    for (const leaf of [emptyCell, new CellWriter().writeBytes(filled(0x61)).toCell()]) {
      const value = byte(1)
        .writeBit(true)
        .writeRef(sharedDict(32, 31, leaf))
        .toCell()
      const read = texts({ name: inReference(value), symbol: inReference(snake(...text('S'))) })
      assert.equal(read?.symbol, 'S')
      assert.ok((read?.name?.length ?? 0) <= 8192)
    }
    assert.ok(performance.now() - started < 2000)
  })

  test('ends soon: attributes in a dictionary of all keys', () => {
    const started = performance.now()
    const content = find(
      byte(0)
        .writeBit(true)
        .writeRef(sharedDict(256, 250, snake(...text('x'))))
        .toCell(),
    )
    assert.equal(content?.kind, 'onChain')
    assert.ok(performance.now() - started < 2000)
  })

  test('ends soon: chains of cells without bits', () => {
    const started = performance.now()
    const empty = Array.from({ length: 1000 }, () => new Uint8Array(0))
    assert.deepEqual(texts({ name: inReference(snake(...empty, ...text('end'))) }), { name: 'end' })
    const chunks = Array.from({ length: 50 }, (_, k) => [k, chain(new CellWriter(), empty)] as const)
    assert.deepEqual(texts({ name: inReference(chunked(chunks)) }), {})
    assert.ok(performance.now() - started < 5000)
  })
})

type RecordedField = {
  readonly text?: string
  readonly sha256?: string
  readonly length?: number
  readonly error?: string
}
type Recorded = {
  readonly boc: string
  readonly decoded:
    | { readonly layout: 'offchain'; readonly uri: string }
    | { readonly layout: string; readonly fields: Record<string, RecordedField> }
}

const shown = new Set(['uri', 'name', 'description', 'image', 'symbol', 'decimals', 'amount_style', 'render_type'])

test('recorded contents are read as their index says', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata/index.json')) return
  const counts = { offChain: 0, attributes: 0, cut: 0 }
  for (const { file } of readFixtureJson<readonly { file: string }[]>('mainnet/metadata/index.json')) {
    if (!file.startsWith('content/') || file.includes('dns_')) continue
    const { boc, decoded } = readFixtureJson<Recorded>(`mainnet/metadata/${file}`)
    const content = find(decodeSingleBoc(fromBase64(boc)))
    if (!('fields' in decoded)) {
      counts.offChain++
      assert.deepEqual(content, { kind: 'offChain', uri: decoded.uri }, file)
      continue
    }
    assert.equal(content?.kind, 'onChain', file)
    if (content?.kind !== 'onChain') continue
    const read = { ...content.texts, image_data: content.imageData }
    for (const [name, field] of Object.entries(decoded.fields)) {
      const value = read[name as keyof typeof read]
      if (field.error !== undefined) continue
      if (value === undefined) {
        assert.ok(!shown.has(name) || field.text === undefined, `${file} ${name}`)
        continue
      }
      const bytes = typeof value === 'string' ? encodeUtf8(value) : value
      if (field.length! > 8192 && ++counts.cut)
        assert.ok(bytes.length <= 8192 && bytes.length > 8000, `${file} ${name}`)
      else if (++counts.attributes) assert.equal(toHex(sha256(bytes)), field.sha256, `${file} ${name}`)
    }
  }
  t.diagnostic(JSON.stringify(counts))
  assert.ok(counts.offChain >= 40 && counts.attributes >= 100 && counts.cut >= 1, JSON.stringify(counts))
})
