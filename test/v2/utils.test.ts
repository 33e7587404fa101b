import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Address } from '@ton/core'
import { getV2 } from '../support/v2Client.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const hex = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'
const variantNames = ['bounceable', 'non_bounceable'] as const

describe('v2 utils', () => {
  let service: V2NetworkService
  before(async () => {
    service = await startV2Network()
  })
  after(() => service.close())

  const ask = (name: string, args: Json): Promise<Json> => askEveryWay(service.url, name, args)

  it('shows all forms of an address', async () => {
    const variant = (b64url: string) => ({ '@type': 'ext.utils.detectedAddressVariant', b64: b64url, b64url })
    const detected = {
      '@type': 'ext.utils.detectedAddress',
      raw_form: raw.toLowerCase(),
      bounceable: variant('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'),
      non_bounceable: variant('UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'),
      test_only: false,
    }
    assert.deepEqual(await ask('detectAddress', { address: raw }), { ...detected, given_type: 'raw_form' })
    const friendly = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
    assert.deepEqual(await ask('detectAddress', { address: friendly }), {
      ...detected,
      given_type: 'friendly_non_bounceable',
    })
    const test = await ask('detectAddress', { address: 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH' })
    assert.deepEqual([test.given_type, test.test_only], ['friendly_bounceable', true])
    assert.equal(test.non_bounceable.b64url, '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC')
  })

  it('keeps the two alphabets of base64 apart', async () => {
    for (let k = 0; k < 8; k++) {
      const address = new Address(k % 2 === 0 ? 0 : -1, Buffer.alloc(32, 0xf8 + k))
      const detected = await ask('detectAddress', { address: address.toRawString() })
      for (const name of variantNames) {
        const bounceable = name === 'bounceable'
        assert.equal(detected[name].b64, address.toString({ bounceable, urlSafe: false }))
        assert.equal(detected[name].b64url, address.toString({ bounceable }))
        assert.equal(await ask('packAddress', { address: detected[name].b64 }), detected[name].b64url)
      }
    }
  })

  it('packs and unpacks', async () => {
    assert.equal(await ask('packAddress', { address: raw }), 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N')
    const testOnly = '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC'
    assert.equal(await ask('packAddress', { address: testOnly }), testOnly)
    assert.equal(await ask('unpackAddress', { address: testOnly }), raw)
    assert.equal(await ask('unpackAddress', { address: raw.toLowerCase() }), raw)
    const wide = { status: 422, text: `failed to parse get request: Failed to parse address: '128:${'0'.repeat(64)}'` }
    await assertRefused(service.url, 'packAddress', { address: `128:${'0'.repeat(64)}` }, wide)
  })

  it('shows all forms of a hash', async () => {
    const detected = {
      '@type': 'ext.utils.detectedHash',
      b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
      b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
      hex,
    }
    for (const hash of [hex, hex.toUpperCase(), detected.b64, detected.b64url, `${detected.b64url}=`]) {
      assert.deepEqual(await ask('detectHash', { hash }), detected)
    }
    // A plus that nobody encoded comes as a blank.
    const plain = await fetch(`${service.url}/api/v2/detectHash?hash=${detected.b64}`)
    assert.equal(plain.status, 200)
    for (const hash of ['abc', 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM', `0x${hex}`, `${hex}0`]) {
      const text = `failed to parse get request: invalid hash: '${hash}'`
      await assertRefused(service.url, 'detectHash', { hash }, { status: 422, text })
    }
    for (const args of [{}, { hash: '' }]) {
      await assertRefused(service.url, 'detectHash', args, { status: 422, text: /empty hash$/ })
    }
  })

  it('says how far most nodes are', async () => {
    const { last } = await ask('getMasterchainInfo', {})
    const block = await askEveryWay(service.url, 'getConsensusBlock', {}, { clock: 'timestamp' })
    assert.ok(block.consensus_block <= last.seqno && block.consensus_block > 0)
    assert.ok(Math.abs(block.timestamp - Date.now() / 1000) < 60)
  })

  it('is healthy', async () => {
    const { status, body, headers } = await getV2(`${service.url}/api/v2`, 'healthcheck')
    assert.deepEqual([status, body], [200, 'OK'])
    assert.match(headers.get('x-api-version') ?? '', /^2\.2\./)
  })

  it('lists as methods of JSON-RPC exactly what can be called so', async () => {
    const document = (await (await fetch(`${service.url}/api/v2/openapi.json`)).json()) as Json
    const { schema } = document.paths['/api/v2/jsonRPC'].post.requestBody.content['application/json']
    const listed = schema.properties.method.anyOf.map((each: Json) => each.const) as string[]
    const paths = Object.keys(document.paths).map((path) => path.slice('/api/v2/'.length))
    assert.deepEqual(new Set([...listed, 'healthcheck', 'jsonRPC']), new Set(paths))
    assert.equal(listed.includes('healthcheck'), false)
    for (const method of ['healthcheck', ...listed]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
      const answer = (await (await fetch(`${service.url}/api/v2/jsonRPC`, { method: 'POST', body })).json()) as Json
      assert.equal(/method/i.test(answer.error ?? ''), method === 'healthcheck', `${method}: ${answer.error}`)
    }
  })
})
