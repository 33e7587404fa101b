import type { Database } from '../../store/connect/Database.ts'
import type { Tables } from '../../store/tables.ts'
import type { KnownContracts, KnownToken } from './KnownContracts.ts'

type WalletFacts = Pick<Tables['jetton_wallets'], 'address' | 'code_hash' | 'last_lt' | 'owner' | 'jetton'>
type ItemFacts = Pick<Tables['nft_items'], 'address' | 'code_hash' | 'last_lt' | 'index' | 'collection_address'>

/** What the database knows. The server that is written to is asked, since a replica may not have it yet. */
export const createKnownContracts = (database: Pick<Database, 'transaction'>): KnownContracts => ({
  findTokens: (accounts) =>
    database.transaction(async (client) => {
      const { rows: wallets } = await client.query<WalletFacts>(
        'SELECT address, code_hash, last_lt, owner, jetton FROM jetton_wallets WHERE address = ANY ($1::bytea[])',
        [accounts],
      )
      const { rows: items } = await client.query<ItemFacts>(
        'SELECT address, code_hash, last_lt, index, collection_address FROM nft_items WHERE address = ANY ($1::bytea[])',
        [accounts],
      )
      return [...wallets.map(toWallet), ...items.map(toItem)]
    }),
  readWallets: (accounts) =>
    database.transaction(async (client) => {
      const sql = 'SELECT * FROM jetton_wallets WHERE address = ANY ($1::bytea[])'
      return (await client.query<Tables['jetton_wallets']>(sql, [accounts])).rows
    }),
  readItems: (accounts) =>
    database.transaction(async (client) => {
      const sql = 'SELECT * FROM nft_items WHERE address = ANY ($1::bytea[])'
      return (await client.query<Tables['nft_items']>(sql, [accounts])).rows
    }),
  findStoredCodes: (codeHashes) =>
    database.transaction(async (client) => {
      const { rows } = await client.query<Pick<Tables['codes'], 'code_hash'>>(
        'SELECT code_hash FROM codes WHERE code_hash = ANY ($1::bytea[])',
        [codeHashes],
      )
      return rows.map(({ code_hash }) => code_hash)
    }),
})

const toWallet = ({ address, code_hash, last_lt, owner, jetton }: WalletFacts): KnownToken => ({
  kind: 'jettonWallet',
  account: address,
  codeHash: code_hash,
  lastLt: last_lt,
  owner,
  master: jetton,
})

const toItem = ({ address, code_hash, last_lt, index, collection_address }: ItemFacts): KnownToken => ({
  kind: 'nftItem',
  account: address,
  codeHash: code_hash,
  lastLt: last_lt,
  index,
  collection: collection_address ?? undefined,
})
