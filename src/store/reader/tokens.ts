import type { CompiledQuery } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import type { Json } from '../schema/columns.ts'
import { type TokenMetadata, type TokenType, tokenTypes } from '../schema/contractTables.ts'
import { rawQuery } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

/** The balance of a jetton wallet, and its owner. */
export type JettonHolding = {
  readonly address: Uint8Array
  readonly owner: Uint8Array
  readonly jetton: Uint8Array
  readonly balance: bigint
}

/** A token role of an address, other than jetton wallet. One address may have several. */
export type TokenRole = {
  readonly address: Uint8Array
  readonly type: TokenType
  /** Index of an item in its collection. */
  readonly index: bigint | undefined
  /** The fetched metadata; `undefined` until it is fetched. */
  readonly said: Omit<TokenMetadata, 'error'> | undefined
}

type TokenRow = {
  address: Uint8Array
  type: TokenType | 'jetton_wallets'
  index: bigint | null
  owner: Uint8Array | null
  jetton: Uint8Array | null
  balance: bigint | null
  valid: boolean | null
  name: string | null
  description: string | null
  symbol: string | null
  image: string | null
  extra: Json | null
}

const selectionOf = (table: TokenType, index: string): string =>
  `select r.address, '${table}' as type, ${index} as index, null::bytea as owner, null::bytea as jetton, null::numeric as balance,
      m.valid, m.name, m.description, m.symbol, m.image, m.extra`

const metadataOf = (table: TokenType): string =>
  `left join address_metadata as m on m.address = r.address and m.type = '${table}' and m.valid is not null`

const armOf = (table: TokenType, index: string): string =>
  `${selectionOf(table, index)} from ${table} as r ${metadataOf(table)} where r.address = any((select addresses from asked)::bytea[])`

// Keys in an array are found by one scan of an index each; rows to join with take a scan for each key.
const TEXT = `with held as materialized (select address, owner, jetton, balance from jetton_wallets where address = any($1::bytea[])),
    asked as materialized (select $1::bytea[] || coalesce((select array_agg(jetton) from held), '{}') as addresses)
  ${armOf('jetton_masters', 'null::numeric')} union all ${armOf('nft_collections', 'null::numeric')} union all ${armOf('nft_items', 'r.index')}
  union all select address, 'jetton_wallets', null, owner, jetton, balance, null, null, null, null, null, null from held`

export const tokensQuery = (addresses: readonly Uint8Array[]): CompiledQuery<TokenRow> => rawQuery(TEXT, [addresses])

// What was fetched first: it is what the contract says, and beyond it what its document says.
const IMAGES = `select image from address_metadata where address = $1 and image is not null
  union all select content->>'image' from jetton_masters where address = $1
  union all select content->>'image' from nft_collections where address = $1
  union all select content->>'image' from nft_items where address = $1`

/** The URL of the picture of a token, as its metadata or its contract says. */
export const findTokenImage = async (reader: Reader, address: Uint8Array): Promise<string | undefined> => {
  const rows = await reader.read(rawQuery<{ image: string | null }>(IMAGES, [address]))
  return rows.find(({ image }) => image !== null && image !== '')?.image ?? undefined
}

/** The rows of an address and, for a wallet, those of its jetton. */
const pickTokens = (texts: readonly string[], rowsOf: (text: string) => readonly TokenRow[]): TokenRow[] => {
  const asked = new Set(texts)
  const own = [...asked].flatMap(rowsOf)
  const jettons = new Set(own.flatMap(({ jetton }) => (jetton === null ? [] : keyText(jetton))))
  for (const jetton of jettons) {
    if (!asked.has(jetton)) own.push(...rowsOf(jetton).filter(({ type }) => type !== 'jetton_wallets'))
  }
  return own
}

const readTokens = batchReads<Uint8Array, TokenRow>({
  queryOf: tokensQuery,
  textOf: keyText,
  textOfRow: ({ address }) => keyText(address),
  pick: pickTokens,
})

const roleText = (table: TokenType): string =>
  `${selectionOf(table, 'null::numeric')} from ${table} as r ${metadataOf(table)} where r.address = any($1::bytea[])`

