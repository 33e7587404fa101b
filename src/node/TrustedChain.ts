import { setTimeout as delay } from 'node:timers/promises'
import { ProofFailedError } from '../chain/errors.ts'
import type { Logger } from '../observe/Logger.ts'
import { type BlockIdExt, formatBlockId } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/CodedError.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { ServerSession } from './pool/runOnServers.ts'
import { blockIdsEqual } from './proofs/blockIds.ts'
import { verifyBlockProofChain } from './proofs/verifyBlockProofChain.ts'
import type { TrustedBlocks, TrustStore } from './TrustStore.ts'

/**
 * `full`: blocks are believed for their signatures. `merkle`: the newest block is a server's word, all below it is proven.
 * `off`: all is a server's word.
 */
export type TrustMode = 'full' | 'merkle' | 'off'

export type TrustedChainOptions = {
  readonly mode: TrustMode
  /** Where trust begins: init block, hard fork or zerostate. */
  readonly anchor: BlockIdExt
  readonly store?: TrustStore | undefined
  readonly logger: Logger
  /** A head younger than this is good as it is. */
  readonly freshMs?: number
  /** A head younger than this is good while a newer one is fetched. */
  readonly staleMs?: number
}

const MODE_TO_TARGET = 1
/** 16 links an answer: more key blocks than a network makes in years. */
const MAX_ANSWERS = 4096
const SAVE_MS = 10_000
const PROGRESS_MS = 5000
/** Nodes wait up to ten seconds for a block. */
const WAIT_MS = 5000

/** The masterchain as far as it is proven. It only goes forward. */
export class TrustedChain {
  private readonly pool: NodePool
  private readonly options: Required<Omit<TrustedChainOptions, 'store'>> & Pick<TrustedChainOptions, 'store'>
  private blocks: TrustedBlocks
  private hasHead = false
  private advancedAt = Number.NEGATIVE_INFINITY
  private savedAt = Number.NEGATIVE_INFINITY
  private advancing: Promise<BlockIdExt> | undefined
  /** Count the hints of newer blocks, and how often the chain began anew: what was asked before is not fresh after. */
  private hints = 0
  private era = 0

  constructor(pool: NodePool, options: TrustedChainOptions) {
    this.pool = pool
    this.options = { freshMs: 500, staleMs: 5000, ...options }
    this.blocks = { keyBlock: options.anchor, head: options.anchor }
  }

  /** Takes up what earlier runs have proven, where that is newer than the anchor. */
  async load(): Promise<void> {
    const stored = await this.options.store?.load()
    if (stored === undefined || stored.keyBlock.seqno < this.blocks.keyBlock.seqno) return
    this.blocks = stored
    this.hasHead = true
  }

  /** Forgets all that is proven: for a network that has gone back in time, as those for development do. */
  restart(): void {
    const { anchor } = this.options
    this.era++
    this.blocks = { keyBlock: anchor, head: anchor }
    this.hasHead = false
    this.expectNewer()
  }

  get mode(): TrustMode {
    return this.options.mode
  }

  /** The newest key block that is proven. */
  get keyBlock(): BlockIdExt {
    return this.blocks.keyBlock
  }

  /** The newest proven block; fetched and proven first where the one at hand is too old. */
  async getHead(signal?: AbortSignal): Promise<BlockIdExt> {
    signal?.throwIfAborted()
    const age = performance.now() - this.advancedAt
    if (this.hasHead && age < this.options.freshMs) return this.blocks.head
    const advancing = this.advance()
    if (this.hasHead && age < this.options.staleMs) {
      advancing.catch(() => undefined)
      return this.blocks.head
    }
    return advancing
  }

  /** The newest proven block where it is at hand and fresh; if it is not, a newer one is fetched for the next time. */
  findFreshHead(): BlockIdExt | undefined {
    const age = performance.now() - this.advancedAt
    if (age >= this.options.freshMs) this.advance().catch(() => undefined)
    return this.hasHead && age < this.options.staleMs ? this.blocks.head : undefined
  }

  /** There may be a newer block, says somebody who need not be believed: whoever asks from now on gets it. */
  expectNewer(): void {
    this.hints++
    this.advancedAt = Number.NEGATIVE_INFINITY
    this.advancing = undefined
  }

