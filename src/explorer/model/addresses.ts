const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Of either alphabet, with or without padding; `undefined` for anything else. */
export const findBase64 = (text: string): Uint8Array | undefined => {
  try {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/')
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** CRC-16 of XMODEM: of friendly addresses and of the names of get-methods. */
export const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff
  }
  return crc
}

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

/** 32 bytes in the forms that people give, as hexadecimal digits; `undefined` for anything else. */
export const findHash = (text: string): string | undefined => {
  const hex = /^(?:0[xX])?([0-9a-fA-F]{64})$/.exec(text)?.[1]
  if (hex !== undefined) return hex.toLowerCase()
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = findBase64(text)
  return bytes?.length === 32 ? toHex(bytes) : undefined
}

/** As the interfaces take and give it. */
export const hashToBase64 = (hex: string): string => toBase64(fromHex(hex))

/** As addresses of pages have it. Whatever is no hash stays as it is. */
export const hashToHex = (hash: string): string => findHash(hash) ?? hash

/** Two ends, and what is between them left out. */
export const shorten = (text: string, head = 6, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
