import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { getV2, postV2 } from '../support/v2Client.ts'
import type { Json } from '../support/v3Client.ts'

describe('v2 beside the controls of the embedded network', () => {
  it('follows the network, back in time as well', async (t) => {
    const network = await startNetwork({ mining: { mode: 'manual' }, http: {} })
    t.after(() => network.close())
    const { url } = network
    const base = `${url}/api/v2`
    const address = `0:${'44'.repeat(32)}`
    const faucet = async (amount: string): Promise<void> => {
      assert.equal((await postJson(`${url}/dev/faucet`, { address, amount })).status, 200)
      assert.equal((await postJson(`${url}/dev/mine`, { blocks: 2 })).status, 200)
    }
    // What the account pays for its storage is less than a coin by far.
    const balanceIs = async (coins: number): Promise<void> => {
      for (let tries = 0; tries < 100; tries++) {
        const { body } = await getV2(base, 'getAddressBalance', { address })
        if (toCoins(body.result) === coins) return
        await delay(50)
      }
      assert.fail(`the balance does not become ${coins}`)
    }
    await faucet('1000000000000')
    await balanceIs(1000)
    const head = (await getV2(base, 'getMasterchainInfo')).body.result.last
    const { body: snapshot } = await postJson(`${url}/dev/snapshot`, {})
    await faucet('50000000000')
    await balanceIs(1050)
    const gone = (await getV2(base, 'getMasterchainInfo')).body.result.last
    const past = await postV2(base, 'getAddressInformation', { address, seqno: gone.seqno })
    assert.equal(toCoins(past.body.result.balance), 1050)

    assert.equal((await postJson(`${url}/dev/revert`, { id: snapshot.result.id })).status, 200)
    await balanceIs(1000)
    assert.deepEqual((await getV2(base, 'getMasterchainInfo')).body.result.last, head)
    await faucet('7000000000')
    await balanceIs(1007)
    const other = await postV2(base, 'getAddressInformation', { address, seqno: gone.seqno })
    assert.equal(toCoins(other.body.result.balance), 1007)
    assert.notEqual(other.body.result.block_id.root_hash, gone.root_hash)
  })
})

const toCoins = (balance: string): number => Math.round(Number(balance) / 1e9)

const postJson = async (url: string, body: Json): Promise<{ status: number; body: Json }> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}
