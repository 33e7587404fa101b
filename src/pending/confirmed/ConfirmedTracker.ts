import type { PendingBlock, PendingBlockSource } from '../../chain/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockId, type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { createSemaphore, pause } from '../../primitives/scheduling.ts'
import type { JettonWallet } from '../../store/reader/jettons.ts'
import type { PendingTrace } from '../../store/reader/pending.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type { ClassifyTrace } from '../assembleTrace.ts'
import type { ConfirmedAccount, ConfirmedChange, ConfirmedState, OnConfirmedChange } from './ConfirmedChange.ts'
import { ConfirmedTraces, type FindIndexed, type PlacedBlock } from './ConfirmedTraces.ts'
import { type DecodedPendingBlock, decodePendingBlock } from './decodePendingBlock.ts'

/** The blocks of a masterchain block that is in the index. */
export type FinalBlocks = {
  readonly mcSeqno: number
  readonly blocks: readonly (BlockId & { readonly rootHash: Uint8Array })[]
}

export type ConfirmedOptions = {
  readonly source: PendingBlockSource
  /** Calls back for each new masterchain block of the index, and without one if the chain was set back. */
  readonly watchFinal: (listener: (final: FinalBlocks | undefined) => void) => () => void
  readonly findIndexed: FindIndexed
  /** The jetton wallets among the accounts that a block changes. */
  readonly findWallets: (block: DecodedPendingBlock) => Promise<readonly JettonWallet[]>
  readonly classify: ClassifyTrace
  readonly logger: Logger
  readonly times?: Partial<ConfirmedTimes>
}

export type ConfirmedTimes = {
  readonly pollMs: number
  /** After a failure. */
  readonly retryMs: number
  /** Where no liteserver answers non-final queries. */
  readonly disabledMs: number
  /** Polling goes on for so long after the last listener left. */
  readonly lingerMs: number
  /** A block that is not listed any more, and neither final nor replaced, is discarded after this time. */
  readonly lostMs: number
}

const TIMES: ConfirmedTimes = { pollMs: 150, retryMs: 1000, disabledMs: 10_000, lingerMs: 15_000, lostMs: 60_000 }

/** Blocks held at a time. All shards together have fewer between two masterchain blocks. */
const MAX_HELD = 256
/** Traces of a block that are classified; further ones come without actions. */
const MAX_CLASSIFIED = 64
const PARALLEL = 4
const PROBE_MS = 1000

type Held = {
  readonly key: string
  readonly id: BlockIdExt
  readonly states: readonly ConfirmedState[]
  listedAt: number
}

/** Blocks that were taken out, and the keys of the traces of which nothing is left. */
type Removed = { readonly held: readonly Held[]; readonly traces: readonly string[] }

type Added = { readonly held: Held; readonly decoded: DecodedPendingBlock; readonly placed: PlacedBlock }

/**
 * Follows signed shard blocks from before a masterchain block names them until one does, or others replace them. Asks nodes only while it has
 * listeners. Each process does this for itself.
 */
export class ConfirmedTracker {
  readonly #options: ConfirmedOptions
  readonly #times: ConfirmedTimes
  readonly #traces: ConfirmedTraces
  readonly #listeners = new Set<OnConfirmedChange>()
  readonly #limit = createSemaphore(PARALLEL)
  /** By root hash, in the order of arrival. */
  readonly #held = new Map<string, Held>()
  /** Newest final seqno of each shard. */
  readonly #final = new Map<string, number>()
  /** Lists and final blocks are handled one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #run: AbortController | undefined
  #lingering: NodeJS.Timeout | undefined
  #support: { readonly isEnabled: boolean; readonly at: number } | undefined

  constructor(options: ConfirmedOptions) {
    this.#options = options
    this.#times = { ...TIMES, ...options.times }
    this.#traces = new ConfirmedTraces(options.findIndexed)
  }

  /** Blocks that are followed. */
  get size(): number {
    return this.#held.size
  }

  listen(listener: OnConfirmedChange): () => void {
    clearTimeout(this.#lingering)
    this.#listeners.add(listener)
    this.#start()
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#lingering = setTimeout(() => this.close(), this.#times.lingerMs).unref()
    }
  }

