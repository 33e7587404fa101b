import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { fromHex } from '../../primitives/hex.ts'
import { createBodyDecoder, explainUndecoded, toMessageForm } from './createBodyDecoder.ts'
import { DecodeBudget, type DecodedValue } from './DecodedValue.ts'
import { parseLayoutFile } from './parseLayoutFile.ts'

const OPCODE = 0x7e57ab1e

const cellOf = (write: (w: CellWriter) => void): Cell => {
  const w = new CellWriter()
  write(w)
  return w.toCell()
}

/** What `fields` make of a body that starts with the opcode. */
const decodeAs = (fields: string, write: (w: CellWriter) => void, types: readonly string[] = []) => {
  const layouts = parseLayoutFile(JSON.stringify({ types, messages: [`test#7e57ab1e ${fields}`] }))
  const body = cellOf((w) => write(w.writeUint(OPCODE, 32)))
  const budget = new DecodeBudget({ text: 1_000_000, steps: 1_000_000 })
  const decoded = createBodyDecoder(layouts).decode(body, budget)
  // A single fraction would have the engine count in floating point, and compile again all that counts.
  const { text, steps } = budget.left
  assert.ok(Number.isInteger(text) && Number.isInteger(steps), `${text} characters and ${steps} steps left`)
  if (decoded === undefined) return undefined
  const { '@type': name, ...rest } = decoded
  assert.equal(name, 'test')
  return rest as Record<string, DecodedValue>
}

const nothing = { '@type': 'nothing_from_maybe' }

test('integers of any width are decimal text', () => {
  const decoded = decodeAs(
    'a:(## 1) b:int1 c:uint53 d:uint64 e:int64 f:uint256 g:int24 h:# i:(## 10) j:(#<= 30)',
    (w) =>
      w
        .writeUint(1, 1)
        .writeInt(-1, 1)
        .writeUint(2 ** 53 - 1, 53)
        .writeUint64(2n ** 64n - 1n)
        .writeIntWide(-(2n ** 63n), 64)
        .writeUintWide(2n ** 256n - 1n, 256)
        .writeInt(-887272, 24)
        .writeUint(7, 32)
        .writeUint(1023, 10)
        .writeUint(30, 5),
  )
  assert.deepEqual(decoded, {
    a: '1',
    b: '-1',
    c: '9007199254740991',
    d: '18446744073709551615',
    e: '-9223372036854775808',
    f: (2n ** 256n - 1n).toString(),
    g: '-887272',
    h: '7',
    i: '1023',
    j: '30',
  })
  assert.equal(
    decodeAs('a:(#<= 30)', (w) => w.writeUint(31, 5)),
    undefined,
  )
})

test('bit strings are upper-case hex, an incomplete digit is marked', () => {
  const decoded = decodeAs('len:(## 8) a:bits16 b:bits4 c:bits1 d:(bits 13) e:(bits len) f:(bits (len * 8))', (w) =>
    w
      .writeUint(2, 8)
      .writeUint(0xabcd, 16)
      .writeUint(0xe, 4)
      .writeUint(1, 1)
      .writeUint(0, 13)
      .writeUint(3, 2)
      .writeUint(0xbeef, 16),
  )
  assert.deepEqual(decoded, { len: '2', a: 'ABCD', b: 'E', c: 'C_', d: '0004_', e: 'E_', f: 'BEEF' })
})

