import { formatTlId, type TlError } from '../../codec/tl/TlError.ts'
import { tlIds } from '../../codec/tl/tlObject.ts'
import { getU32LE } from '../../primitives/bytes.ts'

const WORD = 4

/** What a node says of bytes that are not a question: it names where its parser stood when it gave up. */
export const describeTlError = ({ fault, offset }: TlError, data: Uint8Array): string => {
  switch (fault) {
    case 'not_enough_bytes':
      return `Not enough data to read at ${offset}`
    case 'trailing_bytes':
      return `Too much data to fetch at ${offset}`
    case 'unknown_constructor':
      return `Unknown constructor found ${formatTlId(getU32LE(data, offset))} at ${offset + WORD}`
    case 'bad_value':
    case 'too_large':
      return describeValue(data, offset)
  }
}

/** The values that can be wrong in a question are a Bool, which one function has, and the lengths of vectors. */
const describeValue = (data: Uint8Array, offset: number): string => {
  const id = getU32LE(data, 0)
  const at = offset + WORD
  if (id === tlIds['liteServer.getShardInfo']) return `Bool expected at ${at}`
  const left = data.length - at
  if (getU32LE(data, offset) > left) return `Wrong vector length at ${at}`
  const item = id === tlIds['liteServer.getConfigParams'] ? WORD : 32
  return `Not enough data to read at ${at + left - (left % item)}`
}
