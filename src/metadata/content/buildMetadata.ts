import { toBase64Url } from '../../primitives/base64.ts'
import type { Json } from '../../store/schema/columns.ts'
import type { TokenMetadata, TokenType } from '../../store/schema/contractTables.ts'
import { MetadataError } from '../errors.ts'
import type { FetchRules } from '../fetch/FetchRules.ts'
import { isDataUri, parseTarget } from '../fetch/parseTarget.ts'
import { cleanText, type JsonObject } from './parseDocument.ts'

const encoder = new TextEncoder()

/** As many whole characters of a text as so many bytes of UTF-8 have room for. */
const cutText = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

const sizes = ['small', 'medium', 'big'] as const

/** Keys that only we write, so that nobody can pass a picture of their own for one that went through the proxy. */
const isPreviewKey = (key: string): boolean => /^_image_(small|medium|big)(_blur)?$/.test(key)

/** URLs of smaller copies, as an image proxy with presets of these names makes them. Pictures inside the text have none. */
const addPreviews = (extra: Record<string, Json>, image: string, proxy: URL): void => {
  if (!/^https?:/i.test(image)) return
  const source = toBase64Url(new TextEncoder().encode(image))
  const base = proxy.href.replace(/\/*$/, '')
  for (const size of sizes) extra[`_image_${size}`] = `${base}/pr:${size}/${source}`
}

export type BuildRules = {
  /** Why a picture is not kept, or `undefined` where it is. */
  readonly refusePicture: (image: string) => string | undefined
  readonly imageProxy: URL | undefined
}

/** As much of a text as the chain's own values may have. */
const MAX_TEXT_BYTES = 8192
/** Of all that has no column of its own. */
const MAX_EXTRA_BYTES = 32_768
const MAX_KEY_LENGTH = 256

/** What is known of a token: `content` is what the chain says and wins, `document` what was found where it leads. */
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
    if (text !== whole) notes.push(`The ${key} was cut.`)
    return text
  }
  const name = take('name')
  const description = take('description')
  const symbol = type === 'jetton_masters' ? take('symbol') : undefined
  const image = takePicture(all, rules, notes)
  const extra = collectExtra(all, notes)
  if (image !== undefined && rules.imageProxy !== undefined) addPreviews(extra, image, rules.imageProxy)
  const valid = isEnough(type, content, document, symbol)
  if (!valid) notes.push(type === 'jetton_masters' ? 'It has no symbol.' : 'It says nothing of itself.')
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
  notes.push(`The picture was left out. ${reason}`)
  return undefined
}

/** The rest, as far as it fits. The chain's own values come first. */
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
  if (leftOut > 0) notes.push(`Left out as too long: ${leftOut} ${leftOut === 1 ? 'value' : 'values'}.`)
  return Object.fromEntries(kept)
}

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
