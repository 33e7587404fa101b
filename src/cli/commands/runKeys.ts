import { issueKey, parseKey, rotateKey } from '../../gateway/keys/keyText.ts'
import { CUSTOM_PLAN, createPlans } from '../../gateway/plans.ts'
import { formatRate } from '../../primitives/Rate.ts'
import type { Database } from '../../store/connect/Database.ts'
import { type ApiKey, isLive, listKeys, revokeKey } from '../../store/keys/apiKeys.ts'
import { dayOf, sumUsage, type UsageSum } from '../../store/keys/keyUsage.ts'
import { checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import type { CommandContext } from '../Command.ts'
import { migrate, openDatabase } from '../database/openDatabase.ts'
import { UsageError } from '../errors.ts'
import { formatColumns } from '../formatHelp.ts'
import { loadKeySecret } from '../secrets.ts'
import { dataFolder } from '../serve/gatewayOptions.ts'

/** Does what the word after `keys` says. */
export const runKeys = async (context: CommandContext, [word = '', id]: readonly string[]): Promise<void> => {
  const action = actions.get(word)
  if (action === undefined) {
    const advice = `The actions are: ${[...actions.keys()].join(', ')}.`
    throw new UsageError(`Unknown keys action ${JSON.stringify(word)}.`, advice)
  }
  if (id === undefined && (word === 'revoke' || word === 'rotate')) {
    throw new UsageError(
      `Expected the prefix of the key to ${word}, but got none.`,
      'Run "chaincenter keys list" to see the prefixes.',
    )
  }
  if (id !== undefined && (word === 'create' || word === 'list')) {
    throw new UsageError(`${word} takes no argument, but got one.`, 'Remove the argument.')
  }
  return action(context, id)
}

/** Keys, one a line. */
const formatKeys = (keys: readonly ApiKey[], now: number): string => {
  if (keys.length === 0) return 'There are no keys. Make one with: chaincenter keys create'
  return formatColumns([
    ['KEY', 'PLAN', 'SCOPES', 'OWNER', 'MADE', 'STATE', 'NOTE'],
    ...keys.map((key) => [
      key.id,
      key.rate === undefined ? key.plan : `${key.plan} ${formatRate(key.rate)}`,
      key.scopes?.join(' ') ?? '-',
      key.owner === key.id ? (key.isSelfMade ? 'a visitor' : '-') : key.owner,
      dayText(key.createdAt),
      describeState(key, now),
      key.note ?? '',
    ]),
  ])
}

const describeState = (key: ApiKey, now: number): string => {
  if (key.revokedAt !== undefined) return `revoked ${dayText(key.revokedAt)}`
  if (!isLive(key, now)) return `replaced by ${key.replacedBy ?? 'another'}`
  return key.expiresAt === undefined ? 'works' : `works until ${key.expiresAt.toISOString().slice(0, 16)}Z`
}

/** What was asked, most first. */
const formatUsage = (sums: readonly UsageSum[], days: number): string => {
  if (sums.length === 0) return `No key asked anything in the last ${days} days.`
  return formatColumns([
    ['KEY', 'ENDPOINT', 'REQUESTS', 'OVER LIMIT', 'FAILED'],
    ...sums.map(({ keyId, endpoint, requests, refused, failed }) => [
      keyId,
      endpoint,
      String(requests),
      String(refused),
      String(failed),
    ]),
  ])
}

const dayText = (date: Date): string => date.toISOString().slice(0, 10)

type Action = (context: CommandContext, word: string | undefined) => Promise<void>

const create: Action = async (context) => {
  const { config, logger, shutdown, show } = context
  const { network, plan, rate, owner, note } = config
  const scopes = config.scopes.length === 0 ? undefined : config.scopes
  const plans = createPlans(config.plans)
  if (!plans.has(plan)) {
    throw new UsageError(
      `Unknown plan ${JSON.stringify(plan)}.`,
      `The plans are: ${[...plans.keys()].join(', ')}. Others can be named with --define-plan.`,
    )
  }
  if ((rate !== undefined) !== (plan === CUSTOM_PLAN)) {
    const message =
      rate === undefined ? 'The plan custom needs a rate.' : 'A rate can be given with --plan custom only.'
    throw new UsageError(message, 'Usage: chaincenter keys create --plan custom --rate 500:1000')
  }
  const database = await openDatabase(context)
  await migrate(database, logger, shutdown.signal)
  const secret = await secretOf(context, database)
  const key = { network, plan, scopes, rate, owner, note, isSelfMade: false }
  const { id, text } = await database.transaction((client) => issueKey(client, secret, key))
  const allowed = formatRate(rate ?? plans.get(plan)!.rate)
  show({
    text: `${text}\n\nThis is the only time it is shown. It is called ${id}, is for the network ${network}, and may ask ${allowed} times a second.`,
    value: { key: text, id, network, plan, scopes, rate: allowed },
  })
}

const rotate: Action = async (context, word = '') => {
  const database = await openReady(context)
  const secret = await secretOf(context, database)
  const id = toId(word)
  const made = await database.transaction((client) => rotateKey(client, secret, id, context.config.overlap))
  if (made === undefined) throw unknown(id)
  const { text, id: newId, until } = made
  context.show({
    text: `${text}\n\nThis is the only time it is shown. It is called ${newId}. The key ${id} goes on working until ${until.toISOString()}.`,
    value: { key: text, id: newId, replaces: id, until },
  })
}

const revoke: Action = async (context, word = '') => {
  const database = await openReady(context)
  const id = toId(word)
  const key = await database.transaction((client) => revokeKey(client, id, new Date()))
  if (key === undefined) throw unknown(id)
  context.show({ text: `The key ${id} is revoked.`, value: { id, revokedAt: key.revokedAt } })
}

const list: Action = async (context) => {
  const database = await openReady(context)
  const keys = await database.transaction(listKeys)
  const value = keys.map(({ hash: _, rate, ...key }) => ({ ...key, rate: rate && formatRate(rate) }))
  context.show({ text: formatKeys(keys, Date.now()), value: { keys: value } })
}

const usage: Action = async (context, word) => {
  const { days } = context.config
  const database = await openReady(context)
  const id = word === undefined ? undefined : toId(word)
  const sums = await database.transaction((client) => sumUsage(client, dayOf(Date.now()) - days + 1, id))
  const value = sums.map(({ lastDay, ...sum }) => ({
    ...sum,
    lastDay: new Date(lastDay * 86_400_000).toISOString().slice(0, 10),
  }))
  context.show({ text: formatUsage(sums, days), value: { days, usage: value } })
}

const actions: ReadonlyMap<string, Action> = new Map([
  ['create', create],
  ['list', list],
  ['revoke', revoke],
  ['rotate', rotate],
  ['usage', usage],
])

const openReady = async (context: CommandContext): Promise<Database> => {
  const database = await openDatabase(context)
  checkUpToDate(await database.transaction(readApplied), listMigrations())
  return database
}

const secretOf = ({ config, workingDir }: CommandContext, database: Database): Promise<Uint8Array> =>
  loadKeySecret({ given: config.keysSecret?.reveal(), folder: dataFolder(config, workingDir) }, database)

/** A full key stands for its id; the full key is never printed. */
const toId = (word: string): string => parseKey(word)?.id ?? word

const unknown = (id: string): UsageError =>
  new UsageError(
    `No active API key starts with ${JSON.stringify(id.slice(0, MAX_SHOWN))}.`,
    'Run "chaincenter keys list" to see the active keys.',
  )

// Shows the public prefix only, in case a full key was given with a typo.
const MAX_SHOWN = 18
