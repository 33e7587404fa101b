import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell } from '@ton/core'
import { parseFullConfig } from '@ton/ton'
import { decodeConfigParam } from '../../../test/support/decodeConfigParam.ts'
import { haveFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { configDictType, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { readSigningRules } from '../../node/proofs/validatorSets.ts'
import { createBasechain, createConfig } from './createConfig.ts'
import { shortKeyId } from './soleValidator.ts'

const id = { workchain: 0, shard: 1n << 63n, seqno: 0, rootHash: filled(1), fileHash: filled(2) }
const facts = {
  globalId: -217,
  utime: 1_790_000_000,
  validatorKey: filled(7),
  dnsRoot: filled(4),
  basechain: createBasechain(id, 1_790_000_000, { minSplit: 1, maxSplit: 3 }),
  fundamentalContracts: [filled(0x55), filled(0x33)],
}
const config = createConfig(facts)

test('every parameter reads as its number says', () => {
  const params = config.entries().map(([number, cell]) => decodeConfigParam(number, cell))
  assert.deepEqual(
    params.filter(({ kind }) => kind === 'raw'),
    [],
  )
  assert.deepEqual(
    params.map(({ id: number }) => number),
    [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 31, 34, 43],
  )
})

test('what is mandatory is there', () => {
  const missing = findConfigParam(config, 9)!
    .entries()
    .filter(([number]) => config.find(number) === undefined)
  assert.deepEqual(missing, [])
})

test('a client that parses the whole configuration finds all that it needs', () => {
  const slices = config
    .entries()
    .map(([number, cell]) => [number, Cell.fromBoc(Buffer.from(encodeBoc([cell])))[0]!.beginParse()] as const)
  const { burningConfig, configAddress } = parseFullConfig(new Map(slices))
  assert.deepEqual(burningConfig, { blackholeAddr: null, feeBurnNominator: 0, feeBurnDenominator: 1 })
  assert.deepEqual(new Uint8Array(configAddress.hash), filled(0x55))
})

test('what is said of this network stands in it', () => {
  const { capabilities, version } = findConfigParam(config, 8)!
  assert.deepEqual({ capabilities, version }, { capabilities: 238n, version: 13 })
  assert.equal(findConfigParam(config, 19), -217)
  assert.deepEqual(findConfigParam(config, 4), filled(4))
  assert.deepEqual(toPlain(findConfigParam(config, 31)), [
    ['33'.repeat(32), true],
    ['55'.repeat(32), true],
  ])
  const basechain = findConfigParam(config, 12)!.find(0)!
  assert.deepEqual([basechain.zerostateRootHash, basechain.zerostateFileHash], [filled(1), filled(2)])
  assert.deepEqual([basechain.minSplit, basechain.maxSplit], [1, 3])
  assert.equal(createConfig({ ...facts, dnsRoot: undefined }).find(4), undefined)
})

test('clients learn from it who signs: the one validator', () => {
  assert.deepEqual(readSigningRules(0, config), {
    keyBlockSeqno: 0,
    validators: [{ publicKey: filled(7), weight: 1n, adnlAddress: shortKeyId(filled(7)) }],
    main: 1,
    shuffleMasterchain: true,
    shardValidators: 1,
  })
  const { utimeSince, utimeUntil } = findConfigParam(config, 34)!
  assert.deepEqual([utimeSince, utimeUntil], [1_790_000_000, 2_105_360_000])
  const late = createConfig({ ...facts, utime: 0xffff_fff0 })
  assert.equal(findConfigParam(late, 34)!.utimeUntil, 0xffff_ffff)
})

test('sessions of validators never end', () => {
  const { mcCatchainLifetime, shardCatchainLifetime } = findConfigParam(config, 28)!
  for (const lifetime of [mcCatchainLifetime, shardCatchainLifetime]) {
    assert.equal(Math.floor(0xffff_fffe / lifetime), 0)
  }
})

const MAINNET = 'mainnet/configs/mainnet/config_20260809_3ba5180b.boc'

test('the rest is as on the main network', (t) => {
  if (!haveFixtures(t, MAINNET)) return
  const mainnet = new Dict(configDictType, decodeSingleBoc(readFixture(MAINNET)))
  const same = config.entries().filter(([number, cell]) => mainnet.find(number)?.equals(cell))
  assert.deepEqual(
    same.map(([number]) => number),
    [0, 1, 2, 9, 10, 11, 13, 14, 15, 17, 20, 21, 22, 23, 24, 25, 29],
  )
  const newest = findConfigParam(mainnet, 18)!.entries().at(-1)![1]
  assert.deepEqual(findConfigParam(config, 18)!.entries(), [[0, { ...newest, utimeSince: 0 }]])
  assert.deepEqual(findConfigParam(config, 16), { ...findConfigParam(mainnet, 16)!, minValidators: 1 })
  assert.deepEqual(findConfigParam(config, 43), { ...findConfigParam(mainnet, 43)!, extension: undefined })
})
