import type { tables } from '../../../src/store/schema/tables.ts'

/** What becomes of a value in a copy. */
export type ColumnRule =
  | 'same'
  | 'lt'
  /** Seconds; 0 is none. */
  | 'time'
  | 'mcSeqno'
  /** Of a block of the workchain that the row names. */
  | 'blockSeqno'
  /** Of the block of the account that the row names. */
  | 'ownBlockSeqno'
  | 'hash'
  /** Of the state of an account; that of no account is always the same. */
  | 'stateHash'
  | 'address'
  | 'addresses'
  /** Of an item in its collection. */
  | 'itemIndex'
  | 'domain'

type CopiedTable =
  | 'blocks'
  | 'shard_tops'
  | 'transactions'
  | 'unreceived_messages'
  | 'jetton_masters'
  | 'jetton_wallets'
  | 'nft_collections'
  | 'nft_items'
  | 'nft_sales'
  | 'dns_entries'
  | 'multisigs'
  | 'multisig_orders'
  | 'vesting_contracts'
  | 'dex_pools'
  | 'jetton_transfers'
  | 'jetton_burns'
  | 'nft_transfers'

type ColumnName = { [T in CopiedTable]: keyof (typeof tables)[T] }[CopiedTable]

/**
 * By the name of the column, which means the same in all tables. Code, data and what is packed stay as they are, and so do their
 * hashes, which then still are right. Those of bodies and initial states change, so that there are as many contents as in an index
 * of real blocks; what is in them keeps the addresses of the original.
 */
export const columnRules: Readonly<Record<ColumnName, ColumnRule>> = {
  lt: 'lt',
  prev_lt: 'lt',
  start_lt: 'lt',
  end_lt: 'lt',
  since_lt: 'lt',
  last_lt: 'lt',
  created_lt: 'lt',
  in_created_lt: 'lt',

  now: 'time',
  gen_utime: 'time',
  created_at: 'time',
  in_created_at: 'time',
  expiration_date: 'time',
  start_time: 'time',

  mc_seqno: 'mcSeqno',
  min_ref_mc_seqno: 'mcSeqno',
  prev_key_block_seqno: 'mcSeqno',
  master_ref_seqno: 'mcSeqno',
  seqno: 'blockSeqno',
  block_seqno: 'ownBlockSeqno',

  hash: 'hash',
  prev_hash: 'hash',
  state_before: 'stateHash',
  state_after: 'stateHash',
  in_hash: 'hash',
  in_hash_norm: 'hash',
  in_body_hash: 'hash',
  in_init_hash: 'hash',
  body_hash: 'hash',
  init_hash: 'hash',
  root_hash: 'hash',
  file_hash: 'hash',
  rand_seed: 'hash',
  trace_id: 'same',

  account: 'address',
  in_source: 'address',
  destination: 'address',
  source: 'address',
  response_destination: 'address',
  address: 'address',
  admin_address: 'address',
  owner: 'address',
  jetton: 'address',
  jetton_master: 'address',
  collection: 'address',
  collection_address: 'address',
  owner_address: 'address',
  old_owner: 'address',
  new_owner: 'address',
  nft_address: 'address',
  nft_owner_address: 'address',
  nft_item_address: 'address',
  nft_item_owner: 'address',
  marketplace_address: 'address',
  dns_next_resolver: 'address',
  dns_wallet: 'address',
  multisig_address: 'address',
  sender_address: 'address',
  asset_1: 'address',
  asset_2: 'address',
  signers: 'addresses',
  proposers: 'addresses',
  whitelist: 'addresses',

  index: 'itemIndex',
  next_item_index: 'itemIndex',
  domain: 'domain',

  // Those before the first block of a copy are set where copies meet.
  prev_seqnos: 'same',
  shard: 'same',
  block_shard: 'same',
  workchain: 'same',
  tx_count: 'same',
  global_id: 'same',
  version: 'same',
  header_bits: 'same',
  flags: 'same',
  validator_list_hash_short: 'same',
  gen_catchain_seqno: 'same',
  vert_seqno: 'same',
  created_by: 'same',
  total_fees: 'same',
  total_fees_extra: 'same',
  balance: 'same',
  balance_extra: 'same',
  in_value: 'same',
  in_value_extra: 'same',
  in_fwd_fee: 'same',
  in_ihr_fee: 'same',
  in_import_fee: 'same',
  in_opcode: 'same',
  in_bits: 'same',
  in_extra_flags: 'same',
  orig_status: 'same',
  end_status: 'same',
  out_count: 'same',
  frozen_hash: 'same',
  data_hash: 'same',
  code_hash: 'same',
  description: 'same',
  large: 'same',
  value: 'same',
  value_extra: 'same',
  fwd_fee: 'same',
  ihr_fee: 'same',
  opcode: 'same',
  bits: 'same',
  extra_flags: 'same',
  mintable: 'same',
  total_supply: 'same',
  wallet_code_hash: 'same',
  content: 'same',
  mintless_is_claimed: 'same',
  init: 'same',
  kind: 'same',
  details: 'same',
  dns_site_adnl: 'same',
  dns_storage_bag_id: 'same',
  threshold: 'same',
  next_order_seqno: 'same',
  approvals_num: 'same',
  approvals_mask: 'same',
  sent_for_execution: 'same',
  order_seqno: 'same',
  order_content: 'same',
  total_duration: 'same',
  unlock_period: 'same',
  cliff_duration: 'same',
  total_amount: 'same',
  fee: 'same',
  dex: 'same',
  reserve_1: 'same',
  reserve_2: 'same',
  aborted: 'same',
  query_id: 'same',
  amount: 'same',
  forward_amount: 'same',
  custom_payload: 'same',
  forward_payload: 'same',
}
