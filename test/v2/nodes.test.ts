import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { parseGlobalConfig } from '../../src/node/globalConfig.ts'
import { LiteClient } from '../../src/node/LiteClient.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listenLite } from '../support/listenLite.ts'
import { getV2, postV2 } from '../support/v2Client.ts'
import { assertFailure } from '../support/v2Oracle.ts'
import { serveV2, startV2Network } from '../support/v2Service.ts'

const address = `0:${'55'.repeat(32)}`

test('without a node the answer says so', { timeout: 120_000 }, async (t) => {
  const service = await startV2Network()
  t.after(() => service.close())
  const base = `${service.url}/api/v2`
  assert.equal((await getV2(base, 'getAddressBalance', { address })).status, 200)
  await service.network.close()
  const answer = await getV2(base, 'getAddressBalance', { address: `0:${'56'.repeat(32)}` })
  assertFailure(answer, 542)
  assert.equal(answer.body.error, 'no workers available (archival=0 mode=Single)')
  // What was proven before is still answered, so each question is about another account.
  const archival = await getV2(base, 'getTransactions', { address: `0:${'57'.repeat(32)}`, archival: 'true' })
  assertFailure(archival, 542)
  assert.equal(archival.body.error, 'no workers available (archival=1 mode=Single)')
  const rpc = await postV2(base, 'jsonRPC', {
    id: 1,
    method: 'getAddressState',
    params: { address: `0:${'58'.repeat(32)}` },
  })
  assertFailure(rpc, 542)
  // What needs no node is still there.
  assert.equal((await getV2(base, 'packAddress', { address })).status, 200)
  assert.equal((await getV2(base, 'healthcheck')).status, 200)
})

test('what nodes answer is told, and when they do not', { timeout: 120_000 }, async (t) => {
  const network = await startNetwork({ mining: { mode: 'manual' } })
  t.after(() => network.close())
  await network.controls.mine(2)
  const config = parseGlobalConfig(readFileSync(network.globalConfig.path, 'utf8'), 'the network')
  const client = new LiteClient(config.liteServers[0]!)
  t.after(() => client.close())
  let accountReads = 0
  let behaviour: 'honest' | 'mute' | { readonly code: number; readonly message: string } = 'honest'
  const proxy = await listenLite((data) => {
    if (behaviour === 'mute') return undefined
    if (decodeLiteQuery(data).call.kind === 'liteServer.getAccountState') accountReads++
    // At the end some question still waits for a block.
    return behaviour === 'honest'
      ? client.queryRaw(data).catch(() => undefined)
      : encodeTlObject({ kind: 'liteServer.error', ...behaviour })
  })
  t.after(() => proxy.close())
  for (const [responseCache, reads] of [
    [true, 1],
    [false, 3],
  ] as const) {
    const own = await serveV2({ ...config, liteServers: [proxy] }, { responseCache })
    t.after(() => own.close())
    accountReads = 0
    for (let k = 0; k < 3; k++) {
      const { body } = await getV2(`${own.url}/api/v2`, 'getAddressBalance', { address })
      if (!responseCache) assert.doesNotMatch(String(body['@extra']), /:c$/)
    }
    assert.equal(accountReads, reads)
  }
  const service = await serveV2({ ...config, liteServers: [proxy] }, { limits: { callTimeoutMs: 1500 } })
  t.after(() => service.close())
  const base = `${service.url}/api/v2`
  assert.equal((await getV2(base, 'getAddressBalance', { address })).status, 200)
  const texts = [
    [651, 'LITE_SERVER_NOTREADY: no'],
    [652, 'LITE_SERVER_TIMEOUT: no'],
    [601, 'LITE_SERVER_FAILURE: no'],
    [602, 'LITE_SERVER_ERROR: no'],
    [603, 'LITE_SERVER_WARNING: no'],
    [621, 'LITE_SERVER_PROTOVIOLATION: no'],
    [653, 'LITE_SERVER_CANCELLED: no'],
    [0, 'LITE_SERVER_UNKNOWN: no'],
    [-400, 'LITE_SERVER_UNKNOWN: no'],
  ] as const
  for (const [k, [code, text]] of texts.entries()) {
    behaviour = { code, message: 'no' }
    const answer = await getV2(base, 'getAddressBalance', { address: `0:${`6${k}`.repeat(32)}` })
    assertFailure(answer, 500)
    assert.equal(answer.body.error, text)
  }
  behaviour = 'mute'
  assertFailure(await getV2(base, 'getAddressBalance', { address: `0:${'77'.repeat(32)}` }), 504)
})