  /** Each new head, the present one first. Failures are waited out: they are the pool's to tell. */
  async *watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt> {
    let last: BlockIdExt | undefined
    while (!signal.aborted) {
      try {
        const head = await this.getHead(signal)
        if (last === undefined || head.seqno > last.seqno) {
          last = head
          yield head
        }
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof CodedError) || !error.retryable) throw error
      }
      await this.waitForNewer(last, signal).catch(() => undefined)
    }
  }

  /** Until a server says that it has a newer block than the last or, where none does, for some time. */
  private async waitForNewer(last: BlockIdExt | undefined, signal: AbortSignal): Promise<void> {
    const isThere = last !== undefined && (await this.pool.waitForBlock(last.seqno + 1, WAIT_MS, signal))
    if (isThere) this.expectNewer()
    else await delay(this.options.freshMs, undefined, { signal })
  }

  /** Proves a masterchain block that a server named, on that server. */
  async prove(session: ServerSession, target: BlockIdExt): Promise<BlockIdExt> {
    const { head, keyBlock } = this.blocks
    if (this.mode !== 'full' || blockIdsEqual(target, head) || blockIdsEqual(target, keyBlock)) return target
    await this.followLinks(session, target.seqno < head.seqno && this.hasHead ? head : keyBlock, target)
    return target
  }

  private advance(): Promise<BlockIdExt> {
    if (this.advancing !== undefined) return this.advancing
    const advancing = this.pool
      // A long way to go is gone on one server: a rival would do all the checking again.
      .run((session) => this.advanceOn(session), { hedge: false })
      .finally(() => {
        if (this.advancing === advancing) this.advancing = undefined
      })
    this.advancing = advancing
    return advancing
  }

  private async advanceOn(session: ServerSession): Promise<BlockIdExt> {
    const { hints, era } = this
    const { last } = await session.ask('liteServer.getMasterchainInfo', {})
    if (era !== this.era) return this.advance()
    const { head } = this.blocks
    if (this.hasHead && last.seqno <= head.seqno) {
      if (last.seqno === head.seqno && !blockIdsEqual(last, head)) {
        throw new ProofFailedError(
          `${session.name} names another block than the proven one for ${formatBlockId(head)}.`,
        )
      }
      this.noteAdvance(hints)
      return head
    }
    if (this.mode === 'full') await this.followLinks(session, this.blocks.keyBlock, last)
    if (era !== this.era) return this.advance()
    // Another server may have been quicker with a newer block.
    if (!this.hasHead || last.seqno > this.blocks.head.seqno) await this.setHead(last, hints)
    return this.blocks.head
  }

  /** A head is fresh if nothing newer was hinted at since it was asked for. */
  private noteAdvance(hints: number): void {
    if (hints === this.hints) this.advancedAt = performance.now()
  }

  /** Follows getBlockProof to the target. Key blocks on the way are kept at once: a next try starts at the newest. */
  private async followLinks(session: ServerSession, from: BlockIdExt, target: BlockIdExt): Promise<void> {
    const { era } = this
    let known = from
    let toldAt = performance.now()
    for (let answers = 0; !blockIdsEqual(known, target); answers++) {
      if (answers === MAX_ANSWERS) {
        throw new ProofFailedError(`${session.name} leads in circles and not to ${formatBlockId(target)}.`)
      }
      const question = { mode: MODE_TO_TARGET, knownBlock: known, targetBlock: target }
      const answer = await session.ask('liteServer.getBlockProof', question)
      const { to, lastKeyBlock } = verifyBlockProofChain(answer, known, target)
      if (era === this.era && lastKeyBlock !== undefined && lastKeyBlock.seqno > this.blocks.keyBlock.seqno) {
        this.blocks = { ...this.blocks, keyBlock: lastKeyBlock }
        await this.save()
      }
      known = to
      if (performance.now() - toldAt < PROGRESS_MS) continue
      toldAt = performance.now()
      this.options.logger.info('proving the chain', { proven: known.seqno, target: target.seqno })
    }
  }

  private async setHead(head: BlockIdExt, hints: number): Promise<void> {
    const isFirst = !this.hasHead
    this.blocks = { ...this.blocks, head }
    this.hasHead = true
    this.noteAdvance(hints)
    if (isFirst || performance.now() - this.savedAt >= SAVE_MS) await this.save()
  }

  private async save(): Promise<void> {
    this.savedAt = performance.now()
    const { keyBlock, head } = this.blocks
    await this.options.store?.save({ keyBlock, head: head.seqno > keyBlock.seqno ? head : keyBlock })
  }
}
