// Written by scripts/genClient.ts from src/api; do not edit.
import type { CallOptions } from '../callEndpoint.ts'
import type { AccountOverride, SimulationStep } from './emulate.ts'
import type { AccountStatus, Address, Boc, Decimal, ExtraCurrencies, Hash, Message, Shard, Transaction, TransactionDescr } from './v3.ts'

export type CodeListing = {
  /** A hash, base64. */
  code_hash: Hash
  cells: { [name: string]: unknown }[]
  methods: {
    id: number
    /** A hash, base64. */
    cell: Hash
    offset: number
  }[]
  method_names: { [name: string]: string }
  truncated: boolean
  /** The code as text, for people to read. */
  text?: string
}

export type CodeLocation = {
  /** A hash, base64. */
  cell: Hash
  offset: number
}

export type DebugState = {
  status: AccountStatus
  /** Decimal number. */
  balance: Decimal
  /** Amounts of extra currencies by currency id. */
  extra_currencies: ExtraCurrencies
  code_hash: Hash | null
  data_hash: Hash | null
  frozen_hash: Hash | null
  last_paid: number
  /** Decimal number. */
  due_payment: Decimal
  /** Decimal number. */
  storage_cells: Decimal
  /** Decimal number. */
  storage_bits: Decimal
  storage: {
    layout: string
    fields: { [name: string]: string }
  } | null
}

export type Difference = {
  member: string
  chain: string | null
  replay: string | null
}

