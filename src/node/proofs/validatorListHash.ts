import type { ValidatorDescr } from '../../codec/tlb/ValidatorSet.ts'
import { putU32LE, putU64LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'

const HEAD_BYTES = 12
const NODE_BYTES = 72
const TAG = 0x901660ed

/** The checksum by which headers and signature sets name the validators of a session; states use it with seqno 0. */
export const validatorListHash = (nodes: readonly ValidatorDescr[], catchainSeqno: number): number => {
  const bytes = new Uint8Array(HEAD_BYTES + NODE_BYTES * nodes.length)
  putU32LE(bytes, 0, TAG)
  putU32LE(bytes, 4, catchainSeqno)
  putU32LE(bytes, 8, nodes.length)
  let at = HEAD_BYTES
  for (const { publicKey, weight, adnlAddress } of nodes) {
    bytes.set(publicKey, at)
    putU64LE(bytes, at + 32, weight)
    if (adnlAddress !== undefined) bytes.set(adnlAddress, at + 40)
    at += NODE_BYTES
  }
  return crc32c(bytes)
}
