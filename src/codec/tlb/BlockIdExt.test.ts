import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { readBlockIdExt, writeBlockIdExt } from './BlockIdExt.ts'
import { readExtBlkRef, writeExtBlkRef } from './ExtBlkRef.ts'
import { readGlobalVersion, writeGlobalVersion } from './GlobalVersion.ts'

const rootHash = filled(0xaa)
const fileHash = filled(0xbb)
const coreHashes = beginCell().storeBuffer(Buffer.from(rootHash)).storeBuffer(Buffer.from(fileHash))

test('a full block id is laid out as in the schema', () => {
  const id = { workchain: 0, shard: 0xc000_0000_0000_0000n, seqno: 0xffff_fffe, rootHash, fileHash }
  const cell = writeWhole(writeBlockIdExt, id)
  const shard = beginCell().storeUint(0, 2).storeUint(1, 6).storeInt(0, 32).storeUint(1, 1).storeUint(0, 63)
  const core = beginCell().storeBuilder(shard).storeUint(0xffff_fffe, 32).storeBuilder(coreHashes).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readBlockIdExt, 'A BlockIdExt'), id)
})

test('a reference to a block is laid out as in the schema', () => {
  const ref = { endLt: 2n ** 64n - 1n, seqno: 3, rootHash, fileHash }
  const cell = writeWhole(writeExtBlkRef, ref)
  const core = beginCell().storeUint(ref.endLt, 64).storeUint(3, 32).storeBuilder(coreHashes).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readExtBlkRef, 'An ExtBlkRef'), ref)
})

test('a global version is laid out as in the schema', () => {
  const version = { version: 13, capabilities: 1006n }
  const cell = writeWhole(writeGlobalVersion, version)
  const core = beginCell().storeUint(0xc4, 8).storeUint(13, 32).storeUint(1006, 64).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readGlobalVersion, 'A GlobalVersion'), version)
})
