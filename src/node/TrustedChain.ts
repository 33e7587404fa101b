import { ProofFailedError } from '../chain/errors.ts'
import type { Logger } from '../observe/Logger.ts'
import { type BlockIdExt, formatBlockId } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import { onAbort } from '../primitives/scheduling.ts'
import { KnownBlocks } from './KnownBlocks.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { ServerSession } from './pool/runOnServers.ts'
import { verifyBlockProofChain } from './proofs/chainProofs.ts'
import { blockIdsEqual } from './proofs/unwrapProof.ts'
import type { TrustedBlocks, TrustStore } from './TrustStore.ts'

/**
 * `full`: blocks are verified by their signatures. `merkle`: the newest block is trusted from a server, everything below it is proven.
 * `off`: nothing is verified.
 */
export type TrustMode = 'full' | 'merkle' | 'off'

export type TrustedChainOptions = {
  readonly mode: TrustMode
  /** Where trust starts: init block, hard fork or zerostate. */
  readonly anchor: BlockIdExt
  readonly store?: TrustStore | undefined
  readonly logger: Logger
  /** Where no server tells of its next block by itself: a head younger than this is good as it is. */
  readonly freshMs?: number
  /** A head younger than this is good where no newer one can be had. */
  readonly staleMs?: number
  /** What all processes of this service have named: none names an older block afterwards. */
  readonly shared?: SharedHeads | undefined
}

/** A number that processes raise together. */
export interface SharedSeqno {
  read(): number
  publish(seqno: number): void
}

export type SharedHeads = { readonly head: SharedSeqno; readonly consensus: SharedSeqno }

const MODE_TO_TARGET = 1
/** 16 links an answer: more key blocks than a network makes in years. */
const MAX_ANSWERS = 4096
const SAVE_MS = 10_000
const PROGRESS_MS = 5000
/** How long a watcher of heads waits before it asks whether it has missed one. */
const WATCH_MS = 5000
/** How long a caller waits for a block that is known to be there, before he is content with the one before. */
const PATIENCE_MS = 1000

/**
 * The masterchain as far as it is proven. It only goes forward, and it follows: as soon as a server of the pool tells of a newer
 * block, that block is proven, and concurrent callers get it.
 */
export class TrustedChain {
  private readonly pool: NodePool
  private readonly options: Required<Omit<TrustedChainOptions, 'store' | 'shared'>> &
    Pick<TrustedChainOptions, 'store' | 'shared'>
  private blocks: TrustedBlocks
  private knownBlocks = new KnownBlocks()
  private hasHead = false
  /** The newest block that is known to be there, though it may not be proven. */
  private expected = 0
  private consensus = 0
  private confirmedAt = Number.NEGATIVE_INFINITY
  private savedAt = Number.NEGATIVE_INFINITY
  private advancing: Promise<BlockIdExt> | undefined
  private isCatchingUp = false
  private isLoaded: boolean
  /** Counts how often the chain began anew: what was asked before is not to be believed after. */
  private era = 0
  private readonly wakers = new Set<() => void>()

  constructor(pool: NodePool, options: TrustedChainOptions) {
    this.pool = pool
    this.options = { freshMs: 500, staleMs: 5000, ...options }
    this.blocks = { keyBlock: options.anchor, head: options.anchor }
    this.isLoaded = options.store === undefined
    pool.onHead(({ seqno }) => this.expectNewer(seqno))
  }

  /** Takes up what earlier runs have proven, where that is newer than the anchor. */
  async load(): Promise<void> {
    const stored = await this.options.store?.load()
    if (stored !== undefined && stored.keyBlock.seqno >= this.blocks.keyBlock.seqno) {
      this.blocks = stored
      this.hasHead = true
    }
    this.isLoaded = true
    this.expectNewer(this.pool.bestSeqno ?? 0)
    if (this.lacksExpected) void this.catchUp()
  }

  /** Forgets all that is proven: for a network that has gone back in time, as those for development do. */
  restart(): void {
    const { anchor } = this.options
    this.era++
    this.knownBlocks = new KnownBlocks()
    this.blocks = { keyBlock: anchor, head: anchor }
    this.hasHead = false
    this.expected = 0
    this.consensus = 0
    this.confirmedAt = Number.NEGATIVE_INFINITY
    this.advancing = undefined
    this.pool.forgetHeads()
  }

