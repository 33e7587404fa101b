import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { createBodyDecoder } from './createBodyDecoder.ts'
import { DecodeBudget, TRUNCATED } from './DecodedValue.ts'
import { parseLayoutFile } from './parseLayoutFile.ts'

const decoder = createBodyDecoder()

/** Types that contain themselves without a reference, one of them in two ways that look alike. */
const own = createBodyDecoder(
  parseLayoutFile(`{
    "types": ["end$0 = Row", "more$1 next:Row = Row", "left$1 next:Twin = Twin", "right$1 next:Twin = Twin"],
    "messages": ["rows#00000077 a:Row b:^Row", "twins#00000078 a:Twin"]
  }`),
)

const cellOf = (write: (w: CellWriter) => void): Cell => {
  const w = new CellWriter()
  write(w)
  return w.toCell()
}

/** Decodes within a time that a busy machine keeps, and far below what an unbounded walk would take. */
const decodeSoon = (body: Cell, by = decoder) => {
  const start = process.cpuUsage()
  const decoded = by.decode(body)
  const { user } = process.cpuUsage(start)
  assert.ok(user < 3_000_000, `${user} µs`)
  return decoded
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** Whether a value, or anything in it, was left out. */
const isCut = (value: unknown): boolean => JSON.stringify(value).includes(JSON.stringify(TRUNCATED))

const chain = (length: number, write: (w: CellWriter) => void, end = emptyCell): Cell => {
  let cell = end
  for (let k = 0; k < length; k++) {
    const prev = cell
    cell = cellOf((w) => write(w.writeRef(prev)))
  }
  return cell
}

const withActions = (actions: Cell): Cell =>
  cellOf((w) => w.writeUint(0xae42e5a4, 32).writeUint64(1n).writeRef(actions))

test('a list of 255 actions is decoded, one of 1000 is cut', () => {
  const message = cellOf((w) =>
    w
      .writeUint(0b0100, 4)
      .writeUint(0, 2)
      .writeUint(0b100, 3)
      .writeInt(0, 8)
      .writeBytes(new Uint8Array(32))
      .writeUint(0, 4 + 1 + 4 + 4 + 64 - 24)
      .writeUint(0, 24)
      .writeUint(0, 32 + 2),
  )
  const action = (w: CellWriter) => w.writeUint(0x0ec3c86d, 32).writeUint(3, 8).writeRef(message)
  const full = decodeSoon(withActions(chain(255, action)))
  assert.equal(full?.['@type'], 'highload_v3_internal_request')
  let depth = 0
  let list = full?.['actions'] as { '@type': string; prev?: unknown }
  while (list['@type'] === 'out_list') {
    depth++
    list = list.prev as typeof list
  }
  assert.equal(depth, 255)
  const long = decodeSoon(withActions(chain(1000, action)))
  assert.equal(long?.['@type'], 'highload_v3_internal_request')
  assert.ok(isCut(long))
})

test('a comment through 1000 cells is decoded', () => {
  const letters = new TextEncoder().encode('a'.repeat(127))
  const text = (length: number) => {
    let cell = cellOf((w) => w.writeBytes(letters))
    for (let k = 2; k < length; k++) {
      const next = cell
      cell = cellOf((w) => w.writeBytes(letters).writeRef(next))
    }
    return cellOf((w) => w.writeUint(0, 32).writeRef(cell))
  }
  assert.equal(String(decodeSoon(text(1000))?.['text']).length, 999 * 127)
})

test('a dictionary whose branches are one cell is not spelt out', () => {
  let branch = cellOf((w) => w.writeUint(0, 2).writeUint(7, 32))
  for (let k = 0; k < 32; k++) {
    const below = branch
    branch = cellOf((w) => w.writeUint(0, 2).writeRef(below).writeRef(below))
  }
  // bidask_burn: 2^32 keys in 33 cells.
  const root = branch
  const body = cellOf((w) => w.writeUint(0x73403c43, 32).writeUint64(1n).writeBit(true).writeRef(root).writeBit(false))
  const decoded = decodeSoon(body)
  assert.equal(decoded?.['@type'], 'bidask_burn')
  assert.ok(isCut(decoded))
  assert.ok(lengthOf(decoded) < 100_000, `${lengthOf(decoded)} characters`)
})

test('a long body may take more than a short one, in proportion', () => {
  // 254 different messages, none of which another one shares a cell with.
  const actions = (count: number) => {
    let list = emptyCell
    for (let k = 0; k < count; k++) {
      const text = cellOf((w) =>
        w.writeUint(0, 32).writeBytes(new TextEncoder().encode(`payout number ${k}`.padEnd(80))),
      )
      const message = cellOf((w) =>
        w
          .writeUint(0b0110, 4)
          .writeUint(0, 2)
          .writeUint(0b100, 3)
          .writeInt(0, 8)
          .writeBytes(new Uint8Array(32).fill(k))
          .writeCoins(1_000_000_000n)
          .writeUint(0, 1 + 4 + 4)
          .writeUint64(0n)
          .writeUint(0, 32)
          .writeUint(0b01, 2)
          .writeRef(text),
      )
      const prev = list
      list = cellOf((w) => w.writeRef(prev).writeUint(0x0ec3c86d, 32).writeUint(3, 8).writeRef(message))
    }
    return list
  }
  const decoded = decodeSoon(withActions(actions(254)))
  assert.ok(lengthOf(decoded) > 128 * 1024, `${lengthOf(decoded)} characters`)
  assert.ok(!isCut(decoded))
})

test('bodies of one answer share a budget: the one that goes beyond it is the last', () => {
  const body = cellOf((w) => w.writeUint(0xd53276db, 32).writeUint64(1n))
  const budget = new DecodeBudget({ text: 60, steps: 1000 })
  const decoded = Array.from({ length: 4 }, () => decoder.decode(body, budget)?.['@type'])
  assert.deepEqual(decoded, ['excess', 'excess', 'truncated', 'truncated'])
  // Work that comes to nothing is counted as well.
  const idle = new DecodeBudget({ text: 100_000, steps: 10 })
  const unread = chain(20, (w) => w.writeUint(0x0f8a7ea5, 32).writeUint64(1n).writeCoins(1n).writeUint(0, 4))
  while (!idle.isSpent) decoder.decode(withActions(unread), idle)
  assert.equal(decoder.decode(body, idle), TRUNCATED)
})

test('text through chains of empty cells, over and over, ends', () => {
  const empty = chain(1000, (w) => w)
  const text = cellOf((w) => w.writeUint(0, 32).writeRef(empty))
  let body = text
  for (let k = 0; k < 9; k++) {
    const inner = body
    body = cellOf((w) =>
      w
        .writeUint(0x0f8a7ea5, 32)
        .writeUint64(1n)
        .writeCoins(1n)
        .writeUint(0, 4)
        .writeBit(true)
        .writeRef(inner)
        .writeCoins(0n)
        .writeBit(true)
        .writeRef(inner),
    )
  }
  const budget = new DecodeBudget({ text: 10_000_000, steps: 20_000 })
  assert.equal(decoder.decode(body, budget)?.['@type'], 'jetton_transfer')
  assert.ok(budget.isSpent || isCut(decoder.decode(body)))
})

test('a transfer that carries itself twice, many levels down, ends', () => {
  const transfer = (payload: Cell) =>
    cellOf((w) =>
      w
        .writeUint(0x0f8a7ea5, 32)
        .writeUint64(1n)
        .writeCoins(1n)
        .writeUint(0, 4)
        .writeBit(true)
        .writeRef(payload)
        .writeCoins(0n)
        .writeBit(true)
        .writeRef(payload),
    )
  let body = emptyCell
  for (let k = 0; k < 40; k++) body = transfer(body)
  const decoded = decodeSoon(body)
  assert.equal(decoded?.['@type'], 'jetton_transfer')
  assert.ok(lengthOf(decoded) < 100_000, `${lengthOf(decoded)} characters`)
  let small = emptyCell
  for (let k = 0; k < 4; k++) small = transfer(small)
  assert.equal(decodeSoon(small)?.['@type'], 'jetton_transfer')
})

test('untyped cells are decoded ten levels down and no further', () => {
  let body = cellOf((w) => w.writeUint(0xd53276db, 32).writeUint64(1n))
  for (let k = 0; k < 12; k++) {
    const inner = body
    body = cellOf((w) => w.writeUint(0xc0ffee36, 32).writeUint64(BigInt(k)).writeRef(inner))
  }
  let value: unknown = decodeSoon(body)
  let levels = -1
  while (typeof value === 'object') {
    value = (value as { body: unknown }).body
    levels++
  }
  assert.equal(levels, 10)
  assert.match(value as string, /^te6ccg/)
})

test('unary labels as long as cells allow are bounded', () => {
  // A key of 1000 bits does not occur; 267 bits do, in a short label of one cell.
  const label = cellOf((w) => {
    w.writeBit(false)
    for (let k = 0; k < 267; k++) w.writeBit(true)
    w.writeBit(false)
    for (let k = 0; k < 267; k++) w.writeBit(true)
    w.writeBit(true)
  })
  const body = cellOf((w) => w.writeUint(0x78d9f109, 32).writeUint64(1n).writeBit(true).writeRef(label))
  assert.equal(decodeSoon(body)?.['@type'], 'jvault_claim_rewards_msg')
})

test('a body of thousands of cells', () => {
  // Seven levels of four references each: 5461 different cells.
  let serial = 0
  const tree = (levels: number): Cell => {
    const below = levels === 0 ? [] : Array.from({ length: 4 }, () => tree(levels - 1))
    return cellOf((w) => {
      w.writeUint(serial++, 32)
      for (const child of below) w.writeRef(child)
    })
  }
  const body = cellOf((w) => w.writeUint(0x270695fb, 32).writeUint64(1n).writeUint(3, 8).writeRef(tree(6)))
  assert.equal(decodeSoon(body)?.['@type'], 'tonstake_controller_pool_send_message')
})

test('the deepest structure of a layout stays within the call stack', () => {
  // evaa_withdraw_master with a list of assets: several calls a level.
  const assets = (length: number) => {
    let cell = cellOf((w) => w.writeUintWide(1n, 256).writeCoins(1n).writeBit(false))
    for (let k = 1; k < length; k++) {
      const next = cell
      cell = cellOf((w) => w.writeUintWide(1n, 256).writeCoins(1n).writeBit(true).writeRef(next))
    }
    return cell
  }
  const oracles = cellOf((w) => w.writeUint(1, 32).writeRef(emptyCell).writeBytes(new Uint8Array(64)).writeBit(false))
  const body = (length: number) =>
    cellOf((w) => {
      const prices = cellOf((p) => p.writeRef(assets(length)).writeRef(oracles))
      w.writeUint(2, 32).writeUint64(1n).writeUintWide(1n, 256).writeUint64(1n)
      w.writeUint(0b100, 3).writeInt(0, 8).writeBytes(new Uint8Array(32)).writeUint(3, 2).writeUint64(0n)
      w.writeRef(emptyCell).writeRef(prices)
    })
  assert.equal(decodeSoon(body(200))?.['@type'], 'evaa_withdraw_master')
  assert.ok(isCut(decodeSoon(body(1000))))
})

test('a type within itself ends, whether or not it takes references', () => {
  const ones = (w: CellWriter, count: number) => {
    for (let k = 0; k < count; k++) w.writeBit(true)
    return w.writeBit(false)
  }
  const rows = (first: number, second: number) =>
    cellOf((w) => ones(w.writeUint(0x77, 32), first).writeRef(cellOf((inner) => ones(inner, second))))
  assert.equal(decodeSoon(rows(200, 300), own)?.['@type'], 'rows')
  assert.equal(decodeSoon(rows(900, 5), own), TRUNCATED)
  assert.equal(
    decodeSoon(
      cellOf((w) => ones(w.writeUint(0x78, 32), 900)),
      own,
    ),
    TRUNCATED,
  )
})
