const NAMES = [
  'afterMerge',
  'beforeSplit',
  'afterSplit',
  'wantMerge',
  'wantSplit',
  'keyBlock',
  'vertSeqnoIncr',
] as const

/** The yes-or-no fields of a block header, which share the column `header_bits`: one bit each, the first the lowest. */
export type HeaderBits = Readonly<Record<(typeof NAMES)[number], boolean>>

export const encodeHeaderBits = (header: HeaderBits): number =>
  NAMES.reduce((bits, name, k) => bits | (header[name] ? 1 << k : 0), 0)

export const decodeHeaderBits = (bits: number): HeaderBits =>
  Object.fromEntries(NAMES.map((name, k) => [name, (bits & (1 << k)) !== 0])) as HeaderBits
