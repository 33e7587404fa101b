// Written by scripts/genClient.ts from src/api; do not edit.
import type { CallOptions } from '../callEndpoint.ts'
import type { AccountState, AccountStatus, Action, Address, AddressBook, BlockId, Boc, Decimal, ExtraCurrencies, Finality, Hash, Message, Metadata, TraceNode, TransactionDescr } from './v3.ts'

export type AccountOverride = {
  /** Amount in nano units, decimal. */
  balance?: string
  /** Amount by currency id. */
  extra_currencies?: { [name: string]: string }
  /** Code; makes the account active, a bag of cells in base64. */
  code?: string
  /** Data; makes the account active, a bag of cells in base64. */
  data?: string
  /** Code, data, libraries and special flags at once, a bag of cells in base64. */
  state_init?: string
  /** A whole ShardAccount; excludes the other members, a bag of cells in base64. */
  shard_account?: string
  /** frozen needs frozen_hash. */
  status?: 'nonexist' | 'uninit' | 'frozen'
  /** Hash of the StateInit of a frozen account. */
  frozen_hash?: string
  /** Fields of the data of known wallets: seqno, wallet_id, public_key. */
  data_patch?: {
    path: string
    value: string
  }[]
  /** Unix time. */
  last_paid?: number
  /** Amount in nano units, decimal. */
  due_payment?: string
  /** Replaces the key of a known wallet: 64 hexadecimal digits, or base64. */
  public_key?: string
}

/** Zero changes are left out. */
export type BalanceChange = {
  /** Decimal number. */
  native?: Decimal
  /** Amounts of extra currencies by currency id. */
  extra_currencies?: ExtraCurrencies
  /** By address of the master. */
  jettons?: { [name: string]: Decimal }
  nfts?: {
    in: Address[]
    out: Address[]
  }
}

export type EmulatedTransaction = {
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
  account_state_before: {
    /** A hash, base64. */
    hash: Hash
    balance: Decimal | null
    extra_currencies: ExtraCurrencies | null
    account_status: AccountStatus | null
    frozen_hash: Hash | null
    data_hash: Hash | null
    code_hash: Hash | null
    /** The state is an override of the request. */
    overridden?: boolean
  }
  /** Account state before or after a transaction. Parts that are not in the block are null. */
  account_state_after: AccountState
  emulated: boolean
  finality?: Finality
}

export type Emulation = {
  /** Masterchain block whose state was used. */
  mc_block_seqno: number
  trace: TraceNode
  transactions: { [name: string]: EmulatedTransaction }
  actions: Action[]
  /** Cells by hash. */
  code_cells?: { [name: string]: Boc }
  /** Cells by hash. */
  data_cells?: { [name: string]: Boc }
  /** Display names of the addresses in a response. */
  address_book?: AddressBook
  /** Metadata of the tokens in a response. */
  metadata?: Metadata
  /** Seed of the blocks, base64. */
  rand_seed: string
  /** The emulation ended before the trace. */
  is_incomplete: boolean
  incomplete_reason?: string
  summary?: EmulationSummary
  /** Recorded runs by transaction hash, in the shape of the debugger. */
  vm?: { [name: string]: unknown }
}

export type EmulationSummary = {
  fees: {
    /** Decimal number. */
    storage: Decimal
    /** Decimal number. */
    gas: Decimal
    /** Decimal number. */
    action: Decimal
    /** Decimal number. */
    forward: Decimal
    /** Decimal number. */
    import: Decimal
    /** Decimal number. */
    total: Decimal
    by_account: { [name: string]: Fees }
  }
  balance_changes: { [name: string]: BalanceChange }
  /** Raw address; addr_none and similar if it is not an account. */
  payer?: Address
  /** Decimal number. */
  paid: Decimal
  /** Coins sent to the address of configuration parameter 5, which burns them. */
  burned?: string
  failed: FailedTransaction[]
  /** Decimal number. */
  bounced: Decimal
  undelivered: {
    /** A hash, base64. */
    hash: Hash
    /** Raw address; addr_none and similar if it is not an account. */
    destination?: Address
    /** Decimal number. */
    value: Decimal
  }[]
  new_contracts: Address[]
  destroyed: Address[]
  risk?: {
    sends_all: boolean
    /** Decimal number. */
    native: Decimal
    jettons: { [name: string]: Decimal }
    nfts: Address[]
  }
}

export type FailedTransaction = {
  /** A hash, base64. */
  tx: Hash
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  phase: 'compute' | 'action'
  exit_code?: number
  result_code?: number
  reason: string
}

