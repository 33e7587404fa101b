/**
 * What a message is: the low three bits of `in_bits` and `bits`. A system message is one that the block made in which it is received:
 * it names -1:00…00 as its source and was created at the start_lt of that block, so it is found in `in_bits` only. What the account
 * -1:00…00 sends is internal.
 */
export const STORED_MESSAGE_KIND = { none: 0, internal: 1, externalIn: 2, externalOut: 3, system: 4 } as const

const KIND_MASK = 7
const BOUNCE = 8
const BOUNCED = 16
const IHR_DISABLED = 32
const EXTRA_FLAGS = 64

/**
 * What the columns `in_bits` and `bits` say. The three flags are of internal and system messages alone; their fee for instant
 * routing is null in its column where it is zero.
 */
export type MessageBits = {
  readonly kind: number
  readonly bounce: boolean
  readonly bounced: boolean
  readonly ihrDisabled: boolean
  /** Since global version 12 messages have extra flags in place of that fee. Flags of zero are null in their column. */
  readonly hasExtraFlags: boolean
}

export const encodeMessageBits = (m: MessageBits): number =>
  m.kind |
  (m.bounce ? BOUNCE : 0) |
  (m.bounced ? BOUNCED : 0) |
  (m.ihrDisabled ? IHR_DISABLED : 0) |
  (m.hasExtraFlags ? EXTRA_FLAGS : 0)

export const decodeMessageBits = (bits: number): MessageBits => ({
  kind: bits & KIND_MASK,
  bounce: (bits & BOUNCE) !== 0,
  bounced: (bits & BOUNCED) !== 0,
  ihrDisabled: (bits & IHR_DISABLED) !== 0,
  hasExtraFlags: (bits & EXTRA_FLAGS) !== 0,
})