  get mode(): TrustMode {
    return this.options.mode
  }

  /** Blocks proven so far, by their seqno: others as soon as the chain begins anew. */
  get known(): KnownBlocks {
    return this.knownBlocks
  }

  /** The newest key block that is proven. */
  get keyBlock(): BlockIdExt {
    return this.blocks.keyBlock
  }

  /**
   * The newest proven block; fetched and proven first where a newer one is known to be there, or may be. A caller who knows of a
   * block names its number: then the servers are asked once more before he gets an older one.
   */
  async getHead(signal?: AbortSignal, atLeast = 0): Promise<BlockIdExt> {
    signal?.throwIfAborted()
    if (this.isCurrent && this.blocks.head.seqno >= atLeast) return this.blocks.head
    const advancing = this.advanceTo(atLeast)
    if (!this.hasHead || performance.now() - this.confirmedAt >= this.options.staleMs) return advancing
    // Better an answer from a block that is a moment old than none.
    return withinPatience(advancing, () => this.blocks.head)
  }

  /** The newest proven block where none that is newer is known to be there. */
  findFreshHead(): BlockIdExt | undefined {
    return this.isCurrent ? this.blocks.head : undefined
  }

  /** An unproven hint of a newer block: later calls wait until it is proven. */
  expectNewer(seqno: number): void {
    if (seqno <= this.expected) return
    this.expected = seqno
    void this.catchUp()
  }

  /** The newest block that most servers have, as far as it is proven: none that is older than one named before. */
  async getConsensusSeqno(signal: AbortSignal): Promise<number | undefined> {
    const reached = this.pool.consensusSeqno
    if (reached === undefined) return undefined
    const { seqno } = await this.getHead(signal, reached)
    const { consensus } = this.options.shared ?? {}
    const named = Math.max(this.consensus, consensus?.read() ?? 0)
    this.consensus = Math.max(named, Math.min(reached, seqno))
    if (this.consensus > named) consensus?.publish(this.consensus)
    return this.consensus
  }

  private get isCurrent(): boolean {
    const { expected, hasHead, blocks, options, pool } = this
    if (!hasHead || blocks.head.seqno < expected) return false
    if (options.shared !== undefined && blocks.head.seqno < options.shared.head.read()) return false
    const now = performance.now()
    if (pool.isFollowing) this.confirmedAt = now
    return now - this.confirmedAt < options.freshMs
  }

  /** Proves what is expected. What no server can prove is no longer expected, until a server names it again. */
  private async catchUp(): Promise<void> {
    if (this.isCatchingUp || !this.isLoaded) return
    this.isCatchingUp = true
    try {
      for (let proven = -1; this.lacksExpected && this.blocks.head.seqno > proven; ) {
        proven = this.hasHead ? this.blocks.head.seqno : -1
        await this.advance()
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    } finally {
      this.isCatchingUp = false
      if (this.lacksExpected) this.expected = this.hasHead ? this.blocks.head.seqno : 0
    }
  }

  private get lacksExpected(): boolean {
    return !this.hasHead || this.blocks.head.seqno < this.expected
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
      if (this.blocks.head.seqno <= (last?.seqno ?? -1) || !this.hasHead) await this.waitForChange(signal)
    }
  }

