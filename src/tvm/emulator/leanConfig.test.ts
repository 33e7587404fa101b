import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { largeParam, sampleVmConfig } from '../../../test/support/vmSamples.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { configDictType } from '../../codec/tlb/config/configParams.ts'
import { readsConfig } from './configAccess.ts'
import { encodeConfig } from './leanConfig.ts'

const idsOf = (bag: Uint8Array): number[] => new Dict(configDictType, decodeSingleBoc(bag)).entries().map(([id]) => id)

test('a small configuration is left as it is', () => {
  assert.equal(encodeConfig(sampleVmConfig()).lean, undefined)
})

test('of a large one the lean form has what the emulator itself reads', () => {
  const config = sampleVmConfig({ more: [[34, largeParam()]] })
  const { full, lean } = encodeConfig(config)
  assert.ok(decodeSingleBoc(full).equals(config))
  assert.deepEqual(idsOf(lean!), [8, 12, 18, 19, 20, 21, 24, 25, 31])
})

test('the lean form of a real one is a hundredth of it', (t) => {
  const path = 'mainnet/configs/mainnet/config_20260513_b2c0d863.boc'
  if (!haveFixtures(t, path)) return
  const { full, lean } = encodeConfig(decodeSingleBoc(readFixture(path)))
  assert.deepEqual([full.length, lean?.length], [83_735, 845])
})

for (const { line, expected } of [
  { line: 'CONFIGROOT', expected: true },
  { line: 'CONFIGDICT', expected: true },
  { line: 'CONFIGPARAM', expected: true },
  { line: 'CONFIGOPTPARAM', expected: true },
  { line: 'GETPARAMLONG 9', expected: true },
  { line: 'PUSH c7', expected: true },
  { line: 'PUSHCTRX', expected: true },
  { line: 'GETGLOBVAR', expected: true },
  { line: 'RUNVMX', expected: true },
  { line: 'SAVECTR c7', expected: true },
  { line: 'PUSH c4', expected: false },
  { line: 'GETGLOB 1', expected: false },
  { line: 'UNPACKEDCONFIGTUPLE', expected: false },
  { line: 'GETGASFEE', expected: false },
  { line: 'MYADDR', expected: false },
]) {
  test(`${line} ${expected ? 'may look' : 'does not look'} at the configuration`, () => {
    assert.equal(readsConfig(`execute SETCP 0\nexecute ${line}\nexecute implicit RET\n`), expected)
  })
}
