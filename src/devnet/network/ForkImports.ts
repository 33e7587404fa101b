import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import type { Fork } from '../fork/Fork.ts'
import type { LiteserverFork } from '../liteserver/LiteFunction.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { findHeadAccount } from './headContext.ts'
import type { SerialQueue } from './Interventions.ts'
import type { Producer } from './Producer.ts'

export type ForkImportsOptions = {
  readonly fork: Fork
  readonly producer: Producer
  readonly queue: SerialQueue
  readonly store: ChainStore
}

/**
 * Brings accounts of the forked network into the state when they are first read or written. The fetch does not hold up block
 * production; the import is a block of its own, shared by all requests of the moment.
 */
export class ForkImports implements LiteserverFork {
  private readonly options: ForkImportsOptions
  private pending = new Map<string, Address>()

  constructor(options: ForkImportsOptions) {
    this.options = options
    const { store, fork } = options
    store.watch({ appended: () => undefined, reverted: (seqno) => fork.records.revertTo(seqno) })
  }

  get endLt(): bigint {
    return this.options.fork.point.endLt
  }

  /** Drops imports that no block has, and records those of a block whose record was lost with the process. */
  resume(): void {
    const { store, fork } = this.options
    const seqno = store.head?.id.seqno ?? 0
    fork.records.revertTo(seqno)
    const lost = fork.records
      .listAccounts()
      .filter(({ found, importedAt }) => found !== undefined && importedAt === undefined)
      .filter(({ address }) => !fork.isKnown(address) && findHeadAccount(store, address)?.account !== undefined)
    if (lost.length > 0) {
      fork.records.addImports(
        lost.map(({ address }) => address),
        seqno,
      )
    }
  }

  /** Sees to it that the state has an account; returns the masterchain block that has it first, 0 if none had to bring it. */
  async ensure(address: Address): Promise<number> {
    const { fork, queue } = this.options
    if (!fork.isKnown(address) && (await fork.fetchAccount(address)) !== undefined && !fork.isKnown(address)) {
      this.pending.set(formatRawAddress(address), address)
      await queue.run(() => this.flush())
    }
    return fork.records.findImport(address) ?? 0
  }

  fetchLibrary(hash: Uint8Array): Promise<Cell | undefined> {
    return this.options.fork.fetchLibrary(hash)
  }

  private async flush(): Promise<void> {
    const addresses = [...this.pending.values()]
    this.pending = new Map()
    await this.options.producer.importAccounts(addresses)
  }
}
