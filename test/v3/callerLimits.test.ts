import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { type Endpoint, methodsOf } from '../../src/api/core/Endpoint.ts'
import { v2 } from '../../src/api/v2/index.ts'
import { v3 } from '../../src/api/v3/index.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const account = '0:EE35299E2C43D1455080253B6BF9D350FE3EC7353CD90A2F07DF31CE68B6EF6C'
const hash = 'S4XM4TRqBSWvsrGUQY/NLEbIRM7q7iS6hx+uWg4Hv14='

describe('what a caller may say of texts and of time', () => {
  let service: V3NetworkService
  let database: Database
  const endings: (() => unknown)[] = []
  let isThere = false

  const test = (name: string, work: (t: TestContext) => Promise<void>): void =>
    void it(name, async (t) => {
      if (!isThere) return t.skip('NOT TESTED: there is no database.')
      await work(t)
    })

  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; error: string; ms: number }> => {
    const begun = performance.now()
    const response = await fetch(`${service.url}${path}`, init)
    const body = (await response.json()) as { readonly error?: string }
    return { status: response.status, error: String(body.error), ms: performance.now() - begun }
  }

  before(async (t) => {
    if (!haveDatabase(t as TestContext)) return
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    database = await openFreshDatabase(cleanup)
    service = await startV3Network(cleanup, database)
    isThere = true
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  test('a NUL in any parameter is refused with 422, in both interfaces, by GET and by POST', async () => {
    const wrong: string[] = []
    let count = 0
    const expect = async (name: string, path: string, init?: RequestInit): Promise<void> => {
      const { status, error } = await ask(path, init)
      count++
      if (status !== 422) wrong.push(`${init?.method ?? 'GET'} ${name}: ${status} ${error}`)
    }
    for (const definition of [v2, v3]) {
      for (const endpoint of definition.endpoints as readonly Endpoint<never>[]) {
        const path = `${definition.prefix}/${endpoint.name}`
        for (const name of Object.keys(endpoint.params)) {
          for (const text of ['\0', 'a\0', `${account}\0`]) {
            if (methodsOf(endpoint).includes('GET')) {
              await expect(`${path} ${name}`, `${path}?${new URLSearchParams({ [name]: text })}`)
            }
            if (methodsOf(endpoint).includes('POST')) {
              const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
              await expect(`${path} ${name}`, path, { ...init, body: JSON.stringify({ [name]: text }) })
              await expect(`${path} ${name}`, path, { ...init, body: JSON.stringify({ [name]: ['x', { y: text }] }) })
            }
          }
        }
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(count > 500, `${count} requests`)
    assert.deepEqual(service.logLines, [])
  })

  test('x_timeout bounds lists and keyed reads alike, and says so', async (t) => {
    // So that nothing of these tables is read until it is undone.
    const client = await database.openConnection('a lock')
    t.after(() => client.end())
    await client.query('BEGIN')
    await client.query(
      'LOCK TABLE transactions, transaction_lookup, traces, blocks, latest_account_states IN ACCESS EXCLUSIVE MODE',
    )
    const paths = [
      `transactions?account=${account}`,
      'transactions?limit=1',
      `transactions?hash=${encodeURIComponent(hash)}`,
      'blocks?limit=1',
      `accountStates?address=${account}`,
      `addressInformation?address=${account}&use_v2=false`,
      `adjacentTransactions?hash=${encodeURIComponent(hash)}`,
      `messages?msg_hash=${encodeURIComponent(hash)}`,
      `traces?account=${account}`,
    ]
    const answers = await Promise.all(paths.map((path) => ask(`/api/v3/${path}&x_timeout=150`)))
    for (const [at, { status, error, ms }] of answers.entries()) {
      const sentence =
        'The database did not answer within 150 ms. Narrow the filter, or raise x_timeout (at most 3000 ms).'
      assert.deepEqual([status, error], [504, sentence], paths[at])
      assert.ok(ms < 1500, `${paths[at]}: ${ms} ms`)
    }
    const header = await ask(`/api/v3/${paths[4]}`, { headers: { 'x-timeout': '100' } })
    assert.match(`${header.status} ${header.error}`, /^504 The database did not answer within 100 ms\./)
    await client.query('ROLLBACK')
    for (const path of paths) {
      const { status, error } = await ask(`/api/v3/${path}&x_timeout=2900`)
      assert.ok(status === 200 || status === 404, `${path}: ${status} ${error}`)
    }
  })
})
