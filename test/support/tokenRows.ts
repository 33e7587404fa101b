import type { Database } from '../../src/store/connect/Database.ts'
import type { Json } from '../../src/store/schema/columns.ts'
import type { TokenType } from '../../src/store/schema/contractTables.ts'

export type TokenRow = {
  readonly type: TokenType
  /** Makes the address. */
  readonly number: number
  readonly content: Json
  readonly sinceLt?: bigint
}

export const tokenAddress = (number: number): Buffer => {
  const bytes = Buffer.alloc(33)
  bytes.writeUInt32BE(number, 29)
  return bytes
}

const ownColumns: Record<TokenType, string> = {
  jetton_masters: 'mintable, total_supply, wallet_code_hash',
  nft_collections: 'next_item_index',
  nft_items: 'init, index',
}

const ownValues: Record<TokenType, string> = {
  jetton_masters: `true, 0, '\\x00'`,
  nft_collections: '0',
  nft_items: 'true, 0',
}

/** Puts tokens into the tables of the index as its writer would; those that are there get the new content. */
export const putTokens = (database: Database, rows: readonly TokenRow[]): Promise<void> =>
  database.transaction(async (client) => {
    for (const { type, number, content, sinceLt = BigInt(number) } of rows) {
      await client.query(
        `INSERT INTO ${type} (address, since_lt, last_lt, content, code_hash, data_hash, ${ownColumns[type]})
         VALUES ($1, $2, $2, $3, '\\x00', '\\x00', ${ownValues[type]})
         ON CONFLICT (address) DO UPDATE SET content = excluded.content`,
        [tokenAddress(number), sinceLt, content === null ? null : JSON.stringify(content)],
      )
    }
  })

export type MetadataRow = {
  readonly number: number
  readonly type: TokenType
  readonly tries: number
  readonly valid: boolean | null
  readonly name: string | null
  readonly description: string | null
  readonly symbol: string | null
  readonly image: string | null
  readonly extra: Json
  readonly error: string | null
  /** Seconds from now. */
  readonly next: number
}

export const readMetadataRows = (database: Database): Promise<MetadataRow[]> =>
  database.transaction(async (client) => {
    const { rows } = await client.query<Omit<MetadataRow, 'number'> & { address: Buffer }>(
      `SELECT address, type, tries, valid, name, description, symbol, image, extra, error,
         extract(epoch FROM next_try_at - clock_timestamp())::float8 AS next
       FROM address_metadata ORDER BY address, type`,
    )
    return rows.map(({ address, ...row }) => ({ number: address.readUInt32BE(29), ...row }))
  })

/** Lets time pass for the tasks: everything is due so much earlier. */
export const passTime = async (database: Database, seconds: number): Promise<void> => {
  await database.transaction((client) =>
    client.query('UPDATE address_metadata SET next_try_at = next_try_at - make_interval(secs => $1)', [seconds]),
  )
}
