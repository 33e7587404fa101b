import type { VmLogDetail } from '../../chain/ports.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { ConfigBags } from '../messages.ts'
import type { Emulator } from './Emulator.ts'

/** A handle and what was last set on it, which stays set until something else is. */
export type Handle = { readonly pointer: number; libraries: string; previousBlocks: string }

/** A configuration in the worker, with the handles made for it. */
export class EmulatorConfig {
  readonly full: string
  readonly lean: string | undefined
  private readonly emulator: Emulator
  private readonly handles = new Map<number, Handle>()

  constructor(emulator: Emulator, { full, lean }: ConfigBags) {
    this.emulator = emulator
    this.full = toBase64(full)
    this.lean = lean === undefined ? undefined : toBase64(lean)
  }

  /** The handle for this verbosity; `undefined` where the emulator does not take the configuration. */
  openHandle(verbosity: number): Handle | undefined {
    const known = this.handles.get(verbosity)
    if (known !== undefined) return known
    const pointer = this.emulator.createHandle(this.full, verbosity)
    if (pointer === 0) return undefined
    const handle = { pointer, libraries: '', previousBlocks: '' }
    this.handles.set(verbosity, handle)
    return handle
  }

  /** Forgets a handle that the emulator itself has destroyed. */
  forgetHandle(verbosity: number): void {
    this.handles.delete(verbosity)
  }

  close(): void {
    for (const { pointer } of this.handles.values()) this.emulator.destroyHandle(pointer)
    this.handles.clear()
  }
}

/**
 * What the emulator calls the levels of its log. At 0 that of a transaction is cut to its last 256 bytes, at 1 to the last
 * megabyte; that of a get-method is whole.
 */
export const verbosityOf: Readonly<Record<VmLogDetail, number>> = { none: 0, steps: 1, gas: 3, stack: 4 }
