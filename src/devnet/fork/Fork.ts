import type { FindLibrary, VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ForkRecords } from './ForkRecords.ts'
import { type ForkPoint, type ForkSource, ForkUnavailableError } from './ForkSource.ts'

export type ForkOptions = {
  readonly point: ForkPoint
  readonly source: ForkSource
  readonly records: ForkRecords
  /** Accounts of our own, which replace those of the forked network. */
  readonly own: readonly Address[]
  readonly logger: Logger
}

/** How long a failed fetch is not repeated. */
export const FORK_RETRY_MS = 3000

/**
 * The forked network as our network sees it: the state after the fork block, fetched piece by piece. A fetched piece is recorded before
 * it is used, so no block depends on the network a second time.
 */
export class Fork {
  readonly point: ForkPoint
  readonly records: ForkRecords
  private readonly source: ForkSource
  private readonly own: ReadonlySet<string>
  private readonly logger: Logger
  private readonly fetching = new Map<string, Promise<unknown>>()
  private readonly failed = new Map<string, { readonly error: ForkUnavailableError; readonly until: number }>()

  constructor({ point, source, records, own, logger }: ForkOptions) {
    this.point = point
    this.source = source
    this.records = records
    this.own = new Set(own.map(formatRawAddress))
    this.logger = logger
  }

  /** Whether our state says everything about an account: it is our own, imported, or proven absent there. */
  isKnown(address: Address): boolean {
    const { records } = this
    if (address.workchain !== masterchain && address.workchain !== 0) return true
    if (this.own.has(formatRawAddress(address)) || records.findImport(address) !== undefined) return true
    return records.hasAccount(address) && records.findAccount(address) === undefined
  }

  /** The account after the fork block. Throws {@link ForkUnavailableError} if it is not recorded and cannot be fetched. */
  async fetchAccount(address: Address): Promise<ShardAccount | undefined> {
    const { records, source, point } = this
    if (!records.hasAccount(address)) {
      const key = formatRawAddress(address)
      await this.fetchOnce(`account ${key}`, async () => {
        const found = await source.findAccount(point.block, address)
        records.addAccount(address, found)
        this.logger.info('account fetched from forked network', { address: key, exists: found !== undefined })
      })
    }
    return records.findAccount(address)
  }

  /** A public library after the fork block. Throws {@link ForkUnavailableError} as {@link fetchAccount} does. */
  async fetchLibrary(hash: Uint8Array): Promise<Cell | undefined> {
    const { records, source, point } = this
    if (!records.hasLibrary(hash)) {
      const key = toHex(hash)
      await this.fetchOnce(`library ${key}`, async () => {
        const found = await source.findLibrary(point.block, hash)
        records.addLibrary(hash, found)
        this.logger.info('library fetched from forked network', { hash: key, exists: found !== undefined })
      })
    }
    return records.findLibrary(hash)
  }

  /** Concurrent requests share one fetch, and a failure holds for a moment. */
  private fetchOnce(what: string, fetch: () => Promise<void>): Promise<unknown> {
    const failure = this.failed.get(what)
    if (failure !== undefined && performance.now() < failure.until) return Promise.reject(failure.error)
    const running = this.fetching.get(what)
    if (running !== undefined) return running
    const started = fetch()
      .then(() => void this.failed.delete(what))
      .catch((cause: unknown) => {
        if (!(cause instanceof CodedError)) throw cause
        const error = this.unavailable(what, cause)
        this.failed.set(what, { error, until: performance.now() + FORK_RETRY_MS })
        this.logger.warn('fetch from forked network failed', { what, reason: cause.message })
        throw error
      })
      .finally(() => this.fetching.delete(what))
    this.fetching.set(what, started)
    return started
  }

  private unavailable(what: string, cause: CodedError): ForkUnavailableError {
    const block = formatBlockId(this.point.block)
    return new ForkUnavailableError(
      `Cannot fetch ${what} of the forked network at block ${block}: ${cause.message} It is needed and not recorded yet; retry when the network is reachable.`,
      { cause },
    )
  }
}

/** A virtual machine that also finds the libraries of the forked network. */
export const withForkLibraries = (vm: VirtualMachine, fork: Pick<Fork, 'fetchLibrary'>): VirtualMachine => {
  const extend = <T extends { readonly context: { readonly findLibrary: FindLibrary | undefined } }>(call: T): T => {
    const { findLibrary } = call.context
    const find: FindLibrary = async (hash) => (await findLibrary?.(hash)) ?? fork.fetchLibrary(hash)
    return { ...call, context: { ...call.context, findLibrary: find } }
  }
  return {
    supportedVersion: vm.supportedVersion,
    runShortMethod: (call) => vm.runShortMethod(call),
    runMethod: (call, signal) => vm.runMethod(extend(call), signal),
    runTransaction: (call, signal) => vm.runTransaction(extend(call), signal),
    recordMethod: (call, options, signal) => vm.recordMethod(extend(call), options, signal),
    recordTransaction: (call, options, signal) => vm.recordTransaction(extend(call), options, signal),
  }
}
