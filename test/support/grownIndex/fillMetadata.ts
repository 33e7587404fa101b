import type { Database } from '../../../src/store/connect/Database.ts'
import {
  claimTasks,
  finishTasks,
  type MetadataTask,
  queueTokens,
  type TokenPage,
  type TokenPosition,
} from '../../../src/store/metadata/metadataTasks.ts'
import { type TokenMetadata, type TokenType, tokenTypes } from '../../../src/store/schema/contractTables.ts'

const PAGE = 1000
const CLAIM_MS = 60_000
/** Long enough for nobody to look for it again. */
const REFRESH_MS = 3650 * 86_400_000

/** Gives every token metadata, as if all that its content names had been found at once. */
export const fillMetadata = async (database: Pick<Database, 'transaction'>): Promise<void> => {
  for (const type of tokenTypes) await queueAll(database, type)
  for (;;) {
    const isDone = await database.transaction(async (client) => {
      const tasks = await claimTasks(client, PAGE, CLAIM_MS)
      const ends = tasks.map((task) => ({ kind: 'found' as const, task, tries: 0, metadata: describe(task) }))
      await finishTasks(client, ends, REFRESH_MS)
      return tasks.length === 0
    })
    if (isDone) return
  }
}

const queueAll = async (database: Pick<Database, 'transaction'>, type: TokenType): Promise<void> => {
  let from: TokenPosition | undefined = { sinceLt: 0n, address: new Uint8Array(0) }
  while (from !== undefined) {
    const page: TokenPage = { type, direction: 'newer', from, limit: PAGE }
    from = (await database.transaction((client) => queueTokens(client, page))).last
  }
}

const describe = ({ type, address, content }: MetadataTask): TokenMetadata => {
  const said = typeof content === 'object' && content !== null && !Array.isArray(content) ? content : {}
  const { name, symbol, description, image, ...extra } = said as Record<string, string>
  const number = Buffer.from(address.subarray(1, 5)).toString('hex')
  return {
    valid: true,
    name: name ?? `${type === 'nft_items' ? 'Item' : 'Collection'} ${number}`,
    description: description ?? `Of the token that begins with ${number}.`,
    symbol,
    image: image ?? `https://demo.invalid/${number}.png`,
    extra,
    error: undefined,
  }
}
