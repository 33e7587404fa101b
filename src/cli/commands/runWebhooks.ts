import { CodedError } from '../../primitives/errors.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { formatColumns } from '../formatHelp.ts'

type Json = { readonly [name: string]: unknown }

/** Does what the word after `webhooks` says, by the API of a running service. */
export const runWebhooks = async (
  context: CommandContext,
  [word = '', target, ...rest]: readonly string[],
): Promise<void | number> => {
  const action = actions.get(word)
  if (action === undefined) {
    const advice = `The actions are: ${[...actions.keys()].join(', ')}.`
    throw new UsageError(`Unknown webhooks action ${JSON.stringify(word)}.`, advice)
  }
  const { expects, run } = action
  if (expects === undefined && target !== undefined) {
    throw new UsageError(`${word} takes no argument, but got one.`, 'Remove the argument.')
  }
  if (expects !== undefined && target === undefined) {
    throw new UsageError(`Expected ${expects} after ${word}, but got none.`, 'Run "chaincenter help webhooks".')
  }
  return run(context, target ?? '', rest)
}

/** The service refused a request, or is unreachable. */
class WebhooksRefusedError extends CodedError {
  readonly code = 'webhooks_refused'
}

const TIMEOUT_MS = 60_000

const ask = async ({ config, shutdown }: CommandContext, method: string, path: string, body?: Json): Promise<Json> => {
  const base = String(config.url ?? `http://127.0.0.1:${config.port}`).replace(/\/+$/, '')
  const key = config.apiKey?.reveal()
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'x-api-key': key }),
  }
  try {
    const response = await fetch(`${base}/api/webhooks/v1/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([shutdown.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await response.text()
    const answer = text === '' ? {} : (JSON.parse(text) as Json)
    if (response.ok) return answer
    throw new WebhooksRefusedError(`The service answered with status ${response.status}: ${String(answer['error'])}`)
  } catch (error) {
    if (error instanceof CodedError) throw error
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WebhooksRefusedError(`The service at ${base} could not be asked: ${reason}`, { cause: error })
  }
}

const list = async (context: CommandContext): Promise<void> => {
  const answer = await ask(context, 'GET', 'endpoints?limit=100')
  const endpoints = answer['endpoints'] as readonly Json[]
  const rows = endpoints.map((endpoint) => {
    const { waiting, dead } = endpoint['lag'] as { readonly waiting: number; readonly dead: number }
    const reason = endpoint['disabled_reason']
    const state = reason === null ? String(endpoint['state']) : `${String(endpoint['state'])} (${String(reason)})`
    return [endpoint['id'], state, String(waiting), String(dead), endpoint['url'], endpoint['description'] ?? '']
  })
  const text =
    rows.length === 0
      ? 'There are no endpoints. Make one with: chaincenter webhooks add'
      : formatColumns([['ENDPOINT', 'STATE', 'WAITING', 'DEAD', 'URL', 'DESCRIPTION'], ...rows])
  context.show({ text, value: { endpoints } })
}

/** Fields of an endpoint; the others belong to its subscription. */
const ownFields = ['description', 'ordering', 'thin', 'signature', 'enabled', 'since']
const lists = ['types', 'addresses', 'trace_external_hash_norms', 'action_types', 'supported_action_types']

/** Fields as name=value, or a subscription as one JSON object. */
const readFields = (words: readonly string[]): Json => {
  const fields: Record<string, unknown> = {}
  let subscription: Record<string, unknown> = {}
  for (const word of words) {
    if (word.startsWith('{')) {
      subscription = { ...subscription, ...(readJson(word) as Json) }
      continue
    }
    const at = word.indexOf('=')
    if (at < 1) throw new UsageError(`Expected name=value, but got ${JSON.stringify(word)}.`, USAGE)
    const name = word.slice(0, at)
    const value = readValue(word.slice(at + 1))
    if (ownFields.includes(name)) fields[name] = value
    else if (lists.includes(name)) {
      const before = (subscription[name] as readonly unknown[] | undefined) ?? []
      subscription[name] = [...before, ...(Array.isArray(value) ? value : String(value).split(','))]
    } else subscription[name] = value
  }
  return { ...fields, subscription }
}

const USAGE = 'Usage: chaincenter webhooks add URL types=transactions addresses=EQ…'

const readValue = (text: string): unknown => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^[{[]/.test(text) ? readJson(text) : text
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`Expected JSON, but got ${JSON.stringify(text.slice(0, 80))}.`, USAGE)
  }
}

const describeTest = (test: Json): string =>
  test['ok'] === true
    ? `The test was accepted with status ${String(test['status'])} in ${String(test['duration_ms'])} ms.`
    : `The test failed: ${String(test['error'] ?? `status ${String(test['status'])}`)}.`

const add = async (context: CommandContext, url: string, words: readonly string[]): Promise<void> => {
  const made = await ask(context, 'POST', 'endpoints', { url, ...readFields(words) })
  const secret = made['secret'] ?? made['public_key']
  const about = made['secret'] === undefined ? 'Its public key:' : 'Its secret, which is shown only now:'
  context.show({
    text: `${String(made['id'])} is registered. ${about}\n\n${String(secret)}\n\n${describeTest(made['test'] as Json)}`,
    value: made,
  })
}

const test = async (context: CommandContext, id: string): Promise<number> => {
  const tried = await ask(context, 'POST', `endpoints/${encodeURIComponent(id)}/test`)
  const body = String(tried['body'])
  context.show({ text: `${describeTest(tried)}${body === '' ? '' : `\n\n${body}`}`, value: tried })
  return tried['ok'] === true ? 0 : 1
}

const remove = async (context: CommandContext, id: string): Promise<void> => {
  await ask(context, 'DELETE', `endpoints/${encodeURIComponent(id)}`)
  context.show({ text: `The endpoint ${id} is deleted.`, value: { id } })
}

const deliveries = async (context: CommandContext, id: string, words: readonly string[]): Promise<void> => {
  const query = new URLSearchParams()
  for (const word of words) {
    const [, name = '', value = ''] = /^(state|limit|cursor)=(\w+)$/.exec(word) ?? []
    if (name === '') {
      throw new UsageError(
        `Expected state=, limit= or cursor=, but got ${JSON.stringify(word)}.`,
        'Usage: chaincenter webhooks deliveries ENDPOINT state=dead',
      )
    }
    query.set(name, value)
  }
  const answer = await ask(context, 'GET', `endpoints/${encodeURIComponent(id)}/deliveries?${query}`)
  const rows = (answer['deliveries'] as readonly Json[]).map((each) => {
    const last = (each['log'] as readonly Json[]).at(-1)
    const outcome = last === undefined ? '-' : String(last['error'] ?? last['status'])
    return [each['id'], each['state'], String(each['attempts']), outcome, each['created_at'], each['event_id']]
  })
  const text =
    rows.length === 0
      ? 'There are no deliveries.'
      : formatColumns([['DELIVERY', 'STATE', 'ATTEMPTS', 'LAST', 'MADE', 'EVENT'], ...rows])
  context.show({ text, value: answer })
}

const redeliver = async (context: CommandContext, id: string): Promise<void> => {
  if (id.startsWith('wd_')) {
    const delivery = await ask(context, 'POST', `deliveries/${encodeURIComponent(id)}/redeliver`)
    context.show({ text: `Redelivering ${id}.`, value: delivery })
    return
  }
  const answer = await ask(context, 'POST', `endpoints/${encodeURIComponent(id)}/redeliver`)
  context.show({ text: `${String(answer['redelivered'])} dead deliveries queued again.`, value: answer })
}

type Action = {
  /** What must follow; nothing may if it is absent. */
  readonly expects?: string
  readonly run: (context: CommandContext, target: string, words: readonly string[]) => Promise<void | number>
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', { run: list }],
  ['add', { expects: 'a URL', run: add }],
  ['test', { expects: 'the id of an endpoint', run: test }],
  ['remove', { expects: 'the id of an endpoint', run: remove }],
  ['deliveries', { expects: 'the id of an endpoint', run: deliveries }],
  ['redeliver', { expects: 'the id of a delivery or an endpoint', run: redeliver }],
])
