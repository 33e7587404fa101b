import type { LiveChain } from '../chain/LiveChain.ts'
import type { MethodCall, RecordedMethod, VirtualMachine } from '../chain/ports.ts'
import type { RecordOptions, VmRecording } from '../chain/recording.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import type { VmStack } from '../codec/tlb/VmStack.ts'
import { type Address, formatRawAddress } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import { AccountNotActiveError, DebugBusyError, ReplayNotKeptError, TransactionNotFoundError } from './errors.ts'
import { fetchReplay } from './replay/fetchReplay.ts'
import { getConfigAfter, sourceOf } from './replay/gatherInputs.ts'
import type { Replay, ReplayChanges } from './replay/replayTransaction.ts'

/** Where a transaction is on chain. */
export type TransactionPosition = { readonly address: Address; readonly lt: bigint }

export type DebuggerOptions = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction' | 'recordTransaction' | 'recordMethod' | 'supportedVersion'>
  /** Finds a transaction by hash, in an index; without it account and lt must be given. */
  readonly findPosition?:
    | ((hash: Uint8Array, signal: AbortSignal) => Promise<TransactionPosition | undefined>)
    | undefined
  /** Replays that may be under way at once; the rest are refused. */
  readonly maxRuns?: number
}

/** By its hash, or by account and logical time. */
export type DebugTarget =
  | { readonly hash: Uint8Array; readonly address?: undefined; readonly lt?: undefined }
  | { readonly hash?: Uint8Array | undefined; readonly address: Address; readonly lt: bigint }

const METHOD_GAS = 1_000_000
const MAX_RUNS = 8
const KEEP_MS = 10 * 60 * 1000
/** A kept replay has its account and configuration in memory, some 300 KB for most. */
const MAX_KEPT = 32

/** Replays transactions, and keeps the newest replays so that their steps can be read page by page. */
export class Debugger {
  readonly #options: DebuggerOptions
  readonly #kept = new Map<string, { readonly replay: Replay; readonly until: number }>()
  #running = 0

  constructor(options: DebuggerOptions) {
    this.#options = options
  }

  /** The newest global version whose rules the machine knows. */
  get supportedVersion(): number {
    return this.#options.vm.supportedVersion
  }

  /** Replays a transaction; with changes the verdict says so. */
  replay(target: DebugTarget, changes: ReplayChanges | undefined, signal: AbortSignal): Promise<Replay> {
    return this.#limit(async () => {
      const { chain, vm } = this.#options
      const replay = await fetchReplay(chain, vm, await this.#locate(target, signal), { changes, signal })
      if (changes === undefined) this.#keep(replay)
      return replay
    })
  }

  /** Runs the transaction of a replay once more, step by step. */
  record(
    replay: Replay,
    options: RecordOptions,
    signal: AbortSignal,
  ): Promise<{ readonly recording: VmRecording | undefined; readonly log: string | undefined }> {
    return this.#limit(async () => {
      const { run, recording } = await this.#options.vm.recordTransaction(replay.call, options, signal)
      return { recording, log: options.log ? run.log : undefined }
    })
  }

  /** A replay that was made in the last minutes. */
  getKept(hash: Uint8Array): Replay {
    const kept = this.#kept.get(toHex(hash))
    if (kept !== undefined && kept.until > Date.now()) return kept.replay
    throw new ReplayNotKeptError(
      `No replay of transaction ${toHex(hash)} was made in the last ten minutes: replay it with POST /transaction first.`,
    )
  }

  /** Code of a replay that is kept. */
  findKeptCode(hash: Uint8Array): Cell | undefined {
    for (const { replay } of this.#kept.values()) {
      const account = openAccount(replay.call.account.account)
      const code = account.kind === 'account' && account.state.kind === 'active' ? account.state.init.code : undefined
      if (code?.hasHash(hash) === true) return code
      const library = replay.libraries.get(toHex(hash))
      if (library !== undefined) return library
    }
    return undefined
  }

  /** Runs a get-method on the newest state of an account, step by step. */
  recordMethod(
    address: Address,
    { methodId, stack }: { readonly methodId: number; readonly stack: VmStack },
    options: RecordOptions,
    signal: AbortSignal,
  ): Promise<RecordedMethod> {
    return this.#limit(() =>
      this.#options.chain.withNode({ signal }, async (node) => {
        const head = await node.getHead()
        const { found, genUtime, genLt } = await node.getAccountState(address, head)
        const account = found && openAccount(found.account)
        const { code, data } = account?.kind === 'account' && account.state.kind === 'active' ? account.state.init : {}
        if (account?.kind !== 'account' || code === undefined) {
          throw new AccountNotActiveError(`Account ${formatRawAddress(address)} has no code, so it has no get-methods.`)
        }
        const inputs = { master: head, config: await getConfigAfter(node, head) }
        const source = sourceOf(node, inputs)
        const call: MethodCall = {
          contract: { address, code, data: data ?? emptyCell, balance: account.balance },
          methodId,
          stack,
          gasLimit: METHOD_GAS,
          context: {
            config: inputs.config,
            now: genUtime,
            randomSeed: new Uint8Array(32),
            lt: genLt,
            previousBlocks: await source.getPreviousBlocks(),
            findLibrary: (hash) => source.findLibrary(hash),
          },
          log: 'none',
        }
        return this.#options.vm.recordMethod(call, options, signal)
      }),
    )
  }

  /** Forgets all replays, when blocks of the embedded network are reverted. */
  forget(): void {
    this.#kept.clear()
  }

  #keep(replay: Replay): void {
    const key = toHex(replay.chain.hash())
    this.#kept.delete(key)
    this.#kept.set(key, { replay, until: Date.now() + KEEP_MS })
    for (const [oldest, { until }] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && until > Date.now()) break
      this.#kept.delete(oldest)
    }
  }

  async #locate(target: DebugTarget, signal: AbortSignal) {
    if (target.address !== undefined) return target
    const { hash } = target
    const { findPosition } = this.#options
    if (findPosition === undefined) {
      throw new TransactionNotFoundError(
        'A hash alone needs an index, and this service has none: give the account and the logical time.',
      )
    }
    const position = await findPosition(hash, signal)
    if (position !== undefined) return { ...position, hash }
    throw new TransactionNotFoundError(
      `Transaction ${toHex(hash)} is not in the index: it may be too old, too new, or of another network. Account and logical time find it without an index.`,
    )
  }

  async #limit<T>(work: () => Promise<T>): Promise<T> {
    const { maxRuns = MAX_RUNS } = this.#options
    if (this.#running >= maxRuns) throw new DebugBusyError(`${maxRuns} replays are under way already. Retry later.`)
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
    }
  }
}
