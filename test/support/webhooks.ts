import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { Database } from '../../src/store/connect/Database.ts'
import { insertEndpoint, type NewEndpoint } from '../../src/store/webhooks/endpoints.ts'
import type { BlockEvents, EventLog, StateEvent, StreamEvent } from '../../src/streaming/events.ts'
import { type CallOutRules, callOutLimits, type Exception } from '../../src/webhooks/callOut.ts'
import { type RetryRules, retryRules } from '../../src/webhooks/retries.ts'
import { type EndpointSecrets, makeSigningKey, SecretBox } from '../../src/webhooks/signature.ts'
import type { OpenedSubscription } from '../../src/webhooks/takeDeliveries.ts'
import { type DispatcherOptions, WebhookDispatcher } from '../../src/webhooks/WebhookDispatcher.ts'
import { silentLogger } from './databaseServer.ts'
import { serveWeb } from './webServer.ts'

const noState = {
  hash: undefined,
  balance: 0n,
  extraCurrencies: undefined,
  status: 'active',
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
} as unknown as StateEvent['state']

const accountOf = (account: number): Uint8Array => {
  const key = new Uint8Array(33)
  key[1] = account >> 8
  key[2] = account & 255
  return key
}

/** A change of the state of an account, named by a number. */
const stateEvent = (mcSeqno: number, account: number, lt: number): StateEvent => ({
  kind: 'st',
  id: `f-${mcSeqno}-${lt}-st-${account.toString(16).padStart(16, '0')}`,
  finality: 'finalized',
  mcSeqno,
  utime: 1_700_000_000 + mcSeqno,
  account: accountOf(account),
  state: noState,
  previous: noState,
  lt: BigInt(lt),
  lastTransactionHash: new Uint8Array(32),
})

/** An event log in memory. */
export class ArrayLog implements EventLog {
  readonly #blocks = new Map<number, BlockEvents>()
  readonly #listeners = new Set<(block: BlockEvents) => void>()
  head: number | undefined = 0

  /** The next block, with a state of each of these accounts. */
  add(accounts: readonly number[]): BlockEvents {
    const mcSeqno = (this.head ?? 0) + 1
    const events: StreamEvent[] = accounts.map((account, k) => stateEvent(mcSeqno, account, mcSeqno * 1000 + k))
    const block = { mcSeqno, utime: 1_700_000_000 + mcSeqno, events }
    this.#blocks.set(mcSeqno, block)
    this.head = mcSeqno
    for (const listener of this.#listeners) listener(block)
    return block
  }

  async findHead(): Promise<number | undefined> {
    return this.head
  }

  async findOldest(): Promise<number> {
    return 1
  }

  async read(mcSeqno: number): Promise<BlockEvents> {
    return this.#blocks.get(mcSeqno)!
  }

  async findBefore(utime: number): Promise<number> {
    return Math.min(this.head ?? 0, Math.max(0, utime - 1_700_000_000))
  }

  follow(listener: (block: BlockEvents) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Everything, as a short text. */
export const wholeLog = (): OpenedSubscription => ({
  wantsSpeculative: false,
  render: (event) =>
    Promise.resolve(JSON.stringify({ type: 'account_state_change', event_id: event.id, finality: event.finality })),
})

/** Names that lead to this machine, which counts as the internet unless the addresses are not these. */
export const rulesFor = (
  allow: readonly Exception[] = ['http', 'loopback', 'ports', 'literal'],
  resolve: CallOutRules['resolve'] = async (host) => (host === 'hook.test' ? ['127.0.0.1'] : []),
): CallOutRules => ({
  allow: new Set(allow),
  own: { names: ['service.test'], addresses: [], ports: [] },
  resolve,
  limits: { ...callOutLimits, connectMs: 1000, totalMs: 3000 },
})

/** A clock that is set by hand. */
export class FakeClock {
  ms = 1_800_000_000_000

  readonly now = (): number => this.ms

  pass(ms: number): void {
    this.ms += ms
  }
}

export const secretBox = new SecretBox(Buffer.alloc(32, 7))

/** Registers an endpoint in the database. */
export const addEndpoint = async (
  database: Pick<Database, 'transaction'>,
  url: string,
  given: Partial<NewEndpoint> & { readonly secrets64?: EndpointSecrets } = {},
): Promise<{ readonly id: string; readonly secrets: EndpointSecrets }> => {
  const id = given.id ?? `we_${randomBytes(8).toString('hex')}`
  const secrets: EndpointSecrets = given.secrets64 ?? {
    current: makeSigningKey('v1'),
    former: undefined,
    headers: {},
  }
  const endpoint: NewEndpoint = {
    owner: 'local',
    keyId: undefined,
    url,
    description: undefined,
    subscription: '{}',
    ordering: 'account',
    isThin: false,
    signature: 'v1',
    publicKey: undefined,
    secrets: secretBox.sealSecrets(id, secrets),
    cursor: { mcSeqno: 0, eventId: undefined },
    isEnabled: true,
    at: new Date(),
    ...given,
    id,
  }
  await database.transaction((client) => insertEndpoint(client, endpoint, 1000))
  return { id, secrets }
}

export type ReceivedMessage = {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly type: string
    readonly id: string
    readonly lane: string
    readonly sequence: number | null
    readonly previous_id: string | null
    readonly replayed: boolean
    readonly data: Record<string, unknown>
  }
  readonly at: number
}

type Answer = (message: ReceivedMessage, response: ServerResponse) => void

/** A receiver on this machine. `answers` may be replaced; by default all is accepted. */
export const startReceiver = async (t: Pick<TestContext, 'after'>) => {
  const received: ReceivedMessage[] = []
  const receiver = {
    received,
    port: 0,
    answer: ((_message, response) => response.writeHead(200).end('ok')) as Answer,
  }
  const { port } = await serveWeb(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = { headers: request.headers, text, body: JSON.parse(text), at: performance.now() }
      received.push(message)
      receiver.answer(message, response)
    })
  })
  receiver.port = port
  return receiver
}

/** A dispatcher with quick times. */
export const startDispatcher = (
  t: Pick<TestContext, 'after'>,
  options: Pick<DispatcherOptions, 'database' | 'log'> &
    Partial<Omit<DispatcherOptions, 'retries'>> & { readonly retries?: Partial<RetryRules> },
): WebhookDispatcher => {
  const dispatcher = new WebhookDispatcher({
    openSubscription: wholeLog,
    box: secretBox,
    rules: rulesFor(),
    logger: silentLogger,
    now: Date.now,
    pollMs: 20,
    network: 'custom',
    publicUrl: undefined,
    times: { leaseMs: 2000, cleanMs: 500, closeMs: 1000 },
    ...options,
    retries: { ...retryRules, ...options.retries },
  })
  t.after(() => dispatcher.close())
  return dispatcher
}

/** The events of each lane, as often as they came, in the order in which they came. */
export const byLane = (messages: readonly ReceivedMessage[]): ReadonlyMap<string, readonly string[]> => {
  const lanes = new Map<string, string[]>()
  for (const { body } of messages) lanes.set(body.lane, [...(lanes.get(body.lane) ?? []), body.id])
  return lanes
}
