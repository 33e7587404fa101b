import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt, parseBlockIdExt } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'

/** What was proven in earlier runs, so that the next one need not begin at the init block. */
export type TrustedBlocks = { readonly keyBlock: BlockIdExt; readonly head: BlockIdExt }

/** A small file for each network in the data folder. It is as trusted as the program itself: whoever can write it decides what is believed. */
export class TrustStore {
  private readonly path: string
  private readonly logger: Logger

  constructor(dataDir: string, zeroState: BlockIdExt, logger: Logger) {
    this.path = join(dataDir, `trust-${toHex(zeroState.rootHash).slice(0, 16)}.json`)
    this.logger = logger
  }

  /** What was kept, or `undefined`. A file that cannot be used is left out, with a word in the log. */
  async load(): Promise<TrustedBlocks | undefined> {
    try {
      const kept = JSON.parse(await readFile(this.path, 'utf8')) as Partial<Record<'keyBlock' | 'head', unknown>> | null
      return { keyBlock: parseBlockIdExt(String(kept?.keyBlock)), head: parseBlockIdExt(String(kept?.head)) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      if (!(error instanceof CodedError || error instanceof SyntaxError || isFileError(error))) throw error
      this.logger.warn('trusted blocks of earlier runs not used', { file: this.path, reason: error.message })
      return undefined
    }
  }

  /** Replaces the file in one step, so that a crash leaves the old one or the new one. */
  async save({ keyBlock, head }: TrustedBlocks): Promise<void> {
    const content = JSON.stringify({ keyBlock: formatBlockIdExt(keyBlock), head: formatBlockIdExt(head) })
    // Several processes may keep theirs at the same time.
    const fresh = `${this.path}.${process.pid}.new`
    try {
      await mkdir(dirname(this.path), { recursive: true })
      await writeFile(fresh, `${content}\n`)
      await rename(fresh, this.path)
    } catch (error) {
      if (!isFileError(error)) throw error
      this.logger.warn('trusted blocks not kept', { file: this.path, reason: error.message })
    }
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
