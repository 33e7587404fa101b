/** The flags of a user-friendly form; by default bounceable, for any network. */
export type AddressFlags = { readonly bounceable?: boolean; readonly testOnly?: boolean }

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80
const rawPattern = /^(-?[0-9]{1,3}):([0-9a-fA-F]{64})$/

const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x11021 : 0)
  }
  return crc & 0xffff
}

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** An account address. */
export class Address {
  readonly workchain: number
  /** 32 bytes. */
  readonly hash: Uint8Array

  constructor(workchain: number, hash: Uint8Array) {
    if (hash.length !== 32) throw new TypeError(`Expected a hash of 32 bytes, got ${hash.length}.`)
    this.workchain = workchain
    this.hash = hash
  }

  /** Parses any form: `workchain:hex`, or user-friendly. Throws a TypeError. */
  static parse(text: string): Address {
    const address = findAddress(text)
    if (address === undefined) {
      throw new TypeError(
        `${text} is not a valid address: expected workchain:hex, or 48 base64 characters with checksum.`,
      )
    }
    return address
  }

  /** User-friendly and URL-safe. */
  toString({ bounceable = true, testOnly = false }: AddressFlags = {}): string {
    const bytes = new Uint8Array(36)
    bytes[0] = (bounceable ? BOUNCEABLE : NON_BOUNCEABLE) | (testOnly ? TEST_ONLY : 0)
    bytes[1] = this.workchain
    bytes.set(this.hash, 2)
    const crc = crc16(bytes.subarray(0, 34))
    bytes[34] = crc >> 8
    bytes[35] = crc & 0xff
    return btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
  }

  /** `workchain:HEX` in upper case, the form of v3. */
  toRawString(): string {
    return `${this.workchain}:${toHex(this.hash).toUpperCase()}`
  }

  toJSON(): string {
    return this.toString()
  }

  equals(other: Address): boolean {
    return this.toRawString() === other.toRawString()
  }
}

/** The address of a text, if it is one. */
export const findAddress = (text: string): Address | undefined => {
  const raw = rawPattern.exec(text)
  if (raw !== null) {
    return new Address(
      Number(raw[1]),
      Uint8Array.from(raw[2]!.match(/../g)!, (byte) => Number.parseInt(byte, 16)),
    )
  }
  if (!/^[A-Za-z0-9+/_-]{48}$/.test(text)) return undefined
  const bytes = fromBase64(text)
  const tag = bytes[0]! & ~TEST_ONLY
  const isValid = crc16(bytes.subarray(0, 34)) === bytes[34]! * 256 + bytes[35]!
  if ((tag !== BOUNCEABLE && tag !== NON_BOUNCEABLE) || !isValid) return undefined
  return new Address((bytes[1]! << 24) >> 24, bytes.slice(2, 34))
}

/** The address in a bag of one cell: `null` is addr_none. `undefined` if there is something else. */
export const findAddressInBoc = (boc: string): Address | null | undefined => {
  const bytes = fromBase64(boc)
  const size = bytes[4]! & 7
  const hasIndex = (bytes[4]! & 0x80) !== 0
  const offsetBytes = bytes[5]!
  // Magic, flags, widths; numbers of cells, roots and absent cells; total size; the root, and the index.
  const cell = 6 + 3 * size + offsetBytes + size + (hasIndex ? offsetBytes : 0)
  const [descriptor, bits] = bytes.subarray(cell, cell + 2)
  const data = bytes.subarray(cell + 2)
  if (descriptor !== 0 || bits === undefined || data.length === 0) return undefined
  if (bits === 1 && data[0]! >> 5 === 0b001) return null
  // addr_std: tag 10, no anycast, workchain, hash; 267 bits and the completion bit.
  if (bits !== 67 || data[0]! >> 5 !== 0b100 || (data[33]! & 0x1f) !== 0x10) return undefined
  const shifted = Uint8Array.from({ length: 33 }, (_, at) => ((data[at]! << 3) | (data[at + 1]! >> 5)) & 0xff)
  return new Address((shifted[0]! << 24) >> 24, shifted.slice(1))
}
