import type { VirtualMachine } from '../../chain/ports.ts'
import { fromHex } from '../../primitives/hex.ts'
import { newestMaster } from '../face/referenceBlock.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { admitExternal } from './admitExternal.ts'
import { viewFromHead } from './headContext.ts'
import type { Mempool } from './Mempool.ts'
import type { Disturbance, Sent } from './NetworkControls.ts'
import { externalLimits, readExternalMessage } from './readExternalMessage.ts'

export type GateOptions = {
  readonly store: ChainStore
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly pool: Mempool
  /** Seconds of network time. */
  now(): number
  /** Called when a message has begun to wait for a block. */
  onTaken(): void
}

/** What shall happen to the next message that is taken. */
export type Fate = Extract<Disturbance, { kind: 'lose' | 'delay' }>

/** Where messages from outside come in: checked as by a node, and refused in its words. */
export class ExternalGate {
  fate: Fate | undefined
  private readonly options: GateOptions

  constructor(options: GateOptions) {
    this.options = options
  }

  async take(bytes: Uint8Array): Promise<Sent> {
    const { store, vm, pool, now, onTaken } = this.options
    const utime = now()
    const external = readExternalMessage(bytes, externalLimits(viewFromHead(store).params))
    pool.claim(external, bytes.length, utime)
    try {
      // The same on every run, so that a check that looks at randomness ends the same.
      await admitExternal(external, { store, vm, utime, randomSeed: newestMaster(store).rootHash })
    } catch (error) {
      pool.release(external.hash)
      throw error
    }
    this.place(external.hash)
    onTaken()
    return { messageHash: fromHex(external.hash) }
  }

  private place(hash: string): void {
    const { store, pool } = this.options
    const { fate } = this
    this.fate = undefined
    if (fate?.kind === 'lose') pool.remove(hash)
    else pool.confirm(hash, newestMaster(store).seqno + 1 + (fate?.blocks ?? 0))
  }
}
