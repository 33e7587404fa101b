import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Address } from '@ton/core'
import { LiteClient, LiteSingleEngine } from 'ton-lite-client'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { ReplayServer, readDialogues, readRequests } from '../support/replayServer.ts'

const openOther = async (port: number, publicKey: Uint8Array) => {
  const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${port}`, publicKey: Buffer.from(publicKey) })
  await once(engine, 'ready')
  return { engine, client: new LiteClient({ engine, batchSize: 1 }) }
}

test('the npm client ton-lite-client gets right answers from our listening end', async (t) => {
  const dialogues = readDialogues()
  const { head, zeroState, questions } = readRequests(dialogues)
  const server = new ReplayServer(dialogues, head, zeroState, 77)
  const { port, publicKey } = await server.listen()
  const { engine, client } = await openOther(port, publicKey)
  try {
    const info = await client.getMasterchainInfo()
    assert.equal(info.last.seqno, head.seqno)
    assert.equal(info.last.rootHash.toString('hex'), toHex(head.rootHash))
    assert.equal(info.init.rootHash.toString('hex'), toHex(zeroState.rootHash))
    assert.equal(typeof (await client.getCurrentTime()), 'number')
    const block = {
      seqno: head.seqno,
      workchain: head.workchain,
      shard: BigInt.asIntN(64, wholeShard).toString(),
      rootHash: Buffer.from(head.rootHash),
      fileHash: Buffer.from(head.fileHash),
    }
    let compared = 0
    for (const { account, expected } of questions) {
      const address = new Address(account.workchain, Buffer.from(account.id))
      const { raw } = await client.getAccountStateRaw(address, block)
      const found = raw.length === 0 ? undefined : toHex(decodeSingleBoc(new Uint8Array(raw)).hash())
      assert.equal(found, expected)
      compared++
    }
    t.diagnostic(`${compared} account states compared`)
    assert.ok(compared > 5)
  } finally {
    engine.close()
    await server.close()
  }
})
