// Written by scripts/genClient.ts from src/api; do not edit.
import type { CallOptions } from '../callEndpoint.ts'

/** Address; empty if absent. */
export type AccountAddress = {
  '@type': 'accountAddress'
  account_address: Friendly | ''
}

/** Proof of the result, starting from the hashes in block_id. */
export type AccountProof = {
  '@type': 'ext.accounts.proof'
  /** Block id. */
  shard_block_id: BlockIdExt
  /** From the masterchain block to the shard block: Merkle proofs of its header and state. Empty for masterchain accounts. */
  shard_proof: string
  /** From the shard block to the account: Merkle proofs of its header and state. */
  account_proof: string
  /** Bytes in base64; cells as bags of cells. */
  state: Bytes
}

/** An account that does not exist is uninitialized. */
export type AccountStateName = 'active' | 'uninitialized' | 'frozen'

export type AddressVariant = {
  '@type': 'ext.utils.detectedAddressVariant'
  /** Standard base64 alphabet. */
  b64: string
  /** User-friendly address. */
  b64url: Friendly
}

/** Amount in nano units, decimal. */
export type Amount = string

/** Block header. */
export type BlockHeader = {
  '@type': 'blocks.header'
  /** Block id. */
  id: BlockIdExt
  /** Network id. */
  global_id: number
  version: number
  after_merge: boolean
  after_split: boolean
  before_split: boolean
  want_merge: boolean
  want_split: boolean
  validator_list_hash_short: number
  catchain_seqno: number
  min_ref_mc_seqno: number
  is_key_block: boolean
  /** For masterchain blocks; otherwise 0. */
  prev_key_block_seqno: number
  /** Logical time, decimal. */
  start_lt: Lt
  /** Logical time, decimal. */
  end_lt: Lt
  /** Unix time of the block. */
  gen_utime: number
  /** Previous block; two after a merge. */
  prev_blocks: BlockIdExt[]
}

/** Block id. */
export type BlockIdExt = {
  '@type': 'chain.blockIdExt'
  workchain: number
  /** Shard id as a signed 64-bit decimal number. */
  shard: string
  seqno: number
  /** 32 bytes in base64. */
  root_hash: Hash
  /** 32 bytes in base64. */
  file_hash: Hash
}

/** Proof that a masterchain block is an ancestor. */
export type BlockLinkBack = {
  '@type': 'blocks.blockLinkBack'
  to_key_block: boolean
  /** Block id. */
  from: BlockIdExt
  /** Block id. */
  to: BlockIdExt
  /** Bytes in base64; cells as bags of cells. */
  dest_proof: Bytes
  /** Bytes in base64; cells as bags of cells. */
  proof: Bytes
  /** Bytes in base64; cells as bags of cells. */
  state_proof: Bytes
}

/** Signature of one validator. */
export type BlockSignature = {
  '@type': 'blocks.signature'
  /** 32 bytes in base64. */
  node_id_short: Hash
  /** Bytes in base64; cells as bags of cells. */
  signature: Bytes
}

/** Signatures of the block hashes. */
export type BlockSignatures = {
  '@type': 'blocks.blockSignatures'
  /** Block id. */
  id: BlockIdExt
  signatures: BlockSignature[]
}

/** Signatures of a simplex consensus vote. */
export type BlockSignaturesSimplex = {
  '@type': 'blocks.blockSignatures.simplex'
  /** Block id. */
  id: BlockIdExt
  signatures: BlockSignature[]
  /** 32 bytes in base64. */
  session_id: Hash
  slot: number
  /** Bytes in base64; cells as bags of cells. */
  candidate: Bytes
}

/** Transactions of a block, ordered by account, then logical time. */
export type BlockTransactions = {
  '@type': 'blocks.transactions'
  /** Block id. */
  id: BlockIdExt
  /** Requested count. */
  req_count: number
  /** True if more transactions may follow. */
  incomplete: boolean
  transactions: ShortTxId[]
}

/** Full transactions of a block, ordered by account, then logical time. */
export type BlockTransactionsExt = {
  '@type': 'blocks.transactionsExt'
  /** Block id. */
  id: BlockIdExt
  /** Requested count. */
  req_count: number
  /** True if more transactions may follow. */
  incomplete: boolean
  transactions: RawTransactionExt[]
}

/** Bytes in base64; cells as bags of cells. */
export type Bytes = string

/** Cell as a bag of cells; empty if absent. */
export type Cell = {
  '@type': 'tvm.cell'
  /** Bytes in base64; cells as bags of cells. */
  bytes: Bytes
}

export type CellObject = {
  data: {
    /** Bits in base64, padded with zeros. */
    b64: string
    /** Number of bits. */
    len: number
  }
  refs: CellObject[]
  /** Exotic cell. */
  special: boolean
}

