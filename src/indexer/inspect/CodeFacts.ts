import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { LIBRARY_REFERENCE } from '../../codec/cell/exotic.ts'
import { findMethodIds } from '../../contracts/interfaces/listInterfaces.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { BatchView } from './BatchView.ts'

const ENTRY_BYTES = 256
const METHOD_BYTES = 16

const noMethods: ReadonlySet<number> = new Set()

/** The methods that codes have, each code read once. */
export class CodeFacts {
  private readonly known: LruCache<ReadonlySet<number>>

  constructor(maxBytes: number) {
    this.known = new LruCache(maxBytes)
  }

  /** `undefined` where the code, or the library it refers to, does not tell. */
  async findMethods(
    code: Cell,
    codeHash: Uint8Array,
    view: BatchView | undefined,
  ): Promise<ReadonlySet<number> | undefined> {
    const key = toHex(codeHash)
    const before = this.known.find(key)
    if (before !== undefined) return before === noMethods ? undefined : before
    const body = code.exoticType === LIBRARY_REFERENCE ? await findLibrary(code, view) : code
    // A library that is not there now may come.
    if (body === undefined) return undefined
    const ids = findMethodIds(body)
    const methods = ids === undefined ? noMethods : new Set(ids)
    this.known.set(key, methods, ENTRY_BYTES + METHOD_BYTES * methods.size)
    return methods === noMethods ? undefined : methods
  }
}

const findLibrary = async (code: Cell, view: BatchView | undefined): Promise<Cell | undefined> => {
  const context = await view?.getContext()
  const r = openRaw(code)
  r.skipBits(8)
  return context?.findLibrary?.(r.readBytes(32).slice())
}