test('amounts and booleans have their own objects', () => {
  const decoded = decodeAs(
    'a:Coins b:Grams c:(VarUInteger 16) d:(VarUInteger 32) e:(VarInteger 16) f:Bool g:Bool h:uint1',
    (w) =>
      w
        .writeCoins(1000000000n)
        .writeCoins(0n)
        .writeCoins(2n ** 112n)
        .writeVarUint(2n ** 200n, 5)
        .writeVarInt(-300n, 4)
        .writeBit(true)
        .writeBit(false)
        .writeBit(true),
  )
  assert.deepEqual(decoded, {
    a: { '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '4', value: '1000000000' } },
    b: { '@type': 'nanograms', amount: { '@type': 'var_uint', len: '0', value: '0' } },
    c: { '@type': 'var_uint', len: '15', value: (2n ** 112n).toString() },
    d: { '@type': 'var_uint', len: '26', value: (2n ** 200n).toString() },
    e: { '@type': 'var_int', len: '2', value: '-300' },
    f: true,
    g: false,
    h: true,
  })
})

test('addresses of all four kinds are shown, where their type allows them', () => {
  const hash = fromHex('d94fcae73c2e76c960834e0f5e739b0ad28d42eb9ee1c6a1bd5e0e7fe8257ccf')
  const writeAll = (w: CellWriter) => {
    w.writeUint(0, 2).writeUint(1, 2).writeUint(9, 9).writeUint(0b101010101, 9)
    w.writeUint(2, 2).writeBit(false).writeInt(-1, 8).writeBytes(hash)
    w.writeUint(3, 2).writeBit(true).writeUint(4, 5).writeUint(5, 4).writeUint(8, 9).writeInt(7, 32).writeUint(0xfe, 8)
  }
  assert.deepEqual(decodeAs('a:MsgAddress b:MsgAddressExt c:MsgAddressInt d:MsgAddress', writeAll), {
    a: { '@type': 'addr_none' },
    b: { '@type': 'addr_external', len: '9', external_address: 'AAC_' },
    c: {
      '@type': 'addr_std',
      anycast: nothing,
      workchain_id: '-1',
      address: 'D94FCAE73C2E76C960834E0F5E739B0AD28D42EB9EE1C6A1BD5E0E7FE8257CCF',
    },
    d: {
      '@type': 'addr_var',
      anycast: {
        '@type': 'something_from_maybe',
        value: { '@type': 'anycast_info', depth: '4', rewrite_pfx: '5' },
      },
      addr_len: '8',
      workchain_id: '7',
      address: 'FE',
    },
  })
  assert.equal(decodeAs('a:MsgAddressInt', writeAll), undefined)
  const standard = (w: CellWriter) => w.writeUint(2, 2).writeBit(false).writeInt(0, 8).writeBytes(hash)
  assert.equal(decodeAs('a:MsgAddressExt', standard), undefined)
})

test('Maybe and Either say which of the two it is; a typed reference in them is an object', () => {
  const inner = cellOf((w) => w.writeUint(5, 8))
  const decoded = decodeAs(
    'a:(Maybe uint8) b:(Maybe ^Small) c:MaybeCell d:(Either uint8 ^Small) e:(Either uint8 ^Small)',
    (w) =>
      w
        .writeBit(false)
        .writeBit(true)
        .writeRef(inner)
        .writeBit(true)
        .writeRef(inner)
        .writeBit(false)
        .writeUint(9, 8)
        .writeBit(true)
        .writeRef(inner),
    ['small x:uint8 = Small'],
  )
  const small = { '@type': 'small', x: '5' }
  assert.deepEqual(decoded, {
    a: nothing,
    b: { '@type': 'something_from_maybe', value: { cell_reference: small } },
    c: { '@type': 'something_from_maybe', value: toBase64(encodeBoc([inner])) },
    d: { '@type': 'first_from_either', value: '9' },
    e: { '@type': 'second_from_either', value: { cell_reference: small } },
  })
})

test('sub-structures: by tag, without a name, in a reference, with a parameter, in themselves', () => {
  const types = [
    'native$0000 = Asset',
    'jetton$0001 id:uint8 = Asset',
    'extra$1 = Asset',
    '_ asset:Asset = Pair',
    'box item:X = Box X',
    'last$0 = List',
    'more$1 n:uint8 next:List = List',
    'up$0 = Direction',
    'down$1 = Direction',
  ]
  const decoded = decodeAs(
    'a:Asset b:Pair ^[ x:uint8 y:Asset ] _:^Pair c:(Box Asset) d:(Box ^Pair) e:List f:Direction',
    (w) => {
      const pair = cellOf((inner) => inner.writeUint(0b1, 1))
      w.writeUint(0, 4).writeUint(0b0001, 4).writeUint(3, 8)
      w.writeRef(cellOf((inner) => inner.writeUint(4, 8).writeUint(0, 4)))
      w.writeRef(pair).writeUint(0, 4).writeRef(pair)
      w.writeBit(true).writeUint(8, 8).writeBit(true).writeUint(9, 8).writeBit(false).writeBit(true)
    },
    types,
  )
  assert.deepEqual(decoded, {
    a: { '@type': 'native' },
    b: { asset: { '@type': 'jetton', id: '3' } },
    // Two parts without a name share the empty one; the last is kept, as readers of JSON do.
    '': { asset: { '@type': 'extra' } },
    c: { '@type': 'box', item: { '@type': 'native' } },
    d: { '@type': 'box', item: { cell_reference: { asset: { '@type': 'extra' } } } },
    e: { '@type': 'more', n: '8', next: { '@type': 'more', n: '9', next: { '@type': 'last' } } },
    f: true,
  })
})

test('a value in a reference fills its cell', () => {
  const write = (bits: number) => (w: CellWriter) => w.writeRef(cellOf((inner) => inner.writeUint(1, bits)))
  assert.deepEqual(decodeAs('a:^uint8', write(8)), { a: '1' })
  assert.equal(decodeAs('a:^uint8', write(9)), undefined)
  assert.equal(decodeAs('a:^uint8', write(7)), undefined)
})

test('what follows the last field of a message is passed over', () => {
  assert.deepEqual(
    decodeAs('a:uint8', (w) => w.writeUint(1, 8).writeUint(2, 8).writeRef(emptyCell)),
    { a: '1' },
  )
  assert.equal(
    decodeAs('a:uint8', (w) => w.writeUint(1, 7)),
    undefined,
  )
})

test('fields that depend on others, and constraints', () => {
  const fields = 'flags:(## 8) { flags <= 3 } a:flags.0?uint8 b:flags.1?uint8 n:(## 4) c:n?uint4'
  assert.deepEqual(
    decodeAs(fields, (w) => w.writeUint(2, 8).writeUint(7, 8).writeUint(0, 4)),
    { flags: '2', b: '7', n: '0' },
  )
  assert.deepEqual(
    decodeAs(fields, (w) => w.writeUint(1, 8).writeUint(7, 8).writeUint(2, 4).writeUint(5, 4)),
    { flags: '1', a: '7', n: '2', c: '5' },
  )
  assert.equal(
    decodeAs(fields, (w) => w.writeUint(4, 8).writeUint(0, 4)),
    undefined,
  )
})

test('dictionaries are shown edge by edge, with each form of label', () => {
  const leaf = (value: number) => (w: CellWriter) => w.writeUint(value, 8)
  // Two keys of 8 bits, 0b00000101 and 0b01111111: a short, a long and a uniform label.
  const left = cellOf((w) => leaf(1)(w.writeUint(0b10, 2).writeUint(6, 3).writeUint(0b000101, 6)))
  const right = cellOf((w) => leaf(2)(w.writeUint(0b111, 3).writeUint(6, 3)))
  const root = cellOf((w) => w.writeUint(0b0100, 4).writeRef(left).writeRef(right))
  const decoded = decodeAs('a:(HashmapE 8 uint8) b:(HashmapE 8 uint8) c:^(Hashmap 8 uint8)', (w) =>
    w.writeBit(false).writeBit(true).writeRef(root).writeRef(root),
  )
  const shown = {
    '@type': 'hashmap_edge',
    label: {
      '@type': 'hashmap_label_short',
      len: { '@type': 'unary_succ', x: { '@type': 'unary_zero' } },
      s: '4_',
    },
    node: {
      '@type': 'hashmap_node_fork',
      left: {
        '@type': 'hashmap_edge',
        label: { '@type': 'hashmap_label_long', n: '6', s: '16_' },
        node: { '@type': 'hashmap_node_leaf', value: '1' },
      },
      right: {
        '@type': 'hashmap_edge',
        label: { '@type': 'hashmap_label_same', v: true, n: '6' },
        node: { '@type': 'hashmap_node_leaf', value: '2' },
      },
    },
  }
  assert.deepEqual(decoded, { a: { '@type': 'hashmap_empty' }, b: { '@type': 'hashmap_root', root: shown }, c: shown })
})

test('untyped cells are bags of cells, or what they decode to', () => {
  const known = cellOf((w) => w.writeUint(0xd53276db, 32).writeUint64(5n))
  const unknown = cellOf((w) => w.writeUint(0x12345678, 32).writeRef(known))
  const decoded = decodeAs('a:^Cell b:^Cell c:^Any rest:Any', (w) =>
    w.writeRef(known).writeRef(unknown).writeRef(emptyCell).writeUint(0b101, 3),
  )
  assert.deepEqual(decoded, {
    a: { '@type': 'excess', query_id: '5' },
    b: toBase64(encodeBoc([unknown])),
    c: { '@type': 'empty_cell' },
    rest: toBase64(encodeBoc([cellOf((w) => w.writeUint(0b101, 3))])),
  })
})

test('text runs through a chain of cells and must be UTF-8', () => {
  const bytes = new TextEncoder().encode('Привет, 世界!')
  const decoded = decodeAs('a:SnakeString', (w) =>
    w.writeBytes(bytes.subarray(0, 5)).writeRef(cellOf((inner) => inner.writeBytes(bytes.subarray(5)))),
  )
  assert.deepEqual(decoded, { a: 'Привет, 世界!' })
  assert.equal(
    decodeAs('a:SnakeString', (w) => w.writeUint(0xff, 8)),
    undefined,
  )
  assert.equal(
    decodeAs('a:SnakeString', (w) => w.writeUint(1, 1)),
    undefined,
  )
})

test('a comment has two forms', () => {
  const decoder = createBodyDecoder()
  const body = cellOf((w) => w.writeUint(0, 32).writeBytes(new TextEncoder().encode('hello')))
  const decoded = decoder.decode(body)
  assert.deepEqual(decoded, { '@type': 'text_comment', text: 'hello' })
  assert.deepEqual(toMessageForm(decoded), { type: 'text_comment', '@type': 'text_comment', comment: 'hello' })
  const excess = { '@type': 'excess', query_id: '0' }
  assert.equal(toMessageForm(excess), excess)
})

test('bodies that are too short, unknown or exotic are not decoded; the empty one is', () => {
  const decoder = createBodyDecoder()
  assert.deepEqual(decoder.decode(emptyCell), { '@type': 'empty_cell' })
  const short = cellOf((w) => w.writeUint(0, 31))
  assert.equal(decoder.decode(short), undefined)
  assert.equal(explainUndecoded(short), 'unknown: boc is too small, size 31')
  assert.equal(decoder.decode(cellOf((w) => w.writeRef(emptyCell))), undefined)
  const unknown = cellOf((w) => w.writeUint(0x12345678, 32))
  assert.equal(decoder.decode(unknown), undefined)
  assert.equal(explainUndecoded(unknown), 'unknown: no parser succeeded')
  const library = new CellWriter().writeUint(2, 8).writeBytes(new Uint8Array(32)).toExoticCell()
  assert.equal(decoder.decode(library), undefined)
  const holder = cellOf((w) => w.writeUint(0x270695fb, 32).writeUint64(1n).writeUint(3, 8).writeRef(library))
  assert.equal(decoder.decode(holder)?.['msg'], toBase64(encodeBoc([library])))
})

test('a layout that does not fit gives way to the next of its opcode', () => {
  const decoder = createBodyDecoder()
  const write = (w: CellWriter) => w.writeUint(0x4eb1f0f9, 32).writeUint64(1n).writeBytes(new Uint8Array(32))
  const wallet = cellOf((w) =>
    w
      .writeUint(0x9fd3, 16)
      .writeUint(2, 2)
      .writeBit(false)
      .writeInt(0, 8)
      .writeBytes(new Uint8Array(32))
      .writeUint(0, 8),
  )
  assert.equal(decoder.decode(cellOf((w) => write(w).writeRef(wallet)))?.['@type'], 'change_dns_record')
  assert.equal(decoder.decode(cellOf(write))?.['@type'], 'delete_dns_record')
  assert.equal(decoder.nameOf(0x4eb1f0f9), 'change_dns_record')
})

test('opcodes have names, also those whose bodies several protocols share', () => {
  const { nameOf } = createBodyDecoder()
  assert.equal(nameOf(0x0f8a7ea5), 'jetton_transfer')
  assert.equal(nameOf(0xd53276db), 'excess')
  assert.equal(nameOf(0xffffffff), 'bounce')
  assert.equal(nameOf(1), 'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin')
  assert.equal(nameOf(0x12345678), undefined)
})

test('a given layout takes the place of all built-in ones of its opcode', () => {
  const layouts = parseLayoutFile(JSON.stringify({ messages: ['mine#4eb1f0f9 query_id:uint64 left:Any'] }))
  const decoder = createBodyDecoder(layouts)
  const body = cellOf((w) => w.writeUint(0x4eb1f0f9, 32).writeUint64(1n))
  assert.deepEqual(decoder.decode(body), { '@type': 'mine', query_id: '1', left: { '@type': 'empty_cell' } })
  assert.equal(decoder.nameOf(0x4eb1f0f9), 'mine')
  assert.equal(decoder.nameOf(0x0f8a7ea5), 'jetton_transfer')
})

test('a bag that is one cell is written like any other', () => {
  const unknown = cellOf((w) => w.writeUint(0x12345678, 32).writeUint(1, 1))
  const decoded = decodeAs('a:^Cell', (w) => w.writeRef(unknown))
  assert.equal(decoded?.['a'], toBase64(encodeBoc([unknown])))
  assert.notEqual(decoded?.['a'], toBase64(encodeBoc([unknown], CHECKED_BOC)))
})
