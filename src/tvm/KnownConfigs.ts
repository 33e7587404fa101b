import type { Cell } from '../codec/cell/Cell.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { toHex } from '../primitives/hex.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { ExecutorConfig } from './executor/ExecutorConfig.ts'
import type { JobConfig } from './messages.ts'

const KEPT = 8

/** A configuration as runs use it, and as it goes to another thread. */
export class KnownConfig implements JobConfig {
  readonly key: string
  readonly executor: ExecutorConfig
  private encoded: JobConfig['bags'] | undefined = undefined

  constructor(key: string, root: Cell) {
    this.key = key
    this.executor = new ExecutorConfig(root)
  }

  get version(): number {
    return this.executor.version
  }

  get bags(): JobConfig['bags'] {
    this.encoded ??= { full: encodeBoc([this.executor.root]), lean: undefined }
    return this.encoded
  }
}

/** Keeps the configurations used last: what is read of one is read once. */
export class KnownConfigs {
  private readonly byHash = new LruCache<KnownConfig>(KEPT)
  private readonly byCell = new WeakMap<Cell, KnownConfig>()
  private readonly onNew: (config: KnownConfig) => void

  constructor(onNew: (config: KnownConfig) => void) {
    this.onNew = onNew
  }

  get(root: Cell): KnownConfig {
    const handled = this.byCell.get(root)
    if (handled !== undefined) return handled
    const key = toHex(root.hash())
    let config = this.byHash.find(key)
    if (config === undefined) {
      config = new KnownConfig(key, root)
      this.byHash.set(key, config)
      this.onNew(config)
    }
    this.byCell.set(root, config)
    return config
  }
}
