import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createSubscriptions } from '../../src/cli/serve/openWebhooks.ts'
import { addressKeyOf, parseAddress } from '../../src/primitives/Address.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { type Delivery, listDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { IndexLog } from '../../src/streaming/log/IndexLog.ts'
import { type DatabasePart, startDatabase } from './chaos/parts.ts'
import { childArguments, childScript } from './childScript.ts'
import { silentLogger } from './databaseServer.ts'
import { type Cleanup, tempFolder } from './tempFolder.ts'
import { waitUntil } from './waitUntil.ts'
import type { ChildPlan } from './webhookChild.ts'
import { addEndpoint, type ReceivedMessage, startReceiver } from './webhooks.ts'

export type WebhookCampaign = {
  readonly durationMs: number
  /** Between blocks of the network. */
  readonly intervalMs: number
  /** Each gets coins all the time. */
  readonly accounts: number
  /** What is killed, in this order, spread over the time. */
  readonly kills: readonly Victim[]
  readonly onProgress?: (line: string) => void
}

/** A process that sends; a backend of the database, which ends all of them; the database server, which is started again. */
export type Victim = 'sender' | 'backend' | 'server'

export type WebhookReport = {
  readonly blocks: number
  /** Of the accounts, as the index has them. */
  readonly transactions: number
  readonly events: number
  readonly deliveries: number
  readonly requests: number
  /** Requests by what the receiver did. */
  readonly answers: Readonly<Record<string, number>>
  readonly repeated: number
  readonly refused: number
  readonly kills: Readonly<Record<Victim, number>>
  readonly faults: readonly string[]
}

const script = childScript(import.meta.dirname, 'webhookChild')
const PROCESSES = 2
const TOTAL_MS = 600
const OUTAGE_MS = 1500
const DRAIN_MS = 600_000

/** An address of this machine that is private and not loopback, or one that nothing listens on. */
const findPrivateAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ address, family, internal }) => family === 'IPv4' && !internal && /^(10|172|192)\./.test(address))
    ?.address ?? '169.254.169.254'

type Accepted = ReceivedMessage & { readonly endpoint: string }

/**
 * Webhooks over the index of a network that is busy. Receivers fail, hang, redirect to a private address and answer slowly; a name
 * leads to a private address every other time; processes that send and the database are killed. Every event of the index must arrive,
 * in order in its lane, and nothing at a private address.
 */
export const runWebhookCampaign = async (cleanup: Cleanup, campaign: WebhookCampaign): Promise<WebhookReport> => {
  const { durationMs, intervalMs, onProgress = () => {} } = campaign
  const server = await startDatabase(cleanup, join(tempFolder(cleanup), 'database'))
  const mining = { mode: 'interval', intervalMs, emptyBlocks: true } as const
  const network = await startNetwork({ mining, http: {}, index: { databaseUrl: server.url }, keepStates: 0 })
  cleanup.after(() => network.close())
  await network.indexed
  const database = await connectDatabase({
    url: server.url,
    logger: silentLogger,
    signal: new AbortController().signal,
  })
  cleanup.after(() => database.close())
  const addresses = Array.from({ length: campaign.accounts }, (_, k) => `0:${(k + 16).toString(16).repeat(32)}`)
  const receiver = await startCampaignReceiver(cleanup)
  const subscription = { types: ['transactions', 'account_state_change'], addresses }
  const given = { subscription: JSON.stringify(subscription), cursor: { mcSeqno: 0, eventId: undefined } }
  const endpoints = await Promise.all(
    ['hook.test', 'hook.test', 'rebound.test'].map((host) =>
      addEndpoint(database, `http://${host}:${receiver.port}/`, given),
    ),
  )
  const plan: ChildPlan = { databaseUrl: server.url, privateAddress: receiver.canary.address, totalMs: TOTAL_MS }
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => startChild(cleanup, plan)))
  const load = payInRounds(network, addresses, { intervalMs, rounds: Math.ceil(durationMs / intervalMs) })
  const kills = { sender: 0, backend: 0, server: 0 }
  for (const [k, victim] of campaign.kills.entries()) {
    await delay(durationMs / (campaign.kills.length + 1))
    if (victim === 'sender') {
      const which = kills.sender % PROCESSES
      children[which]!.kill('SIGKILL')
      await once(children[which]!, 'exit')
      children[which] = await startChild(cleanup, plan)
    } else await killDatabase(server, database, victim)
    kills[victim]++
    if (k % 3 === 1) receiver.failFor(OUTAGE_MS)
    onProgress(`${victim} killed, ${receiver.accepted.length} accepted of ${receiver.requests()} requests`)
  }
  await delay(durationMs / (campaign.kills.length + 1))
  await load
  await network.controls.setMining({ mode: 'manual' })
  const { seqno: last } = await network.controls.mine(2)
  const expected = await listExpected(database, subscription, last)
  const faults: string[] = []
  let refused = 0
  let deliveries = 0
  for (const { id, secrets } of endpoints) {
    const stored = await untilDelivered(database, id, expected.size)
    const own = receiver.accepted.filter(({ endpoint }) => endpoint === id)
    deliveries += stored.length
    refused += stored.flatMap(({ log }) => log).filter(({ error }) => error?.includes('not a public address')).length
    faults.push(
      ...findMissing(id, own, expected),
      ...findDisorder(id, own),
      ...findHoles(id, stored),
      ...own.flatMap((message) => findForgery(message, secrets.current.key)),
    )
  }
  const transactions = await listTransactions(database, addresses)
  faults.push(...endpoints.flatMap(({ id }) => findLostTransactions(id, receiver.accepted, transactions)))
  if (receiver.canary.connections() > 0)
    faults.push(`${receiver.canary.connections()} connections to a private address`)
  for (const child of children) {
    child.send('end')
    await once(child, 'exit')
  }
  return {
    blocks: last,
    transactions: transactions.size,
    events: expected.size,
    deliveries,
    requests: receiver.requests(),
    answers: receiver.answers,
    repeated: receiver.accepted.length - deliveries,
    refused,
    kills,
    faults,
  }
}

