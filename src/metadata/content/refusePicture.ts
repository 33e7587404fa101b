import { MetadataError } from '../errors.ts'
import type { FetchRules } from '../fetch/FetchRules.ts'
import { isDataUri } from '../fetch/parseDataUri.ts'
import { parseTarget } from '../fetch/parseTarget.ts'

const MAX_INLINE_LENGTH = 32_768
const MAX_URL_LENGTH = 4096
/** Pixels only: an SVG may hold scripts, which run where a page opens it by itself. */
const INLINE_PICTURE = /^data:image\/(png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i

/**
 * Why the URL of a picture is not kept, or `undefined`. Nobody here fetches it, but others will: so it is held to the same
 * rules. One of IPFS is kept without a gateway, too.
 */
export const refusePicture = (
  image: string,
  rules: Pick<FetchRules, 'allowHttp' | 'isAllowedAddress'>,
): string | undefined => {
  const maxLength = isDataUri(image) ? MAX_INLINE_LENGTH : MAX_URL_LENGTH
  if (image.length > maxLength) return `It is longer than ${maxLength} characters.`
  if (isDataUri(image)) {
    return INLINE_PICTURE.test(image) ? undefined : 'A data URI must hold PNG, JPEG, GIF, WebP, AVIF, BMP or ICO.'
  }
  try {
    parseTarget(image, { ...rules, ipfsGateway: new URL('https://gateway.invalid/ipfs/') })
    return undefined
  } catch (error) {
    if (error instanceof MetadataError) return error.message
    throw error
  }
}
