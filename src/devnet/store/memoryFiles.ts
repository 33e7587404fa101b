import type { BlockFiles } from './BlockFiles.ts'

/** Block files kept in memory: for chains that are read from elsewhere, and for those that leave nothing behind. */
export const createMemoryFiles = (): BlockFiles => {
  const blocks: Uint8Array[] = []
  const proofs = new Map<number, Uint8Array>()
  return {
    append: (step) => {
      for (const { bytes } of step.blocks) blocks.push(bytes)
      if (step.proof !== undefined) proofs.set(blocks.length - 1, step.proof)
    },
    find: (kind, number) => (kind === 'block' ? blocks[number] : proofs.get(number)),
    locate: () => undefined,
    cutTo: (_steps, count) => {
      blocks.length = count
      for (const number of proofs.keys()) if (number >= count) proofs.delete(number)
    },
  }
}