/** Part of the configuration. */
export type ConfigInfo = {
  '@type': 'configInfo'
  /** Cell as a bag of cells; empty if absent. */
  config: Cell
}

/** One parameter, decoded. */
export type ConfigParam = {
  '@type': 'ext.configParam'
  id: number
  name: string | null
  /** The decoded value; null if the layout is unknown. Large numbers are decimal text, bytes are hex, cells are bags of cells in base64, and a dictionary is a list of key and value. */
  decoded: unknown
  /** Bytes in base64; cells as bags of cells. */
  bytes: Bytes
}

export type ConfigParams = {
  '@type': 'ext.configParams'
  params: ConfigParam[]
}

/** Newest block that most nodes have. */
export type ConsensusBlock = {
  '@type': 'ext.blocks.consensusBlock'
  /** Masterchain seqno. */
  consensus_block: number
  /** Unix time of the result. */
  timestamp: number
}

/** All forms of an address. */
export type DetectedAddress = {
  '@type': 'ext.utils.detectedAddress'
  raw_form: string
  bounceable: AddressVariant
  non_bounceable: AddressVariant
  given_type: 'raw_form' | 'friendly_bounceable' | 'friendly_non_bounceable'
  test_only: boolean
}

/** All forms of a hash. */
export type DetectedHash = {
  '@type': 'ext.utils.detectedHash'
  /** 32 bytes in base64. */
  b64: Hash
  b64url: string
  hex: string
}

export type DnsAccountState = {
  '@type': 'dns.accountState'
  wallet_id: number
}

export type DnsEntry = {
  '@type': 'dns.entry'
  name: string
  /** 32 bytes in base64. */
  category: Hash
  entry: {
    '@type': 'dns.entryDataUnknown'
    /** Bytes in base64; cells as bags of cells. */
    bytes: Bytes
  } | {
    '@type': 'dns.entryDataText'
    text: string
  } | {
    '@type': 'dns.entryDataNextResolver'
    /** Address; empty if absent. */
    resolver: AccountAddress
  } | {
    '@type': 'dns.entryDataSmcAddress'
    /** Address; empty if absent. */
    smc_address: AccountAddress
  } | {
    '@type': 'dns.entryDataAdnlAddress'
    adnl_address: {
      '@type': 'adnlAddress'
      adnl_address: string
    }
  } | {
    '@type': 'dns.entryDataStorageAddress'
    bag_id: string
  }
}

/** Content of a DNS item. */
export type DomainContent = {
  domain: string
  /** DNS records by category name, or by category hash if the name is unknown. */
  data: { [name: string]: DomainRecord }
}

export type DomainRecord = {
  '@type': 'dns_smc_address'
  smc_addr: {
    '@type': 'addr_std'
    workchain_id: number
    /** 64 hex digits. */
    address: string
  }
} | {
  '@type': 'dns_next_resolver'
  resolver: {
    '@type': 'addr_std'
    workchain_id: number
    /** 64 hex digits. */
    address: string
  }
} | {
  '@type': 'dns_adnl_address'
  adnl_addr: string
} | {
  '@type': 'dns_storage_address'
  bag_id: string
}

/** Message. */
export type ExtMessage = {
  '@type': 'ext.message'
  /** 32 bytes in base64. */
  hash: Hash
  /** Amount in nano units, decimal. */
  value: Amount
  extra_currencies: ExtraCurrency[]
  /** Amount in nano units, decimal. */
  fwd_fee: Amount
  /** Amount in nano units, decimal. */
  ihr_fee: Amount
  /** Logical time, decimal. */
  created_lt: Lt
  /** 32 bytes in base64. */
  body_hash: Hash
  /** Message content: text comment, encrypted comment, or raw body. */
  msg_data: MsgData
  source: Friendly | ''
  destination: Friendly | ''
  /** Comment; for other bodies, the bits of the root cell in base64. */
  message?: string
  /** Why the comment could not be decoded. */
  message_decode_error?: string
}

/** Transaction of an account. */
export type ExtTransaction = {
  '@type': 'ext.transaction'
  /** Raw address in upper case. */
  account: UpperRaw
  /** Address; empty if absent. */
  address: AccountAddress
  /** Unix time of the transaction. */
  utime: number
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
  /** Transaction id: lt and hash; zeros if absent. */
  transaction_id: TransactionId
  /** Amount in nano units, decimal. */
  fee: Amount
  /** Amount in nano units, decimal. */
  storage_fee: Amount
  /** Amount in nano units, decimal. */
  other_fee: Amount
  /** Message. */
  in_msg?: ExtMessage
  out_msgs: ExtMessage[]
}

/** Amount of an extra currency. */
export type ExtraCurrency = {
  '@type': 'extraCurrency'
  id: number
  amount: string
}

