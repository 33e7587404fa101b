import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testHash, testZeroState } from '../../../test/support/doctorServers.ts'
import { type Condition, formatVersion, isOfNetwork, judgeCondition } from './judgeCondition.ts'

const good: Condition = {
  head: testZeroState,
  zeroState: testZeroState,
  version: { number: 0x101, capabilities: 7n },
  lagSeconds: 60,
  clockSeconds: 10,
}

for (const [name, changes, expected] of [
  ['nothing', {}, []],
  ['what is not known', { lagSeconds: undefined, clockSeconds: undefined }, []],
  ['61 s of lag', { lagSeconds: 61 }, ['out_of_sync']],
  ['a clock 11 s behind', { clockSeconds: -11 }, ['clock_differs']],
  ['a newer version', { version: { number: 0x200, capabilities: 2n ** 62n + 15n } }, []],
  ['an older version', { version: { number: 0x100, capabilities: 15n } }, ['too_old']],
  ['a lack of get-methods', { version: { number: 0x101, capabilities: 3n } }, ['too_old']],
  ['no version', { version: undefined }, ['too_old']],
  [
    'all of it',
    { version: undefined, lagSeconds: 1e9, clockSeconds: 1e9 },
    ['too_old', 'out_of_sync', 'clock_differs'],
  ],
] as const) {
  test(`judges ${name}`, () => {
    const codes = judgeCondition({ ...good, ...changes }).map(({ code }) => code)
    assert.deepEqual(codes, expected)
  })
}

test('a network is known by both hashes of its zerostate', () => {
  assert.equal(isOfNetwork(good, undefined), true)
  assert.equal(isOfNetwork(good, testZeroState), true)
  assert.equal(isOfNetwork(good, { ...testZeroState, rootHash: testHash(0) }), false)
  assert.equal(isOfNetwork(good, { ...testZeroState, fileHash: testHash(0) }), false)
})

test('versions are written as people do', () => assert.equal(formatVersion(0x10a), '1.10'))
