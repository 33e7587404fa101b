// Written by scripts/genClient.ts from src/api; do not edit.
import type { CallOptions } from '../callEndpoint.ts'

/** Block id. */
export type BlockId = {
  workchain: number
  /** 16 hexadecimal digits. */
  shard: string
  seqno: number
  /** In base64. */
  root_hash: string
  /** In base64. */
  file_hash: string
}

/** Mining mode: at a fixed interval, as soon as there are messages, or on demand. */
export type Mining = {
  mode: 'interval'
  interval_ms: number
  empty_blocks: boolean
  /** Milliseconds between shard blocks and the masterchain block that names them; absent if 0. */
  commit_delay_ms?: number
} | {
  mode: 'instant'
  /** Milliseconds between shard blocks and the masterchain block that names them; absent if 0. */
  commit_delay_ms?: number
} | {
  mode: 'manual'
  /** Milliseconds between shard blocks and the masterchain block that names them; absent if 0. */
  commit_delay_ms?: number
}

/** The message that was sent. */
export type Sent = {
  /** The hash of the message, in base64. */
  message_hash: string
}

/** State of the network. */
export type Status = {
  /** Block id. */
  head: BlockId
  /** Unix time of the network. */
  utime: number
  /** Seconds by which the clock of the network is ahead of the machine; negative on a fork of an older block. */
  clock_offset: number
  /** Mining mode: at a fixed interval, as soon as there are messages, or on demand. */
  mining: Mining
  /** The newest block of every shard of the basechain. */
  shards: BlockId[]
  /** Shard blocks that no masterchain block names yet. */
  pending_shards: BlockId[]
  /** External-in messages that no block has included yet. */
  waiting_messages: number
}

/** A function for each endpoint. */
export type DevCalls = {
  /** State of the network: newest blocks, clock, mining mode. */
  readonly status: (
    args?: {},
    options?: CallOptions,
  ) => Promise<Status>

  /** Make masterchain blocks now, with their shard blocks, in any mining mode. */
  readonly mine: (
    args?: {
    readonly blocks?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<{
    /** Block id. */
    head: BlockId
  }>

  /** Set the mining mode. */
  readonly mining: (
    args: {
    /** interval: a block at a fixed interval; instant: as soon as there are messages; manual: only by /dev/mine. */
    readonly mode: 'interval' | 'instant' | 'manual'
    /** Block interval in milliseconds, for the mode interval; default 1000. */
    readonly interval_ms?: number | undefined
    /** Whether to make empty blocks, for the mode interval; default true. */
    readonly empty_blocks?: boolean | undefined
    /** Milliseconds between shard blocks and the masterchain block that names them; default 0. Meanwhile the liteserver shows them to non-final queries, streams send them as confirmed, and /dev/replace may replace them. */
    readonly commit_delay_ms?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Status>

  /** Have the masterchain name the pending shard blocks now, before their commit delay is over. */
  readonly commit: (
    args?: {},
    options?: CallOptions,
  ) => Promise<{
    /** Block id. */
    head: BlockId
  }>

  /** Replace the pending shard blocks by others with the same seqnos, as validators may do. */
  readonly replace: (
    args?: {
    readonly messages?: readonly string[] | undefined
  },
    options?: CallOptions,
  ) => Promise<{
    /** The new blocks. */
    blocks: BlockId[]
  }>

  /** Move the clock of the network forward. The next block has the new time. */
  readonly clock: (
    args: {
    readonly seconds: number
  },
    options?: CallOptions,
  ) => Promise<Status>

  /** Split or merge all shards of the basechain over the next blocks, within the limits of the configuration. */
  readonly reshard: (
    args: {
    readonly wish: 'split' | 'merge'
  },
    options?: CallOptions,
  ) => Promise<Status>

  /** Remembers the chain as it is, to come back to it later. */
  readonly snapshot: (
    args?: {},
    options?: CallOptions,
  ) => Promise<{
    /** What to revert to. */
    id: string
    /** Block id. */
    head: BlockId
  }>

  /** Takes the chain back to a snapshot. */
  readonly revert: (
    args: {
    /** As the snapshot said. */
    readonly id: string
  },
    options?: CallOptions,
  ) => Promise<{
    /** Block id. */
    head: BlockId
  }>

  /** Send test coins to an address. */
  readonly faucet: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** An amount in nano units, decimal. */
    readonly amount?: string | undefined
  },
    options?: CallOptions,
  ) => Promise<Sent>

  /** Override the balance or state of an account, without a transaction. */
  readonly account: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly address: string
    /** An amount in nano units, decimal. */
    readonly balance?: string | undefined
    /** Extra currencies: id → amount, both as decimal text. */
    readonly extra_currencies?: { [name: string]: string } | undefined
    /** active: with code and data; frozen: with state_hash; uninit: balance only; none: deletes the account. */
    readonly state?: 'active' | 'frozen' | 'uninit' | 'none' | undefined
    /** A bag of cells with one root, in base64 or hexadecimal. */
    readonly code?: string | undefined
    /** A bag of cells with one root, in base64 or hexadecimal. */
    readonly data?: string | undefined
    /** A bag of cells with one root, in base64 or hexadecimal. */
    readonly library?: string | undefined
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly state_hash?: string | undefined
  },
    options?: CallOptions,
  ) => Promise<Status>

  /** Send an internal message from any address. */
  readonly impersonate: (
    args: {
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly source: string
    /** An address: raw (workchain:hex) or user-friendly, with any flags. */
    readonly destination: string
    /** An amount in nano units, decimal. */
    readonly value: string
    /** Extra currencies: id → amount, both as decimal text. */
    readonly extra_currencies?: { [name: string]: string } | undefined
    /** Bounce flag: the value returns to the source if the destination fails. */
    readonly bounce?: boolean | undefined
    /** A StateInit as a bag of cells, in base64 or hexadecimal. */
    readonly state_init?: string | undefined
    /** A bag of cells with one root, in base64 or hexadecimal. */
    readonly body?: string | undefined
    /** Text comment, instead of a body. */
    readonly comment?: string | undefined
  },
    options?: CallOptions,
  ) => Promise<Sent>

  /** Send an external message, like a liteserver does. */
  readonly send: (
    args: {
    /** A bag of cells with one root, in base64 or hexadecimal. */
    readonly boc: string
  },
    options?: CallOptions,
  ) => Promise<Sent>

  /** Loses or delays the next messages, as networks at times do. */
  readonly disturb: (
    args: {
    /** lose: the next external message is taken and never seen again. delay: it waits for so many blocks. hold_internal: internal messages stay in their queues for so many blocks. */
    readonly kind: 'lose' | 'delay' | 'hold_internal'
    /** For how many blocks, with delay and hold_internal; 1 when left out. */
    readonly blocks?: number | undefined
  },
    options?: CallOptions,
  ) => Promise<Status>

  /** VM log of a transaction, instruction by instruction. */
  readonly log: (
    args: {
    /** A hash of 32 bytes: 64 hexadecimal digits, or base64. */
    readonly hash: string
  },
    options?: CallOptions,
  ) => Promise<{
    log: string
  }>
}