/** In nano units. */
export type Fees = {
  '@type': 'fees'
  /** Import fee of the message. */
  in_fwd_fee: number
  /** Storage fee since the last payment. */
  storage_fee: number
  /** Gas fee. */
  gas_fee: number
  /** Forward fees of outgoing messages. */
  fwd_fee: number
}

/** User-friendly address. */
export type Friendly = string

/** Account with its contract type. */
export type FullAccountState = {
  '@type': 'fullAccountState'
  /** Address; empty if absent. */
  address: AccountAddress
  /** Amount in nano units, decimal. */
  balance: Amount
  extra_currencies: ExtraCurrency[]
  /** Transaction id: lt and hash; zeros if absent. */
  last_transaction_id: TransactionId
  /** Block id. */
  block_id: BlockIdExt
  /** Unix time of the state. */
  sync_utime: number
  account_state: UninitedAccountState | RawAccountState | WalletV3AccountState | WalletV4AccountState | WalletHighloadV1AccountState | WalletHighloadV2AccountState | DnsAccountState | RwalletAccountState | PchanAccountState
  /** Version of the contract; 0 if unknown. */
  revision: number
  /** Proof of the result, starting from the hashes in block_id. */
  proof?: AccountProof
}

/** 32 bytes in base64. */
export type Hash = string

export type JettonMaster = {
  '@type': 'ext.tokens.jettonMasterData'
  /** The requested address. */
  address: string
  contract_type: 'jetton_master'
  /** Decimal number. */
  total_supply: string
  mintable: boolean
  /** User-friendly address. */
  admin_address?: Friendly
  /** Token content: on-chain attributes, or the off-chain URI. */
  jetton_content: TokenContent
  /** Bytes in base64; cells as bags of cells. */
  jetton_wallet_code: Bytes
}

export type JettonWallet = {
  '@type': 'ext.tokens.jettonWalletData'
  /** The requested address. */
  address: string
  contract_type: 'jetton_wallet'
  /** Decimal number. */
  balance: string
  /** User-friendly address. */
  owner: Friendly
  /** User-friendly address. */
  jetton: Friendly
  mintless_is_claimed?: boolean
  /** Bytes in base64; cells as bags of cells. */
  jetton_wallet_code: Bytes
}

/** TVM value. A slice is shown as a cell, null as an empty list. */
export type LegacyStackEntry = ['num', string] | ['cell', {
  /** Bytes in base64; cells as bags of cells. */
  bytes: Bytes
  object: CellObject
}] | ['tuple', {
  '@type': 'tvm.tuple'
  elements: StackEntry[]
}] | ['list', {
  '@type': 'tvm.list'
  elements: StackEntry[]
}] | ['unsupported', '']

export type Libraries = {
  '@type': 'smc.libraryResult'
  result: Library[]
}

/** Public library. */
export type Library = {
  '@type': 'smc.libraryEntry'
  /** 32 bytes in base64. */
  hash: Hash
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
}

/** Logical time, decimal. */
export type Lt = string

/** Signatures of a masterchain block, in the form of its consensus. */
export type MasterchainBlockSignatures = BlockSignatures | BlockSignaturesSimplex

/** Newest masterchain block and zero state. */
export type MasterchainInfo = {
  '@type': 'blocks.masterchainInfo'
  /** Block id. */
  last: BlockIdExt
  /** 32 bytes in base64. */
  state_root_hash: Hash
  /** Block id. */
  init: BlockIdExt
}

/** Message content: text comment, encrypted comment, or raw body. */
export type MsgData = MsgDataText | MsgDataEncryptedText | MsgDataRaw

export type MsgDataEncryptedText = {
  '@type': 'msg.dataEncryptedText'
  /** Bytes in base64; cells as bags of cells. */
  text: Bytes
}

export type MsgDataRaw = {
  '@type': 'msg.dataRaw'
  /** Bytes in base64; cells as bags of cells. */
  body: Bytes
  /** Bytes in base64; cells as bags of cells. */
  init_state: Bytes
}

export type MsgDataText = {
  '@type': 'msg.dataText'
  /** Bytes in base64; cells as bags of cells. */
  text: Bytes
}

export type NftCollection = {
  '@type': 'ext.tokens.nftCollectionData'
  /** The requested address. */
  address: string
  contract_type: 'nft_collection'
  /** Decimal number. */
  next_item_index: string
  /** User-friendly address. */
  owner_address?: Friendly
  /** Token content: on-chain attributes, or the off-chain URI. */
  collection_content: TokenContent
}

export type NftItem = {
  '@type': 'ext.tokens.nftItemData'
  /** The requested address. */
  address: string
  contract_type: 'nft_item'
  init: boolean
  /** Decimal number. */
  index: string
  /** User-friendly address. */
  collection_address?: Friendly
  /** User-friendly address. */
  owner_address?: Friendly
  content: TokenContent | DomainContent
}

