import { createHash } from 'node:crypto'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { hasScope } from '../../primitives/keyScopes.ts'
import type { Database } from '../../store/connect/Database.ts'
import { findKey } from '../../store/keys/apiKeys.ts'
import { beginRequest, endRequest } from '../../store/webhooks/requests.ts'
import { WebhookConflictError, WebhookRefusedError } from '../../webhooks/errors.ts'
import type { SecretBox } from '../../webhooks/signature.ts'
import type { WebhookLimits, WebhookOwner, WebhookService } from '../../webhooks/WebhookService.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import { stringifyJson } from '../core/json/stringifyJson.ts'
import { findForeignOrigin, findRemoteCaller } from '../core/localAccess.ts'

/** Dependencies of the webhooks interface. */
export type WebhooksContext = {
  readonly service: WebhookService
  readonly database: Pick<Database, 'transaction'>
  readonly box: SecretBox
  /** Limits of a plan; of `undefined` for callers on the same machine. */
  readonly limitsOf: (plan: string | undefined) => WebhookLimits
  /** Names of this machine besides localhost. */
  readonly allowedHosts: readonly string[]
  readonly call: Call
}

export const webhooksEndpoint = endpointFor<WebhooksContext>()

/** The caller has no key, and is not on this machine. */
class KeyRequiredError extends CodedError {
  readonly code = 'unauthorized'
  constructor() {
    super('Webhooks need an API key: send the header X-API-Key.')
  }
}

const LOCAL = 'local'

/** The owner of the API key, or `local` for programs on this machine where nothing is limited. */
export const findOwner = async ({ database, limitsOf, allowedHosts, call }: WebhooksContext): Promise<WebhookOwner> => {
  const { plan, trace, headers, remoteAddress } = call
  const limits = limitsOf(plan)
  if (trace.key !== undefined) {
    const id = trace.key
    const key = await database.transaction((client) => findKey(client, id))
    if (key !== undefined) {
      const mayStreamAll = limits.mayStreamAll || hasScope(key.scopes, 'stream:all')
      return { name: key.owner, keyId: id, limits: { ...limits, mayStreamAll } }
    }
  }
  if (plan !== undefined) throw new KeyRequiredError()
  const refusal = findRemoteCaller(remoteAddress, headers, allowedHosts)
  if (refusal !== undefined) throw new KeyRequiredError()
  // No page of another origin may act for the machine that its visitor uses.
  const foreign = findForeignOrigin(headers)
  if (foreign !== undefined) throw foreign
  return { name: LOCAL, keyId: undefined, limits }
}

const MAX_KEY_LENGTH = 255

/** Does a POST once per idempotency key and owner; the answer to a repeated one is that to the first. */
export const doOnce = async <T>(context: WebhooksContext, work: (owner: WebhookOwner) => Promise<T>): Promise<T> => {
  const owner = await findOwner(context)
  const { call, database, box } = context
  const key = call.headers['idempotency-key']
  if (key === undefined || key === '') return work(owner)
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH) {
    throw new WebhookRefusedError(`An Idempotency-Key has at most ${MAX_KEY_LENGTH} characters.`)
  }
  const { api_key: _, ...query } = call.query
  const hash = createHash('sha256')
    .update(stringifyJson([call.endpoint, query, call.body ?? null]))
    .digest()
  const about = `${owner.name} ${key}`
  const known = await database.transaction((client) => beginRequest(client, owner.name, key, hash))
  if (known !== undefined) {
    if (!bytesEqual(known.requestHash, hash)) {
      throw new WebhookConflictError('The Idempotency-Key was used for another request.')
    }
    if (known.answer === undefined) throw new WebhookConflictError('The request with this Idempotency-Key still runs.')
    return JSON.parse(box.open(about, known.answer)) as T
  }
  const end = (answer: Uint8Array | undefined): Promise<void> =>
    database.transaction((client) => endRequest(client, owner.name, key, answer))
  try {
    const result = await work(owner)
    await end(box.seal(about, stringifyJson(result)))
    return result
  } catch (error) {
    await end(undefined).catch(() => undefined)
    throw error
  }
}

/** The condition of an If-Match header: a list of entity tags, or any. */
export const readIfMatch = ({ headers }: Call): ((version: number) => boolean) => {
  const text = headers['if-match']
  if (typeof text !== 'string' || text.trim() === '*') return () => true
  const tags = text.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (version) => tags.includes(entityTag(version))
}

export const entityTag = (version: number): string => `"${version}"`
