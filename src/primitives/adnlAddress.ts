import { crc16 } from './crc16.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const tag = 0x2d

/** An ADNL address as people write it: 55 characters of base32, a checksum among them. */
export const formatAdnlAddress = (id: Uint8Array): string => {
  const bytes = new Uint8Array([tag, ...id, 0, 0])
  const sum = crc16(bytes.subarray(0, 33))
  bytes[33] = sum >> 8
  bytes[34] = sum & 0xff
  // The first character is the same for all of them, and left out.
  return toBase32(bytes).slice(1)
}

const toBase32 = (bytes: Uint8Array): string => {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    heldBits += 8
    for (; heldBits >= 5; heldBits -= 5) text += alphabet[(held >> (heldBits - 5)) & 31]
  }
  return text
}
