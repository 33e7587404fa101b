import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { rawQuery } from './sql.ts'

/** As much of a name as is indexed (migration 0018). */
export const MAX_PREFIX_LENGTH = 64
/** Characters of a name or comment that are shown: contracts may have names of any length. */
const MAX_SHOWN = 200
/** Matches that are ranked; of a shorter prefix there may be more. */
const MAX_RANKED = 200
/** Comments are not indexed: so many of the newest actions are looked through. */
const MAX_ACTIONS = 2000

export type FoundToken = {
  readonly address: Uint8Array
  readonly type: 'jetton_masters' | 'nft_collections'
  readonly name: string | undefined
  readonly symbol: string | undefined
}

type TokenRow = { address: Uint8Array; type: FoundToken['type']; name: string | null; symbol: string | null }

const keyOf = (text: string): string => `left(lower(${text}), 64) collate "C"`

/** U+10FFFF sorts after every other character. */
const hasPrefix = (text: string): string =>
  `${keyOf(text)} >= ${keyOf('$1::text')} and ${keyOf(text)} < ${keyOf('$1::text')} || U&'\\+10FFFF'`

const contentArm = (table: FoundToken['type'], member: string): string =>
  `(select address from ${table} where ${hasPrefix(`(content ->> '${member}')`)} order by ${keyOf(`(content ->> '${member}')`)} limit ${MAX_RANKED})`

const metadataArm = (column: string): string =>
  `(select address from address_metadata where type in ('jetton_masters', 'nft_collections') and ${hasPrefix(column)} order by ${keyOf(column)} limit ${MAX_RANKED})`

const roleArm = (table: FoundToken['type'], symbol: string): string =>
  `select r.address, '${table}' as type, left(coalesce(m.name, r.content ->> 'name'), ${MAX_SHOWN}) as name, left(${symbol}, ${MAX_SHOWN}) as symbol, r.since_lt
    from found as f join ${table} as r on r.address = f.address
    left join address_metadata as m on m.address = r.address and m.type = '${table}' and m.valid`

// Of many with the same name, the oldest is most often the one that is meant.
const TOKENS = `with found as materialized (
    ${[contentArm('jetton_masters', 'symbol'), contentArm('jetton_masters', 'name'), contentArm('nft_collections', 'name'), metadataArm('symbol'), metadataArm('name')].join(' union ')}
  )
  select address, type, name, symbol from (
    ${roleArm('jetton_masters', "coalesce(m.symbol, r.content ->> 'symbol')")} union all ${roleArm('nft_collections', 'null::text')}
  ) as roles
  order by lower($1::text) in (lower(symbol), lower(name)) desc nulls last, since_lt, address limit $2`

const tokenSearchQuery = (prefix: string, limit: number): CompiledQuery<TokenRow> => rawQuery(TOKENS, [prefix, limit])

/** Jettons and collections whose name or symbol begins with a text, whatever its case: those with the very name first, then the oldest. */
export const searchTokens = async (
  reader: Reader,
  prefix: string,
  limit: number,
  timeoutMs: number,
): Promise<FoundToken[]> => {
  const rows = await reader.read(tokenSearchQuery(prefix, limit), timeoutMs)
  return rows.map(({ name, symbol, ...row }) => ({ ...row, name: name ?? undefined, symbol: symbol ?? undefined }))
}

export type FoundComment = { readonly traceId: Uint8Array; readonly utime: number; readonly comment: string }

type CommentRow = { trace_id: Uint8Array; end_utime: number; comment: string }

const COMMENTS = `select trace_id, end_utime, comment from (
    select trace_id, end_utime, trace_end_lt, left(details ->> 'comment', ${MAX_SHOWN}) as comment, details -> 'encrypted' as encrypted
    from actions order by trace_end_lt desc limit ${MAX_ACTIONS}
  ) as newest
  where starts_with(lower(comment), lower($1::text)) and encrypted is distinct from 'true'::jsonb
  order by trace_end_lt desc limit $2`

const commentSearchQuery = (prefix: string, limit: number): CompiledQuery<CommentRow> =>
  rawQuery(COMMENTS, [prefix, limit])

/** Newest actions whose comment begins with a text, whatever its case. */
export const searchComments = async (
  reader: Reader,
  prefix: string,
  limit: number,
  timeoutMs: number,
): Promise<FoundComment[]> => {
  const rows = await reader.read(commentSearchQuery(prefix, limit), timeoutMs)
  return rows.map(({ trace_id: traceId, end_utime: utime, comment }) => ({ traceId, utime, comment }))
}
