import {
  array,
  bool,
  bytea,
  float8,
  int4,
  int8,
  type Json,
  jsonb,
  nullable,
  numeric,
  text,
  timestamptz,
} from './columns.ts'

/** Contracts and token events: migration 0003. */
export const contractTables = {
  jetton_masters: {
    since_lt: int8,
    last_lt: int8,
    mintable: bool,
    total_supply: numeric,
    address: bytea,
    admin_address: nullable(bytea),
    wallet_code_hash: bytea,
    code_hash: bytea,
    data_hash: bytea,
    content: nullable(jsonb),
  },
  jetton_wallets: {
    since_lt: int8,
    last_lt: int8,
    mintless_is_claimed: nullable(bool),
    balance: numeric,
    address: bytea,
    owner: bytea,
    jetton: bytea,
    code_hash: bytea,
    data_hash: bytea,
  },
  nft_collections: {
    since_lt: int8,
    last_lt: int8,
    next_item_index: numeric,
    address: bytea,
    owner_address: nullable(bytea),
    code_hash: bytea,
    data_hash: bytea,
    content: nullable(jsonb),
  },
  nft_items: {
    since_lt: int8,
    last_lt: int8,
    init: bool,
    index: numeric,
    address: bytea,
    collection_address: nullable(bytea),
    owner_address: nullable(bytea),
    code_hash: bytea,
    data_hash: bytea,
    content: nullable(jsonb),
  },
  nft_sales: {
    since_lt: int8,
    last_lt: int8,
    created_at: nullable(int8),
    kind: text,
    address: bytea,
    nft_address: nullable(bytea),
    nft_owner_address: nullable(bytea),
    marketplace_address: nullable(bytea),
    code_hash: bytea,
    data_hash: bytea,
    details: jsonb,
  },
  dns_entries: {
    last_lt: int8,
    domain: text,
    nft_item_address: bytea,
    nft_item_owner: nullable(bytea),
    dns_next_resolver: nullable(bytea),
    dns_wallet: nullable(bytea),
    dns_site_adnl: nullable(bytea),
    dns_storage_bag_id: nullable(bytea),
  },
  multisigs: {
    since_lt: int8,
    last_lt: int8,
    threshold: int4,
    next_order_seqno: numeric,
    address: bytea,
    code_hash: bytea,
    data_hash: bytea,
    signers: array(bytea),
    proposers: array(bytea),
  },
  multisig_orders: {
    since_lt: int8,
    last_lt: int8,
    expiration_date: int8,
    threshold: nullable(int4),
    approvals_num: int4,
    sent_for_execution: bool,
    order_seqno: numeric,
    approvals_mask: numeric,
    address: bytea,
    multisig_address: bytea,
    code_hash: bytea,
    data_hash: bytea,
    order_content: nullable(bytea),
    signers: array(bytea),
  },
  vesting_contracts: {
    since_lt: int8,
    last_lt: int8,
    start_time: int8,
    total_duration: int8,
    unlock_period: int8,
    cliff_duration: int8,
    total_amount: numeric,
    address: bytea,
    sender_address: bytea,
    owner_address: bytea,
    code_hash: bytea,
    data_hash: bytea,
    whitelist: array(bytea),
  },
  dex_pools: {
    since_lt: int8,
    last_lt: int8,
    fee: nullable(float8),
    dex: text,
    kind: text,
    reserve_1: nullable(numeric),
    reserve_2: nullable(numeric),
    address: bytea,
    asset_1: nullable(bytea),
    asset_2: nullable(bytea),
    code_hash: bytea,
    data_hash: bytea,
  },
  jetton_transfers: {
    lt: int8,
    now: int4,
    mc_seqno: int4,
    aborted: bool,
    query_id: numeric,
    amount: numeric,
    forward_amount: numeric,
    account: bytea,
    source: bytea,
    destination: bytea,
    jetton_master: bytea,
    response_destination: bytea,
    custom_payload: nullable(bytea),
    forward_payload: nullable(bytea),
  },
  jetton_burns: {
    lt: int8,
    now: int4,
    mc_seqno: int4,
    aborted: bool,
    query_id: numeric,
    amount: numeric,
    account: bytea,
    owner: bytea,
    jetton_master: bytea,
    response_destination: bytea,
    custom_payload: nullable(bytea),
  },
  nft_transfers: {
    lt: int8,
    now: int4,
    mc_seqno: int4,
    aborted: bool,
    query_id: numeric,
    forward_amount: numeric,
    account: bytea,
    collection: nullable(bytea),
    old_owner: bytea,
    new_owner: bytea,
    response_destination: bytea,
    custom_payload: nullable(bytea),
    forward_payload: nullable(bytea),
  },
} as const

/** Copies for a cluster: migration 0021. */
export const ownedTables = {
  owned_wallets: contractTables.jetton_wallets,
  owned_items: { ...contractTables.nft_items, owner_address: bytea },
} as const

/** What only the event log needs: migration 0014. It depends on the batches in which blocks were indexed. */
export const eventTables = {
  jetton_balances: {
    lt: int8,
    mc_seqno: int4,
    balance: numeric,
    address: bytea,
  },
} as const

/** Token metadata: migration 0004. */
export const metadataTables = {
  address_metadata: {
    next_try_at: timestamptz,
    updated_at: nullable(timestamptz),
    expires_at: nullable(timestamptz),
    tries: int4,
    valid: nullable(bool),
    address: bytea,
    type: text,
    content_hash: nullable(bytea),
    name: nullable(text),
    description: nullable(text),
    symbol: nullable(text),
    image: nullable(text),
    extra: nullable(jsonb),
    error: nullable(text),
  },
} as const

/** The token tables. An address may be in several, each with metadata of its own. */
export const tokenTypes = ['jetton_masters', 'nft_collections', 'nft_items'] as const
export type TokenType = (typeof tokenTypes)[number]

/** The metadata of a token. */
export type TokenMetadata = {
  readonly valid: boolean
  readonly name: string | undefined
  readonly description: string | undefined
  readonly symbol: string | undefined
  readonly image: string | undefined
  readonly extra: Readonly<Record<string, Json>>
  /** What failed or was left out. */
  readonly error: string | undefined
}
