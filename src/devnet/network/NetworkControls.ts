import type { Cell } from '../../codec/cell/Cell.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { AccountOverride, InjectedMessage } from '../collate/StepOrder.ts'

/** When blocks are made. */
export type Mining =
  /** One every so often; without `emptyBlocks` only when there is something to put into it. */
  | { readonly mode: 'interval'; readonly intervalMs: number; readonly emptyBlocks: boolean }
  /** As soon as a message comes, and as many as it takes until its consequences are done. */
  | { readonly mode: 'instant' }
  /** Only when told to. */
  | { readonly mode: 'manual' }

export type NetworkStatus = {
  readonly head: BlockIdExt
  readonly utime: number
  readonly mining: Mining
  /** Seconds that the clock is ahead of the machine's. */
  readonly clockOffset: number
  readonly shards: readonly BlockIdExt[]
  readonly waitingMessages: number
}

/** What became of something asked for: the hash of the message by which it was done. */
export type Sent = {
  readonly messageHash: Uint8Array
  /** The message itself, where it comes from outside and waits for a block. */
  readonly message?: Cell
}

/** What is to happen to the next messages. */
export type Disturbance =
  /** The next external message is taken, and never seen again. */
  | { readonly kind: 'lose' }
  /** The next external message waits for so many blocks. */
  | { readonly kind: 'delay'; readonly blocks: number }
  /** Internal messages stay in their queues for so many blocks. */
  | { readonly kind: 'holdInternal'; readonly blocks: number }

/** Whether there shall be twice or half as many shards. */
export type ShardWish = 'split' | 'merge'

/** The hand of the developer on an embedded network. Everything here ends in blocks as any others. */
export interface NetworkControls {
  getStatus(): NetworkStatus
  /** Gives money to an address, from the faucet's account: by a message that waits for the next block as any other. */
  faucet(address: Address, amount: bigint): Promise<Sent>
  /** Makes so many masterchain blocks now, with their shard blocks, whatever the mining mode. */
  mine(blocks: number): Promise<BlockIdExt>
  setMining(mining: Mining): Promise<void>
  /** Moves the clock; it never goes back. The next block has the new time. */
  moveClock(seconds: number): Promise<NetworkStatus>
  /** Remembers the chain as it is. */
  snapshot(): Promise<{ readonly id: string; readonly head: BlockIdExt }>
  /** Takes the chain back to a snapshot, with the messages that waited and the clock; later blocks and snapshots are gone. */
  revert(id: string): Promise<BlockIdExt>
  /** Done when it resolves: in a block that is made at once, whatever the mining mode. */
  setAccount(change: AccountOverride): Promise<void>
  /** Sends an internal message from any address. It has arrived when this resolves, as with {@link setAccount}. */
  impersonate(message: InjectedMessage): Promise<Sent>
  disturb(disturbance: Disturbance): Promise<void>
  /** Makes the basechain have twice or half as many shards, over the next blocks: the limits in its configuration are changed. */
  reshard(wish: ShardWish): Promise<void>
  /** Takes an external message as the liteserver does. */
  send(message: Cell): Promise<Sent>
  /** What the virtual machine did in a transaction: it is run again, and must give the same transaction. */
  getTransactionLog(hash: Uint8Array): Promise<string>
}
