import type { MethodCall } from '../../src/chain/ports.ts'
import { callCode, codeOf } from './vmSamples.ts'

const call = (hex: string): MethodCall => callCode(hex, { gasLimit: 1_000_000 })

/** AGAIN of a body: PUSHCONT with its length, AGAIN. */
const again = (body: string): string => {
  const bytes = body.replaceAll(' ', '').length / 2
  return bytes < 16 ? `9${bytes.toString(16)} ${body} EA` : `8E${bytes.toString(16).padStart(2, '0')} ${body} EA`
}

/** A point of BLS12-381: so many zero bits, mapped to a point. */
const blsPoint = (bits: string, map: string): string => `C8 81${bits} CF40 C9 D0 ${map}`
const G1 = blsPoint('0180', 'F93016')
const G2 = blsPoint('0300', 'F93026')

/** Code that does as much harm as a million gas buys: each runs until its gas ends. It drops the number of its method first. */
export const bombs: Readonly<Record<string, () => MethodCall>> = {
  'gas loop': () => call(`30 ${again('')}`),
  // PUSH c3; EXECUTE
  'deep recursion': () => call('ED43 D8'),
  // DUP; TUPLE 2
  'exponential tuples': () => call(`30 71 ${again('20 6F02')}`),
  // Each continuation holds the one before and the stack: PUSHCONT {}, DUP, SETCONTARGS.
  'huge continuations': () => call(`30 90 ${again('20 90 EC2F 20 20')}`),
  // One more random key of 256 bits each round: an empty slice, RANDU256, ROT, DICTUSET.
  'dictionary bomb': () => call(`30 6D ${again('C8 C9 D0 F810 58 810100 F416')}`),
  // 500 levels, each a cell with four references to the one below; then the next tree.
  'cell tree': () => call(`30 ${again('C8 C9 8101F4 99 20 20 20 C8 CC CC CC CC C9 E4 30')}`),
  // BLKPUSH 15 of the top.
  'wide stack': () => call(`30 71 ${again('5FF0')}`),
  'BLS maps to G2': () => call(`30 C8 810300 CF40 C9 D0 ${again('20 F93026 30')}`),
  'BLS multiplications': () => call(`30 ${G2} ${again('20 F810 F93023 30')}`),
  'BLS pairings': () => call(`30 ${G1} ${G2} ${again('5C 71 F93030 30')}`),
  // ECRECOVER of a random hash and s; r is 1.
  'secp256k1 bomb': () => call(`30 ${again('F810 70 71 F810 F912 93 30 30 30 DE')}`),
  // The code runs itself with RUNVM, and so on: no arguments, MYCODE, c7.
  'machines within machines': () => call('30 70 F82A D0 ED47 DB4013'),
  // THROW 33 in a TRY whose handler drops both values.
  exceptions: () => call(`30 ${again('92 F221 91 5B F2FF')}`),
}

/** One of them after another, each with other code, so that none of it is known: PUSHINT k, DROP before the rest. */
export const saltedBomb = (k: number): MethodCall => {
  const codes = Object.values(bombs)
  const hostile = codes[k % codes.length]!()
  const code = codeOf(`80${(k & 0x7f).toString(16).padStart(2, '0')} 30`, hostile.contract.code)
  return { ...hostile, contract: { ...hostile.contract, code } }
}