export type Failure = {
  phase: 'compute' | 'action'
  exit_code?: number
  result_code?: number
  name: string
  meaning: string
  /** Index of the failed action. */
  action?: number
  /** Instruction at which the run failed, or which queued the action. */
  step?: number
  location?: CodeLocation
  caught: boolean
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

export type FullBlockId = {
  workchain: number
  /** A shard, hexadecimal. */
  shard: Shard
  seqno: number
  /** A hash, base64. */
  root_hash: Hash
  /** A hash, base64. */
  file_hash: Hash
}

export type GasProfile = {
  /** Transactions that ran a contract. */
  transactions: number
  /** Transactions whose replay failed, or for which the time was too short. */
  left_out: number
  gas: number
  methods: { [name: string]: unknown }[]
  /** Folded stacks: frames from the outermost, then gas. */
  folded: string
  /** Profile for Chrome: gas as time. */
  cpuprofile: { [name: string]: unknown }
}

export type MessageDebug = {
  mc_block_seqno: number
  /** Seed of the blocks, base64. */
  rand_seed: string
  steps: {
    ok: boolean
    /** A trace, or the result of a get-method. */
    result?: unknown
    error?: string
    code?: string
    exit_code?: number
  }[]
  /** In the order in which they ran. */
  runs: MessageRun[]
}

/** A transaction that was made, or the run of a contract that did not accept the message (without hash). */
export type MessageRun = {
  /** Position of the step of the request; 0 for boc. */
  step: number
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  /** A hash, base64. */
  hash?: Hash
  verdict: Verdict
  /** Everything that the run used, on the state after the masterchain block. */
  inputs: RunInputs
  phases?: TransactionDescr
  vm?: VmRun
  /** Why the contract did not run. */
  skipped?: string
  actions: OutAction[]
  state: {
    before: DebugState
    after: DebugState
    changes: {
      member: string
      before: string | null
      after: string | null
    }[]
  }
  /** before + in = after + out + fees.total + burned */
  money?: Money
  failure?: Failure
  /** Cells of stack and registers: hash to bag of cells, both base64. */
  cells: { [name: string]: string }
  log?: string
}

/** before + in = after + out + fees.total + burned */
export type Money = {
  /** Decimal number. */
  before: Decimal
  /** Decimal number. */
  in: Decimal
  /** Decimal number. */
  out: Decimal
  fees: Fees
  /** Decimal number. */
  burned?: Decimal
  /** Decimal number. */
  after: Decimal
}

export type OutAction = {
  kind: 'send' | 'reserve' | 'set_code' | 'change_library'
  mode?: number
  /** Decimal number. */
  value?: Decimal
  /** Raw address; addr_none and similar if it is not an account. */
  destination?: Address
  /** A hash, base64. */
  code_hash?: Hash
  message?: Message
  result_code?: number
  skipped: boolean
  /** Instruction that queued it. */
  step?: number
}

/** c0 to c3, c4, c5, and c7 by path. */
export type Registers = { [name: string]: unknown }

export type Replay = {
  transaction: Transaction
  verdict: Verdict
  /** Everything that the run used. */
  inputs: ReplayInputs
  phases?: TransactionDescr
  vm?: VmRun
  /** Why the contract did not run. */
  skipped?: string
  actions: OutAction[]
  state: {
    before: DebugState
    after: DebugState
    changes: {
      member: string
      before: string | null
      after: string | null
    }[]
  }
  /** before + in = after + out + fees.total + burned */
  money?: Money
  failure?: Failure
  /** Cells of stack and registers: hash to bag of cells, both base64. */
  cells: { [name: string]: string }
  log?: string
}

/** Everything that the run used. */
export type ReplayInputs = {
  block: FullBlockId
  previous_block: FullBlockId
  /** Masterchain block of configuration and libraries. */
  mc_block_seqno: number
  /** A hash, base64. */
  config_hash: Hash
  global_version: number
  block_rand_seed: string
  /** Of this account in this block. */
  rand_seed: string
  now: number
  /** Decimal number. */
  lt: Decimal
  libraries: Hash[]
  /** Bag of cells in base64. */
  shard_account_before: Boc
  /** Decimal number. */
  block_lt: Decimal
  previous_blocks: boolean
  replayed_before: Hash[]
}

/** Everything that the run used, on the state after the masterchain block. */
export type RunInputs = {
  /** Masterchain block of configuration and libraries. */
  mc_block_seqno: number
  /** A hash, base64. */
  config_hash: Hash
  global_version: number
  block_rand_seed: string
  /** Of this account in this block. */
  rand_seed: string
  now: number
  /** Decimal number. */
  lt: Decimal
  libraries: Hash[]
  /** Bag of cells in base64. */
  shard_account_before: Boc
}

/** Gas by method, cell, instruction and call stack, and coverage, of the whole run. */
export type RunSummary = {
  truncated: boolean
  methods: {
    id: number
    runs: number
    self: number
    total: number
  }[]
  cells: {
    /** A hash, base64. */
    hash: Hash
    loads_first: number
    loads_again: number
    gas: number
    runs: number
    steps: number
  }[]
  instructions: {
    op: string
    count: number
    gas: number
  }[]
  loads: {
    first: number
    again: number
  }
  stacks: {
    frames: { [name: string]: unknown }[]
    gas: number
    steps: number
  }[]
  coverage: {
    /** A hash, base64. */
    cell: Hash
    instructions: number[][]
    branches: number[][]
  }[]
}

export type SourceMap = { [name: string]: unknown }

/** Numbers have v (decimal), tuples v (values), cells, slices, builders and continuations h (hash). */
export type StackValue = {
  /** int, nan, null, cell, slice, builder, tuple, cont; cut where it is left out. */
  t: string
}

export type Step = {
  /** From 0. */
  i: number
  /** A hash, base64. */
  cell: Hash
  /** Bit offset in the cell. */
  offset: number
  /** Instruction with operands. */
  op: string
  gas: number
  left: number
  /** Call depth. */
  d: number
  /** Values to take off the stack. */
  pop?: number
  /** Values to put on it then. */
  push?: StackValue[]
  stack?: StackValue[]
  depth?: number
  /** c0 to c3, c4, c5, and c7 by path. */
  reg?: Registers
  /** Index of the action that it queued. */
  act?: number
  exc?: {
    code: number
    text: string
    caught: boolean
  }
  child?: { [name: string]: unknown }
}

export type StepsPage = {
  vm?: VmRun
  /** Cells of stack and registers: hash to bag of cells, both base64. */
  cells: { [name: string]: string }
  log?: string
}

export type TraceReplay = {
  /** A hash, base64. */
  trace_id: Hash
  exact: number
  transactions: TracedTransaction[]
}

/** A replay, or why there is none. */
export type TracedTransaction = {
  /** A hash, base64. */
  hash: Hash
  replay?: Replay
  error?: {
    code: string
    message: string
  }
}

export type Verdict = {
  /** exact: the transaction made here has the hash of the one on chain. */
  replay: 'exact' | 'state_exact' | 'differs' | 'partial' | 'changed'
  differences: Difference[]
  /** What could not be had: libraries, previous_blocks. */
  missing: string[]
  machine: {
    name: string
    global_version: number
  }
  warning?: string
}

export type VmRun = {
  /** A hash, base64. */
  code_hash: Hash
  gas: {
    limit: number
    credit: number
    used: number
    price: string
  }
  steps_total: number
  steps_from: number
  truncated: boolean
  exit_code: number
  exit_arg?: number
  steps: Step[]
  /** Full stack before a step, by its number. */
  checkpoints: { [name: string]: StackValue[] }
  failure?: {
    code: number
    text: string
    caught: boolean
    step?: number
    location?: CodeLocation
  }
  throws: {
    code: number
    text: string
    caught: boolean
    step: number
  }[]
  entry: {
    method_id: number
    name?: string
  }
  precompiled?: true
  final: {
    stack: StackValue[]
    c4: string
    c5: string
  }
  /** c0 to c3, c4, c5, and c7 by path. */
  registers?: Registers
  children: {
    path: number[]
    /** A hash, base64. */
    code_hash: Hash
    exit_code: number
    gas_used: number
    steps_total: number
    failure?: {
      code: number
      text: string
      caught: boolean
      step?: number
      location?: CodeLocation
    }
  }[]
  /** Gas by method, cell, instruction and call stack, and coverage, of the whole run. */
  summary: RunSummary
}

/** A function for each endpoint. */
export type DebugCalls = {
  /** Replay a transaction: verdict, phases, gas, actions, failure, and the steps of the virtual machine. */
  readonly transaction: (
    args?: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly hash?: string | undefined
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly account?: string | undefined
    /** Logical time. */
    readonly lt?: string | undefined
    /** none: no recording; summary: gas, coverage and failure; all: also the steps. */
    readonly steps?: 'none' | 'summary' | 'all' | undefined
    /** First step. */
    readonly from?: number | undefined
    /** Steps in a page. */
    readonly count?: number | undefined
    /** Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step. */
    readonly path?: string | undefined
    /** diff: what each step takes and puts; full or top:N: the stack before each step; none. */
    readonly stack?: string | undefined
    /** Cells of stack and registers as bags of cells. */
    readonly cells?: boolean | undefined
    /** Control registers that each step changed. */
    readonly registers?: boolean | undefined
    /** The log of the virtual machine; of a long one the end. */
    readonly log?: boolean | undefined
    /** Source positions of the steps, if a source map of the code is stored. */
    readonly source?: boolean | undefined
    /** Changes of accounts before the run, by address. */
    readonly overrides?: { [name: string]: AccountOverride } | undefined
    /** Whole configuration parameters by number. */
    readonly config_overrides?: { [name: string]: string } | undefined
    /** Unix time of the run. */
    readonly now?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Replay>

  /** Steps of a transaction that was replayed in the last ten minutes, in pages. */
  readonly transactionSteps: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly hash: string
    /** First step. */
    readonly from?: number | undefined
    /** Steps in a page. */
    readonly count?: number | undefined
    /** Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step. */
    readonly path?: string | undefined
    /** diff: what each step takes and puts; full or top:N: the stack before each step; none. */
    readonly stack?: string | undefined
    /** Cells of stack and registers as bags of cells. */
    readonly cells?: boolean | undefined
    /** Control registers that each step changed. */
    readonly registers?: boolean | undefined
    /** The log of the virtual machine; of a long one the end. */
    readonly log?: boolean | undefined
    /** Source positions of the steps, if a source map of the code is stored. */
    readonly source?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<StepsPage>

  /** Replay every transaction of a trace. Needs the index. */
  readonly trace: (
    args?: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly trace_id?: string | undefined
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly hash?: string | undefined
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly msg_hash?: string | undefined
    readonly steps_of?: readonly string[] | undefined
    /** First step. */
    readonly from?: number | undefined
    /** Steps in a page. */
    readonly count?: number | undefined
    /** Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step. */
    readonly path?: string | undefined
    /** diff: what each step takes and puts; full or top:N: the stack before each step; none. */
    readonly stack?: string | undefined
    /** Cells of stack and registers as bags of cells. */
    readonly cells?: boolean | undefined
    /** Control registers that each step changed. */
    readonly registers?: boolean | undefined
    /** The log of the virtual machine; of a long one the end. */
    readonly log?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<TraceReplay>

  /** Run a message that was not sent, or several steps on a changed world, and debug every transaction of it. */
  readonly message: (
    args?: {
    /** A message as a bag of cells, base64. */
    readonly boc?: string | undefined
    /** With boc: none, summary or all, as for a transaction. Without: the steps to run; record says what is recorded. */
    readonly steps?: 'none' | 'summary' | 'all' | readonly SimulationStep[] | undefined
    /** none: no recording; summary: gas, coverage and failure; all: also the steps. */
    readonly record?: 'none' | 'summary' | 'all' | undefined
    readonly steps_of?: readonly string[] | undefined
    /** First step. */
    readonly from?: number | undefined
    /** Steps in a page. */
    readonly count?: number | undefined
    /** Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step. */
    readonly path?: string | undefined
    /** diff: what each step takes and puts; full or top:N: the stack before each step; none. */
    readonly stack?: string | undefined
    /** Cells of stack and registers as bags of cells. */
    readonly cells?: boolean | undefined
    /** Control registers that each step changed. */
    readonly registers?: boolean | undefined
    /** The log of the virtual machine; of a long one the end. */
    readonly log?: boolean | undefined
    /** Source positions of the steps, if a source map of the code is stored. */
    readonly source?: boolean | undefined
    /** Treat all signatures as valid, in the whole trace or in the first transaction only. */
    readonly ignore_chksig?: boolean | 'first' | undefined
    /** Skip the steps after one that failed. */
    readonly stop_on_error?: boolean | undefined
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
  ) => Promise<MessageDebug>

  /** Run a get-method of a contract in its newest state, with the steps of the virtual machine. */
  readonly get_method: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** Name or number of the method. */
    readonly method: string
    /** Arguments, bottom of the stack first. */
    readonly stack?: {
      type: 'num' | 'cell' | 'slice'
      /** Number (decimal, or hexadecimal with 0x), or a bag of cells in base64. */
      value: string
    }[] | undefined
    /** First step. */
    readonly from?: number | undefined
    /** Steps in a page. */
    readonly count?: number | undefined
    /** Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step. */
    readonly path?: string | undefined
    /** diff: what each step takes and puts; full or top:N: the stack before each step; none. */
    readonly stack_form?: string | undefined
    /** Cells of stack and registers as bags of cells. */
    readonly cells?: boolean | undefined
    /** Control registers that each step changed. */
    readonly registers?: boolean | undefined
    /** The log of the virtual machine; of a long one the end. */
    readonly log?: boolean | undefined
  },
    options?: CallOptions,
  ) => Promise<StepsPage>

  /** Gas profile over several transactions: by method, as folded stacks, and as a profile for Chrome. */
  readonly profile: (
    args?: {
    readonly hashes?: readonly string[] | undefined
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly account?: string | undefined
    /** Unix time. */
    readonly start_utime?: number | undefined
    /** Unix time. */
    readonly end_utime?: number | undefined
    readonly limit?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<GasProfile>

  /** Instructions of contract code by cell and offset, with its methods by name. */
  readonly code: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly hash: string
    /** fift and tasm add the code as text, with operands before or behind the instruction. */
    readonly format?: 'json' | 'fift' | 'tasm' | undefined
  },
    options?: CallOptions,
  ) => Promise<CodeListing>

  /** The stored source map of a code. */
  readonly getSource: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly code_hash: string
  },
    options?: CallOptions,
  ) => Promise<SourceMap>

  /** Store the source map of a code, of any known form, in the data folder of the service. */
  readonly putSource: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly code_hash: string
    /** Debug output of Tolk or FunC, a map of ton-source-map, an assembler mapping, or our own form. */
    readonly map: { [name: string]: unknown }
  },
    options?: CallOptions,
  ) => Promise<{
    /** A hash, base64. */
    code_hash: Hash
    files: number
    places: number
  }>

  /** Delete the stored source map of a code. */
  readonly deleteSource: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly code_hash: string
  },
    options?: CallOptions,
  ) => Promise<{
    /** A hash, base64. */
    code_hash: Hash
  }>
}
