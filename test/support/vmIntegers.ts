const EDGE = 1n << 256n

const hex = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

/** Integers at the edge of 257 bits that every interface takes as arguments, in both spellings … */
export const takenIntegers: readonly string[] = [EDGE - 1n, -EDGE].flatMap((value) => [String(value), hex(value)])

/** … and what every interface refuses: those beyond it, and texts that are no integers. */
export const refusedIntegers: readonly string[] = [
  ...[EDGE, -EDGE - 1n].flatMap((value) => [String(value), hex(value)]),
  '9'.repeat(78),
  `0x${'f'.repeat(65)}`,
  '1.5',
  '0o17',
  '',
]
