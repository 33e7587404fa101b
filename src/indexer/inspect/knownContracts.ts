import type { ContractState } from '../../chain/ports.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { Tables, tables } from '../../store/schema/tables.ts'

/** A token contract for which its parent vouched once, as stored. Addresses as in the store. */
export type KnownToken = {
  readonly account: Uint8Array
  /** The code it had then. */
  readonly codeHash: Uint8Array
  /** Of the newest state that is known. */
  readonly lastLt: bigint
} & (
  | { readonly kind: 'jettonWallet'; readonly owner: Uint8Array; readonly master: Uint8Array }
  | { readonly kind: 'nftItem'; readonly index: bigint; readonly collection: Uint8Array | undefined }
)

export type WalletRow = CopyRow<typeof tables.jetton_wallets>
export type ItemRow = CopyRow<typeof tables.nft_items>

/** What the store knows already. */
export interface KnownContracts {
  /** The tokens among these accounts. An account may be of both kinds. */
  findTokens(accounts: readonly Uint8Array[]): Promise<readonly KnownToken[]>
  /** Their rows as they are. */
  readWallets(accounts: readonly Uint8Array[]): Promise<readonly WalletRow[]>
  readItems(accounts: readonly Uint8Array[]): Promise<readonly ItemRow[]>
  /** Those of these hashes whose code is stored. */
  findStoredCodes(codeHashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
}

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

/** A contract to be looked at: the newest state of an account in the batch. */
export type Subject = {
  readonly contract: ContractState
  /** The address as in the store, and as text for maps. */
  readonly account: Uint8Array
  readonly key: string
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  /** Of the earliest state in the batch since which the code has been the same. */
  readonly sinceLt: bigint
  readonly lastLt: bigint
  /** Numbers of the methods that the code has; none where they cannot be told. */
  readonly methods: ReadonlySet<number>
}

/** What the rows of all contracts have in common. */
export const commonColumns = ({ sinceLt, lastLt, account, codeHash, dataHash }: Subject) => ({
  since_lt: sinceLt,
  last_lt: lastLt,
  address: account,
  code_hash: codeHash,
  data_hash: dataHash,
})

type TokenKind = KnownToken['kind']
type TokenOf<K extends TokenKind> = Extract<KnownToken, { readonly kind: K }>

const ENTRY_BYTES = 512

/**
 * Tokens for which their parents vouched once.
 *
 * Why once is enough: a parent vouches by working out the address from what never changes, its own address, the code it gives its
 * children, and the owner or the number. So a contract at the same address, with the same code, that makes the same claim, has the
 * same answer coming. That saves a run, and the reading of the parent, for every transfer after the first. Where a parent changes
 * the code for children to come, the older ones stay what they were.
 */
export class VouchedTokens {
  private readonly tokens: LruCache<KnownToken>

  constructor(maxBytes: number) {
    this.tokens = new LruCache(maxBytes)
  }

  find<K extends TokenKind>(kind: K, account: string): TokenOf<K> | undefined {
    return this.tokens.find(`${kind} ${account}`) as TokenOf<K> | undefined
  }

  /** As it was with this code. */
  findWithCode<K extends TokenKind>(kind: K, account: string, codeHash: Uint8Array): TokenOf<K> | undefined {
    const token = this.find(kind, account)
    return token !== undefined && bytesEqual(token.codeHash, codeHash) ? token : undefined
  }

  /** What is known of a newer state stays. */
  add(token: KnownToken): void {
    const key = `${token.kind} ${toHex(token.account)}`
    const before = this.tokens.find(key)
    if (before === undefined || before.lastLt <= token.lastLt) this.tokens.set(key, token, ENTRY_BYTES)
  }

  /** Looks up in the store what is not known here. */
  async load(
    known: KnownContracts,
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

/** Rows of subjects of which the store has a newer state already, with the same code. */
export type NewerRows = {
  readonly wallets: ReadonlyMap<string, WalletRow>
  readonly items: ReadonlyMap<string, ItemRow>
}

/**
 * Where history is filled in from above, most tokens are known as they are now. All that an older state of one adds is since when
 * it is there, so nothing has to be run: its row is written as it is, with that time.
 */
export const findNewerRows = async (
  subjects: readonly Subject[],
  vouched: VouchedTokens,
  known: KnownContracts,
): Promise<NewerRows> => {
  const older = (kind: KnownToken['kind']): Subject[] =>
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

/** The store may have gone back since. */
const pick = <R extends Row>(subjects: readonly Subject[], rows: readonly R[]): ReadonlyMap<string, R> => {
  const byKey = new Map(rows.map((row) => [toHex(row.address), row]))
  const newer = new Map<string, R>()
  for (const { key, codeHash, lastLt } of subjects) {
    const row = byKey.get(key)
    if (row !== undefined && row.last_lt >= lastLt && bytesEqual(row.code_hash, codeHash)) newer.set(key, row)
  }
  return newer
}
