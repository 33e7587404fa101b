import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Reader } from '../../src/store/connect/Database.ts'
import { DatabaseTimeoutError } from '../../src/store/errors.ts'
import { type CostlyFilter, costlyFilters } from '../../src/store/reader/costlyFilters.ts'
import { costlyRequests } from '../conformance/v3/costlyRequests.ts'
import type { Json } from './v3Client.ts'
import { serveV3 } from './v3Service.ts'

/** What the index holds of what the cases need: accounts as raw addresses, hashes as hexadecimal digits. */
export type CostlyIndex = {
  /** An account with thousands of transactions, in traces that are not finished, that received no empty body and nothing in the shard. */
  readonly busy: string
  readonly shard: string
  /** The account of the newest thousands of transactions. */
  readonly newest: string
  /** The body of tens of thousands of messages. */
  readonly body: string
  /** Hashes of more messages than may be named. */
  readonly messages: readonly string[]
}

type Case = {
  readonly path: string
  /** What happens: one read takes too long, each takes longer than usual, or nothing. */
  readonly by: 'timeout' | 'delay' | 'nothing'
  readonly isDistributed?: true
}

const EMPTY_BODY = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

const casesOf = ({ busy, shard, newest, body, messages }: CostlyIndex): Readonly<Record<CostlyFilter, Case>> => ({
  messages: { path: `messages?destination=${busy}&body_hash=${EMPTY_BODY}`, by: 'timeout' },
  receivers: { path: `transactionsByMessage?body_hash=${EMPTY_BODY}&destination=${busy}`, by: 'timeout' },
  senders: { path: `transactionsByMessage?body_hash=${body}&direction=out&offset=50000`, by: 'nothing' },
  namedMessages: {
    path: `transactionsByMessage?${messages.map((hash) => `msg_hash=${hash}`).join('&')}`,
    by: 'nothing',
  },
  excludedAccounts: { path: `transactions?exclude_account=${newest}`, by: 'timeout' },
  accountsInShard: { path: `transactions?account=${busy}&shard=${shard}`, by: 'timeout' },
  accountTraces: { path: `traces?account=${busy}`, by: 'delay' },
  distributedTransactions: {
    path: 'transactions?workchain=0&start_utime=1&offset=70000',
    by: 'nothing',
    isDistributed: true,
  },
})

/** Single filters, and the two with one index, that very many rows fulfil. */
const singlesOf = ({ busy, body }: CostlyIndex): readonly string[] => [
  `messages?destination=${busy}`,
  `messages?source=${busy}`,
  `messages?body_hash=${body}`,
  'messages?opcode=0x7',
  `messages?destination=${busy}&opcode=0x7`,
  `transactionsByMessage?body_hash=${body}`,
  'transactionsByMessage?opcode=0x7',
  `transactions?account=${busy}`,
  'transactions?workchain=0',
  'transactions?shard=8000000000000000',
  'transactions?start_utime=1',
  'transactions?start_lt=1',
  'blocks?workchain=0',
]

/** Two of these are longer than the traces of an account may take. */
const DELAY_MS = 1550

/** The database, with reads that can be counted, delayed, and made to take too long. */
const wrap = (database: Database) => {
  const state = { reads: 0, failing: -1, delayMs: 0, isDistributed: false }
  const wrapReader = (reader: Reader): Reader => ({
    get isDistributed() {
      return state.isDistributed
    },
    read: async (query, timeoutMs) => {
      if (state.reads++ === state.failing) throw new DatabaseTimeoutError('The database took too long.')
      if (state.delayMs > 0) await delay(state.delayMs)
      return reader.read(query, timeoutMs)
    },
  })
  const wrapped: Database = {
    ...database,
    reader: () => {
      const server = database.reader()
      return { ...server, keyedReads: wrapReader(server.keyedReads), listReads: wrapReader(server.listReads) }
    },
  }
  return { wrapped, state }
}

/** Every refusal that docs/compatibility.md lists comes, of the parameters that it names, and none of a single filter. */
export const checkCostlyFilters = async (t: TestContext, database: Database, index: CostlyIndex): Promise<void> => {
  const { wrapped, state } = wrap(database)
  const service = await serveV3(t, wrapped, { checkResults: false })
  const ask = async (path: string, set: Partial<typeof state> = {}): Promise<{ status: number; error: string }> => {
    Object.assign(state, { reads: 0, failing: -1, delayMs: 0, isDistributed: false }, set)
    const response = await fetch(`${service.url}/api/v3/${path}`)
    const { error } = (await response.json()) as Json
    return { status: response.status, error }
  }
  /** What comes of it when its first read takes too long, its second, and so on. */
  const askFailing = async (path: string): Promise<string[]> => {
    await ask(path)
    const { reads } = state
    assert.ok(reads > 0)
    const told: string[] = []
    for (let failing = 0; failing < reads; failing++) {
      const { status, error } = await ask(path, { failing })
      told.push(`${status} ${error}`)
    }
    return told
  }
  for (const [name, { path, by, isDistributed = false }] of Object.entries(casesOf(index))) {
    const filter = name as CostlyFilter
    const { endpoints, filters, when } = costlyRequests[filter]
    const [endpoint, query] = path.split('?')
    assert.ok(endpoints.includes(`/${endpoint}`), `${filter} is listed for ${endpoints.join()}`)
    for (const param of new Set(new URLSearchParams(query).keys())) {
      if (param === 'offset' && by === 'nothing') continue
      assert.ok(filters.includes(`\`${param}`) || when.includes(`\`${param}`), `${filter} is listed without ${param}`)
    }
    const refusal = `422 ${costlyFilters[filter]}`
    if (by === 'timeout') {
      const told = await askFailing(path)
      assert.ok(told.includes(refusal), `${path}:\n${told.join('\n')}`)
    } else {
      const { status, error } = await ask(path, { isDistributed, delayMs: by === 'delay' ? DELAY_MS : 0 })
      assert.equal(`${status} ${error}`, refusal, path.slice(0, 200))
    }
  }
  for (const path of singlesOf(index)) {
    const told = await askFailing(path)
    assert.deepEqual(
      told.filter((each) => each.startsWith('422')),
      [],
      path,
    )
    // It did fail, and not for its cost.
    assert.ok(
      told.some((each) => each.startsWith('504')),
      `${path}:\n${told.join('\n')}`,
    )
  }
}
