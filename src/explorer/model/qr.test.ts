import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctionOf, encodeQr, MAX_QR_BYTES, toSvgPath } from './qr.ts'

/** A row in base 36. */
const rowText = (row: readonly boolean[]): string =>
  Number.parseInt(row.map((isDark) => (isDark ? '1' : '0')).join(''), 2).toString(36)

test('correction is that of the worked example of version 1-M', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  assert.deepEqual(correctionOf(data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
})

// Another encoder draws the same modules with the same mask.
const drawn: readonly (readonly [text: string, rows: string])[] = [
  ['a', '18nsv my4h wswt ws4d wpjx muyp 18prz 4qo my8e qpix 85eo f17u 1179b 4xx 18of2 mukn wql8 wq20 wq0r mvag 18ppi'],
  [
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    '3x6zzi7 2069bnl 2vissbh 2vmg199 2vlbbz1 20m2ngh 3xbl6yn auwao 2xlbfy4 39n7gk 3hpn77i 219t1cf 24qldau 288a9du 29wfbqu iadka6 ' +
      '1vtmfpq 30s0qv nzoxs8 1wye0fz 1bq6piv 3f15dzg 2vhxlm6 2h0fhjg 29abpww dh925 3x5p3km 20jqqdw 2vpuhoa 2vqt5sr 2voip9c 20e611w 3x9v6ju',
  ],
]

test('a text becomes the modules that another encoder draws', () => {
  for (const [text, rows] of drawn) assert.equal(encodeQr(text).map(rowText).join(' '), rows)
  assert.deepEqual(
    [14, 26, 42, 62, 84, MAX_QR_BYTES].map((length) => encodeQr('x'.repeat(length)).length),
    [21, 25, 29, 33, 37, 41],
  )
  assert.throws(() => encodeQr('x'.repeat(MAX_QR_BYTES + 1)), RangeError)
})

test('a picture has a rectangle for each run of dark modules', () => {
  assert.equal(
    toSvgPath([
      [true, true, false, true],
      [false, true, true, false],
    ]),
    'M0 0h2v1H0zM3 0h1v1H3zM1 1h2v1H1z',
  )
})
