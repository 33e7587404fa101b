import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import type { Json } from '../columns.ts'

/** Begins a text that is no text, but the place of an address among the accounts of an action. */
const PLACE = '\u0001'

/** Details name the accounts of their action over and over: each is kept as its place among these, and takes two bytes. */
export const packDetails = (details: Json, accounts: readonly Uint8Array[]): Json => {
  const places = new Map<string, string>()
  for (const [k, account] of accounts.entries()) {
    const text = addressText(account)
    if (text !== undefined && !places.has(text)) places.set(text, `${PLACE}${k}`)
  }
  return mapTexts(details, (text) => places.get(text) ?? (text.startsWith(PLACE) ? PLACE + text : text))
}

/** Details as they are shown. */
export const unpackDetails = (packed: Json, accounts: readonly Uint8Array[]): Json =>
  mapTexts(packed, (text) => {
    if (!text.startsWith(PLACE)) return text
    const rest = text.slice(PLACE.length)
    const account = rest.startsWith(PLACE) ? undefined : accounts[Number(rest)]
    return (account && addressText(account)) ?? rest
  })

/** Accounts of actions may be others than addresses. */
const addressText = (account: Uint8Array): string | undefined => {
  const address = parseAddressKey(account)
  return typeof address === 'string' ? undefined : formatUpperRawAddress(address)
}

const mapTexts = (value: Json, map: (text: string) => string): Json => {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each as Json, map)]))
}