export type Ok = {
  '@type': 'ok'
}

/** Size of the outbound message queue of a shard. */
export type OutMsgQueueSize = {
  '@type': 'blocks.outMsgQueueSize'
  /** Block id. */
  id: BlockIdExt
  size: number
}

/** Queue sizes of the masterchain and of all shards. */
export type OutMsgQueueSizes = {
  '@type': 'blocks.outMsgQueueSizes'
  shards: OutMsgQueueSize[]
  /** Above this size, a shard accepts no external-in messages. */
  ext_msg_queue_size_limit: number
}

export type PchanAccountState = {
  '@type': 'pchan.accountState'
  config: PchanConfig
  state: PchanStateInit | PchanStateClose | PchanStatePayout
  description: string
}

export type PchanConfig = {
  '@type': 'pchan.config'
  alice_public_key: string
  /** Address; empty if absent. */
  alice_address: AccountAddress
  bob_public_key: string
  /** Address; empty if absent. */
  bob_address: AccountAddress
  init_timeout: number
  close_timeout: number
  channel_id: number | bigint
}

export type PchanStateClose = {
  '@type': 'pchan.stateClose'
  signed_A: boolean
  signed_B: boolean
  min_A: number | bigint
  min_B: number | bigint
  expire_at: number
  A: number | bigint
  B: number | bigint
}

export type PchanStateInit = {
  '@type': 'pchan.stateInit'
  signed_A: boolean
  signed_B: boolean
  min_A: number | bigint
  min_B: number | bigint
  expire_at: number
  A: number | bigint
  B: number | bigint
}

export type PchanStatePayout = {
  '@type': 'pchan.statePayout'
  A: number | bigint
  B: number | bigint
}

export type QueryFees = {
  '@type': 'query.fees'
  /** In nano units. */
  source_fees: Fees
  /** Always empty. */
  destination_fees: Fees[]
}

export type RawAccountState = {
  '@type': 'raw.accountState'
  /** Bytes in base64; cells as bags of cells. */
  code: Bytes
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
  frozen_hash: Hash | ''
}

/** Account state. */
export type RawFullAccountState = {
  '@type': 'raw.fullAccountState'
  /** Amount in nano units, decimal. */
  balance: Amount
  extra_currencies: ExtraCurrency[]
  /** Transaction id: lt and hash; zeros if absent. */
  last_transaction_id: TransactionId
  /** Block id. */
  block_id: BlockIdExt
  /** Unix time of the state. */
  sync_utime: number
  /** Bytes in base64; cells as bags of cells. */
  code: Bytes
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
  frozen_hash: Hash | ''
  /** An account that does not exist is uninitialized. */
  state: AccountStateName
  /** Suspended by the configuration. */
  suspended: boolean
  /** Proof of the result, starting from the hashes in block_id. */
  proof?: AccountProof
}

/** Message in the raw format of nodes. */
export type RawMessage = {
  '@type': 'raw.message'
  /** 32 bytes in base64. */
  hash: Hash
  /** Amount in nano units, decimal. */
  value: Amount
  extra_currencies: ExtraCurrency[]
  /** Amount in nano units, decimal. */
  fwd_fee: Amount
  /** Amount in nano units, decimal. */
  ihr_fee: Amount
  /** Logical time, decimal. */
  created_lt: Lt
  /** 32 bytes in base64. */
  body_hash: Hash
  /** Message content: text comment, encrypted comment, or raw body. */
  msg_data: MsgData
  /** Address; empty if absent. */
  source: AccountAddress
  /** Address; empty if absent. */
  destination: AccountAddress
}

/** Transaction in the raw format of nodes. */
export type RawTransaction = {
  '@type': 'raw.transaction'
  /** Address; empty if absent. */
  address: AccountAddress
  /** Unix time of the transaction. */
  utime: number
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
  /** Transaction id: lt and hash; zeros if absent. */
  transaction_id: TransactionId
  /** Amount in nano units, decimal. */
  fee: Amount
  /** Amount in nano units, decimal. */
  storage_fee: Amount
  /** Amount in nano units, decimal. */
  other_fee: Amount
  /** Message in the raw format of nodes. */
  in_msg?: RawMessage
  out_msgs: RawMessage[]
}

