import { randomBytes } from 'node:crypto'
import { formatUpperRawAddress, parseAddressKey } from '../primitives/Address.ts'
import type { DeliveryContent } from '../store/webhooks/deliveries.ts'
import type { WebhookEndpoint } from '../store/webhooks/endpoints.ts'
import type { StreamEvent } from '../streaming/events.ts'
import { type EndpointSecrets, signRequest } from './signature.ts'

const types: Readonly<Record<StreamEvent['kind'], string>> = {
  tx: 'transactions',
  st: 'account_state_change',
  je: 'jettons_change',
  ac: 'actions',
  tr: 'trace',
  bl: 'block',
  hd: 'masterchain_head',
  expired: 'message_expired',
  invalidated: 'trace_invalidated',
  stateInvalidated: 'state_invalidated',
}

export const typeOfEvent = ({ kind }: StreamEvent): string => types[kind]

const ONE_LANE = 'blocks'
const NO_ACCOUNT = 'none'

/** Events of one lane are sent one after the other: its account, or the account that a trace began with. */
export const laneOfEvent = (event: StreamEvent): string => {
  switch (event.kind) {
    case 'bl':
    case 'hd':
      return ONE_LANE
    case 'je':
      return accountText(event.wallet.address)
    case 'st':
    case 'stateInvalidated':
      return accountText(event.account)
    case 'expired':
    case 'invalidated':
      return NO_ACCOUNT
    default:
      return accountText('account' in event ? event.account : event.trace.transactions[0]?.account)
  }
}

const accountText = (key: Uint8Array | undefined): string => {
  const address = key === undefined ? NO_ACCOUNT : parseAddressKey(key)
  return typeof address === 'string' ? NO_ACCOUNT : formatUpperRawAddress(address)
}

/** Longer contents are replaced by a link. */
const MAX_DATA_BYTES = 256 * 1024

export type MessageOptions = {
  /** Name of the network. */
  readonly network: string
  /** URL of this service, for links to events; without it they are paths. */
  readonly publicUrl: string | undefined
}

/** The body of a delivery. */
export const composeMessage = (
  { id: endpointId, isThin }: Pick<WebhookEndpoint, 'id' | 'isThin'>,
  delivery: DeliveryContent,
  { network, publicUrl = '' }: MessageOptions,
): string => {
  const { type, eventId, eventAt, lane, sequence, previousId, isReplay, isSpeculative, data = '{}' } = delivery
  const head = {
    type,
    id: eventId,
    timestamp: eventAt.toISOString(),
    network,
    endpoint_id: endpointId,
    lane,
    sequence: sequence === undefined ? null : Number(sequence),
    previous_id: previousId ?? null,
    replayed: isReplay,
  }
  const thin = JSON.stringify({
    type,
    finality: isSpeculative ? findFinality(data) : 'finalized',
    event_id: eventId,
    url: `${publicUrl}/api/streaming/v2/events/${eventId}`,
  })
  const isLong = data.length > MAX_DATA_BYTES || Buffer.byteLength(data) > MAX_DATA_BYTES
  return `${JSON.stringify(head).slice(0, -1)},"data":${isThin || isLong ? thin : data}}`
}

const findFinality = (data: string): string => {
  const { finality } = JSON.parse(data) as { readonly finality?: unknown }
  return typeof finality === 'string' ? finality : 'pending'
}

/** A message of the service itself: a test, or the news that the endpoint is disabled. */
export const composeNotice = (
  endpointId: string,
  type: 'test' | 'endpoint.disabled',
  data: Readonly<Record<string, unknown>>,
  { network }: MessageOptions,
  now: number,
): { readonly id: string; readonly body: string } => {
  const id = `${type === 'test' ? 'test' : 'disabled'}-${randomBytes(8).toString('hex')}`
  const timestamp = new Date(now).toISOString()
  const body = { type, id, timestamp, network, endpoint_id: endpointId, data: { type, ...data } }
  return { id, body: JSON.stringify(body) }
}

/** Headers of an attempt: those of the owner, and ours, which win. */
export const headersOf = (
  secrets: EndpointSecrets,
  { id, body, attempt }: { readonly id: string; readonly body: string; readonly attempt: number },
  now: number,
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(now / 1000)
  return {
    'user-agent': 'chaincenter-webhooks/1',
    ...secrets.headers,
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signRequest(secrets, { id, timestamp, body }, now),
    'webhook-attempt': String(attempt),
  }
}
