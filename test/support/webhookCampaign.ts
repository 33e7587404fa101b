import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/store/connect/Database.ts'
import { listDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { childArguments, childScript } from './childScript.ts'
import { waitUntil } from './waitUntil.ts'
import type { ChildPlan } from './webhookChild.ts'
import { addEndpoint, type ReceivedMessage, startReceiver } from './webhooks.ts'

type Cleanup = { after(end: () => unknown): void }

export type WebhookCampaign = {
  readonly databaseUrl: string
  readonly database: Database
  readonly blocks: number
  readonly stepMs: number
  readonly accounts: number
  readonly kills: number
  readonly onProgress?: (line: string) => void
}

export type WebhookReport = {
  readonly events: number
  readonly deliveries: number
  readonly requests: number
  /** Requests by what the receiver did. */
  readonly answers: Readonly<Record<string, number>>
  readonly repeated: number
  readonly refused: number
  readonly kills: number
  readonly faults: readonly string[]
}

const script = childScript(import.meta.dirname, 'webhookChild')
const PROCESSES = 2
const TOTAL_MS = 600

/** An address of this machine that is private and not loopback, or one that nothing listens on. */
const findPrivateAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ address, family, internal }) => family === 'IPv4' && !internal && /^(10|172|192)\./.test(address))
    ?.address ?? '169.254.169.254'

/**
 * Receivers that fail, hang, redirect to a private address and answer slowly; a name that leads to a private address every other time;
 * processes that are killed. Every event must arrive, in order in its lane, and nothing at a private address.
 */
export const runWebhookCampaign = async (cleanup: Cleanup, campaign: WebhookCampaign): Promise<WebhookReport> => {
  const { database, databaseUrl, blocks, stepMs, accounts, onProgress = () => {} } = campaign
  const receiver = await startReceiver(cleanup)
  const canary = await startCanary(cleanup)
  const accepted: (ReceivedMessage & { readonly endpoint: string })[] = []
  const answers: Record<string, number> = {}
  let requests = 0
  let outageUntil = 0
  receiver.answer = (message, response) => {
    requests++
    const endpoint = /"endpoint_id":"([^"]+)"/.exec(message.text)?.[1] ?? ''
    const kind = Date.now() < outageUntil ? 'fails' : pickKind()
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
  const endpoints = await Promise.all(
    ['hook.test', 'hook.test', 'rebound.test'].map((host) => addEndpoint(database, `http://${host}:${receiver.port}/`)),
  )
  const plan: ChildPlan = {
    databaseUrl,
    startAt: Date.now(),
    stepMs,
    blocks,
    accounts,
    privateAddress: canary.address,
    totalMs: TOTAL_MS,
  }
  const children = await Promise.all(Array.from({ length: PROCESSES }, () => startChild(cleanup, plan)))
  let kills = 0
  const killEveryMs = (blocks * stepMs) / (campaign.kills + 1)
  for (; kills < campaign.kills; kills++) {
    await delay(killEveryMs)
    const which = kills % PROCESSES
    children[which]!.kill('SIGKILL')
    await once(children[which]!, 'exit')
    if (kills % 3 === 1) outageUntil = Date.now() + 1500
    children[which] = await startChild(cleanup, plan)
    onProgress(`${kills + 1} kills, ${accepted.length} accepted of ${requests} requests`)
  }
  const total = blocks * accounts * endpoints.length
  const distinct = (): number => new Set(accepted.map(({ endpoint, body }) => `${endpoint} ${body.id}`)).size
  await waitUntil(
    () => `all came, not ${distinct()} of ${total}`,
    () => distinct() === total,
    { timeoutMs: 120_000 + blocks * stepMs, pollMs: 100 },
  )
  const faults: string[] = []
  let refused = 0
  for (const { id, secrets } of endpoints) {
    const own = accepted.filter(({ endpoint }) => endpoint === id)
    faults.push(...findDisorder(id, own), ...own.flatMap((message) => findForgery(message, secrets.current.key)))
    const stored = await untilDelivered(database, id, blocks * accounts)
    faults.push(...findHoles(id, stored, blocks))
    refused += stored.flatMap(({ log }) => log).filter(({ error }) => error?.includes('not a public address')).length
  }
  if (canary.connections() > 0) faults.push(`${canary.connections()} connections to a private address`)
  for (const child of children) {
    child.send('end')
    await once(child, 'exit')
  }
  const repeated = accepted.length - total
  return { events: blocks * accounts, deliveries: total, requests, answers, repeated, refused, kills, faults }
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

const seqnoOf = (eventId: string): number => Number(eventId.split('-')[1])

/** What was in flight may come again, but never after a later one of its lane. */
const findDisorder = (id: string, messages: readonly ReceivedMessage[]): string[] => {
  const last = new Map<string, number>()
  const faults: string[] = []
  for (const { body } of messages) {
    const seqno = seqnoOf(body.id)
    if (seqno < (last.get(body.lane) ?? 0)) faults.push(`${id}: ${body.id} came after a later one of its lane`)
    last.set(body.lane, Math.max(seqno, last.get(body.lane) ?? 0))
  }
  return faults
}

const findForgery = ({ headers, text }: ReceivedMessage, key: Uint8Array): string[] => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return headers['webhook-signature'] === expected ? [] : [`${headers['webhook-id']} has a wrong signature`]
}

const untilDelivered = async (database: Database, id: string, count: number) => {
  const list = () => database.transaction((client) => listDeliveries(client, id, { limit: 1_000_000 }))
  let stored = await list()
  await waitUntil('all outcomes are stored', async () => {
    stored = await list()
    return stored.length === count && stored.every(({ state }) => state === 'delivered')
  })
  return stored
}

const findHoles = (id: string, stored: Awaited<ReturnType<typeof untilDelivered>>, blocks: number): string[] => {
  const lanes = new Map<string, number[]>()
  for (const { lane, sequence } of stored) lanes.set(lane, [...(lanes.get(lane) ?? []), Number(sequence)])
  return [...lanes].flatMap(([lane, numbers]) => {
    const sorted = numbers.toSorted((a, b) => a - b)
    return sorted.length === blocks && sorted.every((number, k) => number === k + 1)
      ? []
      : [`${id}: the numbers of lane ${lane} have holes`]
  })
}
