import { fromBase64, toBase64 } from './base64.ts'
import { ParseError } from './errors.ts'
import { fromHex, toHex } from './hex.ts'

/** Where a liteserver listens and the Ed25519 key by which it is known. */
export type LiteServerAddress = { readonly host: string; readonly port: number; readonly publicKey: Uint8Array }

const EXPECTED = 'a liteserver as host:port:key, the key of 32 bytes in base64 or hex'

/** Reads `host:port:key`; an IPv6 host stands in brackets. */
export const parseLiteServer = (text: string): LiteServerAddress => {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]\s]+):([0-9]{1,5}):([^:\s]+)$/.exec(text)
  if (match === null) throw new ParseError(EXPECTED, text)
  const [, host = '', portText = '', keyText = ''] = match
  const port = Number(portText)
  if (port < 1 || port > 65_535) throw new ParseError('a port from 1 to 65535', portText)
  const publicKey = /^[0-9A-Fa-f]{64}$/.test(keyText) ? fromHex(keyText) : fromBase64(keyText)
  if (publicKey.length !== 32) throw new ParseError(EXPECTED, text)
  return { host: host.replace(/^\[|\]$/g, ''), port, publicKey }
}

/** The name of a server in logs. */
export const nameLiteServer = ({ host, port }: LiteServerAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** Tells servers apart: two keys may share a port behind a proxy. */
export const liteServerKey = (address: LiteServerAddress): string =>
  `${nameLiteServer(address)}:${toHex(address.publicKey)}`

/** Reads back with `parseLiteServer`; the key in base64, as global configurations have it. */
export const formatLiteServer = (address: LiteServerAddress): string =>
  `${nameLiteServer(address)}:${toBase64(address.publicKey)}`
