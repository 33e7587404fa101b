import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { SourceMapForbiddenError, SourceMapNotFoundError, SourceStoreFullError } from '../errors.ts'
import type { SourceMap } from './SourceMap.ts'

type Stored = { readonly map: SourceMap; readonly owner: string | undefined }

/** Where source maps are kept, by code hash in hexadecimal digits. */
interface Maps {
  find(name: string): Promise<Stored | undefined>
  put(name: string, stored: Stored): Promise<void>
  delete(name: string): Promise<void>
}

const MAX_IN_MEMORY = 64
const MAX_FILES = 1000

/**
 * Source maps by code hash: files of a folder, which processes share, or in memory, where the oldest make way. A map is replaced and
 * deleted only by the API key that put it there.
 */
export class SourceStore {
  readonly #maps: Maps

  constructor(folder?: string) {
    this.#maps = folder === undefined ? new MapsInMemory() : new MapFiles(folder)
  }

  async find(codeHash: string): Promise<SourceMap | undefined> {
    return (await this.#maps.find(nameOf(codeHash)))?.map
  }

  async get(codeHash: string): Promise<SourceMap> {
    const map = await this.find(codeHash)
    if (map === undefined) throw new SourceMapNotFoundError(`There is no source map of code ${codeHash}.`)
    return map
  }

  async put(map: SourceMap, owner: string | undefined): Promise<void> {
    await this.#expectOwner(map.code_hash, owner)
    await this.#maps.put(nameOf(map.code_hash), { map, owner })
  }

  async delete(codeHash: string, owner: string | undefined): Promise<void> {
    await this.get(codeHash)
    await this.#expectOwner(codeHash, owner)
    await this.#maps.delete(nameOf(codeHash))
  }

  async #expectOwner(codeHash: string, owner: string | undefined): Promise<void> {
    const known = await this.#maps.find(nameOf(codeHash))
    if (known === undefined || known.owner === owner) return
    throw new SourceMapForbiddenError('The source map of this code was stored with another API key.')
  }
}

const nameOf = (codeHash: string): string => toHex(fromBase64(codeHash))

class MapsInMemory implements Maps {
  readonly #maps = new Map<string, Stored>()

  async find(name: string): Promise<Stored | undefined> {
    return this.#maps.get(name)
  }

  async put(name: string, stored: Stored): Promise<void> {
    this.#maps.delete(name)
    this.#maps.set(name, stored)
    if (this.#maps.size <= MAX_IN_MEMORY) return
    for (const [oldest] of this.#maps) {
      this.#maps.delete(oldest)
      return
    }
  }

  async delete(name: string): Promise<void> {
    this.#maps.delete(name)
  }
}

class MapFiles implements Maps {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async find(name: string): Promise<Stored | undefined> {
    try {
      const { map, owner } = JSON.parse(await readFile(this.#path(name), 'utf8')) as Stored
      return { map, owner }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async put(name: string, stored: Stored): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const files = await readdir(this.#folder)
    if (files.length >= MAX_FILES && !files.includes(`${name}.json`)) {
      throw new SourceStoreFullError(`The service keeps ${MAX_FILES} source maps at most. Delete some first.`)
    }
    // Several processes may write at the same time.
    const fresh = `${this.#path(name)}.${process.pid}.new`
    await writeFile(fresh, JSON.stringify(stored))
    await rename(fresh, this.#path(name))
  }

  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`)
  }
}
