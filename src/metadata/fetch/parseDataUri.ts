import { MetadataRefusedError } from '../errors.ts'

export const isDataUri = (text: string): boolean => /^data:/i.test(text)

/** data:[media type][;parameter…][;base64],content */
export const parseDataUri = (text: string): { readonly mediaType: string; readonly bytes: Uint8Array } => {
  const comma = text.indexOf(',')
  if (comma < 0) throw new MetadataRefusedError('A data URI has a comma before its content; this one has none.')
  const [mediaType = '', ...parameters] = text
    .slice('data:'.length, comma)
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const content = unescapePercent(text.slice(comma + 1))
  return {
    mediaType: mediaType === '' ? 'text/plain' : mediaType,
    bytes: parameters.at(-1) === 'base64' ? Buffer.from(content.toString('latin1'), 'base64') : content,
  }
}

/** Bytes, as %ff need not be UTF-8. A percent sign that is not followed by two digits stands for itself. */
const unescapePercent = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  let used = 0
  for (let k = 0; k < bytes.length; k++) {
    const digits = bytes[k] === 0x25 ? bytes.toString('latin1', k + 1, k + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(digits)) {
      bytes[used++] = Number.parseInt(digits, 16)
      k += 2
    } else {
      bytes[used++] = bytes[k]!
    }
  }
  return bytes.subarray(0, used)
}
