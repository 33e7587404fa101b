import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { Address } from '../../primitives/Address.ts'

export const electorAddress: Address = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }

/** No election, no credits, no past elections; no money, no active set: the real elector starts like this too. */
export const electorData = (): Cell =>
  new CellWriter()
    .writeBit(false)
    .writeBit(false)
    .writeBit(false)
    .writeCoins(0n)
    .writeUint(0, 32)
    .writeBytes(new Uint8Array(32))
    .toCell()
