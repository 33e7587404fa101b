// node --import tsx scripts/startMemory.ts [--minutes 60] [--transactions 1000000] [--rps 40] [--workers 1]
// Starts the service as `npm start` does, sends payments so evenly that the index has so many transactions in the end, and asks both APIs
// for what clients ask. Prints the resident memory of the service (all its processes of Node.js) and beside it that of the database, each
// minute. The last line is one JSON object; the exit code is 1 where the service has more than 350 MiB at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readDatabaseMib, readResidentMib } from '../test/hostile/service/coreTimes.ts'
import { roundFigure } from '../test/support/formatTable.ts'
import { ServeProcess } from '../test/support/serveProcess.ts'
import { untilIndexed } from '../test/support/untilIndexed.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    transactions: { type: 'string', default: '1000000' },
    rps: { type: 'string', default: '40' },
    workers: { type: 'string' },
  },
})
const [minutes, transactions, rps] = [values.minutes, values.transactions, values.rps].map(Number)
if (![minutes, transactions, rps].every((value) => Number.isFinite(value) && value! > 0)) {
  console.error('--minutes, --transactions and --rps are numbers above 0.')
  process.exit(2)
}

const MAX_MIB = 350
const MINUTE_MS = 60_000
/** So many accounts are paid, one after the other. */
const ACCOUNTS = 50_000
/** Payments that are under way at a time: the service is not asked for more than it does. */
const AT_ONCE = 64
/** Payments come in bursts: a block is made for what is asked for at a time, and evenly paid ones would make 60 blocks a second. */
const BURST = 64

const folder = mkdtempSync(join(tmpdir(), 'chaincenter-memory-'))
const workers = values.workers === undefined ? [] : ['--workers', values.workers]
const service = new ServeProcess(
  ['start', '--port', '0', '--data-dir', folder, '--log-level', 'warn', ...workers],
  folder,
)
const agent = new Agent({ keepAlive: true })
const ending = new AbortController()
process.once('SIGINT', () => ending.abort()).once('SIGTERM', () => ending.abort())

const addressOf = (serial: number): string =>
  `0:${(BigInt(serial % ACCOUNTS) * 0x9e3779b97f4a7c15n).toString(16).padStart(64, '0').slice(-64)}`

/** The status of an answer whose text nobody needs. */
const ask = (url: string, body?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request(url, { agent, method, headers: { 'content-type': 'application/json' } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
    })
    asked.once('error', reject)
    asked.end(body)
  })

/** Calls something at an even rate, or in bursts, until the end; what is late is made up for. Gives the number of calls. */
const keepRate = async (
  perSecond: number,
  untilMs: number,
  call: (serial: number) => Promise<void>,
  burst = 1,
): Promise<number> => {
  const begun = performance.now()
  let serial = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < untilMs && !ending.signal.aborted) {
      const due = begun + ((serial - (serial % burst)) / perSecond) * 1000
      const mine = serial++
      const waitMs = due - performance.now()
      if (waitMs > 1) await delay(waitMs)
      await call(mine)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return serial
}

const statuses: Record<string, number> = {}
const count = (status: number): void => {
  statuses[status] = (statuses[status] ?? 0) + 1
}

try {
  const url = await service.url
  await untilIndexed(`${url}/api/v3`, 3)
  const begun = performance.now()
  const until = begun + minutes! * MINUTE_MS
  const source = `0:${'5b'.repeat(32)}`
  const startMib = readResidentMib(service.pid)
  let mostMib = startMib
  const pay = async (serial: number): Promise<void> => {
    const payment = {
      source,
      destination: addressOf(serial),
      value: '100000000',
      bounce: false,
      comment: `payment ${serial}`,
    }
    count(await ask(`${url}/dev/impersonate`, JSON.stringify(payment)))
  }
  const questions: readonly ((address: string) => string)[] = [
    (address) => `/api/v3/transactions?account=${address}&limit=20`,
    (address) => `/api/v2/getAddressInformation?address=${address}`,
    (address) => `/api/v3/traces?account=${address}&limit=5`,
    () => '/api/v3/transactions?limit=50',
    (address) => `/api/v2/getTransactions?address=${address}&limit=10`,
    () => '/api/v2/getMasterchainInfo',
    (address) => `/api/v3/accountStates?address=${address}`,
    (address) => `/api/v3/messages?destination=${address}&limit=20`,
    () => '/api/v3/blocks?limit=20',
  ]
  const read = async (serial: number): Promise<void> => {
    const question = questions[serial % questions.length]!
    count(await ask(`${url}${question(addressOf(serial * 7))}`))
  }
  const watch = setInterval(() => {
    const mib = readResidentMib(service.pid)
    mostMib = Math.max(mostMib, mib)
    const minute = ((performance.now() - begun) / MINUTE_MS).toFixed(0)
    console.log(`minute ${minute}: ${mib.toFixed(0)} MiB, database ${readDatabaseMib(folder).toFixed(0)} MiB`)
  }, MINUTE_MS)
  const [paid, asked] = await Promise.all([
    keepRate(transactions! / (minutes! * 60), until, pay, BURST),
    keepRate(rps!, until, read),
  ])
  clearInterval(watch)
  const endMib = readResidentMib(service.pid)
  const figures = { startMib, mostMib, endMib, databaseMib: readDatabaseMib(folder) }
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, roundFigure(value)]))
  console.log(JSON.stringify({ memory: 'start', minutes, paid, asked, statuses, ...rounded, held: endMib <= MAX_MIB }))
  process.exitCode = endMib <= MAX_MIB ? 0 : 1
} finally {
  agent.destroy()
  service.send('SIGTERM')
  await Promise.race([service.exited, delay(20_000)])
  await service.kill()
  rmSync(folder, { recursive: true, force: true })
}
