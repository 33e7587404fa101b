import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject, JsonValue } from '../../../src/api/core/json/parseJson.ts'
import type { Database } from '../../../src/store/connect/Database.ts'
import { haveDatabase, openFreshDatabase } from '../../support/database.ts'
import { readFixture } from '../../support/fixtures.ts'
import { missingRecordings } from '../../support/goldenCases.ts'
import { closeSharedMachine } from '../../support/testNetwork.ts'
import { getV3, type Json, postV3, type V3Answer } from '../../support/v3Client.ts'
import { openV3Demo, rawText, type V3Demo } from '../../support/v3Demo.ts'
import { startV3Network } from '../../support/v3Service.ts'
import { sendLog } from '../../support/v3Traffic.ts'
import { notServed, shapeDifferences } from './differences.ts'
import { explainLines } from './explainLines.ts'
import { ShapeInventory } from './ShapeInventory.ts'

const folder = 'mainnet/api-v3'

const readJson = (file: string): Json => JSON.parse(Buffer.from(readFixture(`${folder}/${file}`)).toString('utf8'))

type Recording = { readonly file: string; readonly endpoint: string; readonly response: JsonObject }

/** Every recorded answer of this interface. Those of other services are listed. */
const readRecordings = (): Recording[] => {
  const index = readJson('index.json') as { readonly file: string; readonly method: string }[]
  const others = new Set(index.map(({ method }) => method).filter((method) => !method.startsWith('/api/v3/')))
  assert.deepEqual([...others], [...notServed.keys()])
  return index
    .filter(({ method }) => !others.has(method))
    .map(({ file, method }) => ({ file, endpoint: method.slice('/api/v3/'.length), response: readJson(file).response }))
}

/** The demonstration holds all endpoints that there are recordings of. */
const askAlike = async (url: string, { plan }: V3Demo): Promise<[endpoint: string, answer: V3Answer][]> => {
  const base = `${url}/ton/api/v3`
  const get = async (name: string, args: object = {}): Promise<[string, V3Answer]> => [
    name,
    await getV3(base, name, { ...args }),
  ]
  const wallet = rawText(plan.jetton.admin.wallet.address)
  const { transactions } = (await getV3(base, 'transactions', { limit: 100 })).body
  const messages = transactions.flatMap((each: Json) => (each.in_msg === null ? [] : [each.in_msg.hash]))
  const body = 'te6cckEBAQEAAgAAAEysuc0='
  return Promise.all([
    get('traces', { limit: 100, include_actions: true }),
    get('transactionsByMessage', { msg_hash: messages, limit: 200 }),
    get('transactionsByMasterchainBlock', { seqno: transactions[0].mc_block_seqno }),
    get('jetton/transfers', { limit: 100 }),
    get('jetton/wallets', { limit: 100 }),
    get('dns/records', { domain: `${plan.name.label}.ton` }),
    get('masterchainInfo'),
    get('addressInformation', { address: wallet }),
    postV3(base, 'estimateFee', { address: wallet, body }).then((answer): [string, V3Answer] => [
      'estimateFee',
      answer,
    ]),
    postV3(base, 'runGetMethod', {
      address: rawText(plan.jetton.address),
      method: 'get_jetton_data',
      stack: [],
    }).then((answer): [string, V3Answer] => ['runGetMethod', answer]),
  ])
}

/** As if what contracts say of themselves had been fetched. */
const describeTokens = (database: Database): Promise<unknown> =>
  database.transaction((client) =>
    client.query(
      `INSERT INTO address_metadata (next_try_at, tries, valid, address, type, name, symbol, description, image, extra)
       SELECT now(), 0, true, address, type, 'A name', CASE type WHEN 'jetton_masters' THEN 'ONE' END, 'What it is', 'https://demo.invalid/image.png', '{"decimals": "9"}'
       FROM (SELECT address, 'jetton_masters' AS type FROM jetton_masters UNION ALL SELECT address, 'nft_items' FROM nft_items
         UNION ALL SELECT address, 'nft_collections' FROM nft_collections) AS tokens`,
    ),
  )

const untilClassified = async (database: Database): Promise<void> => {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await database.transaction((client) => client.query('SELECT 1 FROM unclassified_blocks LIMIT 1'))
    if (rows.length === 0) return
    await delay(50)
  }
  assert.fail('not classified in time')
}

after(closeSharedMachine)

describe('recorded answers of v3', { skip: missingRecordings(folder) }, () => {
  test('ours to the same kind of question have the same members, types and encodings', async (t) => {
    if (!haveDatabase(t)) return
    const recordings = readRecordings()
    assert.ok(recordings.length >= 60, `there are ${recordings.length}`)
    const recorded = new ShapeInventory()
    for (const { endpoint, response } of recordings) recorded.add(response as JsonValue, endpoint)
    const database = await openFreshDatabase(t)
    const service = await startV3Network(t, database)
    const demo = await openV3Demo(service)
    for (let step = 0; step < 30; step++) {
      await demo.traffic.step()
      await service.network.controls.mine(1)
    }
    await sendLog(service)
    await demo.settle()
    await untilClassified(database)
    await describeTokens(database)
    const ours = new ShapeInventory()
    const answers = await askAlike(service.url, demo)
    for (const [endpoint, { status, body }] of answers) {
      assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`)
      ours.add(body, endpoint)
    }
    assert.deepEqual(
      [...new Set(recordings.map(({ endpoint }) => endpoint))].filter(
        (name) => !answers.some(([each]) => each === name),
      ),
      [],
      'there is nothing like these',
    )
    const { compared, lines } = ours.compareWith(recorded)
    explainLines(lines, shapeDifferences)
    assert.ok(compared > 300, `only ${compared} places`)
    t.diagnostic(`${recordings.length} recorded answers are of the shape of ours in ${compared} places`)
    assert.deepEqual(service.logLines, [])
  })
})
