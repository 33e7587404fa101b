type Slice = (this: Uint8Array, start: number, end: number) => string

/**
 * What a buffer's `toString` comes to, for any bytes: without a look at what they are and a search for the name of the encoding, which
 * take as long as the work itself for a hash.
 */
const { hexSlice, base64Slice, base64urlSlice, latin1Slice } = Buffer.prototype as unknown as {
  readonly hexSlice: Slice
  readonly base64Slice: Slice
  readonly base64urlSlice: Slice
  readonly latin1Slice: Slice
}

export const bytesToHex = (bytes: Uint8Array, start = 0): string => hexSlice.call(bytes, start, bytes.length)

export const bytesToBase64 = (bytes: Uint8Array): string => base64Slice.call(bytes, 0, bytes.length)

export const bytesToBase64Url = (bytes: Uint8Array): string => base64urlSlice.call(bytes, 0, bytes.length)

/** A character for each byte. */
export const bytesToLatin1 = (bytes: Uint8Array): string => latin1Slice.call(bytes, 0, bytes.length)
