import { toBase64Url } from '../../primitives/base64.ts'
import type { Json } from '../../store/schema/columns.ts'
import type { TokenMetadata, TokenType } from '../../store/schema/contractTables.ts'
import { MetadataError } from '../errors.ts'
import type { FetchRules } from '../fetch/FetchRules.ts'
import { isDataUri, parseTarget } from '../fetch/parseTarget.ts'
import { cleanText, type JsonObject } from './parseDocument.ts'

const encoder = new TextEncoder()

/** The longest prefix of whole characters within this many UTF-8 bytes. */
const cutText = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

const sizes = ['small', 'medium', 'big'] as const

/** Reserved keys: documents cannot fake previews of the image proxy. */
const isPreviewKey = (key: string): boolean => /^_image_(small|medium|big)(_blur)?$/.test(key)

/** Preview URLs of the image proxy, by preset name. Inline images have none. */
const addPreviews = (extra: Record<string, Json>, image: string, proxy: URL): void => {
  if (!/^https?:/i.test(image)) return
  const source = toBase64Url(new TextEncoder().encode(image))
  const base = proxy.href.replace(/\/*$/, '')
  for (const size of sizes) extra[`_image_${size}`] = `${base}/pr:${size}/${source}`
}

export type BuildRules = {
  /** The reason to omit an image, or `undefined`. */
  readonly refusePicture: (image: string) => string | undefined
  readonly imageProxy: URL | undefined
}

/** The limit of on-chain values. */
const MAX_TEXT_BYTES = 8192
/** Limit of all members without a column. */
const MAX_EXTRA_BYTES = 32_768
const MAX_KEY_LENGTH = 256

/** The metadata of a token: on-chain `content` takes precedence over the off-chain `document`. */
export const buildMetadata = (
  type: TokenType,
  content: JsonObject | undefined,
  document: JsonObject | undefined,
  rules: BuildRules,
): TokenMetadata => {
  const notes: string[] = []
  const all = new Map<string, Json>(Object.entries(content ?? {}))
  for (const [key, value] of Object.entries(document ?? {})) {
    if (!all.has(key) && !isPreviewKey(key)) all.set(key, value)
  }
  const take = (key: string): string | undefined => {
    const value = all.get(key)
    if (typeof value !== 'string') return undefined
    all.delete(key)
    const whole = cleanText(value)
    const text = cutText(whole, MAX_TEXT_BYTES)
    if (text !== whole) notes.push(`${key} truncated.`)
    return text
  }
  const name = take('name')
  const description = take('description')
  const symbol = type === 'jetton_masters' ? take('symbol') : undefined
  const image = takePicture(all, rules, notes)
  const extra = collectExtra(all, notes)
  if (image !== undefined && rules.imageProxy !== undefined) addPreviews(extra, image, rules.imageProxy)
  const valid = isEnough(type, content, document, symbol)
  if (!valid) notes.push(type === 'jetton_masters' ? 'Symbol missing.' : 'No metadata found.')
  const error = notes.length === 0 ? undefined : notes.join(' ')
  return { valid, name, description, symbol, image, extra, error }
}

const isEnough = (
  type: TokenType,
  content: JsonObject | undefined,
  document: JsonObject | undefined,
  symbol: string | undefined,
): boolean => {
  if (type === 'jetton_masters') return symbol !== undefined && symbol !== ''
  return document !== undefined || Object.keys(content ?? {}).some((key) => key !== 'uri')
}

const takePicture = (all: Map<string, Json>, { refusePicture }: BuildRules, notes: string[]): string | undefined => {
  const image = all.get('image')
  if (typeof image !== 'string') return undefined
  all.delete('image')
  const text = cleanText(image).trim()
  if (text === '') return undefined
  const reason = refusePicture(text)
  if (reason === undefined) return text
  notes.push(`Image omitted: ${reason}`)
  return undefined
}

/** Remaining members within the limit; on-chain values first. */
const collectExtra = (all: ReadonlyMap<string, Json>, notes: string[]): Record<string, Json> => {
  const kept: [string, Json][] = []
  let bytes = 0
  let leftOut = 0
  for (const [key, given] of all) {
    const value = key === 'decimals' && typeof given === 'number' ? String(given) : given
    const size = Buffer.byteLength(JSON.stringify(value)) + key.length
    if (key.length > MAX_KEY_LENGTH || bytes + size > MAX_EXTRA_BYTES) {
      leftOut++
      continue
    }
    bytes += size
    kept.push([key, value])
  }
  if (leftOut > 0) notes.push(`Omitted as too long: ${leftOut} ${leftOut === 1 ? 'value' : 'values'}.`)
  return Object.fromEntries(kept)
}

const MAX_INLINE_LENGTH = 32_768
const MAX_URL_LENGTH = 4096
/** Raster images only: an SVG may contain scripts. */
const INLINE_PICTURE = /^data:image\/(png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i

/**
 * The reason to omit an image URL, or `undefined`. Clients will fetch it, so it follows the same rules as our own fetches. An IPFS URL is
 * accepted even without a gateway.
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