export type Fees = {
  /** Decimal number. */
  storage: Decimal
  /** Decimal number. */
  gas: Decimal
  /** Decimal number. */
  action: Decimal
  /** Decimal number. */
  forward: Decimal
  /** Decimal number. */
  import: Decimal
  /** Decimal number. */
  total: Decimal
}

export type SimulatedAccount = {
  status: AccountStatus
  /** Decimal number. */
  balance: Decimal
  /** Amounts of extra currencies by currency id. */
  extra_currencies?: ExtraCurrencies
  /** Bag of cells in base64. */
  code?: Boc
  /** Bag of cells in base64. */
  data?: Boc
  /** Decimal number. */
  last_trans_lt: Decimal
}

export type Simulation = {
  mc_block_seqno: number
  rand_seed: string
  steps: {
    ok: boolean
    /** A trace, or the result of a get-method. */
    result?: unknown
    error?: string
    code?: string
    exit_code?: number
  }[]
  summary?: EmulationSummary
  accounts?: { [name: string]: SimulatedAccount }
}

/** One member says what to do. */
export type SimulationStep = {
  message?: {
    /** A whole message; excludes the other members, a bag of cells in base64. */
    boc?: string
    from?: string
    to?: string
    /** Amount in nano units, decimal. */
    value?: string
    /** Body, a bag of cells in base64. */
    body?: string
    /** Text instead of a body. */
    comment?: string
    /** By default true. */
    bounce?: boolean
    /** State to deploy with, a bag of cells in base64. */
    state_init?: string
    /** Amount by currency id. */
    extra_currencies?: { [name: string]: string }
  }
  external?: {
    /** An external-in message, a bag of cells in base64. */
    boc: string
    /** Treat all signatures as valid, in the whole trace or in the first transaction only. */
    ignore_chksig?: boolean | 'first'
  }
  ton_connect?: {
    /** The wallet. */
    from?: string
    messages?: TonConnectMessage[]
    /** Unix time; by default in 5 minutes. */
    valid_until?: unknown
    /** StateInit of a wallet that is not deployed yet, a bag of cells in base64. */
    from_state_init?: string
  }
  run_get_method?: {
    address: string
    method: string
    stack?: {
      type: 'num' | 'cell' | 'slice'
      /** Number (decimal, or hexadecimal with 0x), or a bag of cells. */
      value: string
    }[]
  }
  advance?: {
    seconds?: number
    blocks?: number
  }
  /** Changes of accounts before the run, by address. */
  override?: { [name: string]: AccountOverride }
  tick_tock?: {
    address: string
    tock: boolean
  }
}

export type TonConnectMessage = {
  /** Receiver. A user-friendly form decides about bounce; raw is bounceable. */
  address?: string
  /** Amount in nano units, decimal. */
  amount?: string
  payload?: string | null
  stateInit?: string | null
  extra_currency?: { [name: string]: string } | null
}

