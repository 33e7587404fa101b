// Written by scripts/genClient.ts from src/api; do not edit.
import type { ActionDetails } from '../../actions/details/ActionDetails.ts'
import type { CallOptions } from '../callEndpoint.ts'

export type AccountBalance = {
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  /** Decimal number. */
  balance: Decimal
}

export type AccountBalances = {
  balances: BalancePoint[]
  /** Whether transactions between the points are left out. */
  is_sampled: boolean
}

/** Account state before or after a transaction. Parts that are not in the block are null. */
export type AccountState = {
  /** A hash, base64. */
  hash: Hash
  balance: Decimal | null
  extra_currencies: ExtraCurrencies | null
  account_status: AccountStatus | null
  frozen_hash: Hash | null
  data_hash: Hash | null
  code_hash: Hash | null
}

export type AccountStateFull = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** A hash, base64. */
  account_state_hash: Hash
  /** Decimal number. */
  balance: Decimal
  /** Null if unknown. */
  extra_currencies: ExtraCurrencies | null
  status: AccountStatus
  /** A hash, base64. */
  frozen_hash?: Hash
  /** A hash, base64. */
  last_transaction_hash: Hash
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  data_hash?: Hash
  /** A hash, base64. */
  code_hash?: Hash
  /** Bag of cells in base64. */
  data_boc?: Boc
  /** Bag of cells in base64. */
  code_boc?: Boc
  /** Get-method ids; null if the code has no standard method dictionary. */
  contract_methods: number[] | null
  /** Interfaces of the contract. */
  interfaces: string[]
}