/** Transaction of a block. */
export type RawTransactionExt = {
  '@type': 'raw.transactionExt'
  /** Raw address in upper case. */
  account: UpperRaw
  /** Address; empty if absent. */
  address: AccountAddress
  /** Unix time of the transaction. */
  utime: number
  /** Bytes in base64; cells as bags of cells. */
  data: Bytes
  /** Transaction id: lt and hash; zeros if absent. */
  transaction_id: TransactionId
  /** Amount in nano units, decimal. */
  fee: Amount
  /** Amount in nano units, decimal. */
  storage_fee: Amount
  /** Amount in nano units, decimal. */
  other_fee: Amount
  /** Message in the raw format of nodes. */
  in_msg?: RawMessage
  out_msgs: RawMessage[]
}

/** Page of transactions with the id of the next one. */
export type RawTransactions = {
  '@type': 'raw.transactions'
  transactions: RawTransaction[]
  /** Transaction id: lt and hash; zeros if absent. */
  previous_transaction_id: TransactionId
}

/** DNS records of a name, or the next resolver. */
export type ResolvedDomain = {
  '@type': 'dns.resolved'
  entries: DnsEntry[]
}

/** Result of a get-method, with the block and transaction of the state. */
export type RunResult = {
  '@type': 'smc.runResult'
  gas_used: number
  /** TVM exit code; 0 and 1 mean success. */
  exit_code: number
  stack: LegacyStackEntry[]
  /** Block id. */
  block_id: BlockIdExt
  /** Transaction id: lt and hash; zeros if absent. */
  last_transaction_id: TransactionId
}

export type RwalletAccountState = {
  '@type': 'rwallet.accountState'
  wallet_id: number
  seqno: number
  unlocked_balance: number | bigint
  config: {
    '@type': 'rwallet.config'
    start_at: number
    limits: {
      '@type': 'rwallet.limit'
      seconds: number
      value: number | bigint
    }[]
  }
}

/** Hash of the message as sent, and its normalized hash. */
export type SentMessage = {
  '@type': 'raw.extMessageInfo'
  /** 32 bytes in base64. */
  hash: Hash
  /** 32 bytes in base64. */
  hash_norm: Hash
}

/** A block, and the proof that the previous link leads to it. */
export type ShardBlockLink = {
  '@type': 'blocks.shardBlockLink'
  /** Block id. */
  id: BlockIdExt
  /** Bytes in base64; cells as bags of cells. */
  proof: Bytes
}

/** Proof that a block belongs to the chain of a masterchain block. */
export type ShardBlockProof = {
  '@type': 'blocks.shardBlockProof'
  /** Block id. */
  from: BlockIdExt
  /** Block id. */
  mc_id: BlockIdExt
  links: ShardBlockLink[]
  mc_proof: BlockLinkBack[]
}

/** Newest blocks of all shards. */
export type Shards = {
  '@type': 'blocks.shards'
  shards: BlockIdExt[]
}

/** Transaction id. */
export type ShortTxId = {
  '@type': 'blocks.shortTxId'
  /** Bit mask of present members; always all. */
  mode: number
  account: string
  /** Logical time, decimal. */
  lt: Lt
  /** 32 bytes in base64. */
  hash: Hash
}

export type StackEntry = {
  '@type': 'tvm.stackEntryNumber'
  number: {
    '@type': 'tvm.numberDecimal'
    number: string
  }
} | {
  '@type': 'tvm.stackEntryCell'
  cell: {
    '@type': 'tvm.cell'
    /** Bytes in base64; cells as bags of cells. */
    bytes: Bytes
  }
} | {
  '@type': 'tvm.stackEntrySlice'
  slice: {
    '@type': 'tvm.slice'
    /** Bytes in base64; cells as bags of cells. */
    bytes: Bytes
  }
} | {
  '@type': 'tvm.stackEntryTuple'
  tuple: {
    '@type': 'tvm.tuple'
    elements: StackEntry[]
  }
} | {
  '@type': 'tvm.stackEntryList'
  list: {
    '@type': 'tvm.list'
    elements: StackEntry[]
  }
} | {
  '@type': 'tvm.stackEntryUnsupported'
}

/** Result of a get-method. */
export type StdRunResult = {
  '@type': 'smc.runResult'
  gas_used: number
  /** TVM exit code; 0 and 1 mean success. */
  exit_code: number
  stack: StackEntry[]
}

/** Token content: on-chain attributes, or the off-chain URI. */
export type TokenContent = {
  type: 'onchain'
  /** Attributes by TEP-64 name; image_data in base64. */
  data: { [name: string]: string }
} | {
  type: 'offchain'
  data: string
}

export type TraceTransactionId = {
  '@type': 'blocks.shortTxId'
  /** Raw address in upper case. */
  account: UpperRaw
  /** Logical time, decimal. */
  lt: Lt
  /** 32 bytes in base64. */
  hash: Hash
}

/** Transaction id: lt and hash; zeros if absent. */
export type TransactionId = {
  '@type': 'internal.transactionId'
  /** Logical time, decimal. */
  lt: Lt
  /** 32 bytes in base64. */
  hash: Hash
}

