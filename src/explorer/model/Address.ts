import { crc16, findBase64, fromHex, toBase64, toHex } from './bytes.ts'

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80

/** The raw form in upper case, as the interfaces write it; `undefined` where the text is no address. */
export const findRawAddress = (text: string): string | undefined => {
  const raw = /^(-?\d{1,3}):([0-9a-fA-F]{64})$/.exec(text)
  if (raw !== null) return `${Number(raw[1])}:${raw[2]!.toUpperCase()}`
  if (!/^[\w+/-]{48}$/.test(text)) return undefined
  const bytes = findBase64(text)
  if (bytes?.length !== 36) return undefined
  const tag = bytes[0]! & ~TEST_ONLY
  const isIntact = crc16(bytes.subarray(0, 34)) === (bytes[34]! << 8) + bytes[35]!
  if (!isIntact || (tag !== BOUNCEABLE && tag !== NON_BOUNCEABLE)) return undefined
  return `${(bytes[1]! << 24) >> 24}:${toHex(bytes.subarray(2, 34)).toUpperCase()}`
}

/** The form that people use. */
export const formatFriendly = (raw: string, { bounceable }: { readonly bounceable: boolean }): string => {
  const [workchain, hash] = raw.split(':') as [string, string]
  const bytes = new Uint8Array(36)
  bytes[0] = bounceable ? BOUNCEABLE : NON_BOUNCEABLE
  bytes[1] = Number(workchain)
  bytes.set(fromHex(hash), 2)
  const crc = crc16(bytes.subarray(0, 34))
  bytes[34] = crc >> 8
  bytes[35] = crc & 0xff
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_')
}
