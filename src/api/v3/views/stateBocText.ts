import { encodeBoc, PLAIN_BOC } from '../../../codec/cell/encodeBoc.ts'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { toBase64 } from '../../../primitives/base64.ts'

/** Cells as they are kept, as the bag of cells that code and data are shown as: without a checksum. */
export const stateBocText = (packed: Uint8Array): string => toBase64(encodeBoc([unpackCell(packed)], PLAIN_BOC))
