import { Cell as CoreCell } from '@ton/core'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'

/** The same cell as `@ton/core` holds it. */
export const toCoreCell = (cell: Cell): CoreCell => CoreCell.fromBoc(Buffer.from(encodeBoc([cell])))[0]!

export const fromCoreCell = (cell: CoreCell): Cell => decodeSingleBoc(new Uint8Array(cell.toBoc({ crc32: false })))
