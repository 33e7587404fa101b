import type { TokenContent } from '../../contracts/tokens/tokenContent.ts'
import { toBase64 } from '../../primitives/base64.ts'

/** Content as clients get it: text by the names of TEP-64. The database has no character of number zero, so it is left out. */
export const toContentJson = (content: TokenContent): Record<string, string> => {
  if (content.kind === 'offChain') return { uri: withoutNul(content.uri) }
  const json: Record<string, string> = {}
  for (const [name, text] of Object.entries(content.texts)) json[name] = withoutNul(text)
  if (content.imageData !== undefined) json['image_data'] = toBase64(content.imageData)
  return json
}

export const withoutNul = (text: string): string => text.replaceAll('\0', '')
