import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { codeOf } from '../support/vmOperands.ts'
import { VmRequests } from '../support/vmRequests.ts'

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
]

for (const { name, hex, stack } of cases) {
  test(name, () => {
    const code = Buffer.from(encodeBoc([codeOf(hex.replaceAll(' ', ''))])).toString('base64')
    const reply = new VmRequests().run({ kind: 'code', version: 15, code })
    assert.deepEqual([reply['exitCode'], reply['stackText']], [0, stack])
  })
}
