import type { Cell } from '../../codec/cell/Cell.ts'
import { DEPTH_FIRST_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'

/** As opcodes are shown. */
export const formatOpcode = (opcode: number | undefined): string | undefined =>
  opcode === undefined ? undefined : `0x${opcode.toString(16).padStart(8, '0')}`

/** A number as text, or null. */
export const orNull = (value: bigint | number | undefined): string | null =>
  value === undefined ? null : String(value)

/** A tree of cells as base64 of a bag with a checksum, in the order in which the original writes them; or null. */
export const formatBoc = (cell: Cell | undefined): string | null =>
  cell === undefined ? null : toBase64(encodeBoc([cell], DEPTH_FIRST_BOC))

/** A tree of cells as base64 of a bag without one. */
export const formatPlainBoc = (cell: Cell): string => toBase64(encodeBoc([cell], { ...DEPTH_FIRST_BOC, crc: false }))
