import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { CodedError } from '../primitives/errors.ts'
import type { Database } from '../store/connect/Database.ts'
import {
  type Backlog,
  type Delivery,
  type DeliveryPage,
  findDelivery,
  listDeliveries,
  readBacklogs,
  requeueDead,
  requeueDelivery,
} from '../store/webhooks/deliveries.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  type EndpointSettings,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  type LogPosition,
  listEndpoints,
  updateEndpoint,
  type WebhookEndpoint,
} from '../store/webhooks/endpoints.ts'
import { insertReplay } from '../store/webhooks/requests.ts'
import { type EventLog, NotKeptError } from '../streaming/events.ts'
import { type EventId, formatEventId, InvalidSinceError, parseSince } from '../streaming/log/eventIds.ts'
import { type Attempt, type CallOutRules, callOut, checkHost, parseWebhookHeaders, parseWebhookUrl } from './callOut.ts'
import { sendDisabled } from './EndpointSender.ts'
import {
  PreconditionFailedError,
  WebhookConflictError,
  WebhookLimitError,
  WebhookNotFoundError,
  WebhookNotKeptError,
  WebhookRefusedError,
} from './errors.ts'
import { composeNotice, headersOf, type MessageOptions } from './message.ts'
import {
  type EndpointSecrets,
  formatPublicKey,
  formatSecret,
  makeSigningKey,
  type Scheme,
  type SecretBox,
} from './signature.ts'
import type { OpenedSubscription } from './takeDeliveries.ts'

/** Limits of a plan; `undefined` means none. */
export type WebhookLimits = {
  readonly endpoints: number | undefined
  /** Addresses and trace hashes of a subscription. */
  readonly addresses: number | undefined
  /** How far back `since` may be. */
  readonly replaySeconds: number | undefined
  readonly mayStreamAll: boolean
}

/** Who asks. */
export type WebhookOwner = {
  readonly name: string
  readonly keyId: string | undefined
  readonly limits: WebhookLimits
}

export type ServiceParts = MessageOptions & {
  readonly database: Pick<Database, 'transaction'>
  readonly log: EventLog
  /** Parses a subscription; throws a CodedError. */
  readonly openSubscription: (
    json: unknown,
    limits?: Pick<WebhookLimits, 'addresses' | 'mayStreamAll'>,
  ) => OpenedSubscription
  readonly box: SecretBox
  readonly rules: CallOutRules
  readonly now: () => number
}

/** What the owner sets. */
export type EndpointInput = {
  readonly url: string
  /** JSON. */
  readonly subscription: string
  readonly description: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly ordering: 'account' | 'none'
  readonly isThin: boolean
  readonly signature: Scheme
}

export type EndpointChanges = { readonly [Name in keyof EndpointInput]?: EndpointInput[Name] | undefined } & {
  readonly isEnabled?: boolean | undefined
  readonly since?: unknown
}

/** An endpoint with what waits for it. */
export type ShownEndpoint = { readonly endpoint: WebhookEndpoint; readonly backlog: Backlog }

const MAX_ENDPOINTS = 1000
const noBacklog: Backlog = { waiting: 0, dead: 0, oldest: undefined }

/** What owners do with their endpoints. Sending is the work of the dispatcher. */
export class WebhookService {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  /** Registers an endpoint and sends a test to it. */
  async create(
    owner: WebhookOwner,
    input: EndpointInput,
    { isEnabled, since = 'head' }: { readonly isEnabled: boolean; readonly since?: unknown },
    signal: AbortSignal,
  ): Promise<ShownEndpoint & { readonly secret: string | undefined; readonly test: Attempt }> {
    const { database, now } = this.#parts
    const most = owner.limits.endpoints ?? MAX_ENDPOINTS
    if (most === 0) throw new WebhookLimitError('Webhooks need an API key with a plan that has them.')
    this.#checkSubscription(input.subscription, owner)
    await this.#checkUrl(input.url, signal)
    const cursor = await this.#resolveSince(since, owner)
    const id = `we_${randomBytes(8).toString('hex')}`
    const current = makeSigningKey(input.signature)
    const secrets: EndpointSecrets = { current, former: undefined, headers: parseWebhookHeaders(input.headers) }
    const settings = this.#toSettings(id, input, secrets)
    const isNew = await database.transaction((client) =>
      insertEndpoint(
        client,
        { ...settings, id, owner: owner.name, keyId: owner.keyId, cursor, isEnabled, at: new Date(now()) },
        most,
      ),
    )
    if (!isNew) throw new WebhookLimitError(`This plan allows ${most} webhook endpoints.`)
    const test = await this.#sendTest(id, input.url, secrets, signal)
    return { ...(await this.get(owner, id)), secret: formatSecret(current), test }
  }

