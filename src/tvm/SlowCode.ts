import { LruCache } from '../primitives/LruCache.ts'

const MAX_CODES = 4096
/** After so many slow methods of one contract all others are taken for slow as well: any number may be a method of it. */
const MAX_METHODS = 8

/** Remembers which code takes long to run. */
export class SlowCode {
  private readonly codes = new LruCache<Set<number>>(MAX_CODES)

  /** `code` is a hash, in hexadecimal digits. */
  has(code: string, methodId: number): boolean {
    const methods = this.codes.find(code)
    return methods !== undefined && (methods.has(methodId) || methods.size >= MAX_METHODS)
  }

  add(code: string, methodId: number): void {
    const methods = this.codes.find(code)
    if (methods === undefined) this.codes.set(code, new Set([methodId]))
    else if (methods.size < MAX_METHODS) methods.add(methodId)
  }
}
