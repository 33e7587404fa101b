import { findBase64 } from '../model/addresses.ts'
import { setup } from '../setup.ts'

/** On-chain content, or fetched metadata. */
type Pictured = { readonly image?: string; readonly image_data?: string }

const inline = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i

const elsewhere = /^(?:https?|ipfs|tonstorage):/i

/** First bytes of image formats. */
const signatures: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['webp', [0x52, 0x49, 0x46, 0x46]],
]

const findType = (bytes: Uint8Array): string | undefined => {
  const known = signatures.find(([, first]) => first.every((byte, index) => bytes[index] === byte))?.[0]
  if (known !== undefined) return known
  const text = String.fromCharCode(...bytes.subarray(0, 256)).trimStart()
  return /^<(\?xml|svg)/.test(text) ? 'svg+xml' : undefined
}

/**
 * Where the picture of a token is, or `undefined`. An inline picture is shown as it is: as an image, a drawing runs no scripts. One of
 * another host comes through our server, where it fetches them.
 */
export const imageUrl = (address: string, ...sources: readonly (Pictured | null | undefined)[]): string | undefined => {
  for (const source of sources) {
    const image = source?.image
    if (image !== undefined && inline.test(image)) return image
    const data = source?.image_data
    const bytes = data === undefined ? undefined : findBase64(data)
    const type = bytes === undefined ? undefined : findType(bytes)
    if (type !== undefined) return `data:image/${type};base64,${data}`
    if (setup.hasImages && image !== undefined && elsewhere.test(image)) return `${setup.base}/images/${address}`
  }
  return undefined
}