export type UninitedAccountState = {
  '@type': 'uninited.accountState'
  frozen_hash: Hash | ''
}

/** Raw address in upper case. */
export type UpperRaw = string

export type WaitedMessage = {
  '@type': 'ext.sendResult'
  /** finalized: the whole trace is indexed. pending: the time is up, or until is pending. not_accepted: the contract refuses the message. expired: its seqno is used, or valid_until has passed. lost: no block had it for a minute. */
  status: 'finalized' | 'pending' | 'not_accepted' | 'expired' | 'lost'
  /** 32 bytes in base64. */
  hash: Hash
  /** 32 bytes in base64. */
  hash_norm: Hash
  /** Hash of the first transaction, if finalized. */
  trace_id: Hash | null
  /** Of the contract that refused the message. */
  exit_code: number | null
  /** Why the message was not executed. */
  error: string | null
  /** The transaction that executed the message, if finalized. */
  transaction: ExtTransaction | null
  /** All transactions of the trace, if finalized. */
  transactions: TraceTransactionId[]
}

export type WalletHighloadV1AccountState = {
  '@type': 'wallet.highload.v1.accountState'
  wallet_id: number
  seqno: number
}

export type WalletHighloadV2AccountState = {
  '@type': 'wallet.highload.v2.accountState'
  wallet_id: number
}

/** Wallet information. */
export type WalletInformation = {
  '@type': 'ext.accounts.walletInformation'
  /** Whether the account is a known wallet. */
  wallet: boolean
  /** Amount in nano units, decimal. */
  balance: Amount
  /** An account that does not exist is uninitialized. */
  account_state: AccountStateName
  /** Transaction id: lt and hash; zeros if absent. */
  last_transaction_id: TransactionId
  wallet_type?: string
  /** Seqno of the next external message. */
  seqno?: number
  wallet_id?: number
  /** Whether signature authentication is enabled. */
  is_signature_allowed?: boolean
  /** Proof of the result, starting from the hashes in block_id. */
  proof?: AccountProof
}

export type WalletV3AccountState = {
  '@type': 'wallet.v3.accountState'
  wallet_id: number
  seqno: number
}

export type WalletV4AccountState = {
  '@type': 'wallet.v4.accountState'
  wallet_id: number
  seqno: number
}

