import type { MethodCall, MethodRun } from '../../chain/ports.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { encodeVmStack, type VmStack } from '../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import type { MethodResult } from '../../contracts/getMethods.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { LruCache } from '../../primitives/LruCache.ts'

const ENTRY_BYTES = 256
/** Arrays over a bag of cells take about as much as the bag itself, twice. */
const ARENA_FACTOR = 3
/** One result is no reason to forget many others. */
const MAX_ENTRY_BYTES = 64 * 1024

const noArguments = new Uint8Array(0)

/** Results of runs that would end the same at any time, because they depend on nothing but what the key is made of. */
export class MethodResults {
  private readonly results: LruCache<MethodResult>

  constructor(maxBytes: number) {
    this.results = new LruCache(maxBytes)
  }

  find(key: string): MethodResult | undefined {
    return this.results.find(key)
  }

  keep(key: string, { exitCode, stack, dependsOnBlock }: MethodRun): void {
    if (dependsOnBlock) return
    const bytes = sizeOf(stack)
    if (bytes <= MAX_ENTRY_BYTES) this.results.set(key, { exitCode, stack }, bytes)
  }
}

/** All that a run may depend on that does not look at the block: code, data, address, method, arguments and configuration. */
export const resultKeyOf = ({ contract, methodId, stack, context }: MethodCall): string => {
  const method = new Uint8Array(4)
  new DataView(method.buffer).setInt32(0, methodId)
  return toBase64(
    sha256(
      concatBytes([
        contract.code.hash(),
        contract.data.hash(),
        addressKeyOf(contract.address),
        context.config.hash(),
        method,
        stack.length === 0 ? noArguments : encodeVmStack(stack),
      ]),
    ),
  )
}

/** A cell keeps all that came with it. */
const sizeOf = (stack: VmStack): number => {
  const arenas = new Set<CellArena>()
  let values = 0
  const visit = (value: VmValue): void => {
    values++
    if (value.kind === 'cell' || value.kind === 'builder') arenas.add(value.cell.arena)
    else if (value.kind === 'slice') arenas.add(value.slice.arena)
    else if (value.kind === 'tuple') value.items.forEach(visit)
    // Nobody here reads continuations; what one drags along is not counted, so it is not kept either.
    else if (value.kind === 'continuation') values = Infinity
  }
  stack.forEach(visit)
  let bytes = ENTRY_BYTES * (1 + values)
  for (const arena of arenas) bytes += ARENA_FACTOR * arena.bytes.length
  return bytes
}
