import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt, parseBlockIdExt } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'

/** Blocks proven in earlier runs, so that the next run need not start at the init block. */
export type TrustedBlocks = { readonly keyBlock: BlockIdExt; readonly head: BlockIdExt }

/** A small file for each network in the data folder. It is as trusted as the program itself: write access to it decides which blocks are trusted. */
export class TrustStore {
  private readonly path: string
  private readonly logger: Logger

  constructor(dataDir: string, zeroState: BlockIdExt, logger: Logger) {
    this.path = join(dataDir, `trust-${toHex(zeroState.rootHash).slice(0, 16)}.json`)
    this.logger = logger
  }

  /** The stored blocks, or `undefined`. An unusable file is ignored with a warning. */
  async load(): Promise<TrustedBlocks | undefined> {
    try {
      const kept = JSON.parse(await readFile(this.path, 'utf8')) as Partial<Record<'keyBlock' | 'head', unknown>> | null
      return { keyBlock: parseBlockIdExt(String(kept?.keyBlock)), head: parseBlockIdExt(String(kept?.head)) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      if (!(error instanceof CodedError || error instanceof SyntaxError || isFileError(error))) throw error
      this.logger.warn('trusted blocks file ignored', { file: this.path, reason: error.message })
      return undefined
    }
  }

  /** Replaces the file atomically. */
  async save({ keyBlock, head }: TrustedBlocks): Promise<void> {
    const content = JSON.stringify({ keyBlock: formatBlockIdExt(keyBlock), head: formatBlockIdExt(head) })
    // Several processes may write at the same time.
    const fresh = `${this.path}.${process.pid}.new`
    try {
      await mkdir(dirname(this.path), { recursive: true })
      await writeFile(fresh, `${content}\n`)
      await rename(fresh, this.path)
    } catch (error) {
      if (!isFileError(error)) throw error
      this.logger.warn('trusted blocks write failed', { file: this.path, reason: error.message })
    }
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
