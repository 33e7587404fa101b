import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGlobalConfig } from '../../node/globalConfig.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { formatGlobalConfig } from './formatGlobalConfig.ts'

const zeroState = {
  workchain: -1,
  shard: wholeShard,
  seqno: 0,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}
const publicKey = new Uint8Array(32).fill(3)

test('a client reads back what was written', () => {
  for (const host of ['127.0.0.1', '203.0.113.255', 'lite.example', '::1']) {
    const address = { host, port: 4321, publicKey }
    const text = formatGlobalConfig(address, zeroState)
    assert.deepEqual(parseGlobalConfig(text, 'test'), { liteServers: [address], zeroState, anchor: zeroState })
    assert.match(text, /"shard": -9223372036854775808/)
  }
})

test('trust begins at the key block that is given', () => {
  const address = { host: '127.0.0.1', port: 1, publicKey }
  const initBlock = { ...zeroState, seqno: 7, rootHash: new Uint8Array(32).fill(8) }
  const { zeroState: first, anchor } = parseGlobalConfig(formatGlobalConfig(address, zeroState, initBlock), 'test')
  assert.deepEqual({ first, anchor }, { first: zeroState, anchor: initBlock })
})
