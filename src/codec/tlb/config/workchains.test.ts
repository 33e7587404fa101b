import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell } from '../../../../test/support/coreCell.ts'
import { toHex } from '../../../primitives/hex.ts'
import { readWhole, writeWhole } from '../../cell/wholeCell.ts'
import { type WorkchainDescr, workchainDescr } from './workchains.ts'

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

const basic: WorkchainDescr = {
  enabledSince: 1_573_821_854,
  monitorMinSplit: 0,
  minSplit: 1,
  maxSplit: 4,
  isActive: true,
  acceptsMessages: false,
  flags: 0,
  zerostateRootHash: bytes(0x55),
  zerostateFileHash: bytes(0xee),
  version: 6,
  format: { kind: 'basic', vmVersion: -1, vmMode: 2n },
  extension: undefined,
}
const timed: WorkchainDescr = {
  ...basic,
  extension: {
    splitMergeTimings: { delay: 100, interval: 101, minInterval: 30, maxDelay: 1000 },
    persistentStateSplitDepth: 4,
  },
}
const extended: WorkchainDescr = {
  ...basic,
  format: {
    kind: 'extended',
    minAddressLength: 64,
    maxAddressLength: 1023,
    addressLengthStep: 16,
    workchainTypeId: 0xffff_fffe,
  },
}

const head = (tag: number, isBasic: boolean): Builder =>
  beginCell()
    .storeUint(tag, 8)
    .storeUint(1_573_821_854, 32)
    .storeUint(0x000104, 24)
    .storeBit(isBasic)
    .storeUint(0b10, 2)
    .storeUint(0, 13)
    .storeBuffer(Buffer.alloc(32, 0x55))
    .storeBuffer(Buffer.alloc(32, 0xee))
    .storeUint(6, 32)

const basicFormat = (b: Builder): Builder => b.storeUint(1, 4).storeInt(-1, 32).storeUint(2, 64)
const timings = (b: Builder): Builder =>
  b.storeUint(0, 4).storeUint(100, 32).storeUint(101, 32).storeUint(30, 32).storeUint(1000, 32).storeUint(4, 8)
const extendedFormat = (b: Builder): Builder =>
  b.storeUint(0, 4).storeUint(64, 12).storeUint(1023, 12).storeUint(16, 12).storeUint(0xffff_fffe, 32)

test('every form is written as the schema says and read back', () => {
  const cases: [WorkchainDescr, Builder][] = [
    [basic, basicFormat(head(0xa6, true))],
    [timed, timings(basicFormat(head(0xa7, true)))],
    [extended, extendedFormat(head(0xa6, false))],
  ]
  for (const [descr, builder] of cases) {
    const cell = writeWhole(workchainDescr.write, descr)
    assert.equal(toHex(cell.hash()), builder.endCell().hash().toString('hex'))
    assert.deepEqual(readWhole(cell, workchainDescr.read, 'It'), descr)
  }
})

test('what is not a WorkchainDescr is refused', () => {
  const cases: [Builder, RegExp][] = [
    [basicFormat(head(0xa5, true)), /A WorkchainDescr starts with #a6 or #a7, but got #a5/],
    [basicFormat(head(0xa6, false)), /Expected constructor tag #0, but got #1/],
    [extendedFormat(head(0xa6, true)), /Expected constructor tag #1, but got #0/],
    [basicFormat(head(0xa7, true)), /4 more bits were expected/],
  ]
  for (const [builder, message] of cases) {
    const cell = fromCoreCell(builder.endCell())
    assert.throws(() => readWhole(cell, workchainDescr.read, 'It'), { name: 'CellError', message })
  }
})
