import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { concatBytes, getI32LE, getU32LE, putU32LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { ChainDataError } from './errors.ts'

/** Counts up when a folder is laid out so that older versions of the program would misread it. */
const LAYOUT = 1

// Eight letters, the layout, the length of the whole header, the first states (workchain and hashes), a checksum of all that.
const MAGIC = new TextEncoder().encode('chainlog')
const FIXED = 16
const STATE = 68
export const MAX_HEADER_BYTES = FIXED + 256 * STATE + 4

export const encodeLogHeader = (zeroStates: readonly BlockIdExt[]): Uint8Array => {
  const states = zeroStates.map(({ workchain, rootHash, fileHash }) => {
    const number = new Uint8Array(4)
    putU32LE(number, 0, workchain)
    return concatBytes([number, rootHash, fileHash])
  })
  const header = concatBytes([MAGIC, new Uint8Array(8), ...states, new Uint8Array(4)])
  putU32LE(header, 8, LAYOUT)
  putU32LE(header, 12, header.length)
  putU32LE(header, header.length - 4, crc32c(header, 0, header.length - 4))
  return header
}

export type LogHeader = { readonly zeroStates: readonly BlockIdExt[]; readonly length: number }

/** Reads what {@link encodeLogHeader} wrote from the beginning of a file. */
export const readLogHeader = (bytes: Uint8Array, path: string): LogHeader => {
  if (bytes.length < FIXED || MAGIC.some((byte, k) => bytes[k] !== byte)) {
    throw new ChainDataError(`The file ${path} is not the log of a chain.`)
  }
  const layout = getU32LE(bytes, 8)
  if (layout > LAYOUT) {
    throw new ChainDataError(
      `The chain of ${path} was written by a newer version of this program: its layout is ${layout}, known are those up to ${LAYOUT}.`,
    )
  }
  const length = getU32LE(bytes, 12)
  const count = (length - FIXED - 4) / STATE
  if (layout === 0 || length > bytes.length || !Number.isInteger(count) || count < 1) {
    throw new ChainDataError(`The beginning of the log ${path} is damaged.`)
  }
  if (getU32LE(bytes, length - 4) !== crc32c(bytes, 0, length - 4)) {
    throw new ChainDataError(`The beginning of the log ${path} is damaged: its checksum does not fit.`)
  }
  const zeroStates = Array.from({ length: count }, (_, k) => readState(bytes, FIXED + k * STATE))
  if (zeroStates.every(({ workchain }) => workchain !== masterchain)) {
    throw new ChainDataError(`The log ${path} names no first state of the masterchain.`)
  }
  return { zeroStates, length }
}

const readState = (bytes: Uint8Array, at: number): BlockIdExt => ({
  workchain: getI32LE(bytes, at),
  shard: wholeShard,
  seqno: 0,
  rootHash: bytes.slice(at + 4, at + 36),
  fileHash: bytes.slice(at + 36, at + 68),
})
