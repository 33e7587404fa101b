import { toHex } from '../../primitives/hex.ts'

/** What vouches for a vesting wallet is its code: that of the main network, and that of our own networks. */
const vestingCodes: ReadonlySet<string> = new Set([
  'b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590',
  '98230a2bfbbfb79a0b02ae8e27ed5667f90790c6dd5836dcb94747485a075fa3',
])

export const isVestingCode = (codeHash: Uint8Array): boolean => vestingCodes.has(toHex(codeHash))
