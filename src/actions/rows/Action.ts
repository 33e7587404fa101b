import type { Shown } from './ActionFacts.ts'

/** Something that happened in a trace, said in words. */
export type Action = {
  /** base64 */
  readonly actionId: string
  readonly parentActionId: string | undefined
  readonly ancestorTypes: readonly string[]
  readonly type: string
  /** What it is called, where that is not its type. */
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
  /** What is kept of one whose details have no shape. */
  readonly rawAction: { readonly [name: string]: Shown } | undefined
}
