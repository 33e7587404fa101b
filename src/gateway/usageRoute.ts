import type { PlainAnswer, PlainRoute } from '../api/core/PlainRoute.ts'
import { CodedError } from '../primitives/errors.ts'
import { formatRate } from '../primitives/Rate.ts'
import type { Database } from '../store/connect/Database.ts'
import { listKeys } from '../store/keys/apiKeys.ts'
import { dayOf, sumUsage, type UsageSum } from '../store/keys/keyUsage.ts'

const DAYS = 30

/** What keys there are and what they asked lately: for an operator, so it has to be guarded. */
export const usageRoute = (database: Pick<Database, 'transaction'>, flush: () => Promise<void>): PlainRoute => ({
  method: 'GET',
  path: '/keys/usage',
  answer: async () => {
    try {
      await flush()
      return toAnswer(200, await readOverview(database))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return toAnswer(503, { ok: false, error: error.message, code: 503 })
    }
  },
})

type EndpointUsage = Pick<UsageSum, 'endpoint' | 'requests' | 'refused' | 'failed'>

const readOverview = (database: Pick<Database, 'transaction'>) =>
  database.transaction(async (client) => {
    const usage = await sumUsage(client, dayOf(Date.now()) - DAYS + 1)
    const keys = await listKeys(client)
    const byKey = new Map<string, EndpointUsage[]>()
    for (const { keyId, endpoint, requests, refused, failed } of usage) {
      const endpoints = byKey.get(keyId) ?? []
      byKey.set(keyId, endpoints)
      endpoints.push({ endpoint, requests, refused, failed })
    }
    return {
      days: DAYS,
      keys: keys.map(({ hash: _, rate, ...key }) => ({
        ...key,
        rate: rate && formatRate(rate),
        endpoints: byKey.get(key.id) ?? [],
      })),
    }
  })

const toAnswer = (status: number, body: unknown): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
