import { isIP } from 'node:net'
import { MetadataRefusedError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'

export const isDataUri = (text: string): boolean => /^data:/i.test(text)

/** data:[media type][;parameter…][;base64],content */
const parseDataUri = (text: string): { readonly mediaType: string; readonly bytes: Uint8Array } => {
  const comma = text.indexOf(',')
  if (comma < 0) throw new MetadataRefusedError('The data URI has no comma before its content.')
  const [mediaType = '', ...parameters] = text
    .slice('data:'.length, comma)
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const content = unescapePercent(text.slice(comma + 1))
  return {
    mediaType: mediaType === '' ? 'text/plain' : mediaType,
    bytes: parameters.at(-1) === 'base64' ? Buffer.from(content.toString('latin1'), 'base64') : content,
  }
}

/** Decodes percent escapes to bytes, which need not be UTF-8. A lone percent sign is literal. */
const unescapePercent = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  let used = 0
  for (let k = 0; k < bytes.length; k++) {
    const digits = bytes[k] === 0x25 ? bytes.toString('latin1', k + 1, k + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(digits)) {
      bytes[used++] = Number.parseInt(digits, 16)
      k += 2
    } else {
      bytes[used++] = bytes[k]!
    }
  }
  return bytes.subarray(0, used)
}

export type Remote = {
  readonly kind: 'remote'
  readonly url: URL
  /** Of the configured gateway: its address is not checked. */
  readonly isTrusted: boolean
}

export type Target = Remote | { readonly kind: 'inline'; readonly mediaType: string; readonly bytes: Uint8Array }

type Rules = Pick<FetchRules, 'allowHttp' | 'ipfsGateway' | 'isAllowedAddress'>

const MAX_LENGTH = 8192

/** Parses an untrusted URL; throws if it is not allowed. */
export const parseTarget = (text: string, rules: Rules): Target => {
  const trimmed = text.trim()
  if (isDataUri(trimmed)) return { kind: 'inline', ...parseDataUri(trimmed) }
  return parseRemote(trimmed, rules)
}

/** The same for a redirect, which may be relative. */
export const parseRedirect = (location: string, from: URL, rules: Rules): Remote => parseRemote(location, rules, from)

const parseRemote = (text: string, rules: Rules, base?: URL): Remote => {
  if (text.length > MAX_LENGTH || !URL.canParse(text, base?.href)) {
    throw new MetadataRefusedError(`Expected a URL, got ${JSON.stringify(text.slice(0, 100))}.`)
  }
  const url = new URL(text, base)
  if (url.protocol === 'ipfs:') return { kind: 'remote', url: throughGateway(url, rules), isTrusted: true }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    throw new MetadataRefusedError(`The URL scheme ${url.protocol.slice(0, 40)} is not allowed.`)
  }
  checkUrl(url, rules)
  return { kind: 'remote', url, isTrusted: false }
}

const checkUrl = (url: URL, { isAllowedAddress }: Rules): void => {
  if (url.username !== '' || url.password !== '') {
    throw new MetadataRefusedError('A URL with a user name or password is not allowed.')
  }
  // Low ports belong to other protocols, some of which would interpret a request as commands.
  const port = portOf(url)
  if (port !== 80 && port !== 443 && port < 1024) {
    throw new MetadataRefusedError(`Port ${port} is not allowed: expected 80, 443, or at least 1024.`)
  }
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowedAddress(host)) {
    throw new MetadataRefusedError(`${host} is not a public address.`)
  }
}

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

export const portOf = ({ port, protocol }: URL): number =>
  port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80

const CONTENT_ID = /^[A-Za-z0-9]{32,128}$/

/** ipfs://content-id/path, also spelled ipfs://ipfs/content-id/path, below the gateway and nowhere else on its host. */
const throughGateway = (url: URL, { ipfsGateway }: Rules): URL => {
  if (ipfsGateway === undefined) throw new MetadataRefusedError('No IPFS gateway is configured (--ipfs-gateway).')
  const [contentId = '', ...path] = `${url.host}${url.pathname}`.replace(/^\/*(ipfs\/)?/, '').split('/')
  const base = ipfsGateway.href.replace(/\/*$/, '/')
  const place = `${base}${contentId}${path.map((part) => `/${part}`).join('')}`
  const isBelow = URL.canParse(place) && new URL(place).href.startsWith(`${base}${contentId}`)
  if (!CONTENT_ID.test(contentId) || !isBelow || path.some(hidesSeparator)) {
    throw new MetadataRefusedError(`Expected ipfs://content-id/path, got ${JSON.stringify(url.href.slice(0, 100))}.`)
  }
  return new URL(place)
}

/** Maximum layers of percent-encoding. */
const MAX_LAYERS = 3

/** Whether a path segment would contain a separator or ".." after repeated decoding by a gateway. */
const hidesSeparator = (part: string): boolean => {
  let text = part
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const decoded = text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    // A NUL ends the path for some servers.
    if (/[/\\\0]/.test(decoded) || /^\.{1,2}$/.test(decoded)) return true
    if (decoded === text) return false
    text = decoded
  }
  return true
}
