import { setTimeout as delay } from 'node:timers/promises'
import { BlockNotFoundError, NodeUnavailableError } from '../../src/chain/errors.ts'
import type { BlockSource } from '../../src/chain/ports.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { createRandom } from './ownWorkload.ts'

export type LyingOptions = {
  readonly seed: number
  /** One answer of so many is a lie. */
  readonly oneIn: number
  /** After so many of them it is honest. */
  readonly lies: number
}

/** A source of blocks that lies, falls silent, repeats itself and takes back what it said, until it has had enough. */
export class LyingSource implements BlockSource {
  /** How often each lie was told. */
  readonly told = new Map<string, number>()
  private readonly source: BlockSource
  private readonly random: ReturnType<typeof createRandom>
  private readonly oneIn: number
  private left: number
  private lastBytes: Uint8Array = Uint8Array.of(1, 2, 3)

  constructor(source: BlockSource, { seed, oneIn, lies }: LyingOptions) {
    this.source = source
    this.random = createRandom(seed)
    this.oneIn = oneIn
    this.left = lies
  }

  get isHonest(): boolean {
    return this.left === 0
  }

  async getHead(signal?: AbortSignal): Promise<BlockIdExt> {
    const head = await this.source.getHead(signal)
    switch (this.chooseLie('silent head', 'head of a shard', 'no head')) {
      case 'silent head':
        return hang()
      case 'head of a shard':
        return { ...head, workchain: 0 }
      case 'no head':
        throw new NodeUnavailableError('The server is busy with something else.')
      default:
        return head
    }
  }

  async getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt> {
    const id = await this.source.getMasterchainBlockId(seqno, signal)
    switch (this.chooseLie('silent id', 'other id', 'made up id', 'no id')) {
      case 'silent id':
        return hang()
      case 'other id':
        return this.source.getMasterchainBlockId(Math.max(1, seqno - 1), signal)
      case 'made up id':
        return { ...id, rootHash: flip(id.rootHash, 3), fileHash: flip(id.fileHash, 5) }
      case 'no id':
        throw new BlockNotFoundError(id)
      default:
        return id
    }
  }

  async getRawBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = await this.source.getRawBlock(id, signal)
    const other = this.lastBytes
    this.lastBytes = bytes
    switch (this.chooseLie('silence', 'other block', 'flipped bit', 'half a block', 'nothing', 'no block')) {
      case 'silence':
        return hang()
      case 'other block':
        return other
      case 'flipped bit':
        return flip(bytes, this.random.below(bytes.length))
      case 'half a block':
        return bytes.subarray(0, bytes.length >> 1)
      case 'nothing':
        return new Uint8Array()
      case 'no block':
        throw new BlockNotFoundError(id)
      default:
        return bytes
    }
  }

  /** What is above the real head never comes; what is repeated or taken back does no harm. */
  async *watchHeads(signal: AbortSignal): AsyncGenerator<BlockIdExt> {
    let last: BlockIdExt | undefined
    for await (const head of this.source.watchHeads(signal)) {
      const heads = [head]
      const lie = this.chooseHeadLie()
      if (lie === 'repeated heads') heads.push(head, head)
      if (lie === 'heads that go back' && last !== undefined) heads.push(last)
      if (lie === 'head of the future') heads.push({ ...head, seqno: head.seqno + 1_000_000 })
      for (const each of heads) {
        yield each
        await delay(20, undefined, { signal })
      }
      last = head
      if (lie === 'heads that end') return
    }
  }

  /** Heads come seldom, so that every other one has a lie with it. */
  private chooseHeadLie(): string | undefined {
    if (this.isHonest || this.random.below(2) === 0) return undefined
    return this.tell(['repeated heads', 'heads that go back', 'head of the future', 'heads that end'])
  }

  private chooseLie(...lies: readonly string[]): string | undefined {
    return this.isHonest || this.random.below(this.oneIn) > 0 ? undefined : this.tell(lies)
  }

  private tell(lies: readonly string[]): string {
    const lie = lies[this.random.below(lies.length)]!
    this.told.set(lie, (this.told.get(lie) ?? 0) + 1)
    this.left--
    return lie
  }
}

const hang = (): Promise<never> => new Promise(() => undefined)

const flip = (bytes: Uint8Array, at: number): Uint8Array => {
  const changed = bytes.slice()
  changed[at]! ^= 4
  return changed
}
