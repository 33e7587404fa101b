import type { ClientOf } from '../../api/core/Interface.ts'
import type { webhooks } from '../../api/webhooks/index.ts'
import { callServer, type RequestOptions } from '../fetch/requests.ts'

type Webhooks = ClientOf<typeof webhooks>
type Result<N extends keyof Webhooks> = Awaited<ReturnType<Webhooks[N]>>

export type Endpoint = Result<'getWebhookEndpoint'>
export type Attempt = Result<'testWebhookEndpoint'>
export type Created = Result<'createWebhookEndpoint'>
export type NewEndpoint = Parameters<Webhooks['createWebhookEndpoint']>[0]
export type Delivery = Result<'redeliverWebhook'>
export type Deliveries = Result<'listWebhookDeliveries'>
export type DeliveryState = Delivery['state']

/** The key is kept for this tab and this origin only, as long as the tab is open, and goes to the server in a header only. */
const STORED_KEY = 'chaincenter.apiKey'

export const findApiKey = (): string | undefined => sessionStorage.getItem(STORED_KEY) ?? undefined

export const keepApiKey = (key: string | undefined): void => {
  if (key === undefined) sessionStorage.removeItem(STORED_KEY)
  else sessionStorage.setItem(STORED_KEY, key)
}

/** The server waits 15 seconds for the answer of a receiver to a test. */
const TIMEOUT_MS = 40_000

type Path = `/${string}`

const call = async <T>(
  path: Path,
  args: object,
  options: Omit<RequestOptions, 'headers' | 'timeoutMs'>,
): Promise<T> => {
  const key = findApiKey()
  const headers = key === undefined ? {} : { 'x-api-key': key }
  const { body } = await callServer(`/api/webhooks/v1${path}`, args as { readonly [name: string]: unknown }, {
    ...options,
    headers,
    timeoutMs: TIMEOUT_MS,
  })
  return body as T
}

const PAGE = 100
const MAX_PAGES = 10

/** Endpoints of the owner of the key, oldest first, at most a thousand. */
export const listEndpoints = async (signal: AbortSignal): Promise<readonly Endpoint[]> => {
  const found: Endpoint[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: Result<'listWebhookEndpoints'> = await call('/endpoints', { limit: PAGE, cursor }, { signal })
    found.push(...answer.endpoints)
    cursor = answer.cursor
    if (cursor === null) break
  }
  return found
}

export const createEndpoint = (endpoint: NewEndpoint): Promise<Created> =>
  call('/endpoints', endpoint, { method: 'POST' })

const pathOf = (id: string): Path => `/endpoints/${encodeURIComponent(id)}`

export const getEndpoint = (id: string, signal: AbortSignal): Promise<Endpoint> => call(pathOf(id), {}, { signal })

export const deleteEndpoint = (id: string): Promise<void> => call(pathOf(id), {}, { method: 'DELETE' })

type Actions = {
  readonly enable: Endpoint
  readonly disable: Endpoint
  readonly rotate: Result<'rotateWebhookSecret'>
  readonly test: Attempt
  readonly redeliver: Result<'redeliverDeadWebhooks'>
}

/** Does something with an endpoint. */
export const actOn = <A extends keyof Actions>(id: string, action: A): Promise<Actions[A]> =>
  call(`${pathOf(id)}/${action}`, {}, { method: 'POST' })

/** The newest deliveries of an endpoint. */
export const listDeliveries = (
  id: string,
  args: { readonly state: DeliveryState | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<Deliveries> => call(`${pathOf(id)}/deliveries`, args, { signal })

export const redeliver = (deliveryId: string): Promise<Delivery> =>
  call(`/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, {}, { method: 'POST' })
