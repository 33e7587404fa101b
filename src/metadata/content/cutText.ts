const encoder = new TextEncoder()

/** As many whole characters of a text as so many bytes of UTF-8 have room for. */
export const cutText = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}
