import type { MethodCall } from '../../src/chain/ports.ts'
import { callCode, codeOf } from './vmSamples.ts'

const call = (hex: string): MethodCall => callCode(hex, { gasLimit: 1_000_000 })

/** Code that does as much harm as a million gas buys. Each drops the number of its method first. */
export const bombs: Readonly<Record<string, () => MethodCall>> = {
  // AGAIN of nothing.
  'gas loop': () => call('30 90 EA'),
  // PUSH c3; EXECUTE
  'deep recursion': () => call('ED43 D8'),
  // DUP; TUPLE 2, over and over.
  'exponential tuples': () => call('30 71 93 206F02 EA'),
  // Each continuation holds the one before and the stack: PUSHCONT {}, DUP, SETCONTARGS.
  'huge continuations': () => call('30 90 96 20 90 EC2F 20 20 EA'),
  // An entry more in a dictionary of 256-bit keys each round: random key, DICTUSET.
  'dictionary bomb': () => call('30 6D 9D C8C9D0 02 F810 02 810100 F416 EA'),
  // DUP, NEWC, four references to the same cell, ENDC.
  'cell tree': () => call('30 C8C9 9A 202020 C8 CCCCCCCC C9 EA'),
  // Stack grows: BLKPUSH 15 of the top.
  'wide stack': () => call('30 71 92 5FF0 EA'),
  // Points of BLS12-381 added over and over: PUSHINT, hash, map to G2, drop.
  'BLS bomb': () => call('30 97 F93025 F93025 F93020 30 EA'),
  'BLS multiplications': () => call('30 9A F93025 F810 F93023 30 EA'),
  // Recovers keys of secp256k1.
  'secp256k1 bomb': () => call('30 9F F810 70 F810 F810 F912 93 303030 DE EA'),
  // RUNVM inside RUNVM.
  'machines within machines': () => call('30 9A 70 ED43 70 DB4000 EA'),
  // Throws and catches.
  exceptions: () => call('30 97 91F221 923030 F2FF EA'),
}

/** One of them after another, each with other code, so that none of it is known: PUSHINT k, DROP before the rest. */
export const saltedBomb = (k: number): MethodCall => {
  const codes = Object.values(bombs)
  const hostile = codes[k % codes.length]!()
  const code = codeOf(`80${(k & 0x7f).toString(16).padStart(2, '0')} 30`, hostile.contract.code)
  return { ...hostile, contract: { ...hostile.contract, code } }
}
