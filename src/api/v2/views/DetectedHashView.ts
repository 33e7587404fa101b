import { type Static, Type } from 'typebox'
import { toBase64, toBase64Url } from '../../../primitives/base64.ts'
import { toHex } from '../../../primitives/hex.ts'
import { HashView, typeName } from './scalars.ts'

export const DetectedHashView = Type.Object(
  {
    '@type': typeName('ext.utils.detectedHash'),
    b64: HashView,
    b64url: Type.String({ examples: ['CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM'] }),
    hex: Type.String({ examples: ['08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'] }),
  },
  { $id: 'DetectedHash', description: 'A hash in all its forms.' },
)

export const toDetectedHashView = (hash: Uint8Array): Static<typeof DetectedHashView> => ({
  '@type': 'ext.utils.detectedHash',
  b64: toBase64(hash),
  b64url: toBase64Url(hash),
  hex: toHex(hash),
})