  /** Until there is a newer head or, where no server tells of one by itself, for some time. */
  private waitForChange(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const wake = (): void => {
        clearTimeout(timer)
        leave()
        this.wakers.delete(wake)
        done()
      }
      const timer = setTimeout(wake, this.pool.isFollowing ? WATCH_MS : this.options.freshMs)
      this.wakers.add(wake)
      const leave = onAbort(signal, wake)
    })
  }

  /** Proves a masterchain block that a server named, on that server. */
  async prove(session: ServerSession, target: BlockIdExt): Promise<BlockIdExt> {
    const { head, keyBlock } = this.blocks
    if (this.mode !== 'full' || blockIdsEqual(target, head) || blockIdsEqual(target, keyBlock)) return target
    await this.followLinks(session, target.seqno < head.seqno && this.hasHead ? head : keyBlock, target)
    return target
  }

  /** What was under way before may not know of the block yet. */
  private async advanceTo(seqno: number): Promise<BlockIdExt> {
    const underWay = this.advancing
    const head = await this.advance()
    return underWay !== undefined && head.seqno < Math.max(seqno, this.expected) ? this.advance() : head
  }

  private advance(): Promise<BlockIdExt> {
    if (this.advancing !== undefined) return this.advancing
    const advancing = this.pool
      // A long way to go is gone on one server: a rival would do all the checking again.
      .run((session) => this.advanceInEra(session), { hedge: false, minSeqno: this.expected })
      .finally(() => {
        if (this.advancing === advancing) this.advancing = undefined
      })
    this.advancing = advancing
    return advancing
  }

  /** A failure that the chain brought about by beginning anew meanwhile is none. */
  private async advanceInEra(session: ServerSession): Promise<BlockIdExt> {
    const { era } = this
    try {
      return await this.advanceOn(session)
    } catch (error) {
      if (era === this.era) throw error
      return this.advance()
    }
  }

  private async advanceOn(session: ServerSession): Promise<BlockIdExt> {
    const { era } = this
    const last = await this.findLast(session)
    if (era !== this.era) return this.advance()
    const { head } = this.blocks
    if (this.hasHead && last.seqno <= head.seqno) {
      if (last.seqno === head.seqno && !blockIdsEqual(last, head)) {
        throw new ProofFailedError(
          `${session.name} names another block than the proven one for ${formatBlockId(head)}.`,
        )
      }
      this.confirmedAt = performance.now()
      return head
    }
    if (this.mode === 'full') await this.followLinks(session, this.blocks.keyBlock, last)
    if (era !== this.era) return this.advance()
    // Another server may have been quicker with a newer block.
    if (!this.hasHead || last.seqno > this.blocks.head.seqno) await this.setHead(last)
    return this.blocks.head
  }

  /** The newest block of a server: the one that it has just told of, if that is what is expected, or else the one that it names now. */
  private async findLast(session: ServerSession): Promise<BlockIdExt> {
    const told = this.pool.servers[session.index]?.head
    const proven = this.blocks.head.seqno
    const shared = this.options.shared?.head.read() ?? 0
    const needed = Math.max(this.expected, shared)
    if (told !== undefined && needed > proven && told.seqno >= needed) return told
    // Another process has proven that block, so the server is about to have it.
    const wait = shared > proven ? { wait: { seqno: shared, timeoutMs: PATIENCE_MS } } : {}
    const { last } = await session.query('liteServer.getMasterchainInfo', {}, wait)
    return last
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
      const request = { mode: MODE_TO_TARGET, knownBlock: known, targetBlock: target }
      const answer = await session.query('liteServer.getBlockProof', request)
      const { to, lastKeyBlock } = verifyBlockProofChain(answer, known, target)
      if (era === this.era && lastKeyBlock !== undefined && lastKeyBlock.seqno > this.blocks.keyBlock.seqno) {
        this.blocks = { ...this.blocks, keyBlock: lastKeyBlock }
        await this.save()
      }
      known = to
      if (performance.now() - toldAt < PROGRESS_MS) continue
      toldAt = performance.now()
      this.options.logger.info('syncing proof chain', { proven: known.seqno, target: target.seqno })
    }
  }

  private async setHead(head: BlockIdExt): Promise<void> {
    const isFirst = !this.hasHead
    this.blocks = { ...this.blocks, head }
    this.hasHead = true
    this.confirmedAt = performance.now()
    this.pool.provenSeqno = head.seqno
    this.known.add(head)
    this.options.shared?.head.publish(head.seqno)
    for (const wake of [...this.wakers]) wake()
    if (isFirst || performance.now() - this.savedAt >= SAVE_MS) await this.save()
  }

  private async save(): Promise<void> {
    this.savedAt = performance.now()
    const { keyBlock, head } = this.blocks
    await this.options.store?.save({ keyBlock, head: head.seqno > keyBlock.seqno ? head : keyBlock })
  }
}

/** What the work comes to, or what there is already if it fails or takes long. */
const withinPatience = <T>(work: Promise<T>, findPresent: () => T): Promise<T> =>
  new Promise((done) => {
    const timer = setTimeout(() => done(findPresent()), PATIENCE_MS)
    void work.catch(findPresent).then((value) => {
      clearTimeout(timer)
      done(value)
    })
  })