  async get(owner: WebhookOwner, id: string): Promise<ShownEndpoint> {
    return this.#parts.database.transaction(async (client) => this.#show(client, await this.#getOwn(client, owner, id)))
  }

  async list(
    owner: WebhookOwner,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<readonly ShownEndpoint[]> {
    return this.#parts.database.transaction(async (client) => {
      const endpoints = await listEndpoints(client, owner.name, page)
      const backlogs = await readBacklogs(
        client,
        endpoints.map(({ id }) => id),
      )
      return endpoints.map((endpoint) => ({ endpoint, backlog: backlogs.get(endpoint.id) ?? noBacklog }))
    })
  }

  /** Changes an endpoint. A changed URL is tested again, and a changed signature scheme makes a new key. */
  async update(
    owner: WebhookOwner,
    id: string,
    changes: EndpointChanges,
    expected: (version: number) => boolean,
    signal: AbortSignal,
  ): Promise<ShownEndpoint & { readonly secret: string | undefined; readonly test: Attempt | undefined }> {
    const { database, box, now } = this.#parts
    const before = await database.transaction((client) => this.#getOwn(client, owner, id))
    if (!expected(before.version)) throw stale()
    const former = box.openSecrets(id, before.secrets)
    if (changes.subscription !== undefined) this.#checkSubscription(changes.subscription, owner)
    const isMoved = changes.url !== undefined && changes.url !== before.url
    if (isMoved) await this.#checkUrl(changes.url!, signal)
    const from = changes.since === undefined ? undefined : await this.#resolveSince(changes.since, owner)
    const isNewScheme = changes.signature !== undefined && changes.signature !== before.signature
    const current = isNewScheme ? makeSigningKey(changes.signature!) : former.current
    const headers = changes.headers === undefined ? former.headers : parseWebhookHeaders(changes.headers)
    const secrets: EndpointSecrets = { current, former: isNewScheme ? undefined : former.former, headers }
    const input: EndpointInput = {
      url: changes.url ?? before.url,
      subscription: changes.subscription ?? before.subscription,
      description: changes.description ?? before.description,
      headers,
      ordering: changes.ordering ?? before.ordering,
      isThin: changes.isThin ?? before.isThin,
      signature: changes.signature ?? before.signature,
    }
    await database.transaction(async (client) => {
      const isStored = await updateEndpoint(client, before, this.#toSettings(id, input, secrets), new Date(now()))
      if (!isStored) throw stale()
      if (changes.isEnabled === true || from !== undefined) await enableEndpoint(client, id, from)
      if (changes.isEnabled === false) await disableEndpoint(client, id, 'owner')
    })
    const test = isMoved ? await this.#sendTest(id, input.url, secrets, signal) : undefined
    return { ...(await this.get(owner, id)), secret: isNewScheme ? formatSecret(current) : undefined, test }
  }

  async remove(owner: WebhookOwner, id: string): Promise<void> {
    await this.#parts.database.transaction(async (client) => {
      await this.#getOwn(client, owner, id)
      await deleteEndpoint(client, id)
    })
  }

  /** Makes a new key; the old one signs, too, for a while. */
  async rotate(
    owner: WebhookOwner,
    id: string,
    overlapMs: number,
  ): Promise<ShownEndpoint & { readonly secret: string | undefined; readonly formerUntil: Date }> {
    const { database, box, now } = this.#parts
    const until = now() + overlapMs
    return database.transaction(async (client) => {
      const before = await this.#getOwn(client, owner, id)
      const { current: old, headers } = box.openSecrets(id, before.secrets)
      const current = makeSigningKey(old.scheme)
      const secrets: EndpointSecrets = { current, former: { ...old, until }, headers }
      const settings = { ...before, publicKey: formatPublicKey(current), secrets: box.sealSecrets(id, secrets) }
      if (!(await updateEndpoint(client, before, settings, new Date(now())))) throw stale()
      const shown = await this.#show(client, await this.#getOwn(client, owner, id))
      return { ...shown, secret: formatSecret(current), formerUntil: new Date(until) }
    })
  }

  async test(owner: WebhookOwner, id: string, signal: AbortSignal): Promise<Attempt> {
    const { database, box } = this.#parts
    const endpoint = await database.transaction((client) => this.#getOwn(client, owner, id))
    return this.#sendTest(id, endpoint.url, box.openSecrets(id, endpoint.secrets), signal)
  }

  /** Without `since`, it goes on from where it stopped. */
  async enable(owner: WebhookOwner, id: string, since?: unknown): Promise<ShownEndpoint> {
    const { database } = this.#parts
    const from = since === undefined ? undefined : await this.#resolveSince(since, owner)
    return database.transaction(async (client) => {
      await this.#getOwn(client, owner, id)
      await enableEndpoint(client, id, from)
      return this.#show(client, await this.#getOwn(client, owner, id))
    })
  }

  async disable(owner: WebhookOwner, id: string): Promise<ShownEndpoint> {
    const { database, box } = this.#parts
    const { isNew, shown } = await database.transaction(async (client) => {
      await this.#getOwn(client, owner, id)
      const changed = await disableEndpoint(client, id, 'owner')
      return { isNew: changed, shown: await this.#show(client, await this.#getOwn(client, owner, id)) }
    })
    if (isNew) {
      const secrets = box.openSecrets(id, shown.endpoint.secrets)
      // Tried once; its outcome changes nothing.
      void sendDisabled(shown.endpoint, secrets, 'owner', this.#parts, new AbortController().signal)
    }
    return shown
  }

  /** Sends finalized events again. Returns the number of masterchain blocks. */
  async replay(
    owner: WebhookOwner,
    id: string,
    { since, until = 'head' }: { readonly since: unknown; readonly until?: unknown },
  ): Promise<number> {
    const { database, now } = this.#parts
    const from = await this.#resolveSince(since, owner)
    const end = await this.#resolveSince(until, { ...owner, limits: { ...owner.limits, replaySeconds: undefined } })
    if (from === undefined || end === undefined) throw new WebhookConflictError('The index has no blocks yet.')
    if (from.mcSeqno > end.mcSeqno) throw new WebhookRefusedError('since is after until')
    await database.transaction(async (client) => {
      const endpoint = await this.#getOwn(client, owner, id)
      expectEnabled(endpoint)
      await insertReplay(client, id, { from, until: end }, new Date(now()))
    })
    return end.mcSeqno - from.mcSeqno + (end.eventId === undefined ? 0 : 1)
  }

  async deliveries(owner: WebhookOwner, id: string, page: DeliveryPage): Promise<readonly Delivery[]> {
    return this.#parts.database.transaction(async (client) => {
      await this.#getOwn(client, owner, id)
      return listDeliveries(client, id, page)
    })
  }

  /** Sends one delivery again, dead or not. */
  async redeliver(owner: WebhookOwner, deliveryId: string): Promise<Delivery> {
    const { database, now } = this.#parts
    const { delivery, endpoint } = await database.transaction((client) => this.#getDelivery(client, owner, deliveryId))
    expectEnabled(endpoint)
    if (delivery.isSpeculative) throw new WebhookConflictError('Events that are not final are not sent again.')
    const data = delivery.data ?? (await this.#renderAgain(endpoint, delivery))
    return database.transaction(async (client) => {
      await requeueDelivery(client, delivery, data, new Date(now()))
      return (await this.#getDelivery(client, owner, deliveryId)).delivery
    })
  }

  /** Sends all dead deliveries again, oldest first. Returns how many. */
  async redeliverDead(owner: WebhookOwner, id: string): Promise<number> {
    const { database, now } = this.#parts
    return database.transaction(async (client) => {
      expectEnabled(await this.#getOwn(client, owner, id))
      return requeueDead(client, id, new Date(now()))
    })
  }

  async #getOwn(client: pg.ClientBase, owner: WebhookOwner, id: string): Promise<WebhookEndpoint> {
    const found = await findEndpoint(client, id)
    if (found?.owner !== owner.name) throw new WebhookNotFoundError('There is no such endpoint.')
    return found
  }

  async #getDelivery(client: pg.ClientBase, owner: WebhookOwner, id: string) {
    const delivery = await findDelivery(client, id)
    const endpoint = delivery && (await findEndpoint(client, delivery.endpointId))
    if (delivery === undefined || endpoint?.owner !== owner.name) {
      throw new WebhookNotFoundError('There is no such delivery.')
    }
    return { delivery, endpoint }
  }

  async #show(client: pg.ClientBase, endpoint: WebhookEndpoint): Promise<ShownEndpoint> {
    const backlogs = await readBacklogs(client, [endpoint.id])
    return { endpoint, backlog: backlogs.get(endpoint.id) ?? noBacklog }
  }

  #toSettings(id: string, input: EndpointInput, secrets: EndpointSecrets): EndpointSettings {
    const { headers: _, ...settings } = input
    return {
      ...settings,
      publicKey: formatPublicKey(secrets.current),
      secrets: this.#parts.box.sealSecrets(id, secrets),
    }
  }

  #checkSubscription(json: string, { limits }: WebhookOwner): void {
    try {
      this.#parts.openSubscription(JSON.parse(json), limits)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw new WebhookRefusedError(error.message, { cause: error })
    }
  }

  async #checkUrl(text: string, signal: AbortSignal): Promise<void> {
    const { rules } = this.#parts
    try {
      await checkHost(parseWebhookUrl(text, rules), rules, signal)
    } catch (error) {
      if (!(error instanceof CodedError) || signal.aborted) throw error
      throw new WebhookRefusedError(error.message, { cause: error })
    }
  }

  async #sendTest(id: string, url: string, secrets: EndpointSecrets, signal: AbortSignal): Promise<Attempt> {
    const { now, rules } = this.#parts
    const notice = composeNotice(id, 'test', {}, this.#parts, now())
    return callOut(url, headersOf(secrets, { ...notice, attempt: 1 }, now()), notice.body, rules, signal)
  }

  /** The position after which events are wanted; `undefined` while nothing is indexed: then from the first. */
  async #resolveSince(value: unknown, { limits }: WebhookOwner): Promise<LogPosition | undefined> {
    const { log, now } = this.#parts
    const since = readSince(value)
    const head = await log.findHead()
    if (head === undefined && since.kind === 'head') return undefined
    if (head === undefined) throw new WebhookRefusedError('since is ahead of the chain')
    const position =
      since.kind === 'head'
        ? { mcSeqno: head, eventId: undefined }
        : since.kind === 'block'
          ? { mcSeqno: since.mcSeqno, eventId: undefined }
          : since.kind === 'time'
            ? { mcSeqno: await log.findBefore(since.utime), eventId: undefined }
            : positionOfId(since.id)
    if (position.mcSeqno + (position.eventId === undefined ? 0 : 1) > head) {
      throw new WebhookRefusedError('since is ahead of the chain')
    }
    const oldest = await log.findOldest()
    if (position.mcSeqno + 1 < oldest) throw notKept(oldest)
    const { replaySeconds } = limits
    if (replaySeconds !== undefined) {
      const first = await log.findBefore(Math.floor(now() / 1000) - replaySeconds)
      if (position.mcSeqno < Math.min(first, head)) {
        throw new WebhookLimitError(`This plan allows since from masterchain block ${first} on.`)
      }
    }
    return position
  }

  async #renderAgain(endpoint: WebhookEndpoint, { mcSeqno, eventId }: Delivery): Promise<string> {
    const { log, openSubscription } = this.#parts
    try {
      const { events } = await log.read(mcSeqno)
      const event = events.find(({ id }) => id === eventId)
      const rendered = event && (await openSubscription(JSON.parse(endpoint.subscription)).render(event))
      if (rendered !== undefined) return rendered
    } catch (error) {
      if (!(error instanceof NotKeptError)) throw error
      throw notKept(error.oldest)
    }
    throw new WebhookConflictError('The event no longer matches the subscription.')
  }
}

const stale = (): PreconditionFailedError =>
  new PreconditionFailedError('The endpoint has changed. Read it again, and send its new ETag as If-Match.')

const notKept = (oldest: number): WebhookNotKeptError =>
  new WebhookNotKeptError(`since is older than what is kept: masterchain block ${oldest}`)

const expectEnabled = ({ state }: WebhookEndpoint): void => {
  if (state === 'disabled') throw new WebhookConflictError('The endpoint is disabled. Enable it first.')
}

const readSince = (value: unknown) => {
  try {
    return parseSince(value)
  } catch (error) {
    if (!(error instanceof InvalidSinceError)) throw error
    throw new WebhookRefusedError(error.message)
  }
}

/** A head is the last event of its block; a speculative event follows all final ones of its block. */
const positionOfId = (id: EventId): LogPosition =>
  'journal' in id || id.kind === 'hd'
    ? { mcSeqno: id.mcSeqno, eventId: undefined }
    : { mcSeqno: id.mcSeqno - 1, eventId: formatEventId(id) }
