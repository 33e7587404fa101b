import { formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import type { BlockIndex } from './BlockIndex.ts'
import type { StoredBlock } from './blockRow.ts'
import { ChainDataError } from './errors.ts'
import type { Syncing } from './fileWrites.ts'

/** What is kept of a block: itself, and in the masterchain its proof with signatures. */
export type StoredFileKind = 'block' | 'proof'

/** The blocks of one step, the masterchain block last. */
export type StepFiles = {
  readonly blocks: readonly { readonly block: StoredBlock; readonly bytes: Uint8Array }[]
  /** The proof of the masterchain block. */
  readonly proof: Uint8Array | undefined
}

/** Where the bytes of blocks are kept: in memory, or in archive packages. Blocks are numbered as in the index, in the order of coming. */
export interface BlockFiles {
  /** Takes the next step. When it is done the step is safe; when it throws, nothing of it is left. */
  append(step: StepFiles): Syncing
  /** The bytes of a block that is there; `undefined` only for a proof that was never given. */
  find(kind: StoredFileKind, number: number): Uint8Array | undefined
  /** The file that a block lies in, for people; `undefined` where blocks are in memory. */
  locate(number: number): string | undefined
  /** Forgets what came after this many masterchain blocks, which have so many blocks with them. */
  cutTo(steps: number, count: number): void
}

/** The bytes of a block, which are those that its id says. Where they are not any more, the error names the block and its file. */
export const readBlock = (files: BlockFiles, index: BlockIndex, number: number): Uint8Array => {
  const bytes = files.find('block', number)!
  const path = files.locate(number)
  if (path === undefined) return bytes
  const { id } = index.get(number)
  const hash = sha256(bytes)
  if (bytesEqual(hash, id.fileHash)) return bytes
  throw new ChainDataError(
    `Block ${formatBlockId(id)} in ${path} is damaged: its file hash is ${toHex(hash)}, and ${toHex(id.fileHash)} was written. Restore the file from a backup, or begin a new network with --reset.`,
  )
}

/** Block files kept in memory: for chains that are read from elsewhere, and for those that leave nothing behind. */
export const createMemoryFiles = (): BlockFiles => {
  const blocks: Uint8Array[] = []
  const proofs = new Map<number, Uint8Array>()
  return {
    *append(step) {
      for (const { bytes } of step.blocks) blocks.push(bytes)
      if (step.proof !== undefined) proofs.set(blocks.length - 1, step.proof)
      // No file needs to be synced.
      yield* []
    },
    find: (kind, number) => (kind === 'block' ? blocks[number] : proofs.get(number)),
    locate: () => undefined,
    cutTo: (_steps, count) => {
      blocks.length = count
      for (const number of proofs.keys()) if (number >= count) proofs.delete(number)
    },
  }
}
