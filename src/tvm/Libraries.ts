import type { FindLibrary } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { simpleLibsType } from '../codec/tlb/StateInit.ts'
import { toHex } from '../primitives/hex.ts'
import { VmInputError } from './errors.ts'

/** More than any real contract comes near. */
const MAX_LIBRARIES = 256
const NONE: readonly Cell[] = []

/**
 * The libraries of a run, found as it asks for them: a run that misses one starts again with it. Hardly any contract uses more than one
 * of a network's libraries.
 */
export class Libraries {
  private readonly findLibrary: FindLibrary | undefined
  private readonly asked = new Set<string>()
  private readonly found: Cell[] = []
  /** Roots of library dictionaries. */
  roots = NONE

  constructor(findLibrary: FindLibrary | undefined) {
    this.findLibrary = findLibrary
  }

  /** Looks for libraries that a run missed; whether there is a new one to start again with. */
  async add(missing: readonly Uint8Array[]): Promise<boolean> {
    if (this.findLibrary === undefined) return false
    const before = this.found.length
    for (const hash of missing) {
      const key = toHex(hash)
      if (this.asked.has(key)) continue
      this.asked.add(key)
      if (this.asked.size > MAX_LIBRARIES)
        throw new VmInputError(`A run asks for more than ${MAX_LIBRARIES} libraries.`)
      const library = await this.findLibrary(hash)
      if (library !== undefined) this.found.push(library)
    }
    if (this.found.length === before) return false
    const entries = this.found.map((root) => [root.hash(), { isPublic: true, root }] as const)
    this.roots = [Dict.of(simpleLibsType, entries).root as Cell]
    return true
  }
}