/** A function for each endpoint. */
export type V2Calls = {
  /** Account state: balance, code, data, last transaction. */
  readonly getAddressInformation: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
    /** Add the proof of the result. */
    readonly proof?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<RawFullAccountState>

  /** Account state with parsed data of well-known contracts. */
  readonly getExtendedAddressInformation: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
    /** Add the proof of the result. */
    readonly proof?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<FullAccountState>

  /** Wallet information: wallet type, seqno and wallet id. */
  readonly getWalletInformation: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
    /** Add the proof of the result. */
    readonly proof?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<WalletInformation>

  /** Balance of an account in nano units; 0 if the account does not exist. */
  readonly getAddressBalance: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Amount>

  /** State of an account: active, uninitialized or frozen. */
  readonly getAddressState: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<AccountStateName>

  /** Account as a ShardAccount cell: state and last transaction. */
  readonly getShardAccountCell: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Cell>

  /** Token data of a jetton master, jetton wallet, NFT collection or NFT item. */
  readonly getTokenData: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<JettonMaster | JettonWallet | NftCollection | NftItem>

  /** Resolve a domain name by a resolver contract. */
  readonly dnsResolve: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Domain name, relative to the resolver. */
    readonly name?: string | undefined
    /** Ignored: records of all categories are returned. */
    readonly category?: string | undefined
    readonly ttl?: number | undefined
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ResolvedDomain>

  /** Newest masterchain block, and the zero state. */
  readonly getMasterchainInfo: (
    args?: {},
    options?: CallOptions,
  ) => Promise<MasterchainInfo>

  /** Newest masterchain block that most nodes have. */
  readonly getConsensusBlock: (
    args?: {},
    options?: CallOptions,
  ) => Promise<ConsensusBlock>

  /** Validator signatures of a masterchain block. */
  readonly getMasterchainBlockSignatures: (
    args: {
    /** Block seqno. */
    readonly seqno: number
  },
    options?: CallOptions,
  ) => Promise<MasterchainBlockSignatures>

  /** Proof that a block belongs to the chain of a masterchain block, by default the newest. */
  readonly getShardBlockProof: (
    args: {
    /** -1: masterchain, 0: basechain. */
    readonly workchain: number
    /** Shard id as a signed 64-bit decimal number. */
    readonly shard: string
    /** Block seqno. */
    readonly seqno: number
    readonly from_seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ShardBlockProof>

  /** Look up a block by seqno, or the first block at a logical time or Unix time. */
  readonly lookupBlock: (
    args: {
    /** -1: masterchain, 0: basechain. */
    readonly workchain: number
    /** Shard id as a signed 64-bit decimal number. */
    readonly shard: string
    /** Block seqno. */
    readonly seqno?: number | undefined
    /** Logical time, decimal. */
    readonly lt?: string | undefined
    readonly unixtime?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlockIdExt>

  /** Newest blocks of all shards as of a masterchain block. */
  readonly getShards: (
    args: {
    /** Block seqno. */
    readonly seqno: number
  },
    options?: CallOptions,
  ) => Promise<Shards>

  /** Alias of getShards. */
  readonly shards: (
    args: {
    /** Block seqno. */
    readonly seqno: number
  },
    options?: CallOptions,
  ) => Promise<Shards>

  /** Block header. */
  readonly getBlockHeader: (
    args: {
    /** -1: masterchain, 0: basechain. */
    readonly workchain: number
    /** Shard id as a signed 64-bit decimal number. */
    readonly shard: string
    /** Block seqno. */
    readonly seqno: number
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly root_hash?: string | undefined
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly file_hash?: string | undefined
  },
    options?: CallOptions,
  ) => Promise<BlockHeader>

  /** Size of the outbound message queues of the masterchain and of every shard. */
  readonly getOutMsgQueueSize: (
    args?: {},
    options?: CallOptions,
  ) => Promise<OutMsgQueueSizes>

  /** List transaction ids of a block, ordered by account, then logical time. */
  readonly getBlockTransactions: (
    args: {
    /** -1: masterchain, 0: basechain. */
    readonly workchain: number
    /** Shard id as a signed 64-bit decimal number. */
    readonly shard: string
    /** Block seqno. */
    readonly seqno: number
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly root_hash?: string | undefined
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly file_hash?: string | undefined
    /** Logical time, decimal. */
    readonly after_lt?: string | undefined
    /** Account: an address, or its 32-byte hash part. Not the hash of a transaction. */
    readonly after_hash?: string | undefined
    readonly count?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlockTransactions>

  /** List full transactions of a block, ordered by account, then logical time. */
  readonly getBlockTransactionsExt: (
    args: {
    /** -1: masterchain, 0: basechain. */
    readonly workchain: number
    /** Shard id as a signed 64-bit decimal number. */
    readonly shard: string
    /** Block seqno. */
    readonly seqno: number
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly root_hash?: string | undefined
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly file_hash?: string | undefined
    /** Logical time, decimal. */
    readonly after_lt?: string | undefined
    /** Account: an address, or its 32-byte hash part. Not the hash of a transaction. */
    readonly after_hash?: string | undefined
    readonly count?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<BlockTransactionsExt>

  /** Transactions of an account, newest first, starting at lt and hash (inclusive), or at the last one. */
  readonly getTransactions: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    readonly limit?: number | undefined
    /** Logical time, decimal. */
    readonly lt?: string | undefined
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly hash?: string | undefined
    /** Logical time, decimal. */
    readonly to_lt?: string | undefined
    /** Use archive nodes only. */
    readonly archival?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<ExtTransaction[]>

  /** Like getTransactions, in the raw format of nodes, with the id of the next transaction. */
  readonly getTransactionsStd: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    readonly limit?: number | undefined
    /** Logical time, decimal. */
    readonly lt?: string | undefined
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly hash?: string | undefined
    /** Logical time, decimal. */
    readonly to_lt?: string | undefined
    /** Use archive nodes only. */
    readonly archival?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<RawTransactions>

  /** Alias of tryLocateResultTx. */
  readonly tryLocateTx: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly source: string
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly destination: string
    /** Logical time, decimal. */
    readonly created_lt: string
  },
    options?: CallOptions,
  ) => Promise<ExtTransaction>

  /** Find the transaction that a message triggered. */
  readonly tryLocateResultTx: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly source: string
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly destination: string
    /** Logical time, decimal. */
    readonly created_lt: string
  },
    options?: CallOptions,
  ) => Promise<ExtTransaction>

  /** Find the transaction that sent a message. */
  readonly tryLocateSourceTx: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly source: string
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly destination: string
    /** Logical time, decimal. */
    readonly created_lt: string
  },
    options?: CallOptions,
  ) => Promise<ExtTransaction>

  /** Send an external message. Acceptance by a node does not mean that it will be executed. */
  readonly sendBoc: (
    args: {
    /** An external message as a bag of cells. */
    readonly boc: string
  },
    options?: CallOptions,
  ) => Promise<Ok>

  /** Send an external message and return its hashes. */
  readonly sendBocReturnHash: (
    args: {
    /** An external message as a bag of cells. */
    readonly boc: string
  },
    options?: CallOptions,
  ) => Promise<SentMessage>

  /** Like sendBocReturnHash, but a refused message is a client error. */
  readonly sendBocReturnHashNoError: (
    args: {
    /** An external message as a bag of cells. */
    readonly boc: string
  },
    options?: CallOptions,
  ) => Promise<SentMessage>

  /** Send an external message and wait until its whole trace is indexed, or say why it was not executed. */
  readonly sendBocAndWait: (
    args: {
    /** An external message as a bag of cells. */
    readonly boc: string
    /** How long to wait, in seconds. */
    readonly timeout?: number | undefined
    /** pending: only until the trace is emulated. */
    readonly until?: 'pending' | 'finalized' | undefined
    /** Read the transactions of the trace. */
    readonly include_transactions?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<WaitedMessage>

  /** Build an external message from its parts and send it. */
  readonly sendQuery: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Message body as a bag of cells. */
    readonly body: string
    /** Code of a contract to deploy, as a bag of cells. */
    readonly init_code?: string | undefined
    /** Data of a contract to deploy. */
    readonly init_data?: string | undefined
  },
    options?: CallOptions,
  ) => Promise<Ok>

  /** Deprecated: sendQuery with cells as JSON objects. */
  readonly sendQuerySimple: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Message body as an object. */
    readonly body: (CellObject)
    /** Code of a contract to deploy, as an object. */
    readonly init_code?: (CellObject) | undefined
    /** Data of a contract to deploy. */
    readonly init_data?: (CellObject) | undefined
  },
    options?: CallOptions,
  ) => Promise<Ok>

  /** Estimate the fees of an external message by running it. A refused message costs nothing. */
  readonly estimateFee: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Message body as a bag of cells. */
    readonly body: string
    /** Code of a contract to deploy, as a bag of cells. */
    readonly init_code?: string | undefined
    /** Data of a contract to deploy. */
    readonly init_data?: string | undefined
    /** False: check signatures. Default: treat all signatures as valid. */
    readonly ignore_chksig?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<QueryFees>

  /** Deprecated: estimateFee with cells as JSON objects. */
  readonly estimateFeeSimple: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Message body as an object. */
    readonly body: (CellObject)
    /** Code of a contract to deploy, as an object. */
    readonly init_code?: (CellObject) | undefined
    /** Data of a contract to deploy. */
    readonly init_data?: (CellObject) | undefined
    /** False: check signatures. Default: treat all signatures as valid. */
    readonly ignore_chksig?: boolean | number | string | undefined
  },
    options?: CallOptions,
  ) => Promise<QueryFees>

  /** Run a get-method of a contract. */
  readonly runGetMethod: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Get-method name or id. */
    readonly method: string | number
    /** Arguments as [type, value] pairs, bottom of the stack first. */
    readonly stack?: readonly unknown[] | undefined
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<RunResult>

  /** Run a get-method of a contract, with typed arguments and results. */
  readonly runGetMethodStd: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Get-method name or id. */
    readonly method: string | number
    /** Arguments as typed objects, bottom of the stack first. */
    readonly stack?: readonly unknown[] | undefined
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<StdRunResult>

  /** One configuration parameter; an empty cell if the network does not have it. */
  readonly getConfigParam: (
    args?: {
    readonly param?: number | undefined
    readonly config_id?: number | undefined
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ConfigInfo>

  /** All configuration parameters: root of the dictionary. */
  readonly getConfigAll: (
    args?: {
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ConfigInfo>

  /** All configuration parameters, decoded: by number, with names and values. */
  readonly getConfigParams: (
    args?: {
    /** Block seqno. */
    readonly seqno?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<ConfigParams>

  /** Public libraries by hash, at most 16; unknown ones are omitted. */
  readonly getLibraries: (
    args?: {
    readonly libraries?: string | readonly string[] | undefined
  },
    options?: CallOptions,
  ) => Promise<Libraries>

  /** All forms of an address, and the form that was given. */
  readonly detectAddress: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
  },
    options?: CallOptions,
  ) => Promise<DetectedAddress>

  /** All forms of a hash. */
  readonly detectHash: (
    args: {
    /** 32-byte hash: 64 hex digits, or base64. */
    readonly hash: string
  },
    options?: CallOptions,
  ) => Promise<DetectedHash>

  /** Convert an address to the user-friendly form, with its flags, or bounceable. */
  readonly packAddress: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
  },
    options?: CallOptions,
  ) => Promise<Friendly>

  /** Convert an address to the raw form. */
  readonly unpackAddress: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
  },
    options?: CallOptions,
  ) => Promise<string>

  /** Health check: returns OK. */
  readonly healthcheck: (
    args?: {},
    options?: CallOptions,
  ) => Promise<'OK'>
}
