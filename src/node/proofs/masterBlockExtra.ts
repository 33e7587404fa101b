import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type McBlockExtra, openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { proving } from './proving.ts'

/** What only masterchain blocks have. Proofs made for it hold no header: the root hash alone says which block it is. */
export const openMasterBlockExtra = (root: Cell): McBlockExtra =>
  proving('a masterchain block', () => {
    const { custom } = openBlockExtra(openBlock(root).extra)
    if (custom === undefined)
      throw new ProofFailedError('The proof of a masterchain block is of another kind of block.')
    return openMcBlockExtra(custom)
  })
