type Slice = (this: Uint8Array, start: number, end: number) => string

/**
 * What a buffer's `toString` comes to, for any bytes: without a look at what they are and a search for the name of the encoding, which
 * take as long as the work itself for a hash.
 */
export const { hexSlice, base64Slice, base64urlSlice, latin1Slice } = Buffer.prototype as unknown as {
  readonly hexSlice: Slice
  readonly base64Slice: Slice
  readonly base64urlSlice: Slice
  readonly latin1Slice: Slice
}