/** A function for each endpoint. */
export type EmulateCalls = {
  /** Emulate a message and everything that follows from it. Nothing is sent. */
  readonly emulateTrace: (
    args: {
    /** A message as a bag of cells, base64. */
    readonly boc: string
    /** Treat all signatures as valid, in the whole trace or in the first transaction only. */
    readonly ignore_chksig?: boolean | 'first' | undefined
    /** Classify the trace. */
    readonly with_actions?: boolean | undefined
    /** Include code and data cells of the accounts, before and after. */
    readonly include_code_data?: boolean | undefined
    /** Include the address book. */
    readonly include_address_book?: boolean | undefined
    /** Include the metadata of tokens. */
    readonly include_metadata?: boolean | undefined
    /** Include fees, balance changes, failures and risk. */
    readonly summary?: boolean | undefined
    /** Include the steps of these transactions: of failed ones, of all, or of accounts. */
    readonly vm?: 'none' | 'failed' | 'all' | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: readonly string[] | undefined
    /** Run on the state after this masterchain block; by default the newest. */
    readonly mc_block_seqno?: number | undefined
    readonly at?: {
      mc_block_seqno?: number
      /** Unix time. */
      utime?: number
      /** Hash of a transaction: the world just before it. Time, logical time and seed are those of its block. */
      tx?: string
    } | undefined
    /** Changes of accounts before the run, by address. */
    readonly state_overrides?: { [name: string]: AccountOverride } | undefined
    /** Whole configuration parameters by number. */
    readonly config_overrides?: { [name: string]: string } | undefined
    /** Libraries known besides those of the chain. */
    readonly libraries?: readonly string[] | undefined
    readonly block?: {
      /** Unix time. */
      now?: number
      /** Logical time at which the block starts. */
      lt?: string
      /** Seed of the block: 32 bytes in base64. */
      rand_seed?: string
    } | undefined
    readonly limits?: {
      transactions?: number
      depth?: number
      gas?: number
    } | undefined
    /** Start after the pending messages of the account that gets the message. */
    readonly on_pending?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<Emulation>

  /** Emulate a TON Connect request: writes the message of the wallet and runs it without a signature. */
  readonly emulateTonConnect: (
    args?: {
    /** The wallet. */
    readonly from?: string | undefined
    readonly messages?: readonly TonConnectMessage[] | undefined
    /** Unix time; by default in 5 minutes. */
    readonly valid_until?: unknown | undefined
    /** StateInit of a wallet that is not deployed yet, a bag of cells. */
    readonly from_state_init?: string | undefined
    /** Classify the trace. */
    readonly with_actions?: boolean | undefined
    /** Include code and data cells of the accounts, before and after. */
    readonly include_code_data?: boolean | undefined
    /** Include the address book. */
    readonly include_address_book?: boolean | undefined
    /** Include the metadata of tokens. */
    readonly include_metadata?: boolean | undefined
    /** Include fees, balance changes, failures and risk. */
    readonly summary?: boolean | undefined
    /** Include the steps of these transactions: of failed ones, of all, or of accounts. */
    readonly vm?: 'none' | 'failed' | 'all' | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: readonly string[] | undefined
    /** Run on the state after this masterchain block; by default the newest. */
    readonly mc_block_seqno?: number | undefined
    readonly at?: {
      mc_block_seqno?: number
      /** Unix time. */
      utime?: number
      /** Hash of a transaction: the world just before it. Time, logical time and seed are those of its block. */
      tx?: string
    } | undefined
    /** Changes of accounts before the run, by address. */
    readonly state_overrides?: { [name: string]: AccountOverride } | undefined
    /** Whole configuration parameters by number. */
    readonly config_overrides?: { [name: string]: string } | undefined
    /** Libraries known besides those of the chain. */
    readonly libraries?: readonly string[] | undefined
    readonly block?: {
      /** Unix time. */
      now?: number
      /** Logical time at which the block starts. */
      lt?: string
      /** Seed of the block: 32 bytes in base64. */
      rand_seed?: string
    } | undefined
    readonly limits?: {
      transactions?: number
      depth?: number
      gas?: number
    } | undefined
    /** Start after the pending messages of the account that gets the message. */
    readonly on_pending?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<Emulation>

  /** Run several steps on one changed world: messages, get-methods, overrides, time. */
  readonly simulate: (
    args: {
    /** Each sees the world that the former ones left. */
    readonly steps: readonly SimulationStep[]
    /** Treat all signatures as valid, in the whole trace or in the first transaction only. */
    readonly ignore_chksig?: boolean | 'first' | undefined
    /** Skip the steps after one that failed. */
    readonly stop_on_error?: boolean | undefined
    /** Include the final states. */
    readonly include_accounts?: boolean | undefined
    /** Classify the trace. */
    readonly with_actions?: boolean | undefined
    /** Include code and data cells of the accounts, before and after. */
    readonly include_code_data?: boolean | undefined
    /** Include the address book. */
    readonly include_address_book?: boolean | undefined
    /** Include the metadata of tokens. */
    readonly include_metadata?: boolean | undefined
    /** Include fees, balance changes, failures and risk. */
    readonly summary?: boolean | undefined
    /** Include the steps of these transactions: of failed ones, of all, or of accounts. */
    readonly vm?: 'none' | 'failed' | 'all' | readonly string[] | undefined
    /** Action types, or shortcuts for them, that the client supports. Default: latest. */
    readonly supported_action_types?: readonly string[] | undefined
    /** Run on the state after this masterchain block; by default the newest. */
    readonly mc_block_seqno?: number | undefined
    readonly at?: {
      mc_block_seqno?: number
      /** Unix time. */
      utime?: number
      /** Hash of a transaction: the world just before it. Time, logical time and seed are those of its block. */
      tx?: string
    } | undefined
    /** Changes of accounts before the run, by address. */
    readonly state_overrides?: { [name: string]: AccountOverride } | undefined
    /** Whole configuration parameters by number. */
    readonly config_overrides?: { [name: string]: string } | undefined
    /** Libraries known besides those of the chain. */
    readonly libraries?: readonly string[] | undefined
    readonly block?: {
      /** Unix time. */
      now?: number
      /** Logical time at which the block starts. */
      lt?: string
      /** Seed of the block: 32 bytes in base64. */
      rand_seed?: string
    } | undefined
    readonly limits?: {
      transactions?: number
      depth?: number
      gas?: number
    } | undefined
    /** Start after the pending messages of the account that gets the message. */
    readonly on_pending?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<Simulation>
}
