import type { ContractState } from '../../chain/ports.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { Tables, tables } from '../../store/schema/tables.ts'

/** A token contract verified by its parent, as stored. Addresses as in the store. */
export type StoredToken = {
  readonly account: Uint8Array
  /** Its code at that time. */
  readonly codeHash: Uint8Array
  /** Logical time of its newest known state. */
  readonly lastLt: bigint
} & (
  | { readonly kind: 'jettonWallet'; readonly owner: Uint8Array; readonly master: Uint8Array }
  | { readonly kind: 'nftItem'; readonly index: bigint; readonly collection: Uint8Array | undefined }
)

export type WalletRow = CopyRow<typeof tables.jetton_wallets>
export type ItemRow = CopyRow<typeof tables.nft_items>

/** Contracts in the store. */
export interface StoredContracts {
  /** The tokens among these accounts. An account may be of both kinds. */
  findTokens(accounts: readonly Uint8Array[]): Promise<readonly StoredToken[]>
  /** The stored rows. */
  readWallets(accounts: readonly Uint8Array[]): Promise<readonly WalletRow[]>
  readItems(accounts: readonly Uint8Array[]): Promise<readonly ItemRow[]>
  /** The hashes whose code is stored. */
  findStoredCodes(codeHashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
}

type WalletFacts = Pick<Tables['jetton_wallets'], 'address' | 'code_hash' | 'last_lt' | 'owner' | 'jetton'>
type ItemFacts = Pick<Tables['nft_items'], 'address' | 'code_hash' | 'last_lt' | 'index' | 'collection_address'>

/** Reads from the writer, since a replica may lag. */
export const createStoredContracts = (database: Pick<Database, 'transaction'>): StoredContracts => ({
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

const toWallet = ({ address, code_hash, last_lt, owner, jetton }: WalletFacts): StoredToken => ({
  kind: 'jettonWallet',
  account: address,
  codeHash: code_hash,
  lastLt: last_lt,
  owner,
  master: jetton,
})

const toItem = ({ address, code_hash, last_lt, index, collection_address }: ItemFacts): StoredToken => ({
  kind: 'nftItem',
  account: address,
  codeHash: code_hash,
  lastLt: last_lt,
  index,
  collection: collection_address ?? undefined,
})

/** A contract to inspect: the newest state of an account in the batch. */
export type Subject = {
  readonly contract: ContractState
  /** The address as in the store, and as text for map keys. */
  readonly account: Uint8Array
  readonly key: string
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  /** Logical time of the earliest state in the batch with the same code. */
  readonly sinceLt: bigint
  readonly lastLt: bigint
  /** Method ids of the code; empty if unknown. */
  readonly methods: ReadonlySet<number>
}

/** Columns shared by all contract tables. */
export const commonColumns = ({ sinceLt, lastLt, account, codeHash, dataHash }: Subject) => ({
  since_lt: sinceLt,
  last_lt: lastLt,
  address: account,
  code_hash: codeHash,
  data_hash: dataHash,
})

type TokenKind = StoredToken['kind']
type TokenOf<K extends TokenKind> = Extract<StoredToken, { readonly kind: K }>

const ENTRY_BYTES = 512

/**
 * Tokens verified by their parents. Verifying once is enough: a parent derives the address of a child from constants, its own
 * address, the child's code, and the owner or index. So a contract at the same address, with the same code and the same claim,
 * gets the same answer. That saves a run and a read of the parent for every transfer after the first. If a parent changes the
 * code for new children, older ones stay valid.
 */
export class VerifiedTokens {
  private readonly tokens: LruCache<StoredToken>

  constructor(maxBytes: number) {
    this.tokens = new LruCache(maxBytes)
  }

  find<K extends TokenKind>(kind: K, account: string): TokenOf<K> | undefined {
    return this.tokens.find(`${kind} ${account}`) as TokenOf<K> | undefined
  }

  /** The token as it was with this code. */
  findWithCode<K extends TokenKind>(kind: K, account: string, codeHash: Uint8Array): TokenOf<K> | undefined {
    const token = this.find(kind, account)
    return token !== undefined && bytesEqual(token.codeHash, codeHash) ? token : undefined
  }

  /** Keeps the data of a newer state. */
  add(token: StoredToken): void {
    const key = `${token.kind} ${toHex(token.account)}`
    const before = this.tokens.find(key)
    if (before === undefined || before.lastLt <= token.lastLt) this.tokens.set(key, token, ENTRY_BYTES)
  }

  /** Loads missing tokens from the store. */
  async load(
    known: StoredContracts,
    wanted: readonly { readonly kind: TokenKind; readonly account: Uint8Array }[],
  ): Promise<void> {
    const missing = new Map<string, Uint8Array>()
    for (const { kind, account } of wanted) {
      const key = toHex(account)
      if (this.find(kind, key) === undefined) missing.set(key, account)
    }
    if (missing.size === 0) return
    for (const token of await known.findTokens([...missing.values()])) this.add(token)
  }
}

/** Rows of subjects with a newer stored state and the same code. */
export type NewerRows = {
  readonly wallets: ReadonlyMap<string, WalletRow>
  readonly items: ReadonlyMap<string, ItemRow>
}

/**
 * During backfill most tokens are known in a newer state. An older state adds only an earlier `since_lt`, so nothing is run: the
 * stored row is written again with that time.
 */
export const findNewerRows = async (
  subjects: readonly Subject[],
  vouched: VerifiedTokens,
  known: StoredContracts,
): Promise<NewerRows> => {
  const older = (kind: StoredToken['kind']): Subject[] =>
    subjects.filter(({ key, codeHash, lastLt }) => {
      const token = vouched.findWithCode(kind, key, codeHash)
      return token !== undefined && token.lastLt >= lastLt
    })
  const [wallets, items] = [older('jettonWallet'), older('nftItem')]
  return {
    wallets: wallets.length === 0 ? new Map() : pick(wallets, await known.readWallets(wallets.map(accountOf))),
    items: items.length === 0 ? new Map() : pick(items, await known.readItems(items.map(accountOf))),
  }
}

const accountOf = ({ account }: Subject): Uint8Array => account

type Row = { readonly address: Uint8Array; readonly code_hash: Uint8Array; readonly last_lt: bigint }

/** The store may have been rewound since. */
const pick = <R extends Row>(subjects: readonly Subject[], rows: readonly R[]): ReadonlyMap<string, R> => {
  const byKey = new Map(rows.map((row) => [toHex(row.address), row]))
  const newer = new Map<string, R>()
  for (const { key, codeHash, lastLt } of subjects) {
    const row = byKey.get(key)
    if (row !== undefined && row.last_lt >= lastLt && bytesEqual(row.code_hash, codeHash)) newer.set(key, row)
  }
  return newer
}
