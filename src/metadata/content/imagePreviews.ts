import { toBase64Url } from '../../primitives/base64.ts'
import type { Json } from '../../store/schema/columns.ts'

const sizes = ['small', 'medium', 'big'] as const

/** Keys that only we write, so that nobody can pass a picture of their own for one that went through the proxy. */
export const isPreviewKey = (key: string): boolean => /^_image_(small|medium|big)(_blur)?$/.test(key)

/** URLs of smaller copies, as an image proxy with presets of these names makes them. Pictures inside the text have none. */
export const addPreviews = (extra: Record<string, Json>, image: string, proxy: URL): void => {
  if (!/^https?:/i.test(image)) return
  const source = toBase64Url(new TextEncoder().encode(image))
  const base = proxy.href.replace(/\/*$/, '')
  for (const size of sizes) extra[`_image_${size}`] = `${base}/pr:${size}/${source}`
}