  /** Whether a node shows blocks that are not final. Asks one if that is not known. */
  async isEnabled(): Promise<boolean> {
    const known = this.#support
    if (known !== undefined && performance.now() - known.at < this.#times.disabledMs) return known.isEnabled
    try {
      const blocks = await this.#options.source.listPendingBlocks(() => true, AbortSignal.timeout(PROBE_MS))
      this.#note(blocks !== undefined)
      return blocks !== undefined
    } catch {
      return known?.isEnabled ?? false
    }
  }

  close(): void {
    clearTimeout(this.#lingering)
    this.#run?.abort()
    this.#run = undefined
    this.#forget()
  }

  #start(): void {
    if (this.#run !== undefined) return
    const run = new AbortController()
    this.#run = run
    const leave = this.#options.watchFinal((final) => void this.#enqueue(run, () => this.#takeFinal(final)))
    run.signal.addEventListener('abort', leave, { once: true })
    void this.#poll(run).catch((error: unknown) => this.#options.logger.error('pending blocks not followed', { error }))
  }

  async #poll(run: AbortController): Promise<void> {
    const { source, logger } = this.#options
    const { pollMs, retryMs, disabledMs } = this.#times
    const { signal } = run
    while (!signal.aborted) {
      let waitMs = pollMs
      try {
        const isKnown = (id: BlockIdExt): boolean => this.#held.has(toHex(id.rootHash)) || this.#isFinal(id)
        const blocks = await source.listPendingBlocks(isKnown, signal)
        this.#note(blocks !== undefined)
        if (blocks === undefined) waitMs = disabledMs
        else await this.#enqueue(run, () => this.#take(blocks))
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof CodedError)) throw error
        logger.debug('pending blocks not listed, retrying', { error })
        waitMs = retryMs
      }
      await pause(waitMs, signal).catch(() => undefined)
    }
  }

  #note(isEnabled: boolean): void {
    if (this.#support?.isEnabled !== isEnabled && !isEnabled) {
      this.#options.logger.info('no liteserver answers non-final queries, no confirmed events')
    }
    this.#support = { isEnabled, at: performance.now() }
  }

  #enqueue(run: AbortController, work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (run.signal.aborted) return
      try {
        await work()
      } catch (error) {
        this.#options.logger.error('pending block failed', { error })
      }
    })
    return this.#turn
  }

  async #take(listed: readonly PendingBlock[]): Promise<void> {
    const now = performance.now()
    const places = new Set(listed.map(({ id }) => formatBlockId(id)))
    for (const { id } of listed) {
      const held = this.#held.get(toHex(id.rootHash))
      if (held !== undefined) held.listedAt = now
    }
    const isGone = ({ id, listedAt }: Held): boolean =>
      listedAt !== now && (places.has(formatBlockId(id)) || now - listedAt > this.#times.lostMs)
    const gone = this.#remove([...this.#held.values()].filter(isGone))
    const added: Added[] = []
    for (const { id, bytes } of listed.toSorted((a, b) => a.id.seqno - b.id.seqno)) {
      if (bytes !== undefined && !this.#held.has(toHex(id.rootHash)) && !this.#isFinal(id)) {
        added.push(...(await this.#add(id, bytes, now)))
      }
    }
    this.#tellDiscarded(gone, added)
    const told = new Set(gone.held.flatMap(({ states }) => states.map(stateText)))
    for (const each of added) await this.#tell(each, told)
  }

  #isFinal(id: BlockIdExt): boolean {
    return id.seqno <= (this.#final.get(shardText(id)) ?? 0)
  }

  /** A block that cannot be decoded is held without content, and not read again. */
  async #add(id: BlockIdExt, bytes: Uint8Array, now: number): Promise<Added[]> {
    const key = toHex(id.rootHash)
    const [oldest] = this.#held.values()
    if (this.#held.size >= MAX_HELD && oldest !== undefined) this.#remove([oldest])
    this.#held.set(key, { key, id, states: [], listedAt: now })
    try {
      const decoded = decodePendingBlock(id, bytes)
      const placed = await this.#traces.add(key, decoded)
      const states = decoded.transactions.flatMap(({ isLast, account, after, transaction: { lt } }) =>
        isLast ? [{ account: account.slice(), hash: after.hash?.slice(), lt }] : [],
      )
      const held = { key, id, states, listedAt: now }
      this.#held.set(key, held)
      return [{ held, decoded, placed }]
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      this.#options.logger.warn('pending block skipped', { block: formatBlockId(id), error })
      return []
    }
  }

  /** Takes blocks out, with those that follow them in their shards. */
  #remove(those: readonly Held[]): Removed {
    const removed = new Set(those)
    for (const { id } of those) {
      for (const other of this.#held.values()) {
        if (shardText(other.id) === shardText(id) && other.id.seqno > id.seqno) removed.add(other)
      }
    }
    for (const { key } of removed) this.#held.delete(key)
    return { held: [...removed], traces: [...removed].flatMap(({ key }) => this.#traces.remove(key)) }
  }

  /** Of removed blocks: what did not come back with others. */
  #tellDiscarded(gone: Removed, added: readonly Added[]): void {
    if (gone.held.length === 0) return
    const again = new Set(added.flatMap(({ held }) => held.states.map(stateText)))
    const traces = gone.traces.filter((key) => !this.#traces.has(key)).map((key) => fromHex(key))
    const states = gone.held.flatMap((held) => held.states).filter((state) => !again.has(stateText(state)))
    this.#options.logger.info('confirmed blocks replaced', { blocks: gone.held.map(({ id }) => formatBlockId(id)) })
    if (traces.length > 0 || states.length > 0) this.#emit({ kind: 'discarded', traces, states })
  }

  /** Accounts that are the same in a replaced block were told before. */
  async #tell({ decoded, placed }: Added, told: ReadonlySet<string>): Promise<void> {
    const { classify, findWallets } = this.#options
    const keys = [...placed.traces]
    const [wallets, ...traces] = await Promise.all([
      findWallets(decoded),
      ...keys.map((key, k) => this.#limit(() => this.#traces.assemble(key, k < MAX_CLASSIFIED ? classify : undefined))),
    ])
    const accounts = listAccounts(placed)
    const isTold = ({ account, state, lt }: ConfirmedAccount): boolean =>
      told.has(stateText({ account, hash: state.hash, lt }))
    const same = new Set(accounts.filter(isTold).map(({ account }) => keyText(account)))
    this.#emit({
      kind: 'confirmed',
      genUtime: decoded.genUtime,
      traces: traces.filter((trace): trace is PendingTrace => trace !== undefined),
      accounts: accounts.filter((each) => !isTold(each)),
      wallets: wallets.filter(({ address }) => !same.has(keyText(address))),
    })
  }

  async #takeFinal(final: FinalBlocks | undefined): Promise<void> {
    if (final === undefined) return this.#forget()
    const replaced: Held[] = []
    for (const block of final.blocks) {
      if (block.workchain === masterchain) continue
      this.#final.set(shardText(block), block.seqno)
      for (const held of [...this.#held.values()]) {
        if (shardText(held.id) !== shardText(block) || held.id.seqno > block.seqno) continue
        if (held.id.seqno === block.seqno && !bytesEqual(held.id.rootHash, block.rootHash)) replaced.push(held)
        else {
          this.#held.delete(held.key)
          this.#traces.settle(held.key, final.mcSeqno)
        }
      }
    }
    this.#tellDiscarded(this.#remove(replaced), [])
  }

  #emit(change: ConfirmedChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #forget(): void {
    this.#held.clear()
    this.#final.clear()
    this.#traces.clear()
  }
}

const shardText = ({ workchain, shard }: Pick<BlockId, 'workchain' | 'shard'>): string => `${workchain} ${shard}`

const stateText = ({ account, hash, lt }: ConfirmedState): string =>
  `${keyText(account)} ${lt} ${hash === undefined ? '' : keyText(hash)}`

/** The accounts of a block in the order of their last transactions. */
const listAccounts = ({ transactions }: PlacedBlock): ConfirmedAccount[] => {
  const byAccount = new Map<string, (typeof transactions)[number][]>()
  for (const each of transactions) {
    const key = keyText(each.record.account)
    const others = byAccount.get(key)
    if (others === undefined) byAccount.set(key, [each])
    else others.push(each)
  }
  const accounts = [...byAccount.values()].map((own): ConfirmedAccount => {
    const first = own[0]!.record
    const last = own.at(-1)!.record
    return {
      account: last.account,
      transactions: own.map(({ record }) => record),
      traceHashes: own.flatMap(({ traceHash }) => traceHash ?? []),
      state: last.stateAfter,
      previous: first.stateBefore,
      lt: last.lt,
      lastTransactionHash: last.hash,
    }
  })
  return accounts.sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0))
}
