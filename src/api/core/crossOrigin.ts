/** Any page may read what is open to all. */
export const openToPages = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } as const

/** The answer to a browser's question whether a page may call. The wildcard stands for headers that clients make up. */
export const preflightHeaders = {
  ...openToPages,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, X-API-Key, X-Ton-Client-Version, *',
  'access-control-max-age': '86400',
} as const
