import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { VmRequests } from '../support/vmRequests.ts'
import { codeOf, sampleVmConfig } from '../support/vmSamples.ts'

/** What campaigns found, cut down to the code that shows it; judged by the source of the reference. */
const cases: readonly { readonly name: string; readonly hex: string; readonly stack: readonly string[] }[] = [
  {
    name: 'ROLLREV moves the top below the others, not one above',
    // 1 2 3 4 5, ROLLREV 3.
    hex: '71 72 73 74 75 73 62',
    stack: ['1', '5', '2', '3', '4'],
  },
  // Points of BLS12-381: a result that is the point at infinity is written like the constant. Each ends with SDEQ.
  { name: 'BLS_G1_NEG of zero', hex: 'F93015 F93012 F93015 C705', stack: ['-1'] },
  { name: 'BLS_G2_NEG of zero', hex: 'F93025 F93022 F93025 C705', stack: ['-1'] },
  {
    name: 'BLS_G1_SUB of a point from itself',
    // 48 bytes of zeros, BLS_MAP_TO_G1, DUP, BLS_G1_SUB.
    hex: '70 C8 CBFF 70 01 CB7F C9 D0 F93016 20 F93011 F93015 C705',
    stack: ['-1'],
  },
  // QLSHIFT of zero: 259 bits are within five words of 52 bits, 260 are not.
  { name: 'zero shifted within five words', hex: '70 810103 B7AC', stack: ['0'] },
  { name: 'zero shifted beyond five words', hex: '70 810104 B7AC', stack: ['NaN'] },
]

for (const { name, hex, stack } of cases) {
  test(name, () => {
    const code = Buffer.from(encodeBoc([codeOf(hex.replaceAll(' ', ''))])).toString('base64')
    const reply = new VmRequests().run({ kind: 'code', version: 15, code })
    assert.deepEqual([reply['exitCode'], reply['stackText']], [0, stack])
  })
}

test('SENDMSG takes fees that are not in the shortest form for none', () => {
  const address = (w: CellWriter): CellWriter =>
    w.writeUint(4, 3).writeInt(0, 8).writeBytes(new Uint8Array(32).fill(0x42))
  const message = address(new CellWriter().writeUint(0b001000, 6))
    .writeCoins(5n)
    .writeBit(false)
    // Extra flags: a byte of zeros; forward fee: zero before one.
    .writeUint(0x100, 12)
    .writeUint(0x20001, 20)
    .writeUint64(0n)
    .writeUint(0, 32)
    .writeUint(0, 2)
    .toCell()
  const text = (cell: Cell): string => Buffer.from(encodeBoc([cell])).toString('base64')
  // DROP; PUSHREF of the message; PUSHINT 1024, the fee alone; SENDMSG.
  const code = codeOf('30888104 00FB08'.replaceAll(' ', ''), message)
  const reply = new VmRequests().run({
    kind: 'method',
    config: text(sampleVmConfig({ version: 13 })),
    code: text(code),
    data: text(emptyCell),
    methodId: 0,
    address: `0:${'42'.repeat(32)}`,
    now: 1_700_000_000,
  })
  assert.deepEqual([reply['exitCode'], reply['stackText']], [0, ['400000']])
})
