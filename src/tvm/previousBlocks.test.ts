import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { filled } from '../../test/support/sampleMessages.ts'
import { callCode, createTestMachine, sampleContext, sampleVmConfig } from '../../test/support/vmSamples.ts'
import type { PreviousBlocks } from '../chain/ports.ts'
import type { VmValue } from '../codec/tlb/VmValue.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { bytesToBigint } from '../primitives/bytes.ts'
import { wholeShard } from '../primitives/shard.ts'
import { encodePreviousBlocks } from './previousBlocks.ts'

const { machine } = await createTestMachine({ after })

const block = (seqno: number): BlockIdExt => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: filled(seqno & 0xff),
  fileHash: filled(0xff),
})

const blocks: PreviousBlocks = {
  last: Array.from({ length: 16 }, (_, k) => block(1019 - k)),
  keyBlock: block(700),
  lastHundreds: Array.from({ length: 11 }, (_, k) => block(1000 - 100 * k)),
}

const asValue = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): VmValue => ({
  kind: 'tuple',
  items: [BigInt(workchain), shard, BigInt(seqno), bytesToBigint(rootHash), bytesToBigint(fileHash)].map((value) => ({
    kind: 'int',
    value,
  })),
})

const list = (ids: readonly BlockIdExt[]): VmValue => ({ kind: 'tuple', items: ids.map(asValue) })

for (const { name, hex, expected } of [
  { name: 'PREVMCBLOCKS', hex: 'F83400', expected: list(blocks.last) },
  { name: 'PREVKEYBLOCK', hex: 'F83401', expected: asValue(blocks.keyBlock) },
  { name: 'PREVMCBLOCKS_100', hex: 'F83402', expected: list(blocks.lastHundreds) },
]) {
  test(`${name} gives them to code`, async () => {
    const context = sampleContext({ previousBlocks: blocks })
    const { exitCode, stack } = await machine.runMethod(callCode(`30 ${hex}`, { context }))
    assert.deepEqual({ exitCode, stack }, { exitCode: 0, stack: [expected] })
  })
}

test('before version 9 there are two lists, and without blocks there is null', async () => {
  const config = sampleVmConfig({ version: 8 })
  const run = await machine.runMethod(
    callCode('30 F82D', { context: sampleContext({ config, previousBlocks: blocks }) }),
  )
  assert.deepEqual(run.stack, [{ kind: 'tuple', items: [list(blocks.last), asValue(blocks.keyBlock)] }])
  const without = await machine.runMethod(callCode('30 F82D', { context: sampleContext() }))
  assert.deepEqual(without.stack, [{ kind: 'null' }])
})

test('blocks that are the same are written once', () => {
  assert.equal(encodePreviousBlocks(blocks, 13), encodePreviousBlocks(blocks, 13))
  assert.notDeepEqual(encodePreviousBlocks(blocks, 8), encodePreviousBlocks(blocks, 13))
})
