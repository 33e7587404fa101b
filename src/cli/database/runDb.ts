import { distributeTables } from '../../store/maintenance/distributeTables.ts'
import { readStatus } from '../../store/maintenance/status.ts'
import { listMigrations, migrateDatabase } from '../../store/migrate/migrateDatabase.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { formatStatus } from './formatStatus.ts'
import { openDatabase } from './openDatabase.ts'
import { runReclassify } from './runReclassify.ts'
import { runRepair } from './runRepair.ts'
import { runRewind } from './runRewind.ts'
import { runVerify } from './runVerify.ts'

type Action = (context: CommandContext, words: readonly string[]) => Promise<number | void>

/** Does what the word after `db` says. */
export const runDb = async (
  context: CommandContext,
  [word = '', ...rest]: readonly string[],
): Promise<number | void> => {
  const action = actions.get(word)
  if (action === undefined) {
    const advice = `What it can do: ${[...actions.keys()].join(', ')}.`
    throw new UsageError(`There is nothing called ${JSON.stringify(word)} to do with a database.`, advice)
  }
  if (rest.length > 0 && action !== runRewind) {
    throw new UsageError(`${word} takes no word after it, but ${JSON.stringify(rest[0])} came.`, 'Leave it away.')
  }
  return action(context, rest)
}

const migrate: Action = async (context) => {
  const { config, logger, shutdown, show } = context
  const database = await openDatabase(context)
  const client = await database.openConnection('migrate')
  try {
    const applied = await migrateDatabase(client, { logger, signal: shutdown.signal })
    const distributed = config.distribute ? await distributeTables(client) : []
    const total = listMigrations().length
    const lines = applied.map(({ number, name }) => `applied ${String(number).padStart(4, '0')} ${name}`)
    const spread = distributed.map((table) => `distributed ${table}`)
    show({
      text: [
        ...lines,
        ...spread,
        `The database is up to date: ${total} ${total === 1 ? 'migration' : 'migrations'}.`,
      ].join('\n'),
      value: { applied: applied.map(({ number, name }) => ({ number, name })), distributed, total },
    })
  } finally {
    await client.end()
  }
}

const status: Action = async (context) => {
  const database = await openDatabase(context)
  const client = await database.openConnection('status')
  try {
    const value = await readStatus(client)
    context.show({ text: formatStatus(value), value })
  } finally {
    await client.end()
  }
}

const actions: ReadonlyMap<string, Action> = new Map([
  ['migrate', migrate],
  ['status', status],
  ['verify', runVerify],
  ['repair', runRepair],
  ['reclassify', runReclassify],
  ['rewind', runRewind],
])
