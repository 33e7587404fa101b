/** Bytes of a base64 text in a buffer of their own, which can be transferred. */
export const decodeBag = (text: string): Uint8Array => {
  const bytes = new Uint8Array(Buffer.byteLength(text, 'base64'))
  Buffer.from(bytes.buffer).write(text, 'base64')
  return bytes
}
