import type { Cell } from '../../codec/cell/Cell.ts'
import { DEPTH_FIRST_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'

/** A value as it is shown: amounts are text, absent is null. */
export type Shown = string | number | boolean | null | readonly Shown[] | { readonly [name: string]: Shown }

/** The description of a block. */
export type ActionFacts<Details = { readonly [name: string]: Shown | undefined }> = {
  readonly source?: string | undefined
  readonly sourceSecondary?: string | undefined
  readonly destination?: string | undefined
  readonly destinationSecondary?: string | undefined
  /** As it is shown; what is undefined is left out. */
  readonly details: Details
  /** In whose history it is, besides everybody who took part. */
  readonly moreAccounts?: readonly string[]
  /** The action moves other currencies, and is called so. */
  readonly movesExtraCurrencies?: boolean
  /** The details have no schema and are shown raw. */
  readonly hasNoShape?: boolean
}

/** Something that happened in a trace, said in words. */
export type Action = {
  /** base64 */
  readonly actionId: string
  readonly parentActionId: string | undefined
  readonly ancestorTypes: readonly string[]
  readonly type: string
  /** Its name, where that differs from its type. */
  readonly shownType: string | undefined
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  /** Hashes, base64. */
  readonly transactions: readonly string[]
  readonly accounts: readonly string[]
  readonly success: boolean
  readonly details: { readonly [name: string]: Shown }
  /** The raw details of an action without a schema. */
  readonly rawAction: { readonly [name: string]: Shown } | undefined
}

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
