import type { Json } from '../../store/schema/columns.ts'
import type { TokenMetadata, TokenType } from '../../store/schema/contractTables.ts'
import { cutText } from './cutText.ts'
import { addPreviews, isPreviewKey } from './imagePreviews.ts'
import { cleanText, type JsonObject } from './parseDocument.ts'

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
