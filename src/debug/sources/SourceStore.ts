import { SourceMapForbiddenError, SourceMapNotFoundError } from '../errors.ts'
import type { SourceMap } from './SourceMap.ts'

const MAX_MAPS = 64

/** Source maps by code hash, in memory: the oldest make way. A map is replaced and deleted only by the API key that put it there. */
export class SourceStore {
  readonly #maps = new Map<string, { readonly map: SourceMap; readonly owner: string | undefined }>()

  find(codeHash: string): SourceMap | undefined {
    return this.#maps.get(codeHash)?.map
  }

  get(codeHash: string): SourceMap {
    const map = this.find(codeHash)
    if (map === undefined) throw new SourceMapNotFoundError(`There is no source map of code ${codeHash}.`)
    return map
  }

  put(map: SourceMap, owner: string | undefined): void {
    this.#expectOwner(map.code_hash, owner)
    this.#maps.delete(map.code_hash)
    this.#maps.set(map.code_hash, { map, owner })
    if (this.#maps.size <= MAX_MAPS) return
    for (const [oldest] of this.#maps) {
      this.#maps.delete(oldest)
      return
    }
  }

  delete(codeHash: string, owner: string | undefined): void {
    this.get(codeHash)
    this.#expectOwner(codeHash, owner)
    this.#maps.delete(codeHash)
  }

  #expectOwner(codeHash: string, owner: string | undefined): void {
    const known = this.#maps.get(codeHash)
    if (known === undefined || known.owner === owner) return
    throw new SourceMapForbiddenError('The source map of this code was stored with another API key.')
  }
}