/** Coins for every account, about once a block. What is killed may take longer than the rounds. */
const payInRounds = async (
  network: RunningNetwork,
  addresses: readonly string[],
  { intervalMs, rounds }: { readonly intervalMs: number; readonly rounds: number },
): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const next = delay(intervalMs)
    await Promise.all(addresses.map((address) => network.controls.faucet(address, 1_000_000_000n)))
    await next
  }
}

const AWAY_MS = 1000

/** Kills a backend, which makes the server end all others and recover; or the server itself, and starts it again. */
const killDatabase = async (server: DatabasePart, database: Database, victim: 'backend' | 'server'): Promise<void> => {
  if (victim === 'backend') {
    const pid = await database.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
         ORDER BY random() LIMIT 1`,
      )
      return rows[0]?.pid
    })
    if (pid === undefined) throw new Error('The database has no backend to kill.')
    process.kill(pid, 'SIGKILL')
  } else {
    await server.kill()
    await delay(AWAY_MS)
    await server.start()
  }
  await waitUntil('the database is back', () => reads(database, async () => true).then((is) => is === true), {
    timeoutMs: 60_000,
  })
}

/** What a read answers; `undefined` while the database is away. */
const reads = <T>(
  database: Database,
  work: (client: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<T>,
): Promise<T | undefined> =>
  database
    .transaction(async (client) => {
      await client.query('SELECT 1')
      return work(client)
    })
    .catch(() => undefined)

/** Receivers that do all that receivers do, at one port; by chance, or all failing for a while. */
const startCampaignReceiver = async (cleanup: Cleanup) => {
  const receiver = await startReceiver(cleanup)
  const canary = await startCanary(cleanup)
  const accepted: Accepted[] = []
  const answers: Record<string, number> = {}
  let requests = 0
  let failsUntil = 0
  receiver.answer = (message, response) => {
    requests++
    const endpoint = /"endpoint_id":"([^"]+)"/.exec(message.text)?.[1] ?? ''
    const kind = Date.now() < failsUntil ? 'fails' : pickKind()
    answers[kind] = (answers[kind] ?? 0) + 1
    if (kind === 'fails') response.writeHead(500).end()
    else if (kind === 'redirects') response.writeHead(307, { location: canary.url }).end()
    else if (kind === 'closes') response.destroy()
    else if (kind !== 'hangs') {
      // Noted at its arrival: the sender may give up waiting, and send it again.
      accepted.push({ ...message, endpoint })
      setTimeout(() => response.writeHead(200).end('ok'), kind === 'slow' ? Math.random() * 2 * TOTAL_MS : 0)
    }
  }
  const failFor = (ms: number): void => {
    failsUntil = Date.now() + ms
  }
  return { port: receiver.port, canary, accepted, answers, requests: () => requests, failFor }
}

const pickKind = (): string => {
  const dice = Math.random()
  if (dice < 0.06) return 'fails'
  if (dice < 0.09) return 'hangs'
  if (dice < 0.12) return 'redirects'
  if (dice < 0.14) return 'closes'
  return dice < 0.2 ? 'slow' : 'accepts'
}

/** A server at a private address that must never be called. */
const startCanary = async (cleanup: Cleanup) => {
  let connections = 0
  const server = createServer((_request, response) => response.end())
  server.on('connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done))
  cleanup.after(() => server.close())
  const address = findPrivateAddress()
  const { port } = server.address() as AddressInfo
  return { address, url: `http://${address}:${port}/`, connections: () => connections }
}

const startChild = async (cleanup: Cleanup, plan: ChildPlan): Promise<ChildProcess> => {
  const child = fork(script, [JSON.stringify(plan)], { execArgv: [...childArguments], stdio: 'inherit' })
  cleanup.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

/** Ids of the events of the index up to a block that a subscription has. */
const listExpected = async (database: Database, subscription: object, last: number): Promise<ReadonlySet<string>> => {
  const log = new IndexLog({ database, logger: silentLogger })
  const { render } = createSubscriptions({ database, log, dialect: 'chain', testOnly: false })(subscription)
  const ids = new Set<string>()
  await waitUntil(`block ${last} is in the log`, async () => ((await log.findHead()) ?? 0) >= last, {
    timeoutMs: DRAIN_MS,
  })
  for (let seqno = await log.findOldest(); seqno <= last; seqno++) {
    for (const event of (await log.read(seqno)).events) if ((await render(event)) !== undefined) ids.add(event.id)
  }
  await log.close()
  return ids
}

const untilDelivered = async (database: Database, id: string, count: number): Promise<readonly Delivery[]> => {
  let stored: readonly Delivery[] = []
  const countDone = (): number => stored.filter(({ state }) => state === 'delivered').length
  await waitUntil(
    () => `${count} events of ${id} are delivered, not ${countDone()}`,
    async () => {
      stored = (await reads(database, (client) => listDeliveries(client, id, { limit: 1_000_000 }))) ?? []
      return countDone() >= count
    },
    { timeoutMs: DRAIN_MS, pollMs: 200 },
  )
  return stored
}

/** Hashes of all transactions of the accounts, from the rows themselves. */
const listTransactions = async (database: Database, addresses: readonly string[]): Promise<ReadonlySet<string>> => {
  const keys = addresses.map((address) => Buffer.from(addressKeyOf(parseAddress(address))))
  const rows = await database.transaction(
    async (client) =>
      (
        await client.query<{ hash: string }>(
          `SELECT encode(hash, 'base64') AS hash FROM transactions WHERE account = ANY($1)`,
          [keys],
        )
      ).rows,
  )
  return new Set(rows.map(({ hash }) => hash))
}

const findMissing = (id: string, messages: readonly Accepted[], expected: ReadonlySet<string>): string[] => {
  const came = new Set(messages.map(({ body }) => body.id))
  return [
    ...[...expected].filter((event) => !came.has(event)).map((event) => `${id}: ${event} did not come`),
    ...[...came].filter((event) => !expected.has(event)).map((event) => `${id}: ${event} is not in the index`),
  ]
}

const findLostTransactions = (id: string, messages: readonly Accepted[], expected: ReadonlySet<string>): string[] => {
  const came = new Set(
    messages
      .filter(({ endpoint, body }) => endpoint === id && body.type === 'transactions')
      .flatMap(({ body }) => (body.data['transactions'] as { readonly hash: string }[]).map(({ hash }) => hash)),
  )
  return [...expected].filter((hash) => !came.has(hash)).map((hash) => `${id}: the transaction ${hash} did not come`)
}

/** What was in flight may come again, but never after a later one of its lane; and later ones are later in the chain. */
const findDisorder = (id: string, messages: readonly Accepted[]): string[] => {
  const last = new Map<string, { readonly sequence: number; readonly lt: bigint }>()
  const faults: string[] = []
  for (const { body } of messages) {
    const before = last.get(body.lane)
    const now = { sequence: body.sequence ?? 0, lt: BigInt(body.id.split('-')[2] ?? 0) }
    if (before !== undefined && now.sequence < before.sequence) {
      faults.push(`${id}: ${body.id} came after a later one of its lane`)
      continue
    }
    if (before !== undefined && now.lt < before.lt)
      faults.push(`${id}: ${body.id} has an earlier lt than one before it`)
    last.set(body.lane, now)
  }
  return faults
}

const findForgery = ({ headers, text }: ReceivedMessage, key: Uint8Array): string[] => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return headers['webhook-signature'] === expected ? [] : [`${headers['webhook-id']} has a wrong signature`]
}

/** Numbers of a lane have no holes. */
const findHoles = (id: string, stored: readonly Delivery[]): string[] => {
  const lanes = new Map<string, number[]>()
  for (const { lane, sequence } of stored) lanes.set(lane, [...(lanes.get(lane) ?? []), Number(sequence)])
  return [...lanes].flatMap(([lane, numbers]) =>
    numbers.toSorted((a, b) => a - b).every((number, k) => number === k + 1)
      ? []
      : [`${id}: the numbers of lane ${lane} have holes`],
  )
}
