import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell, Dictionary } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { amount, filled, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { AugDict } from '../cell/AugDict.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict, readInlineDict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { cryptoSignaturePairsType } from './BlockSignatures.ts'
import { type ConfigParams, configDictType, writeConfigParams } from './config/configParams.ts'
import { type McBlockExtra, openMcBlockExtra, shardFeesType, writeMcBlockExtra } from './McBlockExtra.ts'
import { shardHashesType } from './ShardHashes.ts'

const signature = { kind: 'simple' as const, signature: new Uint8Array(64).fill(3) }
const config: ConfigParams = {
  configAddr: filled(0x55),
  config: Dict.of(configDictType, [
    [0, marker(100)],
    [34, marker(134)],
    [-71, marker(171)],
  ]),
}
const extra: McBlockExtra = {
  shardHashes: Dict.of(shardHashesType, [[0, marker(1)]]),
  shardFees: AugDict.of(shardFeesType, [
    [
      { workchain: 0, shard: 0xc000_0000_0000_0000n },
      { fees: amount(20n), create: amount(2n) },
    ],
    [
      { workchain: 0, shard: 0x4000_0000_0000_0000n },
      { fees: amount(10n), create: amount(1n) },
    ],
  ]),
  prevBlkSignatures: Dict.of(cryptoSignaturePairsType, [
    [0, { nodeIdShort: filled(1), signature }],
    [1, { nodeIdShort: filled(2), signature }],
  ]),
  recoverCreateMsg: marker(2),
  mintMsg: undefined,
  config: undefined,
}
const plain: McBlockExtra = {
  ...extra,
  shardHashes: new Dict(shardHashesType),
  shardFees: AugDict.of(shardFeesType),
  prevBlkSignatures: new Dict(cryptoSignaturePairsType),
  recoverCreateMsg: undefined,
  mintMsg: marker(3),
}

test('the extra part of an ordinary and of a key block is read as it was written', () => {
  for (const value of [extra, plain, { ...extra, config }, { ...plain, config }]) {
    assert.deepEqual(toPlain(openMcBlockExtra(writeWhole(writeMcBlockExtra, value))), toPlain(value))
  }
})

test('it is laid out as in the schema', () => {
  const zeros = (b: Builder): Builder => b.storeCoins(0).storeBit(0).storeCoins(0).storeBit(0)
  const inner = beginCell()
    .storeBit(0)
    .storeBit(0)
    .storeBit(1)
    .storeRef(toCoreCell(marker(3)))
  const ordinary = zeros(beginCell().storeUint(0xcca5, 16).storeBit(0).storeBit(0).storeBit(0)).storeRef(inner)
  assert.equal(toHex(writeWhole(writeMcBlockExtra, plain).hash()), ordinary.endCell().hash().toString('hex'))

  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
  for (const [id, cell] of config.config.entries()) params.set(id, toCoreCell(cell))
  const key = zeros(beginCell().storeUint(0xcca5, 16).storeBit(1).storeBit(0).storeBit(0)).storeRef(inner)
  key.storeBuffer(Buffer.alloc(32, 0x55)).storeRef(beginCell().storeDictDirect(params))
  assert.equal(toHex(writeWhole(writeMcBlockExtra, { ...plain, config }).hash()), key.endCell().hash().toString('hex'))
  assert.throws(() => openMcBlockExtra(fromCoreCell(ordinary.storeBit(0).endCell())), CellError)
})

test('the fees of shards are found by shard and summed up', () => {
  const { shardFees } = openMcBlockExtra(writeWhole(writeMcBlockExtra, extra))
  assert.deepEqual(
    shardFees.entries().map(([{ workchain, shard }]) => [workchain, shard]),
    [
      [0, 0x4000_0000_0000_0000n],
      [0, 0xc000_0000_0000_0000n],
    ],
  )
  assert.equal(shardFees.find({ workchain: 0, shard: 0xc000_0000_0000_0000n })?.fees.grams, 20n)
  assert.deepEqual([shardFees.rootExtra.fees.grams, shardFees.rootExtra.create.grams], [30n, 3n])
})

test('a configuration keeps negative parameters last and cannot be empty', () => {
  const read = openMcBlockExtra(writeWhole(writeMcBlockExtra, { ...extra, config })).config
  assert.deepEqual(
    read?.config.entries().map(([id]) => id),
    [0, 34, -71],
  )
  assert.ok(read?.config.find(-71)?.equals(marker(171)))
  assert.throws(
    () => writeWhole(writeConfigParams, { configAddr: filled(1), config: new Dict(configDictType) }),
    new CellError('A configuration has at least one parameter, this one has none.'),
  )
})

test('a configuration that was part of another cell is written as a cell of its own', () => {
  const holder = new CellWriter().writeUint(5, 7)
  const root = config.config.root
  assert.ok(root !== undefined && !('bitStart' in root))
  const r = openCell(holder.writeSlice(openCell(root).rest()).toCell())
  r.skipBits(7)
  const inline = readInlineDict(r, configDictType)
  const own = writeWhole(writeConfigParams, { ...config, config: inline })
  assert.ok(own.equals(writeWhole(writeConfigParams, config)))
})
