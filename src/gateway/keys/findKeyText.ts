import type { IncomingMessage } from 'node:http'

const parameter = /[?&]api_key=([^&#]*)/

/** The key that a request says it has: in the header X-API-Key or, without that, in the query as api_key. An empty one is none. */
export const findKeyText = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined => {
  const header = headers['x-api-key']
  if (header !== undefined && header !== '') return String(header)
  // Most requests have no such parameter, and this is much cheaper than looking for where it is.
  if (!url.includes('api_key=')) return undefined
  return parameter.exec(url)?.[1] || undefined
}
