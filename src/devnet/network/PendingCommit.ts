import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import type { PendingShardBlock } from '../collate/StepRequest.ts'
import { ControlInputError } from './errors.ts'

/** External messages that a replacement leaves out, by hash. */
type LeftOut = ReadonlySet<string>

/**
 * The shard blocks of a step while no masterchain block names them yet: they are signed and visible, and validators may still replace
 * them by others with the same seqno.
 */
export class PendingCommit {
  private held: readonly PendingShardBlock[] = []
  private end: ((leftOut: LeftOut | undefined) => void) | undefined
  private onHeld: (() => void) | undefined
  private isClosed = false

  get blocks(): readonly PendingShardBlock['block'][] {
    return this.held.map(({ block }) => block)
  }

  get ids(): readonly BlockIdExt[] {
    return this.held.map(({ block }) => block.id)
  }

  findBytes(id: BlockIdExt): Uint8Array | undefined {
    if (this.held.length === 0) return undefined
    const wanted = formatBlockIdExt(id)
    return this.held.find(({ block }) => formatBlockIdExt(block.id) === wanted)?.block.bytes
  }

  /**
   * Shows blocks until the delay is over or a control ends it. Returns the messages to leave out if they are to be replaced. Call
   * {@link clear} when they are in the chain.
   */
  async hold(blocks: readonly PendingShardBlock[], delayMs: number): Promise<LeftOut | undefined> {
    this.held = blocks
    this.onHeld?.()
    if (this.isClosed) return undefined
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<LeftOut | undefined>((resolve) => {
        this.end = resolve
        timer = setTimeout(resolve, delayMs, undefined)
      })
    } finally {
      clearTimeout(timer)
      this.end = undefined
    }
  }

  clear(): void {
    this.held = []
    this.onHeld?.()
  }

  /** Ends the delay. */
  commit(): void {
    this.expectHeld()(undefined)
  }

  /**
   * Replaces the blocks by others without some external messages, by default without all of them. Those wait for the next block.
   * Resolves when the new blocks are visible.
   */
  replace(messages: readonly Uint8Array[] | undefined): Promise<readonly BlockIdExt[]> {
    const end = this.expectHeld()
    const included = new Set(this.held.flatMap((each) => each.included))
    const leftOut = new Set(messages === undefined ? included : messages.map(toHex))
    for (const hash of leftOut) {
      if (!included.has(hash)) throw new ControlInputError(`No pending shard block includes the message ${hash}.`)
    }
    if (leftOut.size === 0) {
      throw new ControlInputError('The pending shard blocks include no external message that could be left out.')
    }
    return new Promise((resolve) => {
      this.onHeld = () => {
        this.onHeld = undefined
        resolve(this.ids)
      }
      end(leftOut)
    })
  }

  /** Ends the delay, if there is one. */
  release(): void {
    this.end?.(undefined)
  }

  close(): void {
    this.isClosed = true
    this.release()
  }

  private expectHeld(): (leftOut: LeftOut | undefined) => void {
    if (this.end !== undefined) return this.end
    throw new ControlInputError(
      'No shard block waits for its masterchain block. Set a commit delay with the mining mode.',
    )
  }
}
