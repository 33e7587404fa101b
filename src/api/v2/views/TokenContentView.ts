import { type Static, Type } from 'typebox'
import type { TokenContent } from '../../../contracts/tokens/tokenContent.ts'
import { toBase64 } from '../../../primitives/base64.ts'

const AttributesView = Type.Record(Type.String(), Type.String(), {
  description: 'Attributes by the names of TEP-64; image_data is in base64.',
  examples: [{ name: 'Example', symbol: 'EX', decimals: '9' }],
})

export const TokenContentView = Type.Union(
  [
    Type.Object({ type: Type.Literal('onchain'), data: AttributesView }),
    Type.Object({ type: Type.Literal('offchain'), data: Type.String({ examples: ['https://example.org/j.json'] }) }),
  ],
  { $id: 'TokenContent', description: 'What a token says of itself, or where it says it.' },
)

export const toTokenContentView = (content: TokenContent): Static<typeof TokenContentView> => {
  if (content.kind === 'offChain') return { type: 'offchain', data: content.uri }
  const { texts, imageData } = content
  const image = imageData === undefined ? {} : { image_data: toBase64(imageData) }
  return { type: 'onchain', data: { ...texts, ...image } }
}
