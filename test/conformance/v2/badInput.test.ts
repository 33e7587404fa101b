import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '../../../src/api/core/json/parseJson.ts'
import { ask, type Question, questionOf, readQuestion, type Transport } from '../../support/goldenQuestion.ts'
import { startV2Localnet } from '../../support/v2Localnet.ts'
import type { V2Service } from '../../support/v2Service.ts'
import { type BadInput, badInputs, goodParams } from './badInputs.ts'
import { compareAnswer } from './compareAnswer.ts'
import { contractParams, postOnly } from './contractParams.ts'
import { refusal } from './Expectation.ts'

const transports: readonly Transport[] = ['get', 'post', 'rpc']

const describeParams = ({ params }: BadInput): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${value === undefined ? 'absent' : JSON.stringify(value).slice(0, 40)}`)
    .join(', ')

const withChanges = (good: JsonObject, changes: BadInput['params']): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...good, ...changes }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** Whether a query can say it: there are no objects, empty lists or types in one. */
const isQuery = (params: JsonObject): boolean =>
  Object.values(params).every(
    (value) => /^(string|number)$/.test(typeof value) || (Array.isArray(value) && value.length > 0),
  )

/** By POST what follows the prefix is free, as long as it names the member. */
const textOf = ({ text, told }: BadInput, endpoint: string, transport: Transport): string | RegExp => {
  if (transport !== 'get' && told !== undefined) return told
  const isOldForm = endpoint.startsWith('getTransactions') && `${text}`.includes('Failed to parse address')
  return isOldForm ? /^failed to parse get request: (Failed to parse address: '.*'|failed to parse address)$/ : text
}

describe('bad input over HTTP', () => {
  let service: V2Service
  let base: string
  before(async () => {
    service = await startV2Localnet()
    base = `${service.url}/api/v2`
  })
  after(() => service.close())

  /** What is wrong with the refusal of a question, a line each. */
  const findFaults = async (question: Question, code: number, ...texts: (string | RegExp)[]): Promise<string[]> => {
    const answer = await ask(base, question)
    const found = compareAnswer(refusal(code, ...texts), question, answer)
    const asked = `${question.method} ${question.path} ${JSON.stringify(question.query)} ${question.body ?? ''}`
    return found.map((line) => `${asked}: ${line}`)
  }

  const expectRefusal = async (question: Question, code: number, ...texts: (string | RegExp)[]): Promise<void> =>
    assert.deepEqual(await findFaults(question, code, ...texts), [])

  for (const input of badInputs) {
    test(`${input.endpoints.slice(0, 3).join(', ')}: ${describeParams(input)} → ${input.code}`, async () => {
      const faults: string[] = []
      for (const endpoint of input.endpoints) {
        const params = withChanges(goodParams[endpoint] ?? {}, input.params)
        for (const transport of transports) {
          if (transport === 'get' && (postOnly.has(endpoint) || !isQuery(params))) continue
          const text = textOf(input, endpoint, transport)
          faults.push(...(await findFaults(questionOf(transport, endpoint, params), input.code, text)))
        }
      }
      assert.deepEqual(faults, [])
    })
  }

  test('what is put in place of is served by itself', async () => {
    for (const [endpoint, params] of Object.entries(goodParams)) {
      if (endpoint.startsWith('send') || endpoint === 'getTokenData' || endpoint === 'dnsResolve') continue
      const { status, body } = await ask(base, questionOf('rpc', endpoint, params))
      assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`)
    }
  })

  test('any POST with a body that is no object, or with an unknown member → 422', async () => {
    for (const endpoint of Object.keys(contractParams)) {
      for (const body of ['[]', 'nope', '', '5', 'null', '"x"', '{"a":']) {
        await expectRefusal(
          readQuestion('POST', `/${endpoint}`, { query: {}, body }),
          422,
          /^failed to parse post request: ./,
        )
      }
      const params = { ...goodParams[endpoint], nonsense: 1 }
      for (const transport of ['post', 'rpc'] as const) {
        const told = /^failed to parse post request: .*Unknown property 'nonsense'/
        await expectRefusal(questionOf(transport, endpoint, params), 422, told)
      }
    }
  })

  test('a body member or query parameter @extra is tolerated and echoed, in failure as in success', async () => {
    const params = { address: goodParams['getAddressState']!['address']!, '@extra': 'mine' }
    for (const transport of ['get', 'post'] as const) {
      const answer = await ask(base, questionOf(transport, 'getAddressState', params))
      assert.equal((answer.body as JsonObject)['@extra'], 'mine')
      const failed = await ask(base, questionOf(transport, 'getAddressState', { ...params, address: 'x' }))
      assert.equal((failed.body as JsonObject)['@extra'], 'mine')
    }
    const body = '{"method":"getAddressState","params":{"address":"x"},"id":7,"@extra":"mine"}'
    const answer = await ask(base, readQuestion('POST', '/jsonRPC', { query: {}, body }))
    const { id, jsonrpc, '@extra': extra } = answer.body as JsonObject
    assert.deepEqual({ id, jsonrpc, extra }, { id: 7, jsonrpc: '2.0', extra: 'mine' })
  })

  test('JSON-RPC that is none → 422; by GET → 405', async () => {
    const rows: [body: string, text: RegExp][] = [
      ['nope', /./],
      ['', /./],
      ['[]', /./],
      ['[{"method":"getMasterchainInfo","params":{}}]', /./],
      ['{}', /method/],
      ['{"method":5}', /method/],
      ['{"method":"nope"}', /^Unknown method$/],
      ['{"method":"GetMasterchainInfo"}', /^Unknown method$/],
      ['{"method":"jsonRPC"}', /^Unknown method$/],
      ['{"method":"../getMasterchainInfo"}', /^Unknown method$/],
      ['{"method":"constructor"}', /^Unknown method$/],
      ['{"method":"getMasterchainInfo","params":[1],"id":1}', /^params must contain an object$/],
      ['{"method":"getMasterchainInfo","params":"x","id":1}', /^params must contain an object$/],
      ['{"method":"getMasterchainInfo","params":5,"id":1}', /^params must contain an object$/],
    ]
    for (const [body, text] of rows) {
      await expectRefusal(readQuestion('POST', '/jsonRPC', { query: {}, body }), 422, text)
    }
    await expectRefusal(readQuestion('GET', '/jsonRPC', { query: {}, body: undefined }), 405, /GET/)
  })

  test('the id of JSON-RPC is echoed with its type, and left out where there is none', async () => {
    for (const id of ['1', 1, 0, -5, 1.5, true, null, '', undefined]) {
      const body = JSON.stringify({ method: 'getMasterchainInfo', params: {}, id })
      const answer = await ask(base, readQuestion('POST', '/jsonRPC', { query: {}, body }))
      assert.equal(answer.status, 200)
      assert.deepEqual((answer.body as JsonObject)['id'], id)
    }
  })

  test('params of JSON-RPC that are missing, null or an empty list are none', async () => {
    for (const params of [undefined, null, [], {}]) {
      const body = JSON.stringify({ method: 'getMasterchainInfo', params })
      const { status } = await ask(base, readQuestion('POST', '/jsonRPC', { query: {}, body }))
      assert.equal(status, 200, JSON.stringify(params))
    }
  })

  test('an unknown path → 404; a known one by the wrong HTTP method → 405', async () => {
    for (const path of ['/noSuchEndpoint', '/getmasterchaininfo', '/constructor', '/getShards/1']) {
      const { status, body } = await ask(base, readQuestion('GET', path, { query: {}, body: undefined }))
      assert.equal(status, 404)
      assert.deepEqual(body, { ok: false, error: 'Not Found', code: 404, '@extra': '_' })
    }
    for (const endpoint of Object.keys(contractParams)) {
      const methods = postOnly.has(endpoint) ? ['GET', 'PUT', 'DELETE'] : ['PUT', 'DELETE', 'PATCH']
      for (const method of methods) {
        const question = { ...questionOf('get', endpoint, {}), method }
        await expectRefusal(question, 405, new RegExp(method))
      }
    }
  })

  test('one slash after a method name does not matter, nor do unknown query parameters', async () => {
    const question = questionOf('get', 'getAddressBalance', { ...goodParams['getAddressBalance'], from_lt: 5 })
    const answers = await Promise.all([ask(base, question), ask(base, { ...question, path: `${question.path}/` })])
    for (const { status, body } of answers) {
      assert.equal(status, 200)
      assert.equal((body as JsonObject)['result'], '9994967143511')
    }
  })
})
