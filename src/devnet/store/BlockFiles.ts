import type { StoredBlock } from './StoredBlock.ts'

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
  /** Takes the next step. When it returns the step is safe; when it throws, nothing of it is left. */
  append(step: StepFiles): void
  /** The bytes of a block that is there; `undefined` only for a proof that was never given. */
  find(kind: StoredFileKind, number: number): Uint8Array | undefined
  /** Forgets what came after this many masterchain blocks, which have so many blocks with them. */
  cutTo(steps: number, count: number): void
}
