import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../src/api/core/json/parseJson.ts'
import { toTransactionReading } from '../../../src/api/v2/TransactionReading.ts'
import { writeExtTransaction } from '../../../src/api/v2/views/transactions.ts'
import { decodeSingleBoc } from '../../../src/codec/cell/decodeBoc.ts'
import { listFixtures, readFixture } from '../../support/fixtures.ts'
import { readAddress } from '../../support/goldenAddress.ts'
import { missingRecordings, parseAnswer } from '../../support/goldenCases.ts'
import { compareValues } from './compareAnswer.ts'
import { misprinted } from './differences.ts'
import { anything } from './Expectation.ts'
import { toExtMessage } from './pythonForms.ts'

const folder = 'mainnet/transactions'

const readJson = (path: string): JsonObject =>
  parseAnswer(Buffer.from(readFixture(path)).toString('utf8')) as JsonObject

/** The hosted service printed these before messages had hashes and other currencies were told of (10.3.3). */
const withLaterMembers = (message: JsonObject): JsonObject => ({
  hash: anything,
  extra_currencies: anything,
  ...toExtMessage(message),
})

const toExpected = (printed: JsonObject): JsonObject => ({
  ...printed,
  '@type': 'ext.transaction',
  account: anything,
  address: anything,
  data: printed['data'] ?? anything,
  out_msgs: (printed['out_msgs'] as readonly JsonObject[]).map(withLaterMembers),
  ...(printed['in_msg'] === undefined ? {} : { in_msg: withLaterMembers(printed['in_msg'] as JsonObject) }),
})

/** The account that a printed transaction is of, which the transaction itself does not tell the workchain of. */
const workchainOf = (printed: JsonObject): number => {
  const { in_msg, out_msgs } = printed as { in_msg?: { destination: string }; out_msgs: readonly { source: string }[] }
  return readAddress(in_msg?.destination)?.workchain ?? readAddress(out_msgs[0]?.source)?.workchain ?? 0
}

describe('transactions of the main network', { skip: missingRecordings(folder) }, () => {
  test('are printed as the hosted service printed them', (t) => {
    let count = 0
    const found: string[] = []
    for (const path of listFixtures(folder, '.json')) {
      const { toncenter_v2: printed } = readJson(path) as { toncenter_v2?: JsonObject }
      if (printed === undefined || path.endsWith('index.json')) continue
      const cell = decodeSingleBoc(readFixture(path.replace(/\.json$/, '.boc')))
      const { lt } = printed['transaction_id'] as { lt: string }
      const reading = toTransactionReading(workchainOf(printed), {
        transaction: cell,
        lt: BigInt(lt),
        hash: cell.hash(),
      })
      const differences = compareValues(toExpected(printed), JSON.parse(writeExtTransaction(reading)), path)
      const isMisprinted = misprinted.has(path.slice(folder.length + 1, -'.json'.length))
      if (isMisprinted) assert.notDeepEqual(differences, [], path)
      else found.push(...differences)
      count++
    }
    assert.deepEqual(found, [])
    assert.ok(count >= 38, `there are ${count}`)
    t.diagnostic(`${count} transactions of the main network are printed alike`)
  })
})
