/** As opcodes are shown. */
export const formatOpcode = (opcode: number | undefined): string | undefined =>
  opcode === undefined ? undefined : `0x${opcode.toString(16).padStart(8, '0')}`

/** A number as text, or null. */
export const orNull = (value: bigint | number | undefined): string | null =>
  value === undefined ? null : String(value)