export type AccountStatesResponse = {
  accounts: AccountStateFull[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

export type AccountsByCode = {
  accounts: AccountBalance[]
  /** Whether there are more accounts with this code than limit. */
  has_more: boolean
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

type ActionMembers = {
  trace_id: Hash | null
  /** A hash, base64. */
  action_id: Hash
  /** Decimal number. */
  start_lt: Decimal
  /** Decimal number. */
  end_lt: Decimal
  start_utime: number
  end_utime: number
  /** Decimal number. */
  trace_end_lt: Decimal
  trace_end_utime: number
  trace_mc_seqno_end: number
  transactions: Hash[]
  success: boolean | null
  type: string
  /** Details; the members depend on the type. */
  details: { [name: string]: unknown }
  raw_action?: { [name: string]: unknown }
  /** A hash, base64. */
  trace_external_hash?: Hash
  /** A hash, base64. */
  trace_external_hash_norm?: Hash
  accounts?: Address[]
  transactions_full?: Transaction[]
  finality?: Finality
}

/** What happened: `type` tells what `details` has. */
export type Action = {
  [Type in keyof ActionDetails]: Omit<ActionMembers, 'type' | 'details'> & { type: Type; details: ActionDetails[Type] }
}[keyof ActionDetails]

export type ActionPhase = {
  success: boolean
  valid: boolean
  no_funds: boolean
  status_change: StatusChange
  /** Decimal number. */
  total_fwd_fees?: Decimal
  /** Decimal number. */
  total_action_fees?: Decimal
  result_code: number
  result_arg?: number
  tot_actions: number
  spec_actions: number
  skipped_actions: number
  msgs_created: number
  /** A hash, base64. */
  action_list_hash: Hash
  tot_msg_size: MsgSize
}

export type ActionsResponse = {
  actions: Action[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

/** Raw address; addr_none and similar if it is not an account. */
export type Address = string

/** Display names of the addresses in a response. */
export type AddressBook = { [name: string]: AddressBookRow }

export type AddressBookRow = {
  /** User-friendly form: non-bounceable for wallets and uninitialized accounts, otherwise bounceable. */
  user_friendly: string | null
  /** Shortest domain that is owned by the address and resolves to it. */
  domain: string | null
  /** Interfaces of the contract. */
  interfaces: string[]
}

export type AddressInformation = {
  /** Decimal number. */
  balance: Decimal
  code: Boc | null
  data: Boc | null
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  last_transaction_hash: Hash
  frozen_hash: Hash | null
  status: LegacyAccountStatus
}

export type AddressMetadata = {
  /** Whether all metadata is fetched. */
  is_indexed: boolean
  /** One entry per token role of the address. */
  token_info: TokenInfo[]
}

export type BalancePoint = {
  /** Decimal number. */
  lt: Decimal
  utime: number
  /** Decimal number. */
  balance: Decimal
}

export type Block = {
  workchain: number
  /** A shard, hexadecimal. */
  shard: Shard
  seqno: number
  /** A hash, base64. */
  root_hash: Hash
  /** A hash, base64. */
  file_hash: Hash
  /** Network id. */
  global_id: number
  version: number
  after_merge: boolean
  before_split: boolean
  after_split: boolean
  want_merge: boolean
  want_split: boolean
  key_block: boolean
  vert_seqno_incr: boolean
  flags: number
  /** Decimal number. */
  gen_utime: Decimal
  /** Decimal number. */
  start_lt: Decimal
  /** Decimal number. */
  end_lt: Decimal
  validator_list_hash_short: number
  gen_catchain_seqno: number
  min_ref_mc_seqno: number
  prev_key_block_seqno: number
  vert_seqno: number
  /** Masterchain seqno that the block refers to; 0 for masterchain blocks. */
  master_ref_seqno: number
  /** A hash, base64. */
  rand_seed: Hash
  /** A hash, base64. */
  created_by: Hash
  tx_count: number
  masterchain_block_ref: BlockId
  /** Previous block; two after a merge. */
  prev_blocks: BlockId[]
}

export type BlockId = {
  workchain: number
  /** A shard, hexadecimal. */
  shard: Shard
  seqno: number
}

export type BlocksResponse = {
  blocks: Block[]
}

/** Bag of cells in base64. */
export type Boc = string

export type BouncePhase = {
  type: 'negfunds' | 'nofunds' | 'ok'
  msg_size?: MsgSize
  /** Decimal number. */
  req_fwd_fees?: Decimal
  /** Decimal number. */
  msg_fees?: Decimal
  /** Decimal number. */
  fwd_fees?: Decimal
}

export type Changes = {
  /** One for each masterchain block, without gaps. */
  changes: {
    mc_seqno: number
    /** Decimal number. */
    gen_utime: Decimal
    /** A hash, base64. */
    root_hash: Hash
    /** Accounts with transactions in this block and its shard blocks, each with its last one. */
    accounts: {
      /** Raw address; addr_none and similar if it is not an account. */
      account: Address
      /** Decimal number. */
      last_transaction_lt: Decimal
      /** A hash, base64. */
      last_transaction_hash: Hash
    }[]
    /** Ids of the traces that ended here. */
    traces: Hash[]
  }[]
  /** The value of since for the next request. */
  next: number
  /** The newest masterchain block of the index. */
  head: number
  /** The lowest masterchain block from which on all are indexed up to next. */
  oldest: number
}

export type ComputePhase = {
  skipped: boolean
  reason?: 'no_state' | 'bad_state' | 'no_gas' | 'suspended'
  success?: boolean
  msg_state_used?: boolean
  account_activated?: boolean
  /** Decimal number. */
  gas_fees?: Decimal
  /** Decimal number. */
  gas_used?: Decimal
  /** Decimal number. */
  gas_limit?: Decimal
  /** Decimal number. */
  gas_credit?: Decimal
  mode?: number
  exit_code?: number
  exit_arg?: number
  vm_steps?: number
  /** A hash, base64. */
  vm_init_state_hash?: Hash
  /** A hash, base64. */
  vm_final_state_hash?: Hash
}

export type CreditPhase = {
  /** Decimal number. */
  due_fees_collected?: Decimal
  /** Decimal number. */
  credit: Decimal
  /** Amounts of extra currencies by currency id. */
  credit_extra_currencies?: ExtraCurrencies
}

export type DNSRecord = {
  /** Raw address; addr_none and similar if it is not an account. */
  nft_item_address: Address
  nft_item_owner: Address | null
  domain: string
  dns_next_resolver: Address | null
  dns_wallet: Address | null
  dns_site_adnl: string | null
  dns_storage_bag_id: string | null
}

export type DNSRecordsResponse = {
  records: DNSRecord[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
}

/** Decimal number. */
export type Decimal = string

export type DecodeResponse = {
  opcodes: string[]
  bodies: { [name: string]: unknown }[]
}

export type EstimateFeeResult = {
  /** In nano units. */
  source_fees: EstimatedFee
  /** Always empty. */
  destination_fees: EstimatedFee[]
}

/** In nano units. */
export type EstimatedFee = {
  in_fwd_fee: number
  storage_fee: number
  gas_fee: number
  fwd_fee: number
}

export type EventsResponse = {
  events: Trace[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

/** Amounts of extra currencies by currency id. */
export type ExtraCurrencies = { [name: string]: Decimal }

export type Finality = 'pending' | 'confirmed' | 'finalized'

/** A hash, base64. */
export type Hash = string

export type JettonBurn = {
  /** Decimal number. */
  query_id: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  owner: Address
  /** Raw address; addr_none and similar if it is not an account. */
  jetton_wallet: Address
  /** Raw address; addr_none and similar if it is not an account. */
  jetton_master: Address
  /** A hash, base64. */
  transaction_hash: Hash
  /** Decimal number. */
  transaction_lt: Decimal
  transaction_now: number
  transaction_aborted: boolean
  /** Decimal number. */
  amount: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  response_destination: Address
  custom_payload: Boc | null
  decoded_custom_payload: { [name: string]: unknown } | null
  /** A hash, base64. */
  trace_id: Hash
}

export type JettonBurnsResponse = {
  jetton_burns: JettonBurn[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type JettonMaster = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Decimal number. */
  total_supply: Decimal
  mintable: boolean
  admin_address: Address | null
  jetton_content: { [name: string]: string } | null
  /** A hash, base64. */
  jetton_wallet_code_hash: Hash
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
  /** Decimal number. */
  last_transaction_lt: Decimal
}

export type JettonMastersResponse = {
  jetton_masters: JettonMaster[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type JettonStats = {
  /** Raw address; addr_none and similar if it is not an account. */
  jetton: Address
  /** Wallets with a balance. */
  holders: number
  /** Whether all of them were counted: up to 100000. */
  is_complete: boolean
}

export type JettonTransfer = {
  /** Decimal number. */
  query_id: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  source: Address
  /** Raw address; addr_none and similar if it is not an account. */
  destination: Address
  /** Decimal number. */
  amount: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  source_wallet: Address
  /** Raw address; addr_none and similar if it is not an account. */
  jetton_master: Address
  /** A hash, base64. */
  transaction_hash: Hash
  /** Decimal number. */
  transaction_lt: Decimal
  transaction_now: number
  transaction_aborted: boolean
  /** Raw address; addr_none and similar if it is not an account. */
  response_destination: Address
  custom_payload: Boc | null
  decoded_custom_payload: { [name: string]: unknown } | null
  /** Decimal number. */
  forward_ton_amount: Decimal
  forward_payload: Boc | null
  decoded_forward_payload: { [name: string]: unknown } | null
  /** A hash, base64. */
  trace_id: Hash
}

export type JettonTransfersResponse = {
  jetton_transfers: JettonTransfer[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type JettonWallet = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Decimal number. */
  balance: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  owner: Address
  /** Raw address; addr_none and similar if it is not an account. */
  jetton: Address
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
}

export type JettonWalletsResponse = {
  jetton_wallets: JettonWallet[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type LegacyAccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist' | 'uninitialized'

export type MasterchainInfo = {
  last: Block
  first: Block
}

export type Message = {
  /** A hash, base64. */
  hash: Hash
  /** A hash, base64. */
  hash_norm?: Hash
  source: Address | null
  destination: Address | null
  value: Decimal | null
  value_extra_currencies: ExtraCurrencies | null
  fwd_fee: Decimal | null
  ihr_fee: Decimal | null
  extra_flags: Decimal | null
  created_lt: Decimal | null
  created_at: Decimal | null
  opcode: number | null
  decoded_opcode: string | null
  ihr_disabled: boolean | null
  bounce: boolean | null
  bounced: boolean | null
  import_fee: Decimal | null
  message_content: MessageContent | null
  init_state: MessageContent | null
  /** A hash, base64. */
  in_msg_tx_hash?: Hash
  /** A hash, base64. */
  out_msg_tx_hash?: Hash
}

export type MessageContent = {
  hash: Hash | null
  body: Boc | null
  decoded: { [name: string]: unknown } | null
}

export type MessagesResponse = {
  messages: Message[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

/** Metadata of the tokens in a response. */
export type Metadata = { [name: string]: AddressMetadata }

export type MsgSize = {
  /** Decimal number. */
  cells: Decimal
  /** Decimal number. */
  bits: Decimal
}

export type Multisig = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Decimal number. */
  next_order_seqno: Decimal
  threshold: number
  signers: Address[]
  proposers: Address[]
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
  orders: MultisigOrder[]
}

export type MultisigOrder = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Raw address; addr_none and similar if it is not an account. */
  multisig_address: Address
  /** Decimal number. */
  order_seqno: Decimal
  threshold: number | null
  sent_for_execution: boolean
  /** Decimal number. */
  approvals_mask: Decimal
  approvals_num: number
  expiration_date: number
  order_boc: Boc | null
  signers: Address[]
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
  /** Parsed actions of the order; null if not requested, or if it cannot be parsed. */
  actions: OrderAction[] | null
}

export type MultisigOrderResponse = {
  orders: MultisigOrder[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
}

export type MultisigResponse = {
  multisigs: Multisig[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
}

export type NFTCollection = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  owner_address: Address | null
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** Decimal number. */
  next_item_index: Decimal
  collection_content: { [name: string]: string } | null
  /** A hash, base64. */
  data_hash: Hash
  /** A hash, base64. */
  code_hash: Hash
}

export type NFTCollectionStats = {
  /** Raw address; addr_none and similar if it is not an account. */
  collection: Address
  items: number
  /** Different owners. An item on sale belongs to its seller. */
  owners: number
  /** Items that are on sale or at auction. */
  on_sale: number
  /** The lowest price of the current fixed-price sales, in nanocoins; null if there are none. */
  floor_price: Decimal | null
  /** The item that is sold for it. */
  floor_item: Address | null
  /** The owners with most items, at most 100. */
  top_owners: {
    /** Raw address; addr_none and similar if it is not an account. */
    owner: Address
    items: number
  }[]
  /** Whether all items are taken into account: the first 20000. */
  is_complete: boolean
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type NFTCollectionsResponse = {
  nft_collections: NFTCollection[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type NFTItem = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  init: boolean
  /** Decimal number. */
  index: Decimal
  collection_address: Address | null
  owner_address: Address | null
  content: { [name: string]: string } | null
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
  collection: NFTCollection | null
  /** Whether the owner is a sale or auction contract of this item. */
  on_sale: boolean
  /** Raw address; addr_none and similar if it is not an account. */
  sale_contract_address?: Address
  /** Raw address; addr_none and similar if it is not an account. */
  auction_contract_address?: Address
  /** Raw address; addr_none and similar if it is not an account. */
  real_owner?: Address
}

export type NFTItemsResponse = {
  nft_items: NFTItem[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type NFTSale = {
  type: string
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Raw address; addr_none and similar if it is not an account. */
  nft_address?: Address
  /** Raw address; addr_none and similar if it is not an account. */
  nft_owner_address?: Address
  /** Raw address; addr_none and similar if it is not an account. */
  marketplace_address?: Address
  created_at?: number
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  code_hash: Hash
  /** A hash, base64. */
  data_hash: Hash
  /** Members depend on the type. */
  details: { [name: string]: unknown }
  nft_item?: NFTItem
}

export type NFTSalesResponse = {
  nft_sales: NFTSale[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type NFTTransfer = {
  /** Decimal number. */
  query_id: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  nft_address: Address
  nft_collection: Address | null
  /** A hash, base64. */
  transaction_hash: Hash
  /** Decimal number. */
  transaction_lt: Decimal
  transaction_now: number
  transaction_aborted: boolean
  /** Raw address; addr_none and similar if it is not an account. */
  old_owner: Address
  /** Raw address; addr_none and similar if it is not an account. */
  new_owner: Address
  /** Raw address; addr_none and similar if it is not an account. */
  response_destination: Address
  custom_payload: Boc | null
  decoded_custom_payload: { [name: string]: unknown } | null
  /** Decimal number. */
  forward_amount: Decimal
  forward_payload: Boc | null
  decoded_forward_payload: { [name: string]: unknown } | null
  /** A hash, base64. */
  trace_id: Hash
}

export type NFTTransfersResponse = {
  nft_transfers: NFTTransfer[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type OrderAction = {
  destination: Address | null
  value: Decimal | null
  body_raw: Boc | null
  parsed: boolean
  error: string | null
  parsed_body: { [name: string]: unknown } | null
  parsed_body_type: string
  send_mode: number
}

export type RunGetMethodResult = {
  gas_used: number
  /** TVM exit code; 0 and 1 mean success. */
  exit_code: number
  stack: StackEntry[]
}

export type SendAndWaitResult = {
  /** finalized: the whole trace is indexed. pending: the time is up, or until is pending. not_accepted: the contract refuses the message. expired: its seqno is used, or valid_until has passed. lost: no block had it for a minute. */
  status: 'finalized' | 'pending' | 'not_accepted' | 'expired' | 'lost'
  /** A hash, base64. */
  message_hash: Hash
  /** A hash, base64. */
  message_hash_norm: Hash
  /** Hash of the first transaction, once it is indexed. */
  trace_id: Hash | null
  /** Of the contract that refused the message. */
  exit_code: number | null
  /** Why the message was not executed. */
  error: string | null
  /** Transactions are missing: the trace is too large. */
  is_incomplete: boolean
  /** The transactions of the trace by logical time; emulated if pending. */
  transactions: Transaction[]
  actions?: Action[]
  /** What all accounts and messages of the trace paid, in nano units. */
  total_fees: Decimal | null
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type SendMessageResult = {
  /** A hash, base64. */
  message_hash: Hash
  /** A hash, base64. */
  message_hash_norm: Hash
}

/** A shard, hexadecimal. */
export type Shard = string

export type SplitInfo = {
  cur_shard_pfx_len: number
  acc_split_depth: number
  this_addr: string
  sibling_addr: string
}

export type StackEntry = {
  type: 'num' | 'cell' | 'slice'
  /** Hexadecimal number, or a bag of cells. */
  value: string
} | {
  type: 'tuple' | 'list'
  /** An empty list means null. */
  value: StackEntry[]
}

export type StatusChange = 'unchanged' | 'frozen' | 'deleted'

export type StoragePhase = {
  /** Decimal number. */
  storage_fees_collected: Decimal
  /** Decimal number. */
  storage_fees_due?: Decimal
  status_change: StatusChange
}

export type TokenInfo = {
  /** Absent until the metadata is fetched. */
  valid?: boolean
  type: 'nft_items' | 'nft_collections' | 'jetton_masters' | 'jetton_wallets'
  name?: string
  symbol?: string
  description?: string
  image?: string
  /** Index of an item in its collection. */
  nft_index?: string
  is_nsfw?: boolean
  is_scam?: boolean
  extra?: { [name: string]: unknown }
}

export type Trace = {
  trace_id: Hash | null
  external_hash: Hash | null
  /** Decimal number. */
  mc_seqno_start: Decimal
  /** Decimal number. */
  mc_seqno_end: Decimal
  /** Decimal number. */
  start_lt: Decimal
  start_utime: number
  end_lt: Decimal | null
  end_utime: number | null
  trace_info: TraceMeta
  /** True if the trace is too large to be shown whole. */
  is_incomplete: boolean
  warning?: string
  actions?: Action[]
  trace?: TraceNode
  transactions_order?: Hash[]
  transactions?: { [name: string]: Transaction }
}

export type TraceMeta = {
  trace_state: 'complete' | 'pending' | 'broken'
  /** Internal, external-in and external-out messages. */
  messages: number
  transactions: number
  /** Messages in flight. */
  pending_messages: number
  classification_state: 'unclassified' | 'failed' | 'ok' | 'broken'
}

export type TraceNode = {
  tx_hash: string
  /** Absent if no message triggered it. */
  in_msg_hash?: string
  children: TraceNode[]
}

export type TracesResponse = {
  traces: Trace[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

export type Transaction = {
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  /** A hash, base64. */
  hash: Hash
  /** Decimal number. */
  lt: Decimal
  now: number
  /** Masterchain seqno that was the first to include its block. */
  mc_block_seqno: number
  /** A hash, base64. */
  trace_id?: Hash
  /** A hash, base64. */
  trace_external_hash?: Hash
  /** A hash, base64. */
  prev_trans_hash: Hash
  /** Decimal number. */
  prev_trans_lt: Decimal
  orig_status: AccountStatus
  end_status: AccountStatus
  /** Decimal number. */
  total_fees: Decimal
  /** Amounts of extra currencies by currency id. */
  total_fees_extra_currencies: ExtraCurrencies
  description: TransactionDescr
  block_ref: BlockId
  in_msg: Message | null
  out_msgs: Message[]
  /** Account state before or after a transaction. Parts that are not in the block are null. */
  account_state_before: AccountState
  /** Account state before or after a transaction. Parts that are not in the block are null. */
  account_state_after: AccountState
  emulated: boolean
  finality?: Finality
}

export type TransactionDescr = {
  type: 'ord' | 'storage' | 'tick_tock' | 'split_prepare' | 'split_install' | 'merge_prepare' | 'merge_install'
  aborted?: boolean
  destroyed?: boolean
  credit_first?: boolean
  is_tock?: boolean
  installed?: boolean
  storage_ph?: StoragePhase
  credit_ph?: CreditPhase
  compute_ph?: ComputePhase
  action?: ActionPhase
  bounce?: BouncePhase
  split_info?: SplitInfo
}

export type TransactionsResponse = {
  transactions: Transaction[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
}

export type VestingContractsResponse = {
  vesting_contracts: VestingInfo[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
}

export type VestingInfo = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  start_time: number
  total_duration: number
  unlock_period: number
  cliff_duration: number
  /** Raw address; addr_none and similar if it is not an account. */
  sender_address: Address
  /** Raw address; addr_none and similar if it is not an account. */
  owner_address: Address
  /** Decimal number. */
  total_amount: Decimal
  whitelist: Address[]
}

export type WalletInformation = {
  /** Decimal number. */
  balance: Decimal
  wallet_type?: string
  /** Seqno of the next external message. */
  seqno?: number
  wallet_id?: number
  /** Decimal number. */
  last_transaction_lt: Decimal
  /** A hash, base64. */
  last_transaction_hash: Hash
  status: LegacyAccountStatus
}

export type WalletState = {
  /** Raw address; addr_none and similar if it is not an account. */
  address: Address
  /** Whether the account is a known wallet. */
  is_wallet: boolean
  wallet_type?: string
  /** Seqno of the next external message. */
  seqno?: number
  wallet_id?: number
  /** Decimal number. */
  balance: Decimal
  /** Amounts of extra currencies by currency id. */
  extra_currencies?: ExtraCurrencies
  /** Whether signature authentication is enabled. */
  is_signature_allowed?: boolean
  status: AccountStatus
  /** A hash, base64. */
  code_hash?: Hash
  /** A hash, base64. */
  last_transaction_hash: Hash
  /** Decimal number. */
  last_transaction_lt: Decimal
}

export type WalletStatesResponse = {
  wallets: WalletState[]
  /** Display names of the addresses in a response. */
  address_book: AddressBook
  /** Metadata of the tokens in a response. */
  metadata: Metadata
}

/** A function for each endpoint. */
export type V3Calls = {
  /** Accounts with the largest balances, largest first. */
  readonly topAccountsByBalance: (
    args?: {
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AccountBalance[]>

  /** List messages, newest first. External-in messages, which have no creation time, come first. */
  readonly messages: (
    args?: {
    /** Message hashes, plain or normalized. */
    readonly msg_hash?: string | readonly string[] | undefined
    /** One more message hash. */
    readonly hash?: string | undefined
    /** Body hash. */
    readonly body_hash?: string | undefined
    /** Source address; null for external-in messages. */
    readonly source?: string | undefined
    /** Destination address; null for external-out messages. */
    readonly destination?: string | undefined
    /** Opcode: first 32 bits of the body. */
    readonly opcode?: string | undefined
    /** Earliest Unix time of a message. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of a message. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of a message. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of a message. */
    readonly end_lt?: number | string | undefined
    /** in: transactions that received the message; out: those that sent it. */
    readonly direction?: 'in' | 'out' | undefined
    /** Exclude external-in messages. */
    readonly exclude_externals?: boolean | string | undefined
    /** Only external-in messages. */
    readonly only_externals?: boolean | string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<MessagesResponse>

  /** Transactions that received or sent the given messages, newest first. */
  readonly transactionsByMessage: (
    args?: {
    /** Message hashes, plain or normalized. */
    readonly msg_hash?: string | readonly string[] | undefined
    /** Body hash. */
    readonly body_hash?: string | undefined
    /** Opcode of the received message: first 32 bits of its body. */
    readonly opcode?: string | undefined
    /** in: transactions that received the message; out: those that sent it. */
    readonly direction?: 'in' | 'out' | undefined
    /** Source address. */
    readonly source?: string | undefined
    /** Destination address. */
    readonly destination?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TransactionsResponse>

  /** Transactions of a masterchain block, and of the shard blocks that it was the first to include. */
  readonly transactionsByMasterchainBlock: (
    args: {
    /** Masterchain seqno. */
    readonly seqno: number | string
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TransactionsResponse>

  /** List transactions, newest first. */
  readonly transactions: (
    args?: {
    /** Workchain of the block. */
    readonly workchain?: number | string | undefined
    /** Shard id: hexadecimal, or a signed decimal number. */
    readonly shard?: string | undefined
    /** Block seqno. */
    readonly seqno?: number | string | undefined
    /** Masterchain seqno that was the first to include the block. */
    readonly mc_seqno?: number | string | undefined
    /** Account addresses to include. */
    readonly account?: string | readonly string[] | undefined
    /** Account addresses to exclude. */
    readonly exclude_account?: string | readonly string[] | undefined
    /** Their hashes. */
    readonly hash?: string | readonly string[] | undefined
    /** Logical time of the transaction. */
    readonly lt?: number | string | undefined
    /** Earliest Unix time of a transaction. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of a transaction. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of a transaction. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of a transaction. */
    readonly end_lt?: number | string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TransactionsResponse>

  /** Parent and child transactions of a transaction in its trace. */
  readonly adjacentTransactions: (
    args: {
    /** Transaction hash. */
    readonly hash: string
    /** in: the parent transaction; out: the child transactions; default: both. */
    readonly direction?: 'in' | 'out' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TransactionsResponse>

  /** Decode opcodes and message bodies. */
  readonly decode: (
    args?: {
    /** Opcodes, hexadecimal or decimal. */
    readonly opcodes?: string | readonly string[] | undefined
    /** Bags of cells, base64 or hexadecimal. */
    readonly bodies?: string | readonly string[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<DecodeResponse>

  /** Current account states. Unknown accounts are omitted. */
  readonly accountStates: (
    args: {
    /** The accounts. */
    readonly address: string | readonly string[]
    /** Include code and data. */
    readonly include_boc?: boolean | string | undefined
    /** Filter by code hash. */
    readonly code_hash?: string | readonly string[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AccountStatesResponse>

  /** Balance of an account over time, oldest first. */
  readonly accountBalances: (
    args: {
    /** The account. */
    readonly address: string
    /** Maximum number of points. */
    readonly limit?: number | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AccountBalances>

  /** Some accounts with the given code, in no particular order. */
  readonly accountsByCode: (
    args: {
    /** Hash of the code. */
    readonly code_hash: string
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AccountsByCode>

  /** Address book of the given addresses, keyed by the form given. */
  readonly addressBook: (
    args: {
    /** Addresses in any form. */
    readonly address: string | readonly string[]
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AddressBook>

  /** Metadata of tokens. Addresses that are not tokens are omitted. */
  readonly metadata: (
    args: {
    /** Addresses in any form. */
    readonly address: string | readonly string[]
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Metadata>

  /** Current wallet states. Unknown accounts are omitted. */
  readonly walletStates: (
    args: {
    /** Account addresses. */
    readonly address: string | readonly string[]
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<WalletStatesResponse>

  /** First and last masterchain block of the index. */
  readonly masterchainInfo: (
    args?: {
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<MasterchainInfo>

  /** List blocks, ordered by time. */
  readonly blocks: (
    args?: {
    /** Workchain. */
    readonly workchain?: number | string | undefined
    /** Shard id: hexadecimal, or a signed decimal number. */
    readonly shard?: string | undefined
    /** Block seqno. */
    readonly seqno?: number | string | undefined
    /** Root hash. */
    readonly root_hash?: string | undefined
    /** File hash. */
    readonly file_hash?: string | undefined
    /** Masterchain seqno: this block, and the shard blocks that it was the first to include. */
    readonly mc_seqno?: number | string | undefined
    /** Earliest Unix time of the block. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the block. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the block. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the block. */
    readonly end_lt?: number | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlocksResponse>

  /** A masterchain block, and the newest block of every shard as of it. */
  readonly masterchainBlockShardState: (
    args: {
    /** Masterchain seqno. */
    readonly seqno: number | string
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlocksResponse>

  /** A masterchain block, and the shard blocks that it was the first to include. */
  readonly masterchainBlockShards: (
    args: {
    /** Masterchain seqno. */
    readonly seqno: number | string
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlocksResponse>

  /** List what changed after a masterchain block: accounts with transactions, and traces that ended. */
  readonly changes: (
    args?: {
    /** Masterchain seqno: changes after it. Default: the newest block of the index. */
    readonly since?: number | string | undefined
    /** Maximum number of masterchain blocks. */
    readonly limit?: number | string | undefined
    /** How long to wait for a block, in seconds. */
    readonly wait?: number | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Changes>

  /** An account: balance, code, data, last transaction. */
  readonly addressInformation: (
    args?: {
    /** The account. */
    readonly address?: string | undefined
    /** Read from a liteserver (v2) instead of the index. */
    readonly use_v2?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AddressInformation>

  /** An account: balance, code, data, last transaction. */
  readonly account: (
    args?: {
    /** The account. */
    readonly address?: string | undefined
    /** Read from a liteserver (v2) instead of the index. */
    readonly use_v2?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AddressInformation>

  /** Wallet information: type, seqno and wallet id. Uninitialized accounts are allowed. */
  readonly walletInformation: (
    args?: {
    /** The account. */
    readonly address?: string | undefined
    /** Read from a liteserver (v2) instead of the index. */
    readonly use_v2?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<WalletInformation>

  /** Wallet information: type, seqno and wallet id. Uninitialized accounts are allowed. */
  readonly wallet: (
    args?: {
    /** The account. */
    readonly address?: string | undefined
    /** Read from a liteserver (v2) instead of the index. */
    readonly use_v2?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<WalletInformation>

  /** Send an external message and return its hashes. */
  readonly message: (
    args?: {
    /** Bag of cells in base64. */
    readonly boc?: Boc | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<SendMessageResult>

  /** Send an external message and wait until its whole trace is indexed, or say why it was not executed. */
  readonly sendAndWait: (
    args?: {
    /** Bag of cells in base64. */
    readonly boc?: Boc | undefined
    /** How long to wait, in seconds. */
    readonly timeout?: number | undefined
    /** pending: only until the trace is emulated. */
    readonly until?: 'pending' | 'finalized' | undefined
    /** Include the actions of the trace. */
    readonly include_actions?: boolean | string | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: readonly string[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<SendAndWaitResult>

  /** Estimate the fees of an external message by running it. */
  readonly estimateFee: (
    args: {
    /** The receiver. */
    readonly address: string
    /** Message body as a bag of cells. */
    readonly body: string
    /** Code of a contract to deploy, as a bag of cells. */
    readonly init_code?: string | undefined
    /** Its data. */
    readonly init_data?: string | undefined
    /** Treat all signatures as valid. */
    readonly ignore_chksig?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<EstimateFeeResult>

  /** Run a get-method of a contract in its current state. */
  readonly runGetMethod: (
    args?: {
    /** The contract. */
    readonly address?: string | undefined
    /** Get-method name. */
    readonly method?: string | undefined
    /** Arguments, bottom of the stack first. */
    readonly stack?: readonly unknown[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<RunGetMethodResult>

  /** List finished traces, ordered by their end. A trace is finished when all its messages have arrived. */
  readonly traces: (
    args?: {
    /** An account with a transaction in the trace. */
    readonly account?: string | undefined
    /** Trace ids (hashes of root transactions). */
    readonly trace_id?: string | readonly string[] | undefined
    /** Transaction hashes. */
    readonly tx_hash?: string | readonly string[] | undefined
    /** Message hashes, plain or normalized. */
    readonly msg_hash?: string | readonly string[] | undefined
    /** Masterchain seqno at which the trace ended. */
    readonly mc_seqno?: number | string | undefined
    /** Earliest Unix time of the trace's end. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the trace's end. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the trace's end. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the trace's end. */
    readonly end_lt?: number | string | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: string | readonly string[] | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Include the actions of each trace. */
    readonly include_actions?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TracesResponse>

  /** Deprecated alias of traces, with actions. */
  readonly events: (
    args?: {
    /** An account with a transaction in the trace. */
    readonly account?: string | undefined
    /** Trace ids (hashes of root transactions). */
    readonly trace_id?: string | readonly string[] | undefined
    /** Transaction hashes. */
    readonly tx_hash?: string | readonly string[] | undefined
    /** Message hashes, plain or normalized. */
    readonly msg_hash?: string | readonly string[] | undefined
    /** Masterchain seqno at which the trace ended. */
    readonly mc_seqno?: number | string | undefined
    /** Earliest Unix time of the trace's end. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the trace's end. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the trace's end. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the trace's end. */
    readonly end_lt?: number | string | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: string | readonly string[] | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<EventsResponse>

  /** List actions, ordered by the end of their traces. */
  readonly actions: (
    args?: {
    /** An account that takes part in the action. */
    readonly account?: string | undefined
    /** Hashes of transactions of the action. */
    readonly tx_hash?: string | readonly string[] | undefined
    /** Hashes (plain or normalized) of messages of the action. */
    readonly msg_hash?: string | readonly string[] | undefined
    /** Action ids; all other filters except types are ignored. */
    readonly action_id?: string | readonly string[] | undefined
    /** Trace ids; all other filters except account and types are ignored. */
    readonly trace_id?: string | readonly string[] | undefined
    /** Masterchain seqno at which the trace ended. */
    readonly mc_seqno?: number | string | undefined
    /** Earliest Unix time of the trace's end. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the trace's end. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the trace's end. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the trace's end. */
    readonly end_lt?: number | string | undefined
    /** Include only these types. */
    readonly action_type?: string | readonly string[] | undefined
    /** Exclude these types. */
    readonly exclude_action_type?: string | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: string | readonly string[] | undefined
    /** Include the accounts of each action. */
    readonly include_accounts?: boolean | string | undefined
    /** Include the transactions of each action. */
    readonly include_transactions?: boolean | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ActionsResponse>

  /** Traces that are not in the index yet, with emulated transactions. */
  readonly pendingTraces: (
    args?: {
    /** Account address; takes precedence over ext_msg_hash. */
    readonly account?: string | undefined
    /** Hashes of external-in messages, plain or normalized. */
    readonly ext_msg_hash?: string | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: string | readonly string[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TracesResponse>

  /** Actions of traces that are not in the index yet, latest first. */
  readonly pendingActions: (
    args?: {
    /** Account address; takes precedence over ext_msg_hash. */
    readonly account?: string | undefined
    /** Hashes of external-in messages, plain or normalized. */
    readonly ext_msg_hash?: string | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: string | readonly string[] | undefined
    /** Include the transactions of each action. */
    readonly include_transactions?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ActionsResponse>

  /** Emulated transactions, latest first. */
  readonly pendingTransactions: (
    args?: {
    /** Account addresses. */
    readonly account?: string | readonly string[] | undefined
    /** Trace ids, or hashes of the messages that started the traces. */
    readonly trace_id?: string | readonly string[] | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<TransactionsResponse>

  /** List jetton burns, including failed ones, ordered by logical time, or by Unix time if a time window is given. */
  readonly jettonBurns: (
    args?: {
    /** Owner addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Alias of address. */
    readonly owner_address?: string | readonly string[] | undefined
    /** Jetton wallets. */
    readonly jetton_wallet?: string | readonly string[] | undefined
    /** A jetton. */
    readonly jetton_master?: string | undefined
    /** Earliest Unix time of the requests. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the requests. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the requests. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the requests. */
    readonly end_lt?: number | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonBurnsResponse>

  /** List jetton masters in the order of discovery. */
  readonly jettonMasters: (
    args?: {
    /** Jetton master addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Admin addresses. */
    readonly admin_address?: string | readonly string[] | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonMastersResponse>

  /** Number of holders of a jetton: wallets with a balance. */
  readonly jettonStats: (
    args: {
    /** A jetton master. */
    readonly jetton_address: string
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonStats>

  /** List successful jetton transfers, ordered by logical time, or by Unix time if a time window is given. */
  readonly jettonTransfers: (
    args?: {
    /** Sender or receiver addresses. */
    readonly owner_address?: string | readonly string[] | undefined
    /** One more owner address. */
    readonly address?: string | undefined
    /** Jetton wallet addresses of senders. */
    readonly jetton_wallet?: string | readonly string[] | undefined
    /** A jetton. */
    readonly jetton_master?: string | undefined
    /** Incoming or outgoing transfers of the owners, or both. Only with an owner. */
    readonly direction?: 'in' | 'out' | 'both' | undefined
    /** Earliest Unix time of the transfers. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the transfers. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the transfers. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the transfers. */
    readonly end_lt?: number | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonTransfersResponse>

  /** List jetton wallets in the order of discovery, or by balance if sort is given. */
  readonly jettonWallets: (
    args?: {
    /** Jetton wallet addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Owner addresses. */
    readonly owner_address?: string | readonly string[] | undefined
    /** Jetton master addresses; several only with exactly one owner. */
    readonly jetton_address?: string | readonly string[] | undefined
    /** Exclude wallets with zero balance. */
    readonly exclude_zero_balance?: boolean | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonWalletsResponse>

  /** List NFT collections in the order of discovery. */
  readonly nftCollections: (
    args?: {
    /** Collection addresses. */
    readonly collection_address?: string | readonly string[] | undefined
    /** Owner addresses. */
    readonly owner_address?: string | readonly string[] | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<NFTCollectionsResponse>

  /** Items, owners, current sales and floor price of an NFT collection. */
  readonly nftCollectionStats: (
    args: {
    /** A collection. */
    readonly collection_address: string
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<NFTCollectionStats>

  /** List NFT items. */
  readonly nftItems: (
    args?: {
    /** Item addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Owner addresses. */
    readonly owner_address?: string | readonly string[] | undefined
    /** Collection addresses; several only with exactly one owner. */
    readonly collection_address?: string | readonly string[] | undefined
    /** Item indexes in the given collection. */
    readonly index?: string | readonly string[] | undefined
    /** Include items of the owner that are on sale or at auction. */
    readonly include_on_sale?: boolean | string | undefined
    /** Sort by last transaction, newest first. */
    readonly sort_by_last_transaction_lt?: boolean | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<NFTItemsResponse>

  /** NFT sale contracts: fixed-price sales, then auctions, then items with a built-in auction. */
  readonly nftSales: (
    args: {
    /** Addresses of sales, auctions, and items with a built-in auction. */
    readonly address: string | readonly string[]
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<NFTSalesResponse>

  /** List NFT transfers, including failed ones, ordered by logical time, or by Unix time if a time window is given. */
  readonly nftTransfers: (
    args?: {
    /** Previous or new owner addresses. */
    readonly owner_address?: string | readonly string[] | undefined
    /** One more owner address. */
    readonly address?: string | undefined
    /** Item addresses. */
    readonly item_address?: string | readonly string[] | undefined
    /** A collection. */
    readonly collection_address?: string | undefined
    /** Incoming or outgoing transfers of the owners, or both. Only with an owner. */
    readonly direction?: 'in' | 'out' | 'both' | undefined
    /** Earliest Unix time of the requests. */
    readonly start_utime?: number | string | undefined
    /** Latest Unix time of the requests. */
    readonly end_utime?: number | string | undefined
    /** Lowest logical time of the requests. */
    readonly start_lt?: number | string | undefined
    /** Highest logical time of the requests. */
    readonly end_lt?: number | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<NFTTransfersResponse>

  /** DNS records, shortest domain first. */
  readonly dnsRecords: (
    args?: {
    /** Wallet address of the record. */
    readonly wallet?: string | undefined
    /** A name. */
    readonly domain?: string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<DNSRecordsResponse>

  /** List multisig orders in the order of discovery. */
  readonly multisigOrders: (
    args?: {
    /** Order addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Multisig wallet addresses. */
    readonly multisig_address?: string | readonly string[] | undefined
    /** Parse the actions of each order. */
    readonly parse_actions?: boolean | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<MultisigOrderResponse>

  /** List multisig wallets with their orders, in the order of discovery. */
  readonly multisigWallets: (
    args?: {
    /** Multisig wallet addresses. */
    readonly address?: string | readonly string[] | undefined
    /** Signer and proposer addresses. */
    readonly wallet_address?: string | readonly string[] | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Sort order. */
    readonly sort?: 'asc' | 'desc' | undefined
    /** Include orders. */
    readonly include_orders?: boolean | string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<MultisigResponse>

  /** List vesting contracts in the order of discovery. */
  readonly vesting: (
    args?: {
    /** Vesting contract addresses. */
    readonly contract_address?: string | readonly string[] | undefined
    /** Owner or sender addresses. */
    readonly wallet_address?: string | readonly string[] | undefined
    /** Also match whitelisted addresses. */
    readonly check_whitelist?: boolean | string | undefined
    /** Maximum number of rows. */
    readonly limit?: number | string | undefined
    /** Number of rows to skip. */
    readonly offset?: number | string | undefined
    /** Continue after the page whose response had this value in the header X-Next-Cursor; the cost does not grow with depth. All other parameters must be the same; offset is ignored. */
    readonly cursor?: string | undefined
    /** Omit the address book. Also the header X-No-Address-Book. */
    readonly x_no_address_book?: boolean | undefined
    /** Omit the metadata. Also the header X-No-Metadata. */
    readonly x_no_metadata?: boolean | undefined
    /** Time limit in milliseconds, at most 3000: of the database reads of the request, and of decode as a whole. Also the header X-Timeout. The status is 504 if it is exceeded. */
    readonly x_timeout?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<VestingContractsResponse>
}
