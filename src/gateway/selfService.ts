import { findForeignOrigin } from '../api/core/localAccess.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '../api/core/PlainRoute.ts'
import type { Logger } from '../observe/Logger.ts'
import { CodedError } from '../primitives/errors.ts'
import type { Database } from '../store/connect/Database.ts'
import { countSelfMade } from '../store/keys/apiKeys.ts'
import { dayOf } from '../store/keys/keyUsage.ts'
import { type FindAddress, nameCaller } from './clientAddress.ts'
import { MemoryCounters } from './counters/MemoryCounters.ts'
import { hashAddress, type IssuedKey, issueKey } from './keys/keyText.ts'
import { FREE_PLAN, type Plans } from './plans.ts'

export type KeyPage = {
  /** The new key, shown only here. */
  readonly key: string | undefined
  readonly error: string | undefined
  readonly perSecond: number
  readonly network: string
  /** The path below which the service is. */
  readonly base: string
}

/** Forms without scripts. */
const renderKeyPage = ({
  key,
  error,
  perSecond,
  network,
  base,
}: KeyPage): string => `<div class="page-head"><h1>API key</h1></div>
<section class="card"><div class="card-text stack">
${key === undefined ? renderOffer(perSecond, network, base) : renderKey(key)}
</div></section>
${error === undefined ? '' : `<div class="note is-bad" role="alert"><p>${escapeHtml(error)}</p></div>`}`

const renderOffer = (
  perSecond: number,
  network: string,
  base: string,
): string => `<p>A key of the free plan raises the rate limit from 1 to
${perSecond} requests per second. It is for the network <b>${escapeHtml(network)}</b>, and costs nothing.</p>
<form method="post" action="${base}/keys"><button type="submit" class="button is-main">Create a key</button></form>`

const renderKey = (key: string): string => `<p>This is your API key. Store it now: it is shown only once.</p>
<pre id="key" class="key-text mono" tabindex="0">${escapeHtml(key)}</pre>
<p>Send it with every request, in the header <code>X-API-Key</code>:</p>
<pre class="key-text mono" tabindex="0">curl -H 'X-API-Key: ${escapeHtml(key)}' …/api/v2/getMasterchainInfo</pre>`

const entities: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!)

export type SelfServiceOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly secret: Uint8Array
  readonly network: string
  readonly plans: Plans
  /** Maximum keys per client address and day. */
  readonly maxPerDay: number
  readonly findAddress: FindAddress
  /** Called after a key is created, so that it works at once. */
  readonly onIssued: () => Promise<void>
  /** Puts HTML into the frame of all pages. */
  readonly renderPage: (title: string, network: string, body: string, base: string) => Promise<string>
  readonly logger: Logger
}

/** The page depends on the client, so it is not cached; it loads the style of this server and nothing else. */
const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // With no-referrer, browsers would send no origin for the form.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The sign-up page for free-plan API keys: HTML without scripts, or JSON for programs. */
export const selfServiceRoutes = (options: SelfServiceOptions): readonly PlainRoute[] => {
  const counters = new MemoryCounters()
  return [
    { method: 'GET', path: '/keys', answer: (request) => present(request, options, 200, {}) },
    { method: 'POST', path: '/keys', answer: (request) => answerPost(request, options, counters) },
  ]
}

/** Rate limit of the form, to protect the database. */
const PRESS_RATE = { perSecond: 1, burst: 10 }

const answerPost = async (
  request: PlainRequest,
  options: SelfServiceOptions,
  counters: MemoryCounters,
): Promise<PlainAnswer> => {
  const foreign = findForeignOrigin(request.headers)
  if (foreign !== undefined) return present(request, options, 403, { error: foreign.message })
  const caller = nameCaller(options.findAddress(request.remoteAddress, request.headers))
  if (!counters.take(caller, PRESS_RATE).isAllowed) {
    return present(request, options, 429, { error: 'Too many requests. Try again in a moment.' })
  }
  try {
    const issued = await make(caller, options)
    if (issued === undefined) {
      const error = `At most ${options.maxPerDay} keys can be created per IP address and day. Try again tomorrow.`
      return present(request, options, 429, { error })
    }
    options.logger.info('API key created by self service', { key: issued.id })
    await options.onIssued()
    return present(request, options, 200, { issued })
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    options.logger.warn('API key creation failed', { error })
    return present(request, options, 503, { error: 'The key could not be created. Try again in a moment.' })
  }
}

/** Creates a key unless the daily limit of the address is reached. */
const make = (caller: string, options: SelfServiceOptions): Promise<IssuedKey | undefined> => {
  const { database, secret, network, maxPerDay } = options
  return database.transaction(async (client) => {
    const count = await countSelfMade(client, hashAddress(secret, caller), dayOf(Date.now()))
    if (count > maxPerDay) return undefined
    return issueKey(client, secret, { network, plan: FREE_PLAN, rate: undefined, note: undefined, isSelfMade: true })
  })
}

type Outcome = { readonly issued?: IssuedKey; readonly error?: string }

const present = async (
  { headers: { accept = '' }, base }: PlainRequest,
  { plans, network, renderPage }: SelfServiceOptions,
  status: number,
  { issued, error }: Outcome,
): Promise<PlainAnswer> => {
  const { perSecond } = plans.get(FREE_PLAN)!.rate
  if (/\bapplication\/json\b/.test(accept)) {
    const body = error === undefined ? { plan: FREE_PLAN, perSecond, network, key: issued?.text } : { error }
    const headers = { ...pageHeaders, 'content-type': 'application/json; charset=utf-8' }
    return { status, headers, body: JSON.stringify(body) }
  }
  const body = await renderPage(
    'API key',
    network,
    renderKeyPage({ key: issued?.text, error, perSecond, network, base }),
    base,
  )
  return { status, headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' }, body }
}
