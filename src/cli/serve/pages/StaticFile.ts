import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { PlainAnswer, PlainRequest } from '../../../api/core/PlainRoute.ts'

/** Something that is the same for everybody who asks. */
export interface StaticFile {
  answer(request: Pick<PlainRequest, 'headers'>): PlainAnswer
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** Nothing is loaded from anywhere else, and nobody shows our pages within his. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** A file whose name changes with what is in it may be kept for ever; any other is asked for each time, and told apart by its tag. */
export const createStaticFile = (
  name: string,
  bytes: Uint8Array,
  { keep }: { readonly keep: 'forever' | 'checked' },
): StaticFile => {
  const packed = gzipSync(bytes, { level: 9 })
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const headers = {
    ...pageHeaders,
    etag,
    'cache-control': keep === 'forever' ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  }
  const typed = { ...headers, 'content-type': types[extname(name)] ?? 'application/octet-stream' }
  return {
    answer: ({ headers: asked }) => {
      if (asked['if-none-match']?.split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === etag) === true) {
        return { status: 304, headers, body: '' }
      }
      if (!/\bgzip\b/.test(String(asked['accept-encoding'] ?? ''))) return { status: 200, headers: typed, body: bytes }
      return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: packed }
    },
  }
}