/** On every node, so the coordinator itself reads them: masters, collections, and the metadata of items. */
const EVERYWHERE = `${roleText('jetton_masters')} union all ${roleText('nft_collections')}
  union all select m.address, 'nft_items', null, null, null, null, m.valid, m.name, m.description, m.symbol, m.image, m.extra
  from address_metadata as m where m.address = any($1::bytea[]) and m.type = 'nft_items' and m.valid is not null`

const readByAddress = <Row extends { readonly address: Uint8Array }>(text: string) =>
  batchReads<Uint8Array, Row>({
    queryOf: (addresses) => rawQuery(text, [addresses]),
    textOf: keyText,
    textOfRow: ({ address }) => keyText(address),
  })

const readEverywhere = readByAddress<TokenRow>(EVERYWHERE)
const readWallets = readByAddress<Pick<TokenRow, 'address' | 'owner' | 'jetton' | 'balance'>>(
  'select address, owner, jetton, balance from jetton_wallets where address = any($1::bytea[])',
)
const readIndexes = readByAddress<Pick<TokenRow, 'address' | 'index'>>(
  'select address, index from nft_items where address = any($1::bytea[])',
)

const NOTHING_SAID = { valid: null, name: null, description: null, symbol: null, image: null, extra: null }

const readRolesDistributed = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<TokenRow[]> => {
  const [found, items] = await Promise.all([readEverywhere(reader, addresses), readIndexes(reader, addresses)])
  const metadataOfItems = new Map(
    found.flatMap((row) => (row.type === 'nft_items' ? [[keyText(row.address), row] as const] : [])),
  )
  return [
    ...found.filter(({ type }) => type !== 'nft_items'),
    ...items.map(({ address, index }) => ({
      ...(metadataOfItems.get(keyText(address)) ?? { ...NOTHING_SAID, owner: null, jetton: null, balance: null }),
      ...{ address, type: 'nft_items' as const, index },
    })),
  ]
}

/** Where tokens are on workers, a join would ask all of them. The masters of wallets are as a rule among the addresses. */
const readTokensDistributed = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<TokenRow[]> => {
  const [roles, held] = await Promise.all([readRolesDistributed(reader, addresses), readWallets(reader, addresses)])
  const asked = new Set(addresses.map(keyText))
  const masters = new Map(held.map(({ jetton }) => [keyText(jetton!), jetton!]))
  const others = [...masters].flatMap(([text, jetton]) => (asked.has(text) ? [] : [jetton]))
  const ofOthers = others.length === 0 ? [] : await readRolesDistributed(reader, others)
  return [
    ...roles,
    ...ofOthers,
    ...held.map((wallet) => ({ ...NOTHING_SAID, ...wallet, type: 'jetton_wallets' as const, index: null })),
  ]
}

/** The token roles of addresses, and the jettons of wallets: masters first, then collections, then items. */
export const findTokens = async (
  reader: Reader,
  addresses: readonly Uint8Array[],
): Promise<{ readonly roles: readonly TokenRole[]; readonly wallets: readonly JettonHolding[] }> => {
  const [roles, wallets]: [TokenRole[], JettonHolding[]] = [[], []]
  for (const row of await (reader.isDistributed ? readTokensDistributed : readTokens)(reader, addresses)) {
    const { address, type } = row
    if (type === 'jetton_wallets') {
      wallets.push({ address, owner: row.owner!, jetton: row.jetton!, balance: row.balance! })
    } else roles.push({ address, type, index: row.index ?? undefined, said: toSaid(row) })
  }
  // The server returns them in any order.
  const rank = ({ type }: TokenRole): number => tokenTypes.indexOf(type)
  roles.sort((a, b) => rank(a) - rank(b) || compareBytes(a.address, b.address))
  wallets.sort((a, b) => compareBytes(a.address, b.address))
  return { roles, wallets }
}

const toSaid = ({ valid, name, description, symbol, image, extra }: TokenRow): TokenRole['said'] =>
  valid === null
    ? undefined
    : {
        valid,
        name: name ?? undefined,
        description: description ?? undefined,
        symbol: symbol ?? undefined,
        image: image ?? undefined,
        extra: (extra ?? {}) as TokenMetadata['extra'],
      }
