import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import type { AccountOverride, InjectedMessage } from '../collate/StepRequest.ts'
import { ControlInputError } from './errors.ts'

/** Mining mode, and what all modes have. */
export type Mining = MiningMode & {
  /**
   * Milliseconds between shard blocks and the masterchain block that names them. Meanwhile they are visible to non-final queries of the
   * liteserver, and can be replaced. Default: 0, and such queries are refused.
   */
  readonly commitDelayMs?: number | undefined
}

type MiningMode =
  /** A block per interval; without `emptyBlocks` only if there are messages. */
  | { readonly mode: 'interval'; readonly intervalMs: number; readonly emptyBlocks: boolean }
  /** Blocks on each message, until all resulting messages are processed. */
  | { readonly mode: 'instant' }
  /** On request only. */
  | { readonly mode: 'manual' }

export type NetworkStatus = {
  readonly head: BlockIdExt
  readonly utime: number
  readonly mining: Mining
  /** Seconds that the clock is ahead of the machine's. */
  readonly clockOffset: number
  readonly shards: readonly BlockIdExt[]
  /** Shard blocks that no masterchain block names yet. */
  readonly pendingShards: readonly BlockIdExt[]
  readonly waitingMessages: number
}

/** Result of a control: the hash of the message that carried it out. */
export type Sent = {
  readonly messageHash: Uint8Array
  /** The external message that waits for a block, if it is one. */
  readonly message?: Cell
}

/** Fault injection for the next messages. */
export type Disturbance =
  /** Accepts the next external message and drops it. */
  | { readonly kind: 'lose' }
  /** Delays the next external message by so many blocks. */
  | { readonly kind: 'delay'; readonly blocks: number }
  /** Holds internal messages in their queues for so many blocks. */
  | { readonly kind: 'holdInternal'; readonly blocks: number }

/** Doubles or halves the number of shards. */
export type ReshardTarget = 'split' | 'merge'

/** Developer controls of an embedded network. Everything happens through regular blocks. */
export interface NetworkControls {
  getStatus(): NetworkStatus
  /** Sends coins from the faucet with a regular message in the next block. */
  faucet(address: Address, amount: bigint): Promise<Sent>
  /** Produces so many block sets now, in any mining mode. */
  mine(blocks: number): Promise<BlockIdExt>
  setMining(mining: Mining): Promise<void>
  /** Has the masterchain name the pending shard blocks now; returns the new head. */
  commit(): Promise<BlockIdExt>
  /**
   * Replaces the pending shard blocks by others with the same seqnos, as validators may do: without these external messages, by
   * default without all. They wait for the next block. Returns the new blocks, which are pending for the whole delay.
   */
  replacePending(messages?: readonly Uint8Array[]): Promise<readonly BlockIdExt[]>
  /** Advances the clock; the next block has the new time. */
  moveClock(seconds: number): Promise<NetworkStatus>
  /** Takes a snapshot of the chain. */
  snapshot(): Promise<{ readonly id: string; readonly head: BlockIdExt }>
  /** Reverts the chain, mempool and clock to a snapshot; later blocks and snapshots are dropped. */
  revert(id: string): Promise<BlockIdExt>
  /** Overrides an account in a block that is produced at once; done when it resolves. */
  setAccount(change: AccountOverride): Promise<void>
  /** Sends an internal message from any address. It has arrived when this resolves, as with {@link setAccount}. */
  impersonate(message: InjectedMessage): Promise<Sent>
  disturb(disturbance: Disturbance): Promise<void>
  /** Makes the basechain have twice or half as many shards, over the next blocks: the limits in its configuration are changed. */
  reshard(target: ReshardTarget): Promise<void>
  /** Takes an external message as the liteserver does. */
  send(message: Cell): Promise<Sent>
  /** What the virtual machine did in a transaction: it is run again, and must give the same transaction. */
  getTransactionLog(hash: Uint8Array): Promise<string>
}

const YEAR = 31_536_000

/** Limits of the controls. */
export const CONTROL_LIMITS = {
  minedBlocks: 10_000,
  clockSeconds: 10 * YEAR,
  disturbedBlocks: 1000,
  snapshots: 100,
  minIntervalMs: 200,
  maxIntervalMs: 3_600_000,
  maxCommitDelayMs: 600_000,
  /** Nanograms: about a thousand times what the main network has. */
  amount: 10n ** 22n,
} as const

/** The last second that blocks can carry. */
export const LAST_UTIME = 0xffff_fffe

export const expectWhole = (what: string, value: number, least: number, most: number): void => {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new ControlInputError(`${what} must be a whole number from ${least} to ${most}, but got ${value}.`)
}

export const expectAmount = (what: string, value: bigint, least: bigint): void => {
  if (value >= least && value <= CONTROL_LIMITS.amount) return
  throw new ControlInputError(`${what} must be from ${least} to ${CONTROL_LIMITS.amount} nanograms, but got ${value}.`)
}

/** Accounts are in the masterchain and the basechain: there are no other chains here. */
export const expectAccount = (what: string, address: Address): void => {
  const { workchain, hash } = address
  if ((workchain === 0 || workchain === masterchain) && hash.length === 32) return
  throw new ControlInputError(`${what} must be in workchain 0 or -1, but got ${formatRawAddress(address)}.`)
}

export const expectMining = (mining: Mining): void => {
  expectWhole('The commit delay', mining.commitDelayMs ?? 0, 0, CONTROL_LIMITS.maxCommitDelayMs)
  if (mining.mode !== 'interval') return
  const { minIntervalMs, maxIntervalMs } = CONTROL_LIMITS
  expectWhole('The milliseconds between blocks', mining.intervalMs, minIntervalMs, maxIntervalMs)
}
