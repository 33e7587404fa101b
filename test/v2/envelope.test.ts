import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { notServed } from '../conformance/v2/differences.ts'
import { repository } from '../support/childScript.ts'
import { getV2, postV2 } from '../support/v2Client.ts'
import { assertContract, assertFailure } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

describe('v2 envelope', () => {
  let service: V2NetworkService
  let base: string
  before(async () => {
    service = await startV2Network()
    base = `${service.url}/api/v2`
  })
  after(() => service.close())

  const rpc = async (request: Json) => postV2(base, 'jsonRPC', request)

  it('echoes @extra, or says how the answer was made', async () => {
    await service.mine()
    const first = await getV2(base, 'getMasterchainInfo')
    const again = await getV2(base, 'getMasterchainInfo')
    assert.match(first.body['@extra'], /^[0-9]{10}:0:[0-9]+\.[0-9]{3}$/)
    assert.match(again.body['@extra'], /^[0-9]{10}:_:[0-9]+\.[0-9]{3}:c$/)
    assert.deepEqual(again.body.result, first.body.result)
    assert.equal((await getV2(base, 'getMasterchainInfo', { '@extra': 'mine' })).body['@extra'], 'mine')
    assert.equal((await postV2(base, 'getMasterchainInfo', { '@extra': 'mine' })).body['@extra'], 'mine')
    assert.equal((await rpc({ method: 'getMasterchainInfo', '@extra': 'mine' })).body['@extra'], 'mine')
    assert.equal((await getV2(base, 'detectHash', { hash: 'abc', '@extra': 'mine' })).body['@extra'], 'mine')
  })

  it('cannot be confused by an echo', async () => {
    const nasty = '","result":{},"@type":"chain.blockIdExt'
    const { body } = await getV2(`${service.url}/ton/api/v2`, 'getMasterchainInfo', { '@extra': nasty })
    assert.equal(body['@extra'], nasty)
    assert.equal(body.result.last['@type'], 'ton.blockIdExt')
  })

  it('answers anew when there is a new block', async () => {
    const before = await getV2(base, 'getMasterchainInfo')
    await service.mine()
    const after = await getV2(base, 'getMasterchainInfo')
    assert.equal(after.body.result.last.seqno, before.body.result.last.seqno + 1)
    assert.doesNotMatch(after.body['@extra'], /:c$/)
  })

  it('echoes the id of a JSON-RPC request as it came', async () => {
    for (const id of ['1', 1, 1.5, true, null, '', 0]) {
      const { status, body } = await rpc({ jsonrpc: '2.0', id, method: 'getMasterchainInfo', params: {} })
      assert.deepEqual([status, body.jsonrpc, body.id], [200, '2.0', id])
      const failure = await rpc({ id, method: 'getAddressBalance', params: { address: 'x' } })
      assert.deepEqual([failure.status, failure.body.jsonrpc, failure.body.id], [422, '2.0', id])
    }
    const large = await postV2(base, 'jsonRPC', '{"id":123456789012345678901,"method":"getMasterchainInfo"}')
    assert.equal(large.status, 200)
    const without = await rpc({ method: 'getMasterchainInfo' })
    assert.equal('id' in without.body, false)
    assertContract('JsonRpcResponse', without.body)
  })

  it('takes params that are missing, null or an empty list for none', async () => {
    for (const params of [undefined, null, [], {}]) {
      assert.equal((await rpc({ method: 'getMasterchainInfo', params })).status, 200)
    }
  })

  it('refuses JSON-RPC requests that are none', async () => {
    const cases: readonly (readonly [body: Json, text: string | RegExp])[] = [
      [{ method: 'getMasterchainInfo', params: [1] }, 'params must contain an object'],
      [{ method: 'getMasterchainInfo', params: 5 }, 'params must contain an object'],
      [{ method: 'nothing' }, 'Unknown method'],
      [{ method: 'GETMASTERCHAININFO' }, 'Unknown method'],
      [{ method: '../v2/getMasterchainInfo' }, 'Unknown method'],
      [{ method: '__proto__' }, 'Unknown method'],
      [{}, /^failed to parse post request: /],
      [{ method: 5 }, /^failed to parse post request: /],
      [[], /^failed to parse post request: /],
      [[{ method: 'getMasterchainInfo' }], /^failed to parse post request: /],
      ['nope', /^failed to parse post request: /],
      ['', /^failed to parse post request: /],
      ['"text"', /^failed to parse post request: /],
    ]
    for (const [body, text] of cases) {
      const answer = await postV2(base, 'jsonRPC', typeof body === 'string' ? body : JSON.stringify(body))
      assertFailure(answer, 422, JSON.stringify(body))
      assert.equal(answer.body.jsonrpc, '2.0')
      if (typeof text === 'string') assert.equal(answer.body.error, text)
      else assert.match(answer.body.error, text)
    }
    const get = await getV2(base, 'jsonRPC')
    assertFailure(get, 405)
    assert.equal(get.body.error, 'method GET is not supported')
  })

  it('refuses bodies that are no arguments', async () => {
    for (const body of ['', '[]', 'nope', '5', 'null', '"x"', '{"address":', '{"nonsense":1}']) {
      const answer = await postV2(base, 'getMasterchainInfo', body)
      assertFailure(answer, 422, body)
      assert.match(answer.body.error, /^failed to parse post request: /)
    }
    assert.equal((await postV2(base, 'getMasterchainInfo', '{}')).status, 200)
  })

  it('knows what is not there', async () => {
    const unknown = await getV2(base, 'getNothing')
    assert.deepEqual([unknown.status, unknown.body], [404, { ok: false, error: 'Not Found', code: 404, '@extra': '_' }])
    assert.match(unknown.headers.get('x-api-version') ?? '', /^2\.2\./)
    const deleted = await fetch(`${base}/getMasterchainInfo`, { method: 'DELETE' })
    assert.equal(deleted.status, 405)
    assert.equal((await getV2(base, 'getMasterchainInfo/')).status, 200)
  })

  it('serves methods that only the 2.0 line has, or lists them as not served and does not know them', async () => {
    const olds = [
      'sendQuery',
      'sendQuerySimple',
      'estimateFeeSimple',
      'sendCellSimple',
      'sendBocUnsafe',
      'getWorkerState',
    ]
    const served = olds.filter((name) => !notServed.has(name))
    assert.deepEqual(served, ['sendQuery', 'sendQuerySimple', 'estimateFeeSimple'])
    const listed = readFileSync(join(repository, 'docs/compatibility.md'), 'utf8')
      .split('### Unsupported methods of the 2.0 line')[1]!
      .split('\n#')[0]!
    assert.deepEqual(
      [...listed.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
      [...notServed.keys()],
    )
    for (const name of olds) {
      for (const prefix of ['api/v2', 'ton/api/v2']) {
        const answers = [
          await getV2(`${service.url}/${prefix}`, name),
          await postV2(`${service.url}/${prefix}`, name, {}),
          await postV2(`${service.url}/${prefix}`, 'jsonRPC', { method: name, params: {} }),
        ]
        const [byGet, byPost, byRpc] = answers.map(({ status, body }) => [status, body.error])
        if (notServed.has(name)) {
          assert.deepEqual(
            [byGet, byPost, byRpc],
            [
              [404, 'Not Found'],
              [404, 'Not Found'],
              [422, 'Unknown method'],
            ],
            name,
          )
          continue
        }
        assert.deepEqual([byGet![0], byPost![0], byRpc![0]], [405, 422, 422], name)
        // It asks for what is missing.
        for (const told of [byPost, byRpc]) assert.match(told![1], /address/, name)
      }
    }
  })

  it('lets pages of other origins in', async () => {
    const preflight = await fetch(`${base}/jsonRPC`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-headers': 'x-api-key' },
    })
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/i)
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
  })

  it('describes itself in the dialect that it speaks', async () => {
    const neutral = await getV2(base, 'openapi.json')
    const ecosystem = await getV2(`${service.url}/ton/api/v2`, 'openapi.json')
    const typeOf = ({ body }: Json) => body.components.schemas.BlockIdExt.properties['@type'].const
    assert.deepEqual([typeOf(neutral), typeOf(ecosystem)], ['chain.blockIdExt', 'ton.blockIdExt'])
  })

  it('has no faults to tell of', () => assert.deepEqual(service.logLines, []))
})
